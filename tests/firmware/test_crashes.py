"""A fault leaves a board dark and silent, and is kept to be read."""

import signal
import subprocess
from itertools import pairwise

import pytest

from tests.helpers.live_board import at_rest, live
from tests.helpers.patience import PATIENCE_S, until

SWITCHED = "switch = 13\n"
ON, AUCTION, BUILD = 4, 1, 2


CRASH = """
from firmware.board import body
class Body(body.Body):
    def live_once(self):
        if body.now() > 250:
            raise RuntimeError("a broken wire")
        super().live_once()
body.Body = Body
from firmware.board import start
start.run()
"""


def test_a_crash_leaves_the_board_dark_and_silent_and_is_kept(board, tmp_path):
    """The crash comes after a quarter of a second, in the sign of life or in an auction."""
    board.world["time"] = "steps"
    for changes in ([], [[20, AUCTION], [100, 0]]):
        printed, error = live(board, tmp_path, changes, 5000, CRASH)
        assert at_rest(tmp_path)
        assert "The unit has stopped: see crash.txt\n" in printed
        assert "RuntimeError: a broken wire" in printed + error
    assert (board.folder / "crash.txt").read_text().count("RuntimeError: a broken wire") == 2


def test_the_log_of_crashes_stays_small(board, tmp_path):
    board.world["time"] = "steps"
    (board.folder / "crash.txt").write_text("x" * 3000)
    live(board, tmp_path, [], 5000, CRASH.replace("a broken wire", "another"))
    kept = (board.folder / "crash.txt").read_text()
    assert len(kept) < 500
    assert "RuntimeError: another" in kept


def test_a_failure_at_the_start_is_kept_as_well(board, tmp_path):
    """A strip is wanted, and this MicroPython has nothing to drive one with."""
    no_neopixel = "import sys\nclass Empty: pass\nsys.modules['neopixel'] = Empty\n"
    board.pin_text = "strip = 18\n"
    printed, _ = live(board, tmp_path, [], 5000, no_neopixel + "import main")
    assert "The unit has stopped: see crash.txt" in printed
    assert "can't import name NeoPixel" in (board.folder / "crash.txt").read_text()


@pytest.mark.real_time
def test_ctrl_c_stops_the_unit_and_is_no_crash(board, tmp_path):
    board.world.update(time="real", trace=str(tmp_path / "trace"), changes=[[300, AUCTION]])
    command, environment = board.command(tmp_path / "world.json")

    def started():
        return subprocess.Popen(
            command,
            cwd=board.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    process = until(lambda: in_an_auction(started(), tmp_path / "trace"))
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate(timeout=PATIENCE_S)[0]
    assert at_rest(tmp_path)
    assert not (board.folder / "crash.txt").exists()


def in_an_auction(process, trace):
    """Return a board's process as soon as its auction runs.

    None if it began so late that the button was held already, which leads to the REPL.
    """
    until(lambda: "auction-started" in told(trace) or process.poll() is not None)
    return process if process.poll() is None else None


def told(trace) -> str:
    return trace.read_text() if trace.exists() else ""


def test_a_wrong_pin_file_is_told_and_blinked(board, tmp_path):
    blinks = (
        "import machine\n"
        "class Pin(machine.Pin):\n"
        "    def __call__(self, level=None):\n"
        "        print(self.number, level)\n"
        "machine.Pin = Pin\n"
        "from firmware.board import start\n"
        "start.run()\n"
    )
    board.world["time"] = "steps"
    lines = live(board, tmp_path, [], 2300, blinks, pins="auction = 15\n")[0].splitlines()
    assert lines[0].startswith("The unit cannot start: pins.txt: auction = 15: used by build too")
    pause_and_next = ["LED 1", "LED 0"]  # dark at the end, wherever it was in the pattern
    assert lines[1:-1] == ["LED 0", *["LED 1", "LED 0"] * 3, "LED 0", *pause_and_next]
    assert lines[-1] == "LED 0"


def test_the_settings_survive_and_a_broken_file_does_not_hurt(board, tmp_path):
    board.pin_text = SWITCHED
    setup = [[0, BUILD], [500, BUILD | ON], [900, ON]]
    for at, button in ((1500, BUILD), (2500, AUCTION), (3500, AUCTION)):
        setup += [[at, ON | button], [at + 80, ON]]
    printed, _ = live(board, tmp_path, setup, 9000)
    assert '"program": "championship"' in printed
    kept = board.folder / "settings.txt"
    assert kept.read_text() == "championship 3000000 2\n"
    printed, _ = live(board, tmp_path, [[0, ON]], 900)
    assert '"program": "championship"' in printed
    for broken in (b"chess 0 2", b"world 5000 2", b"world 0 \xff\xfe"):
        kept.write_bytes(broken)
        printed, _ = live(board, tmp_path, [[0, ON]], 900)
        assert '"program": "city"' in printed


WATCHED = """
import machine
class WDT:
    def __init__(self, timeout):
        print("watched", timeout)
    def feed(self):
        print("fed", machine.world.now_us() // 1000)
machine.WDT = WDT
import firmware.board.body as body
from firmware.board import start
start.run()
"""


def test_a_watchdog_is_fed_in_time_and_only_if_it_was_asked_for(board, tmp_path):
    del board.world["trace"], board.world["report"]
    board.world["time"] = "steps"
    assert live(board, tmp_path, [], 20000, WATCHED)[0] == ""
    board.pin_text = "watchdog = on\n"
    first, *fed = live(board, tmp_path, [], 20000, WATCHED)[0].splitlines()
    assert first == "watched 8000"
    times = [0, *(int(line.split()[1]) for line in fed), 20000]
    assert max(later - earlier for earlier, later in pairwise(times)) < 1000
