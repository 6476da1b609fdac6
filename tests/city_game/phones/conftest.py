"""A table in memory, or as a program of its own; a Chromium, closed before others open theirs."""

import shutil

import pytest

from city_game.phones.line import ROLES
from city_game.phones.server import Server
from tests.city_game.phones.desk import Desk
from tests.city_game.phones.table import NAMES, SEED, Table
from tests.helpers.emulated import ANY_PORT, Emulated
from tests.helpers.needs import needs, needs_posix
from tests.helpers.virtual_table import make_session, run_until
from tests.sim.web.conftest import FLAGS, people  # noqa: F401

# Its light stays on for as long as the slowest machine takes to play a sale with six pages.
LONG_LIGHT = """
name = "long-light"
auction = "60 min"
warning = "5 s"
odds = [1, 1, 1, 1]
"""


@pytest.fixture(scope="module")
def chromium():
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    needs(where, "chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        needs(False, "playwright")
        raise
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=where, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def files():
    """Return the address of the page's files at a door behind which there is no table."""
    server = Server("127.0.0.1", 0, {"code": ROLES})
    yield f"http://127.0.0.1:{server.port}/code/"
    server.stop()


@pytest.fixture
def desk():
    session, _ = make_session(("human", "human", "human", "builder"))
    run_until(session, lambda: session.state.phase == "roll" and session.state.decider < 3)
    return Desk(session)


@pytest.fixture
def unit(tmp_path):
    (tmp_path / "long.toml").write_text(LONG_LIGHT)
    program = str(tmp_path / "long.toml")
    running = Emulated(tmp_path, "--listen", ANY_PORT, "--program", program)
    yield running
    running.stop()


@pytest.fixture
def table(tmp_path, unit):
    needs_posix()
    players = ",".join(NAMES)
    running = Table(tmp_path, "--players", players, "--seed", SEED, "--port", unit.port)
    yield running
    running.end()
