"""Screens in common situations, and the texts drawn on them."""

import pytest

from city_game.table.picture import Pen
from tests.helpers.table_screen import a_sale
from tests.helpers.virtual_table import make_screen, managing


@pytest.fixture
def screen():
    """Return a screen in the manage phase of person A, who owns deeds 0 to 2; B owns 3 and 4."""
    made = make_screen(managing(owned=((0, 1, 2), (3, 4)), seed=2))
    made.update()
    return made


@pytest.fixture
def sale():
    """Return a screen at a sale between two people, just after the light went on."""
    return a_sale()


@pytest.fixture
def written(monkeypatch):
    """Return the list to which each drawn text is added."""
    words = []
    monkeypatch.setattr(Pen, "write", lambda _, said, *rest, **more: words.append(said))
    return words
