"""The terminal in each language, whole and at 40 columns: nothing cut off or untranslated."""

import re

import pytest

from city_unit import programs
from city_unit.desktop import catalogue
from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.engine.runner import Runner
from sim.terminal import picture
from sim.terminal.picture import Style, View
from tests.helpers.standing_clock import StandingClock
from tests.helpers.times import SLOW_MS

PLAIN_STYLE = Style(is_rich=False, has_colour=False)
PLAIN = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")
# Keys, programs, and words in large letters, which have no accents.
NAMES = {"min", "city", "championship", "timed", "world", "a", "A", "o", "O"}
SIZES = [(80, 24), (64, 24), (40, 16)]


def evening(program):
    """Yield the runner of a unit in each state that it comes to, its words not yet read."""
    clock = StandingClock()
    unit = Unit(Settings(), Draws(1).below)
    unit.settings.choose(program)
    runner = Runner(unit, clock)

    def go(length_ms, act=lambda: None):
        act()
        clock.move(length_ms)
        runner.advance()
        return runner

    yield runner
    yield go(2000, lambda: runner.switch(True))
    yield go(100, lambda: runner.press("auction"))
    yield go(SLOW_MS + 1000, lambda: runner.release("auction"))
    yield go(100, lambda: runner.tap("build"))  # refused, if an auction runs
    yield go(8000)
    yield go(300, lambda: runner.tap("build"))
    yield go(60_000)
    for _quarter in range(9):
        yield go(900_000)
    yield go(100, lambda: runner.switch(False))
    runner.press("build")
    for _page in range(3):
        yield go(1000, lambda: runner.switch(True))
        yield go(1000, lambda: runner.release("build"))
        go(1000, lambda: runner.tap("auction"))


@pytest.fixture
def uncropped(monkeypatch):
    """Have each line as it would be on an endless terminal."""
    monkeypatch.setattr(picture, "cropped", lambda line, _columns: line)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", [*catalogue.languages(), catalogue.PSEUDO])
def test_no_line_is_cut_off(uncropped, size, language):
    catalogue.speak(language)
    long = set()
    for program in programs.PROGRAMS:
        for runner in evening(program):
            for line in picture.lines(runner, View(), PLAIN_STYLE, size):
                if len(line) > size[0]:
                    long.add(line)
    assert long == set()


def test_every_word_comes_from_the_catalogue(uncropped):
    catalogue.speak(catalogue.PSEUDO)
    found = set()
    for program in programs.PROGRAMS:
        for runner in evening(program):
            rows = picture.lines(runner, View(), PLAIN_STYLE, (80, 24))
            found |= set(PLAIN.findall("\n".join(rows)))
    assert found - NAMES == set()
