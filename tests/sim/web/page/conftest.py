"""The page in a browser in which time stands still until a test lets it pass."""

import pytest

from tests.sim.web.conftest import stop_time


@pytest.fixture
def people(people):
    """Make browsers of people in which time stands still; see `stop_time`."""

    def person(**choices):
        context = people(**choices)
        stop_time(context)
        return context

    return person
