"""The table as a person has it: a real window, real keys and clicks, an emulated unit beside it."""

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from city_game.table.picture import arrange
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until
from tests.helpers.virtual_table import BOARD

pytestmark = pytest.mark.real_time

ROOT = Path(__file__).parents[3]
WIDTH, HEIGHT = 1280, 720
SEED = "10"  # A begins, and comes to an unsold district


class Table:
    """One run of `city-game` on a screen, and the person before it."""

    def __init__(self, display: str, save: Path, *words: str) -> None:
        self.save = save
        self.environment = os.environ | {
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "CITY_GAME_FOLDER": str(save.parent),
            "PYTHONPATH": str(ROOT),
        }
        self.game = subprocess.Popen(
            [sys.executable, "-m", "city_game.cli", "--pace", "0", *words],
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.window = self.until(self._find)
        self.until(self._focused)

    def do(self, *words: str) -> str:
        told = subprocess.run(
            ["xdotool", *words],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        return told.stdout

    def key(self, *keys: str) -> None:
        self.do("key", *keys)

    def click(self, point: tuple[float, float]) -> None:
        x, y = (str(round(part)) for part in point)
        self.do("mousemove", "--window", self.window, x, y, "click", "1")

    def steps(self) -> list[str]:
        """Return the actions that are saved, without their seals."""
        if not self.save.exists():
            return []
        lines = [line.rsplit(" *", 1)[0] for line in self.save.read_text().splitlines()]
        return lines[lines.index("play") + 1 :] if "play" in lines else []

    def until(self, condition):
        """Wait for a condition to be true; return its value."""
        return until(condition, self.steps)

    def press_until(self, key: str, start: str) -> None:
        """Press a key until a step that starts so has been saved."""
        before = self.count(start)

        def saved():
            self.key(key)
            time.sleep(0.2)
            return self.count(start) > before

        self.until(saved)

    def count(self, start: str) -> int:
        return sum(step.startswith(start) for step in self.steps())

    def end(self) -> None:
        if self.game.poll() is None:
            self.game.kill()
        self.game.communicate(timeout=PATIENCE_S)

    def _focused(self) -> bool:
        self.do("windowfocus", self.window)
        return self.do("getwindowfocus").strip() == self.window

    def _find(self) -> str:
        assert self.game.poll() is None, self.game.communicate()[1]
        found = self.do("search", "--onlyvisible", "--pid", str(self.game.pid)).split()
        return found[-1] if found else ""


@pytest.fixture
def display():
    for tool in ("Xvfb", "xdotool"):
        needs(shutil.which(tool), tool)
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", f"{WIDTH}x{HEIGHT}x24"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    assert select.select([read], [], [], PATIENCE_S)[0], "Xvfb opens no display"
    with os.fdopen(read) as told:
        name = told.readline().strip()
    yield ":" + name
    screen.terminate()
    screen.wait(PATIENCE_S)


def test_a_turn_by_keys_and_clicks_a_kill_and_what_is_left_of_it(display, tmp_path):
    save = tmp_path / "evening.city"
    new = ("--players", "A,builder", "--seed", SEED, "--save", str(save))
    table = Table(display, save, *new)
    try:
        table.until(lambda: table.count("start-roll") >= 2)
        table.press_until("Return", "roll")
        table.press_until("y", "buy")
        table.press_until("b", "permit")
        assert "press" in table.steps()
        table.game.send_signal(signal.SIGKILL)
        table.game.wait(PATIENCE_S)
        steps = table.steps()
    finally:
        table.end()

    table = Table(display, save, "--resume", str(save))
    try:
        layout = arrange(WIDTH, HEIGHT, BOARD.size, BOARD.members)
        if not table.count("permit permit=station"):  # that would be built by a click
            table.click(layout.plots[0].middle)  # looks at a deed, and changes nothing
            table.key("Escape")
        assert table.steps()[: len(steps)] == steps
        table.press_until("e", "done")
        table.press_until("e", "end-turn")
        table.key("ctrl+q")
        _, said = table.game.communicate(timeout=PATIENCE_S)
        assert table.game.returncode == 0
        assert "Traceback" not in said
    finally:
        table.end()


def test_a_unit_that_dies_in_an_auction_is_replaced_and_the_sale_held_again(display, tmp_path):
    needs(shutil.which("pgrep"), "pgrep")
    save = tmp_path / "evening.city"
    table = Table(display, save, "--players", "A,B", "--seed", SEED, "--save", str(save))
    try:
        table.until(lambda: table.count("start-roll") >= 2)
        table.press_until("Return", "roll")
        table.key("o")
        table.press_until("Return", "put-up")
        table.press_until("a", "light-on")
        table.press_until("j", "bid player=1")
        unit = subprocess.run(
            ["pgrep", "-P", str(table.game.pid)], capture_output=True, text=True, timeout=PATIENCE_S
        )
        os.kill(int(unit.stdout.split()[0]), signal.SIGKILL)
        table.press_until("F5", "cancelled")
        table.press_until("a", "light-on")
        table.key("ctrl+q")
        _, said = table.game.communicate(timeout=PATIENCE_S)
        assert table.game.returncode == 0
        assert "Traceback" not in said
    finally:
        table.end()


@pytest.fixture
def french(display):
    """Return a display with a French keyboard: the key that bears 2 types é, with Shift 2."""
    needs(shutil.which("setxkbmap"), "setxkbmap")
    subprocess.run(["setxkbmap", "-display", display, "fr"], check=True, timeout=PATIENCE_S)
    return display


def test_a_name_with_accents_is_typed_on_a_french_keyboard_and_options_are_taken_by_digits(
    french, tmp_path
):
    save = tmp_path / "evening.city"
    table = Table(french, save, "--seed", SEED, "--save", str(save))
    try:
        table.key("Down", "Tab", "BackSpace", "BackSpace", "BackSpace")
        for key in ("x", "eacute", "egrave", "ccedilla", "agrave", "dead_circumflex", "e", "space"):
            table.key(key)
        table.key("dead_diaeresis", "i", "z", "Down", "Tab")
        table.key("BackSpace", "BackSpace", "BackSpace", "ccedilla", "a", "Down", "Right")
        table.key("Up", "Up", "Up", "Return")  # without the third player
        table.until(save.exists)
        names = [line for line in save.read_text("utf-8").splitlines() if "player " in line]
        assert [name.split(" *")[0] for name in names[:2]] == [
            "player human xéèçàê ïz",
            "player builder ça",
        ]
        table.until(lambda: table.count("start-roll") >= 2)
        table.press_until("ampersand", "roll")  # the key that bears 1
        table.press_until("ampersand", "buy")
    finally:
        table.end()
