"""What a board needs to survive, tried with the whole firmware on a virtual board."""

import json
import re
import signal
import subprocess
import time
from itertools import pairwise

import pytest

from firmware.interpreters import available
from firmware.virtual.launch import VirtualBoard, lay
from tests.needs import needs

SWITCHED = "switch = 13\n"
ON, AUCTION, BUILD = 4, 1, 2


@pytest.fixture
def board(tmp_path):
    needs("unix" in available(), "the unix MicroPython")
    folder = tmp_path / "board"
    folder.mkdir()
    lay(folder)
    world = {"time": "jump", "trace": "-", "report": str(tmp_path / "report.json"), "seed": 7}
    return VirtualBoard(folder, world=world)


def live(board, tmp_path, changes, end_ms, code=None) -> tuple[str, str]:
    """Let the board live; return what it printed, and what of that is an error."""
    board.world.update(changes=changes, end_ms=end_ms)
    (board.folder / "pins.txt").write_text(board.pin_text)
    command, environment = board.command(tmp_path / "world.json", *(("-c", code) if code else ()))
    done = subprocess.run(
        command,
        cwd=board.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout, done.stderr


def at_rest(tmp_path) -> bool:
    report = json.loads((tmp_path / "report.json").read_text())
    return report["lamps"] == 0 and report["tone"] == 0


def test_a_board_without_a_switch_is_on_as_soon_as_it_has_power(board, tmp_path):
    printed, _ = live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 5000)
    assert '"event": "switched-on", "program": "city"' in printed.splitlines()[0]
    assert '{"ms": 1016, "lamp": "auction", "on": true}' in printed
    assert at_rest(tmp_path)  # the end came in the middle of an auction


NAMED = """
import os
os._Name.machine = "Generic ESP32S3 module with Octal-SPIRAM with ESP32S3"
from firmware.board import body
body.run()
"""


def test_a_board_whose_name_says_what_it_comes_with_lives(board, tmp_path):
    board.board = "esp32-s3"
    printed, error = live(board, tmp_path, [], 1000, NAMED)
    assert "switched-on" in printed
    assert error == ""


def test_auction_held_at_power_on_leads_to_the_repl(board, tmp_path):
    printed, error = live(board, tmp_path, [[0, AUCTION]], 5000)
    assert printed.startswith("AUCTION is held")
    assert (printed.count("\n"), error) == (1, "")


def test_build_held_at_power_on_opens_the_setup(board, tmp_path):
    printed, _ = live(board, tmp_path, [[0, BUILD], [900, 0]], 2000)
    assert '"lamp": "permit-1", "on": true' in printed
    assert "switched-on" not in printed


def test_contacts_may_lie_at_the_supply_and_lamps_may_be_lit_by_a_low_level(board, tmp_path):
    wanted, _ = live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 5000)
    board.pin_text = "closed = high\nlamp_on = low\nbuzzer_on = low\n"
    assert live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 5000)[0] == wanted
    assert at_rest(tmp_path)


TOLD = """
from firmware.board import body
from city_unit.wire import seal
lives = body.Body.live
def live(self):
    link = self.port.link
    link.receive(body.now(), seal("hello 1 tester"))
    link.receive(body.now(), seal("ping %d.1 1" % link.boot))
    show = self.outputs.show
    def shows(lamps, tone, volume):
        with open("seen.txt", "a") as file:
            file.write("%s %d %s\\n" % (link.live, lamps, b"auction-started" in link.unsent))
        show(lamps, tone, volume)
    self.outputs.show = shows
    lives(self)
body.Body.live = live
body.run()
"""


def test_an_event_is_seen_and_heard_before_it_is_put_into_words_for_the_desktop(board, tmp_path):
    live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 1100, TOLD)
    seen = (board.folder / "seen.txt").read_text().splitlines()
    lit = next(line for line in seen if line.startswith("True 1"))  # with a desktop there
    assert lit == "True 1 False"


CRASH = """
from firmware.board import body
def breaks(self):
    raise RuntimeError("a broken wire")
body.Body._keep_settings = breaks
body.run()
"""


def test_a_crash_leaves_the_board_dark_and_silent_and_is_kept(board, tmp_path):
    """The crash comes with the 256th pass, in the sign of life or in an auction."""
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


