"""The controls of a window, without the window."""

import pytest

from tests.helpers.desk import Desk


@pytest.fixture
def desk():
    return Desk()
