"""The controls of a window that nobody sees."""

import pytest

from tests.helpers.desk import Desk


@pytest.fixture
def desk():
    return Desk()
