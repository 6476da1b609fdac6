"""The window as a person has it: real keys and clicks, a picture, and the sound in a file."""

import array
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.needs import needs

ROOT = Path(__file__).parents[3]
WIDTH, HEIGHT = 500, 560
PATIENCE_S = 20


class Person:
    """Sits before a screen on which `city-unit` runs."""

    def __init__(self, folder: Path, display: str) -> None:
        self.settings = folder / "settings.json"
        self.settings.write_text(json.dumps({"width": WIDTH, "height": HEIGHT}))
        self.sound = folder / "sound.raw"
        self.environment = os.environ | {
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "disk",
            "SDL_DISKAUDIOFILE": str(self.sound),
            "CITY_UNIT_SETTINGS": str(self.settings),
            "PYTHONPATH": str(ROOT),
        }
        self.unit = subprocess.Popen(
            [sys.executable, "-m", "sim.cli", "play", "--seed", "3"],
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.window = self.until(self._find)
        self.until(lambda: self.redness(0.0, -0.1) > 100)
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

    def click(self, x: float, y: float, button: str = "1") -> None:
        """Click on a point of the disc, in its own units."""
        px, py = self._pixel(x, y)
        self.do("mousemove", "--window", self.window, str(px), str(py), "click", button)

    def redness(self, x: float, y: float) -> float:
        """Return how red the window is at a point of the disc, 0 to 255."""
        px, py = self._pixel(x, y)
        left, top = self._corner()
        area = f"5x5+{left + px - 2}+{top + py - 2}"
        shot = subprocess.run(
            ["import", "-silent", "-window", "root", "-crop", area, "-depth", "8", "rgb:-"],
            env=self.environment,
            capture_output=True,
            timeout=PATIENCE_S,
        ).stdout
        return sum(shot[::3]) / max(1, len(shot[::3]))

    def until(self, condition):
        """Wait for a condition to be true; return its value."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            value = condition()
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError("it did not happen")

    def _focused(self) -> bool:
        self.do("windowfocus", self.window)
        return self.do("getwindowfocus").strip() == self.window

    def _find(self) -> str:
        assert self.unit.poll() is None, self.unit.communicate()[1]
        # By its name: the window toolkit opens and closes a nameless one of its own first.
        found = self.do("search", "--onlyvisible", "--name", "^City Unit$").split()
        return found[-1] if found else ""

    def _corner(self) -> tuple[int, int]:
        told = self.do("getwindowgeometry", "--shell", self.window)
        places = dict(line.split("=") for line in told.split())
        return int(places["X"]), int(places["Y"])

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        from sim.window.layout import arrange

        px, py = arrange(WIDTH, HEIGHT).place((x, y))
        return round(px), round(py)


@pytest.fixture
def person(tmp_path):
    for tool in ("Xvfb", "xdotool", "import"):
        needs(shutil.which(tool), tool)
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", "800x700x24"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        display = ":" + told.readline().strip()
    person = None
    try:
        person = Person(tmp_path, display)
        yield person
    finally:
        if person is not None and person.unit.poll() is None:
            person.unit.kill()
            person.unit.wait()
        screen.terminate()
        screen.wait()


LAMP = (0.0, -0.615)


def test_an_auction_by_key_and_by_mouse_and_a_window_closed_in_its_middle(person):
    assert person.redness(*LAMP) < 150
    person.key("o")
    person.key("a")
    person.until(lambda: person.redness(*LAMP) > 200)
    person.click(-0.625, -0.16)  # the slide: dark and silent at once
    person.until(lambda: person.redness(*LAMP) < 150)
    person.key("o")
    person.click(0.0, -0.1)
    person.until(lambda: person.redness(*LAMP) > 200)
    person.key("Up")
    person.key("q")
    _, said = person.unit.communicate(timeout=PATIENCE_S)
    assert person.unit.returncode == 0
    assert "Traceback" not in said
    assert json.loads(person.settings.read_text())["volume"] == 3


def test_ctrl_c_in_the_shell_closes_an_idle_window_and_keeps_the_settings(person):
    person.key("Up")
    person.unit.send_signal(signal.SIGINT)
    _, said = person.unit.communicate(timeout=PATIENCE_S)
    assert person.unit.returncode == 130
    assert "Traceback" not in said
    assert json.loads(person.settings.read_text())["volume"] == 3


def test_the_sign_of_life_is_heard_at_its_pitch_and_length(person):
    person.key("o")
    person.until(lambda: len(_sounds(person.sound)) >= 2)
    person.key("q")
    person.unit.communicate(timeout=PATIENCE_S)
    first, second = _sounds(person.sound)[:2]
    for (length_ms, hz), wanted in ((first, 2000), (second, 2700)):
        assert hz == pytest.approx(wanted, rel=0.01)
        # A body that is late begins a tone late and ends it on time: never longer, however busy.
        assert 20 <= length_ms <= 60


def _sounds(path: Path) -> list[tuple[float, float]]:
    """Return the length in ms and the pitch of each finished sound in a raw file of 32 kHz."""
    if not path.exists():
        return []
    raw = path.read_bytes()
    samples = array.array("h", raw[: len(raw) // 2 * 2])
    sounding = bytes(sample != 0 for sample in samples)
    found = []
    for run in re.finditer(rb"\x01[\x00\x01]*?(?=\x00{160})", sounding):
        heard = samples[run.start() : run.end()]
        crossings = sum(heard[i] < 0 <= heard[i + 1] for i in range(len(heard) - 1))
        found.append((len(heard) / 32, crossings / (len(heard) / 32000)))
    return found