def test_ctrl_c_stops_the_unit_and_is_no_crash(board, tmp_path):
    board.world.update(time="real", trace=str(tmp_path / "trace"), changes=[[300, AUCTION]])
    command, environment = board.command(tmp_path / "world.json")
    process = subprocess.Popen(
        command,
        cwd=board.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + 20
    while "auction-started" not in told(tmp_path / "trace"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate(timeout=20)[0]
    assert at_rest(tmp_path)
    assert not (board.folder / "crash.txt").exists()


def told(trace) -> str:
    return trace.read_text() if trace.exists() else ""


def test_a_wrong_pin_file_is_told_and_blinked(board, tmp_path):
    blinks = (
        "import machine\n"
        "class Pin(machine.Pin):\n"
        "    def __call__(self, level=None):\n"
        "        print(self.number, level)\n"
        "machine.Pin = Pin\n"
        "import firmware.board.body as body\n"
        "body.run()\n"
    )
    (board.folder / "pins.txt").write_text("auction = 15\n")
    board.world.update(time="steps", end_ms=2300)
    command, environment = board.command(tmp_path / "world.json", "-c", blinks)
    done = subprocess.run(
        command, cwd=board.folder, env=environment, capture_output=True, text=True, timeout=60
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("The unit cannot start: pins.txt: build = 15: used by auction too")
    pause_and_next = ["LED 1", "LED 0"]  # dark at the end, wherever it was in the pattern
    assert lines[1:-1] == ["LED 0", *["LED 1", "LED 0"] * 3, "LED 0", *pause_and_next]
    assert lines[-1] == "LED 0"


def test_the_settings_survive_and_a_broken_file_does_not_hurt(board, tmp_path):
    board.pin_text = SWITCHED
    board.world["time"] = "steps"
    setup = [[0, BUILD], [500, BUILD | ON], [900, ON]]
    for at, button in ((1500, BUILD), (2500, AUCTION), (3500, AUCTION)):
        setup += [[at, ON | button], [at + 80, ON]]
    printed, _ = live(board, tmp_path, setup, 9000)
    assert '"program": "championship"' in printed
    kept = board.folder / "settings.txt"
    assert kept.read_text() == "championship 3000000 2\n"
    printed, _ = live(board, tmp_path, [[0, ON]], 9000)
    assert '"program": "championship"' in printed
    for broken in (
        b"chess 0 2",
        b"world 0 4",
        b"world -1 2",
        b"world 5000 2",
        b"world 0",
        b"world 0 \xff\xfe",
    ):
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
body.run()
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


STEADY = """
import gc
from city_unit.ticks import add
from firmware.board import body, rest
gc.disable()
def live(self):
    steps(self, 2000)
    before = 0
    before = gc.mem_alloc()
    steps(self, 20000)
    print("allocated", gc.mem_alloc() - before)
def steps(self, count):
    at = 0x3FFFFFFF - 10000
    if count == 2000:
        at -= 2000
    while count:
        self.live_once(at)
        at = add(at, 1)
        count -= 1
class Time:
    def __getattr__(self, name):
        return still
def still(_=0):
    return 0
rest.time = Time()
body.Body.live = live
body.run()
"""


def test_a_steady_pass_of_the_whole_firmware_allocates_nothing(board, tmp_path):
    """Of a board in play, and of one that becomes idle in the middle."""
    del board.world["trace"], board.world["report"]
    board.world["time"] = "steps"
    board.heap = "16m"
    printed, error = live(board, tmp_path, [], 5000, STEADY)
    assert printed == "allocated 0\n", error


MODULES = """
import sys
from firmware.board import body
class Body(body.Body):
    def live(self):
        print(*sorted(name for name in sys.modules if name.startswith("firmware.board.")))
body.Body = Body
body.run()
"""


def test_what_only_the_start_and_what_few_boards_need_is_not_there_while_a_board_lives(
    board, tmp_path
):
    del board.world["trace"], board.world["report"]
    board.world["time"] = "steps"
    usual = "body parts rest serial_port"
    for board.pin_text, there in (("", usual), ("buzzer_kind = active", "body extras" + usual[4:])):
        printed, error = live(board, tmp_path, [], 5000, MODULES)
        assert printed.split() == [f"firmware.board.{name}" for name in there.split()], error


TAKEN = """
import gc
from firmware.board import body
class Body(body.Body):
    def live(self):
        gc.collect()
        print(gc.mem_alloc())
body.Body = Body
if KEEP:
    body.let_go = print
body.run()
"""


def test_what_a_board_lets_go_of_is_free_while_it_lives(board, tmp_path):
    """Some 8 kB with words of 64 bits, half of that on a board."""
    del board.world["trace"], board.world["report"]
    board.world["time"] = "steps"
    taken = [
        int(live(board, tmp_path, [], 5000, f"KEEP = {keep}\n" + TAKEN)[0].split()[-1])
        for keep in (True, False)
    ]
    assert taken[0] - taken[1] > 6000, taken


LINE = """
import gc
from firmware.board import body, serial_port
from city_unit.ticks import diff
def left(link, now):
    due = link.next_due()
    return 1000 if due is None else diff(due, now)
polls, collections = [], []
class Port(serial_port.SerialPort):
    def poll(self, now):
        polls.append(left(self.link, now))
        self.moved += 100
        return super().poll(now)
class Collector:
    def collect():
        collections.append(left(the_body.port.link, body.now()))
class Body(body.Body):
    def live(self):
        global the_body
        the_body = self
        body.gc = Collector
        super().live()
serial_port.SerialPort, body.Body = Port, Body
try:
    body.run()
finally:
    print("polls", len(polls), min(polls), "collections", len(collections), min(collections))
"""


def test_neither_the_line_nor_a_collection_of_garbage_holds_up_what_is_due(board, tmp_path):
    """What a Pico needs for either would make an edge late that is due meanwhile."""
    board.world["time"] = "steps"
    board.heap = "16m"
    printed, error = live(board, tmp_path, [[20, AUCTION], [100, 0]], 55000, LINE)
    told = re.search(r"polls (\d+) (\d+) collections (\d+) (\d+)", printed)
    assert told, error
    polls, nearest_poll, collections, nearest_collection = map(int, told.groups())
    assert (polls > 10000, nearest_poll) == (True, 6)
    assert (collections > 1000, nearest_collection) == (True, 25)


def test_an_idle_board_looks_less_often_and_meets_its_deadlines(board, tmp_path):
    """Two minutes after the last touch; a press then is shown within the 25 ms of any press."""
    board.world["time"] = "steps"
    code = """
from firmware.board import body, rest
sleeps = {1: 0, 6: 0}
class Time:
    def __getattr__(self, name):
        return getattr(time, name)
    def sleep_ms(self, ms):
        sleeps[ms] = sleeps.get(ms, 0) + 1
        time.sleep_ms(ms)
time = rest.time
rest.time = Time()
try:
    body.run()
finally:
    print("sleeps", sleeps[1] > 1000, sleeps[6] > 1000)
"""
    press = [[130001, AUCTION], [130081, 0]]
    printed, error = live(board, tmp_path, press, 131000, code)
    assert "sleeps True True" in printed, error
    (lit,) = re.findall(r'"ms": (\d+), "lamp": "auction", "on": true', printed)
    assert 130017 <= int(lit) <= 130026
    busy, _ = live(board, tmp_path, [], 119000, code)
    assert "sleeps True False" in busy


def test_a_setup_that_is_forgotten_goes_dark_until_the_next_press(board, tmp_path):
    changes = [[0, BUILD], [900, 0], [200000, BUILD], [200080, 0]]
    board.world["time"] = "steps"
    printed, _ = live(board, tmp_path, changes, 201000)
    assert re.search(r'"ms": 120\d{3}, "lamp": "permit-1", "on": false', printed)
    assert re.search(r'"ms": 2000\d\d, "lamp": "permit-2", "on": true', printed)


def test_cells_that_are_low_are_told_at_power_on(board, tmp_path):
    """By three short flashes before the sign of life, which is nobody's if they are well."""
    board.pin_text = "battery = 29\n"
    board.world["time"] = "steps"
    code = """
import machine
class Pin(machine.Pin):
    def __call__(self, level=None):
        if self.number == 18 and level is not None:
            print("auction lamp", level)
        return super().__call__(level)
machine.Pin = Pin
import firmware.board.body as body
body.run()
"""
    for mv, flashes in ((1900, 3), (2600, 0)):
        board.world["battery_mv"] = mv
        printed, error = live(board, tmp_path, [], 2000, code)
        before, told, _ = printed.partition("switched-on")
        assert told, error
        assert before.count("auction lamp 1") == flashes
