"""`city-unit play` in a real terminal: processes that are killed, whose hour goes on."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from city_unit import host
from city_unit.desktop.append_file import open_all
from tests.helpers.emulated import ANY_PORT, Emulated
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until

pytestmark = pytest.mark.real_time

PLAY = [sys.executable, "-m", "sim.cli", "play", "--terminal", "--seed", "1"]


class RealTerminal:
    """A terminal of which we are the person."""

    def __init__(self, command: list[str]) -> None:
        import pty
        import termios

        self.ours, theirs = pty.openpty()
        self._theirs = theirs
        self.before = termios.tcgetattr(theirs)
        environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        self.text = ""

    def after(self) -> list:
        import termios

        return termios.tcgetattr(self._theirs)

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def wait_for(self, text: str) -> re.Match[str]:
        return self.wait_for_match(re.escape(text))

    def wait_for_match(self, pattern: str) -> re.Match[str]:
        """Wait until something like this was written; return the first match of it."""
        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.text)):
            has_ended = self.process.poll() is not None  # so that all it said can be read
            if select.select([self.ours], [], [], 0.1)[0]:
                self.text += os.read(self.ours, 65536).decode(errors="replace")
            else:
                assert not has_ended and time.monotonic() < end, self.text[:3000]
        return found

    def wait_for_end(self) -> int:
        self.wait_for("\x1b[?1049l")
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self._theirs)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    needs(os.name == "posix", "a Unix terminal")
    (tmp_path / "settings.json").write_text('{"seconds": true}')  # of an auction, which are seen
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    return tmp_path


@pytest.fixture
def play():
    """Return a function that opens a terminal in which the unit waits to be switched on."""
    opened = []

    def play(*words):
        terminal = RealTerminal([*PLAY, *words])
        opened.append(terminal)
        terminal.wait_for("q quit")
        return terminal

    yield play
    for terminal in opened:
        terminal.close()


def test_a_game_goes_on_however_it_ended_and_choices_are_remembered(play, folder):
    first = play()
    first.type("o")
    first.wait_for("switched on: city")
    first.type("c")
    first.wait_for("phase: deeds")
    first.type("a")
    first.wait_for("auction   00:")
    first.type("m")
    first.type("q")  # closed in the middle of the auction, and nothing is lost
    assert first.wait_for_end() == 0
    assert first.after() == first.before
    remembered = json.loads((folder / "settings.json").read_text())
    assert (remembered["program"], remembered["muted"]) == ("championship", True)
    for number, code in ((signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 0)):
        terminal = play()
        terminal.wait_for("Your game goes on: ")
        terminal.type("r")
        terminal.wait_for("auction   00:")
        terminal.process.send_signal(number)
        if number == signal.SIGKILL:
            terminal.process.wait(PATIENCE_S)
            continue
        assert terminal.wait_for_end() == code
        assert terminal.after() == terminal.before


def test_of_two_windows_at_once_the_first_keeps_its_game_and_the_other_says_so(play):
    first = play()
    first.type("o")
    first.wait_for("switched on: city")
    second = play()
    assert "Your game goes on" not in second.text
    second.type("o")
    second.wait_for("Another window keeps its game already")
    second.type("b")
    second.wait_for("permit:")
    second.type("qq")
    assert second.wait_for_end() == 0
    first.type("q")
    assert first.wait_for_end() == 0
    third = play("--resume")
    third.wait_for_match(r"ready   5\d:")
    assert "permit:" not in third.text  # it is the first one's game


def test_without_a_window_the_game_goes_on_as_well_if_it_is_to_be_kept(folder):
    headless = ["--headless", "--resume", "--listen", ANY_PORT]
    path = folder / "game.jsonl"

    def lived():
        """Return up to when the game in the file is known to have lived, 0 if there is none."""
        lines = open_all(path.read_bytes()).texts if path.exists() else []
        return max((json.loads(line).get("until", 0) for line in lines[2:]), default=0)

    seeds, ends = set(), [0]
    for _ in range(2):
        unit = subprocess.Popen(
            [sys.executable, "-m", "sim.cli", "play", *headless], stdout=subprocess.DEVNULL
        )
        until(lambda: lived() > ends[-1], unit.poll)
        unit.kill()
        unit.wait(PATIENCE_S)
        ends.append(lived())
        seeds.add(json.loads(open_all(path.read_bytes()).texts[0])["seed"])
    assert len(seeds) == 1  # it is one game, drawn from one seed, that goes on and on
    path.unlink()
    unit = Emulated(folder, "--listen", ANY_PORT, stderr=subprocess.PIPE)
    with host.connect(unit.port, timeout=PATIENCE_S, history=True) as client:
        client.send("start 1000", PATIENCE_S)  # the game runs
        client.wait_for("auction-ended", timeout=PATIENCE_S)
    unit.process.terminate()
    assert unit.process.communicate(timeout=PATIENCE_S)[1] == ""
    assert not path.exists()


def test_without_a_display_the_terminal_takes_over_and_without_a_terminal_it_is_a_sentence(
    monkeypatch,
):
    needs(sys.platform == "linux", "a system that runs without a display")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    terminal = RealTerminal([sys.executable, "-m", "sim.cli"])
    terminal.wait_for("City Unit in the terminal")
    terminal.wait_for("there is no screen")
    terminal.wait_for("q quit")
    terminal.type("q")
    assert terminal.wait_for_end() == 0
    terminal.close()
    done = subprocess.run(
        PLAY, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("city-unit: this is no terminal to play in")
    assert done.stderr.count("\n") == 1
