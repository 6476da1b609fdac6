"""Telephones at a table in memory; a real Chromium, closed before other tests open theirs."""

import shutil

import pytest

from tests.city_game.phones.desk import Desk
from tests.helpers.needs import needs
from tests.helpers.virtual_table import make_session, run_until
from tests.sim.web.conftest import FLAGS, people  # noqa: F401


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


@pytest.fixture
def desk():
    session, _ = make_session(("human", "human", "human", "builder"))
    run_until(session, lambda: session.state.phase == "roll" and session.state.decider < 3)
    return Desk(session)
