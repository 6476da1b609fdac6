"""A table in memory; a Chromium for the pages of telephones."""

import pytest

from city_game.phones.client import ROLES
from city_game.phones.server import Server
from tests.city_game.phones.desk import Desk
from tests.helpers.virtual_table import make_session, run_until
from tests.sim.web.conftest import chromium, chromium_path, people, playwright  # noqa: F401


@pytest.fixture(scope="module")
def files():
    """Serve the page's files without a table; return the address."""
    server = Server("127.0.0.1", 0, {"code": ROLES})
    yield f"http://127.0.0.1:{server.port}/code/"
    server.stop()


@pytest.fixture
def desk():
    session, _ = make_session(("human", "human", "human", "builder"))
    run_until(session, lambda: session.state.phase == "roll" and session.state.decider < 3)
    return Desk(session)
