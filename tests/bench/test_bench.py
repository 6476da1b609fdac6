"""The figures of the benchmarks that are the same on every machine; each benchmark can be begun."""

import pytest

from city_unit.draws import Draws
from city_unit.facts import AUCTION, SWITCH
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.lab.listen.listening import Beep
from tests.bench import boards, listen
from tests.bench.__main__ import ALL, benchmark
from tests.bench.boards import END_MS, PRESSED_MS, RELEASED_MS
from tests.helpers.interpreters import available
from tests.helpers.needs import needs

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


@pytest.mark.slow
def test_the_whole_firmware_plays_as_the_clock_wraps_is_small_and_allocates_nothing():
    needs("32-bit" in available(), "the 32-bit MicroPython")
    *changes, taken, allocated = boards.lived()
    assert changes == expected() and len(changes) > 80
    assert [figure.reached for figure in boards.whole([taken, allocated])] == [True, True]


@pytest.mark.slow
def test_the_files_that_are_copied_are_small():
    figures = boards.sizes()
    assert len(figures) == len(boards.BYTES) + 1  # each file that is copied, and no other
    assert [figure for figure in figures if not figure.reached] == []


def test_a_beep_is_found_once_and_the_rest_is_false():
    there = [(1000, 25, 2700), (2000, 25, 2700), (3000, 25, 440)]
    heard = [
        Beep(1009.0, 25, 2690, -20),
        Beep(1003.0, 25, 2700, -20),
        Beep(2011.0, 25, 2700, -20),
    ]
    score = listen.compare(there, heard)
    assert score == ({2700: 2, 440: 1}, {2700: 1}, 2)
    assert listen.total([score, score]) == ({2700: 4, 440: 2}, {2700: 2}, 4)


@pytest.mark.parametrize("name", ALL)
def test_each_benchmark_can_be_begun(name):
    assert callable(benchmark(name))
