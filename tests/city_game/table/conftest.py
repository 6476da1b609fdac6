"""A screen at which a person ends a turn."""

import pytest

from city_game.table.picture import Pen
from tests.helpers.table_screen import a_sale
from tests.helpers.virtual_table import make_screen, make_session, run_until


@pytest.fixture
def screen():
    """Return a screen at which the person A, with 0, 1 and 2, ends a turn; B owns 3 and 4."""
    session, _ = make_session(("human", "human"), seed=2)
    run_until(session, lambda: session.state.phase == "roll")
    state = session.state
    for deed, owner in ((0, 0), (1, 0), (2, 0), (3, 1), (4, 1)):
        state.transfer(deed, owner)
    state.turn = state.decider = 0
    state.phase = "manage"
    made = make_screen(session)
    made.update()
    return made


@pytest.fixture
def sale():
    """Return a screen at a sale of two people whose light was just put on."""
    return a_sale()


@pytest.fixture
def written(monkeypatch):
    """Return the texts that are drawn."""
    words = []
    monkeypatch.setattr(Pen, "write", lambda _, said, *rest, **more: words.append(said))
    return words
