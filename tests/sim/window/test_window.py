"""The window as a person has it: real keys and clicks, a picture, and the sound in a file."""

import array
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until
from tests.helpers.screens import screen_of

pytestmark = pytest.mark.real_time

ROOT = Path(__file__).parents[3]
WIDTH, HEIGHT = 500, 560

# Its light is on for as long as the slowest machine takes to see it.
LONG_LIGHT = """
name = "long-light"
auction = "60 min"
warning = "5 s"
odds = [1, 1, 1, 1]
clock = "60 min"
[[marks]]
tell = "hour-ended"
left = "0 s"
"""


class Person:
    """Sits before a screen on which `city-unit` runs."""

    def __init__(self, folder: Path, display: str) -> None:
        self.settings = folder / "settings.json"
        self.settings.write_text(json.dumps({"width": WIDTH, "height": HEIGHT, "toured": True}))
        self.sound = folder / "sound.raw"
        program = folder / "long.toml"
        program.write_text(LONG_LIGHT)
        self.environment = os.environ | {
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "disk",
            "SDL_DISKAUDIOFILE": str(self.sound),
            "CITY_UNIT_SETTINGS": str(self.settings),
            "PYTHONPATH": str(ROOT),
        }
        self.unit = subprocess.Popen(
            [sys.executable, "-m", "sim.cli", "play", "--seed", "3", "--program", str(program)],
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.window = ""
        until(self._ready)
        until(self._focused)

    def do(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        return done.stdout

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
        shot = self.picture(f"5x5+{left + round(x) - 2}+{top + round(y) - 2}")
        return sum(shot[::3]) / max(1, len(shot[::3]))

    def picture(self, area: str) -> bytes:
        """Return a part of the screen, three bytes for each pixel."""
        return subprocess.run(
            ["import", "-silent", "-window", "root", "-crop", area, "-depth", "8", "rgb:-"],
            env=self.environment,
            capture_output=True,
            timeout=PATIENCE_S,
        ).stdout

    def turn_up(self) -> None:
        """Make it louder, and wait until that is seen."""
        left, top = self._corner()
        area = f"{WIDTH}x{HEIGHT}+{left}+{top}"
        before = self.picture(area)
        self.key("Up")
        until(lambda: self.picture(area) != before)

    def quit(self) -> str:
        """Press Q until it has closed, since it asks first; return its output."""

        def has_ended() -> bool:
            self.key("q")
            return self.unit.poll() is not None

        until(has_ended)
        return self.unit.communicate()[1]

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
        printed = self.do("getwindowgeometry", "--shell", window)
        return {name: int(value) for name, value in (line.split("=") for line in printed.split())}

    def _corner(self) -> tuple[int, int]:
        geometry = self._geometry(self.window)
        return geometry.get("X", 0), geometry.get("Y", 0)

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        from sim.window.paint.layout import arrange

        px, py = arrange(WIDTH, HEIGHT).disc.place((x, y))
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
    with os.fdopen(read) as pipe:
        display = ":" + pipe.readline().strip()
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
    import pygame

    from sim.window.paint import trace
    from sim.window.paint.layout import arrange

    pygame.font.init()  # the gutter of the lanes is as wide as their names
    person.key("o")
    person.key("a")
    person.key("t")
    plan = arrange(WIDTH, HEIGHT, shows_trace=True)
    lane = trace.plan(plan.strip, plan.text).lanes["auction"]
    x, y = trace.place(lane, -5000), lane.middle[1]
    until(lambda: person.redness_at(x, y) > 200)  # lit, five seconds ago
    until(lambda: person.redness_at(x, y) < 50)  # and dark after it


def test_an_auction_by_key_and_by_mouse_and_a_window_closed_in_its_middle(person):
    assert person.redness(*LAMP) < 150
    person.key("o")
    person.key("a")
    until(lambda: person.redness(*LAMP) > 200)
    person.click(-0.625, -0.16)  # the slide: dark and silent at once
    until(lambda: person.redness(*LAMP) < 150)
    person.key("o")
    person.click(0.0, -0.1)
    until(lambda: person.redness(*LAMP) > 200)
    person.key("Up")
    person.key("q")  # in the middle of a game, which is kept
    _, said = person.unit.communicate(timeout=PATIENCE_S)
    assert person.unit.returncode == 0
    assert "Traceback" not in said
    assert json.loads(person.settings.read_text())["volume"] == 3


def test_ctrl_c_in_the_shell_closes_an_idle_window_and_keeps_the_settings(person):
    assert person.window in person.do("search", "--class", "^City Unit$").split()  # task bars do
    person.turn_up()
    person.unit.send_signal(signal.SIGINT)
    _, said = person.unit.communicate(timeout=PATIENCE_S)
    assert person.unit.returncode == 130
    assert "Traceback" not in said
    assert json.loads(person.settings.read_text())["volume"] == 3


def test_the_sign_of_life_is_heard_at_its_pitch_and_length(person):
    """A busy machine makes a body late, so that a tone is cut or two run together.

    It is switched on until both were on time: a body that is wrong never is.
    """

    def is_on_time() -> bool:
        before = len(_sounds(person.sound))
        person.key("o")
        _let_pass(person.sound, 0.5)
        person.key("o")
        tones = _sounds(person.sound)[before:]
        whole = all(55 <= length_ms <= 60 for length_ms, _ in tones)
        return whole and [hz for _, hz in tones] == pytest.approx([2000, 2700], rel=0.01)

    until(is_on_time, lambda: _sounds(person.sound), 3)


def _let_pass(sound: Path, seconds: float) -> None:
    """Wait until so much more is in the file: silence is written as well."""
    enough = sound.stat().st_size + seconds * 32000 * 2
    until(lambda: sound.stat().st_size >= enough)


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


def test_after_a_kill_the_next_window_goes_on_with_the_game(person, tmp_path):
    person.key("o")
    person.key("a")
    until(lambda: person.redness(*LAMP) > 200)
    person.unit.kill()
    person.unit.wait()
    again = Person(tmp_path, person.environment["DISPLAY"])
    try:
        assert again.redness(*LAMP) < 150
        again.key("r")
        until(lambda: again.redness(*LAMP) > 200)
    finally:
        again.unit.kill()
        again.unit.wait()


@pytest.mark.parametrize("size", [(1366, 768), (600, 1000)])
def test_under_a_window_manager_no_side_of_the_window_is_outside(tmp_path, size):
    for tool in ("Xvfb", "xdotool", "openbox"):
        needs(shutil.which(tool), tool)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"width": 3000, "height": 2000}))  # of a larger screen
    with screen_of(*size) as environment:
        environment["CITY_UNIT_SETTINGS"] = str(settings)
        unit = subprocess.Popen([sys.executable, "-m", "sim.cli"], env=environment)
        try:

            def inside() -> bool:
                assert unit.poll() is None
                frame = _frame(unit.pid, environment)
                if frame is None:
                    return False
                left, top, right, bottom = frame
                return 0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]

            until(inside, lambda: _frame(unit.pid, environment))
        finally:
            unit.kill()
            unit.wait()


def _frame(pid: int, environment: dict[str, str]) -> tuple[int, int, int, int] | None:
    """Return the sides of a program's window with its frame; None before it is there."""

    def asked(*words: str) -> str:
        return subprocess.run(words, env=environment, capture_output=True, text=True).stdout

    for window in asked("xdotool", "search", "--onlyvisible", "--pid", str(pid)).split():
        extents = re.findall(r"\d+", asked("xprop", "-id", window, "_NET_FRAME_EXTENTS"))
        found = asked("xwininfo", "-id", window)  # xdotool counts a frame twice
        named = re.findall(r"(Absolute upper-left [XY]|Width|Height): +(-?\d+)", found)
        place = {name.split()[-1]: int(value) for name, value in named}
        if len(extents) == 4 and place.get("Width", 0) > 300:
            west, east, north, south = map(int, extents)
            x, y = place["X"], place["Y"]
            return x - west, y - north, x + place["Width"] + east, y + place["Height"] + south
    return None
