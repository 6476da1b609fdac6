"""The unit on a board: its cost, the same on every machine, and an auction with 32-bit words."""

import pytest

from city_unit.draws import Draws
from city_unit.facts import AUCTION, SWITCH
from city_unit.settings import Settings
from city_unit.unit import Unit
from tests.bench import boards
from tests.bench.boards import END_MS, PRESSED_MS, RELEASED_MS
from tests.helpers.interpreters import available
from tests.helpers.needs import needs

pytestmark = pytest.mark.slow

SETTLED_MS = 5  # the start waits for the pull-ups of the contacts


def expected() -> list[str]:
    """Return each change that a unit shows, stepped at every millisecond."""
    unit = Unit(Settings(), Draws(0).below)
    shown, told = (0, 0), []
    for ms in range(SETTLED_MS, END_MS):
        unit.step(ms, SWITCH | (AUCTION if PRESSED_MS <= ms < RELEASED_MS else 0))
        if shown != (unit.lamps, unit.tone):
            shown = unit.lamps, unit.tone
            told.append(f"{ms} {unit.lamps} {unit.tone}")
    return told


def test_the_whole_firmware_plays_as_the_clock_wraps_is_small_and_allocates_nothing():
    needs("32-bit" in available(), "the 32-bit MicroPython")
    *changes, taken, allocated = boards.lived()
    assert changes == expected() and len(changes) > 80
    assert [figure.reached for figure in boards.whole([taken, allocated])] == [True, True]


def test_the_files_that_are_copied_are_small():
    figures = boards.sizes()
    assert len(figures) == len(boards.BYTES) + 1  # each file that is copied, and no other
    assert [figure for figure in figures if not figure.reached] == []
