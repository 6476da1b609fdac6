"""The real window: keys, clicks, pixels, and the sound in a file."""

import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim.window.layout import arrange
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until
from tests.helpers.screens import Hand, screen_of
from tests.helpers.sounds import hear

pytestmark = pytest.mark.real_time

ROOT = Path(__file__).parents[3]
WIDTH, HEIGHT = 500, 560

# Its light stays on long enough for the slowest machine.
LONG_LIGHT = 'name = "long-light"\nauction = "60 min"\n'
LAMP = (0.0, -0.615)


class Person(Hand):
    """The user of `city-unit` on a screen."""

    def __init__(self, folder: Path, screen: dict[str, str]) -> None:
        self.settings = folder / "settings.json"
        self.settings.write_text(json.dumps({"width": WIDTH, "height": HEIGHT, "toured": True}))
        self.sound = folder / "sound.raw"
        program = folder / "long.toml"
        program.write_text(LONG_LIGHT)
        environment = screen | {
            "SDL_AUDIODRIVER": "disk",
            "SDL_DISKAUDIOFILE": str(self.sound),
            "CITY_UNIT_SETTINGS": str(self.settings),
            "PYTHONPATH": str(ROOT),
        }
        play = ["-m", "sim.cli", "play", "--seed", "3", "--program", str(program)]
        super().__init__([sys.executable, *play], environment)
        self.sit_down()

    def find(self) -> str:
        wide = [each for each in self.windows() if self._geometry(each).get("WIDTH") == WIDTH]
        self.window = wide[0] if wide else ""  # SDL opens it twice
        button = arrange(WIDTH, HEIGHT).disc.place((0.0, -0.1))
        return self.window if wide and self.redness_at(*button) > 100 else ""

    def click_on(self, x: float, y: float) -> None:
        """Click on a point of the disc, in its own coordinates."""
        self.click(*arrange(WIDTH, HEIGHT).disc.place((x, y)))

    def redness_at(self, x: float, y: float) -> float:
        """Return how red the window is at a pixel, 0 to 255."""
        geometry = self._geometry(self.window)
        left, top = geometry.get("X", 0) + round(x) - 2, geometry.get("Y", 0) + round(y) - 2
        shot = subprocess.run(
            [
                *("import", "-silent", "-window", "root"),
                *("-crop", f"5x5+{left}+{top}", "-depth", "8", "rgb:-"),
            ],
            env=self.environment,
            capture_output=True,
            timeout=PATIENCE_S,
        ).stdout
        return sum(shot[::3]) / max(1, len(shot[::3]))

    def is_lit(self) -> bool:
        """Return whether the auction lamp is lit."""
        return self.redness_at(*arrange(WIDTH, HEIGHT).disc.place(LAMP)) > 175

    def leave(self, act) -> tuple[int, int]:
        """End the program by `act`; return its exit code and the saved volume."""
        act()
        _, errors = self.program.communicate(timeout=PATIENCE_S)
        assert "Traceback" not in errors
        return self.program.returncode, json.loads(self.settings.read_text())["volume"]

    def _geometry(self, window: str) -> dict[str, int]:
        printed = self.do("getwindowgeometry", "--shell", window)
        return {name: int(value) for name, value in (line.split("=") for line in printed.split())}


@pytest.fixture
def sit_down(tmp_path):
    """Return a function that starts the program on a screen."""
    for tool in ("Xvfb", "xdotool", "import"):
        needs(shutil.which(tool), tool)
    persons = []
    with screen_of(800, 700, is_managed=False) as screen:

        def sit_down():
            persons.append(Person(tmp_path, screen))
            return persons[-1]

        yield sit_down
        for person in persons:
            person.end()


def test_an_auction_by_key_and_by_mouse_continues_in_the_next_window(sit_down):
    person = sit_down()
    assert not person.is_lit()
    person.key("o")
    person.key("a")
    until(person.is_lit)
    person.click_on(-0.625, -0.16)  # the slide: dark and silent at once
    until(lambda: not person.is_lit())
    person.key("o")
    person.click_on(0.0, -0.1)
    until(person.is_lit)
    person.key("Up")
    assert person.leave(lambda: person.key("q")) == (0, 3)  # during a game, which is saved
    for _ in range(2):  # the second time after a kill
        again = sit_down()
        assert not again.is_lit()
        again.key("r")
        until(again.is_lit)
        again.end()


def test_the_start_up_signal_sounds_and_ctrl_c_in_the_shell_closes_the_window(sit_down, tmp_path):
    """A busy machine is late, and cuts tones or joins them; so retry until both have sounded.

    Nothing is promised of a window's lengths in real time (docs/timing.md): 60 ms may be 49.
    """
    person = sit_down()
    assert person.window in person.do("search", "--class", "^City Unit$").split()  # for task bars

    def size() -> int:
        return person.sound.stat().st_size if person.sound.exists() else 0

    def has_sounded() -> bool:
        before = size()

        def added() -> int:
            """Return the bytes since then; the file begins anew when the device is opened again."""
            return size() - (before if size() >= before else 0)

        person.key("o")
        until(lambda: added() >= 0.5 * 32000 * 2)  # the file has the silence too
        person.key("o")
        samples = np.fromfile(person.sound, "<i2")[-(added() // 2) :]
        tones = hear(tmp_path / "sound.wav", samples)
        whole = all(30 <= tone.length_ms <= 90 for tone in tones)
        return whole and [tone.hz for tone in tones] == pytest.approx([2000, 2700], rel=0.01)

    until(has_sounded, times=3)
    assert person.leave(lambda: person.program.send_signal(signal.SIGINT)) == (130, 2)


def test_under_a_window_manager_the_whole_window_is_on_the_screen(tmp_path):
    for tool in ("Xvfb", "xdotool", "openbox"):
        needs(shutil.which(tool), tool)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"width": 3000, "height": 2000}))  # saved on a larger screen
    with screen_of(1366, 768) as environment:
        environment["CITY_UNIT_SETTINGS"] = str(settings)
        unit = Hand([sys.executable, "-m", "sim.cli"], environment)

        def is_inside() -> bool:
            for window in unit.windows():
                extents = unit.asked("xprop", "-id", window, "_NET_FRAME_EXTENTS")
                sides = [int(side) for side in re.findall(r"\d+", extents)]
                found = unit.asked("xwininfo", "-id", window)  # xdotool counts a frame twice
                named = re.findall(r"(Absolute upper-left [XY]|Width|Height): +(-?\d+)", found)
                place = {name.split()[-1]: int(value) for name, value in named}
                if len(sides) == 4 and place.get("Width", 0) > 300:
                    west, east, north, south = sides
                    right, bottom = place["X"] + place["Width"], place["Y"] + place["Height"]
                    return (
                        0 <= place["X"] - west < right + east <= 1366
                        and 0 <= place["Y"] - north < bottom + south <= 768
                    )
            return False

        try:
            until(is_inside)
        finally:
            unit.end()
