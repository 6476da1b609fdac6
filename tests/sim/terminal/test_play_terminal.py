"""`city-unit play --terminal`, as it is called, in a real terminal."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S
from tests.helpers.terminal import RealTerminal

pytestmark = pytest.mark.real_time


@pytest.fixture
def terminal(tmp_path, monkeypatch):
    needs(os.name == "posix", "a Unix terminal")
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    terminal = RealTerminal([sys.executable, "-m", "sim.cli", "play", "--terminal", "--seed", "1"])
    yield terminal
    terminal.close()


def test_an_auction_and_what_is_remembered(terminal, tmp_path):
    terminal.wait_for("q quit")
    terminal.type("o")
    terminal.wait_for("switched on: city")
    terminal.type("c")
    terminal.wait_for("phase: deeds")
    terminal.type("a")
    terminal.wait_for("auction started")
    terminal.type("m")
    terminal.type("q")  # closed in the middle of the auction, and nothing is lost
    assert terminal.wait_for_end() == 0
    assert terminal.after() == terminal.before
    remembered = json.loads((tmp_path / "settings.json").read_text())
    assert (remembered["program"], remembered["muted"]) == ("championship", True)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_a_real_terminal_is_left_as_it_was_whatever_ends_it(terminal, number, code):
    terminal.wait_for("q quit")
    terminal.process.send_signal(number)
    assert terminal.wait_for_end() == code
    assert terminal.after() == terminal.before


def test_without_a_display_the_terminal_takes_over_and_says_why(tmp_path, monkeypatch):
    needs(sys.platform == "linux", "a system that runs without a display")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    terminal = RealTerminal([sys.executable, "-m", "sim.cli"])
    terminal.wait_for("City Unit in the terminal")
    terminal.wait_for("there is no screen")
    terminal.wait_for("q quit")
    terminal.type("q")
    assert terminal.wait_for_end() == 0
    terminal.close()


def test_without_a_terminal(tmp_path):
    environment = {**os.environ, "CITY_UNIT_SETTINGS": str(tmp_path / "settings.json")}
    done = subprocess.run(
        [sys.executable, "-m", "sim.cli", "play", "--terminal"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("city-unit: this is no terminal to play in")
    assert done.stderr.count("\n") == 1
