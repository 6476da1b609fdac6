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
        self.window = ""
        self.until(self._ready)
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
        return self.redness_at(*self._pixel(x, y))

    def redness_at(self, x: float, y: float) -> float:
        """Return how red the window is at a pixel."""
        left, top = self._corner()
        area = f"5x5+{left + round(x) - 2}+{top + round(y) - 2}"
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

    def _ready(self) -> bool:
        self.window = self._find()
        return bool(self.window) and self.redness(0.0, -0.1) > 100

    def _find(self) -> str:
        assert self.unit.poll() is None, self.unit.communicate()[1]
        # The toolkit opens and closes windows of its own first, and opens this one twice.
        for window in self.do("search", "--onlyvisible", "--pid", str(self.unit.pid)).split():
            if self._geometry(window).get("WIDTH") == WIDTH:
                return window
        return ""

    def _geometry(self, window: str) -> dict[str, int]:
        told = self.do("getwindowgeometry", "--shell", window)
        return {name: int(value) for name, value in (line.split("=") for line in told.split())}

    def _corner(self) -> tuple[int, int]:
        geometry = self._geometry(self.window)
        return geometry.get("X", 0), geometry.get("Y", 0)

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


def test_the_live_trace_runs_in_place_of_the_time_line(person):
    from sim.window import trace
    from sim.window.layout import arrange

    person.key("o")
    person.key("a")
    person.key("t")
    plan = arrange(WIDTH, HEIGHT, traced=True)
    lane = trace.plan(plan.strip, plan.text).lanes["auction"]
    x, y = trace.place(lane, -5000), lane.middle[1]
    person.until(lambda: person.redness_at(x, y) > 200)  # lit, five seconds ago
    person.until(lambda: person.redness_at(x, y) < 50)  # and dark after it


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
    person.key("q")  # asks, since a game runs
    person.key("q")
    _, said = person.unit.communicate(timeout=PATIENCE_S)
    assert person.unit.returncode == 0
    assert "Traceback" not in said
    assert json.loads(person.settings.read_text())["volume"] == 3


def test_task_bars_know_the_window_by_its_class(person):
    told = person.do("search", "--class", "^City Unit$").split()
    assert person.window in told


def test_ctrl_c_in_the_shell_closes_an_idle_window_and_keeps_the_settings(person):
    person.key("Up")
    person.unit.send_signal(signal.SIGINT)
    _, said = person.unit.communicate(timeout=PATIENCE_S)
    assert person.unit.returncode == 130
    assert "Traceback" not in said
    assert json.loads(person.settings.read_text())["volume"] == 3


def test_the_sign_of_life_is_heard_at_its_pitch_and_length(person):
    # A body that a busy machine makes late begins a tone late and ends it on time.
    for attempt in range(10):
        person.key("o")
        person.until(lambda count=2 * attempt + 2: len(_sounds(person.sound)) >= count)
        person.key("o")
        latest = _sounds(person.sound)[-2:]
        assert [hz for _, hz in latest] == pytest.approx([2000, 2700], rel=0.01)
        assert all(length_ms <= 60 for length_ms, _ in latest)
        if all(length_ms >= 55 for length_ms, _ in latest):
            return
    raise AssertionError(f"ten times late: {latest}")


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
        rises = [i for i in range(len(heard) - 1) if heard[i] < 0 <= heard[i + 1]]
        if len(rises) > 1:
            hz = 32000 * (len(rises) - 1) / (rises[-1] - rises[0])
            found.append((len(heard) / 32, hz))
    return found
