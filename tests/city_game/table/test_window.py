"""The table in a real window, with real keys and clicks and an emulated unit."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from city_game.table.layout import arrange
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until
from tests.helpers.screens import Hand, screen_of
from tests.helpers.virtual_table import BOARD

pytestmark = pytest.mark.real_time

ROOT = Path(__file__).parents[3]
WIDTH, HEIGHT = 1280, 720
SEED = "10"  # A starts and lands on an unsold district


class Table(Hand):
    """One run of `city-game` on a screen, and the person using it."""

    def __init__(self, screen: dict[str, str], save: Path, *words: str) -> None:
        self.save = save
        environment = {"CITY_GAME_FOLDER": str(save.parent), "PYTHONPATH": str(ROOT)}
        game = [sys.executable, "-m", "city_game.cli", "--pace", "0", *words]
        super().__init__(game, screen | environment)
        self.sit_down()

    def steps(self) -> list[str]:
        """Return the saved actions without their checksums."""
        if not self.save.exists():
            return []
        lines = [line.rsplit(" *", 1)[0] for line in self.save.read_text().splitlines()]
        return lines[lines.index("play") + 1 :] if "play" in lines else []

    def until(self, condition):
        """Wait for a condition to be true; return its value."""
        return until(condition, self.steps)

    def press_until(self, key: str, start: str, times: int = 1) -> None:
        """Press a key until `times` steps with this start have been saved.

        On a busy machine the presses for the step before may have made this one too.
        """

        def saved():
            if self.count(start) < times:
                self.key(key)
                time.sleep(0.2)
            return self.count(start) >= times

        self.until(saved)

    def count(self, start: str) -> int:
        return sum(step.startswith(start) for step in self.steps())

    def leave(self) -> None:
        self.key("ctrl+q")
        _, said = self.program.communicate(timeout=PATIENCE_S)
        assert self.program.returncode == 0
        assert "Traceback" not in said


@pytest.fixture
def screen():
    for tool in ("Xvfb", "xdotool"):
        needs(shutil.which(tool), tool)
    with screen_of(WIDTH, HEIGHT, is_managed=False) as screen:
        yield screen


@pytest.fixture
def open_table(screen, tmp_path):
    """Return a function that opens a table; the save's path follows the last argument."""
    save, tables = tmp_path / "evening.city", []

    def open_table(*words):
        tables.append(Table(screen, save, *words, str(save)))
        return tables[-1]

    yield open_table
    for table in tables:
        table.end()


def test_a_unit_killed_in_an_auction_is_replaced_and_the_sale_repeated(open_table):
    needs(shutil.which("pgrep"), "pgrep")
    table = open_table("--players", "A,B", "--seed", SEED, "--save")
    table.until(lambda: table.count("start-roll") >= 2)
    table.press_until("Return", "roll")
    table.key("o")
    table.press_until("Return", "put-up")
    table.press_until("a", "light-on")
    table.press_until("j", "bid player=1")
    os.kill(int(table.asked("pgrep", "-P", str(table.program.pid)).split()[0]), signal.SIGKILL)
    table.press_until("F5", "cancelled")
    table.press_until("a", "light-on", 2)
    table.leave()


def test_an_evening_at_a_french_keyboard_survives_a_kill(screen, open_table):
    """It types accents in the setup, and its digit keys choose options."""
    needs(shutil.which("setxkbmap"), "setxkbmap")  # its key 2 types é, and 2 with Shift
    subprocess.run(["setxkbmap", "fr"], env=screen, check=True, timeout=PATIENCE_S)
    table = open_table("--seed", SEED, "--save")
    table.key("Down", "Tab", "BackSpace", "BackSpace", "BackSpace")
    for key in ("x", "eacute", "egrave", "ccedilla", "agrave", "dead_circumflex", "e", "space"):
        table.key(key)
    table.key("dead_diaeresis", "i", "z", "Down", "Tab")
    table.key("BackSpace", "BackSpace", "BackSpace", "ccedilla", "a", "Down", "Right")
    table.key("Up", "Up", "Up", "Return")  # without the third player
    table.until(table.save.exists)
    names = [line for line in table.save.read_text("utf-8").splitlines() if "player " in line]
    assert [name.split(" *")[0] for name in names[:2]] == [
        "player human xéèçàê ïz",
        "player builder ça",
    ]
    table.until(lambda: table.count("start-roll") >= 2)
    table.press_until("ampersand", "roll")  # the key 1
    table.press_until("ampersand", "buy")
    table.press_until("b", "permit")
    assert "press" in table.steps()
    table.end()
    steps = table.steps()

    table = open_table("--resume")
    layout = arrange(WIDTH, HEIGHT, BOARD.size, BOARD.members)
    if not table.count("permit permit=station"):  # a click would build it
        table.click(*layout.plots[0].middle)  # shows a deed and changes nothing
        table.key("Escape")
    assert table.steps()[: len(steps)] == steps
    table.press_until("e", "done")
    table.press_until("e", "end-turn")
    table.leave()
