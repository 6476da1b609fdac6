"""The whole firmware on a virtual board: start-up, faults, crashes, timing of its passes."""

import json
import re
import signal
import subprocess
from itertools import pairwise

import pytest

from firmware.board.pins import CHIPS, FREE
from firmware.tool.image import ROOT
from tests.helpers.patience import PATIENCE_S, until

ON, AUCTION, BUILD = 4, 1, 2
PRESS = [[1000, AUCTION], [1080, 0]]
LIT = '{"ms": 1016, "lamp": "auction", "on": true}'
START = "from firmware.board import start\nstart.run()\n"


@pytest.fixture
def live(board, tmp_path):
    """Return a function that runs the board until `end_ms`, and returns its output and errors.

    code  runs instead of main.py
    pins  the pin file on the board, if it differs from the wiring
    """

    def live(changes, end_ms, code=None, pins=None) -> tuple[str, str]:
        board.world.update(changes=changes, end_ms=end_ms)
        (board.folder / "pins.txt").write_text(board.pin_text if pins is None else pins)
        words = ("-c", code) if code else ()
        command, environment = board.command(tmp_path / "world.json", *words)
        where = {"cwd": board.folder, "env": environment, "stdin": subprocess.DEVNULL}
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, **where)
        return done.stdout, done.stderr

    return live


@pytest.fixture
def steps(board):
    """The board with sleeps that last exactly as long as requested."""
    board.world["time"] = "steps"
    return board


def at_rest(tmp_path) -> bool:
    """Return whether the board was dark and silent at the end."""
    report = json.loads((tmp_path / "report.json").read_text())
    return report["lamps"] == 0 and report["tone"] == 0


def test_a_board_without_a_switch_is_on_as_soon_as_it_has_power(live, tmp_path):
    printed, _ = live(PRESS, 5000)
    assert '"event": "switched-on", "program": "city"' in printed.splitlines()[0]
    assert LIT in printed
    assert at_rest(tmp_path)  # though it ended in the middle of an auction


def test_a_board_whose_name_contains_with_starts(board, live):
    board.board = "esp32-s3"
    name = 'os._Name.machine = "Generic ESP32S3 module with Octal-SPIRAM with ESP32S3"\n'
    printed, error = live([], 1000, f"import os\n{name}{START}")
    assert "switched-on" in printed and error == ""


BROKEN = """
import sys
class Flash:
    def readblocks(self, block, buffer, offset=0):
        if {unreadable}:
            raise OSError(5)
        buffer[:] = bytes(len(buffer))
class Chip:
    pass
sys.modules["rp2"] = Chip
Chip.Flash = Flash
from firmware.board import body, start
def fail(name, mode="r"):
    print("opened", name, mode)
    raise OSError(28)
start.open = fail
start.run()
"""


@pytest.mark.parametrize("unreadable, opened", [(True, 0), (False, 1)])
def test_a_memory_that_fails_at_power_on_stops_no_game(live, unreadable, opened):
    """The log of a Pico's file system is half full, and writing or even reading fails."""
    printed, error = live(PRESS, 2000, BROKEN.format(unreadable=unreadable))
    assert printed.count("opened main.py.new w") == opened
    assert LIT in printed and error == ""


@pytest.mark.parametrize(
    "pins",
    ["", "auction = 2  # moved\n", "closed = high\npull = outside\n", "lamps = what is this\n"],
)
def test_auction_held_at_power_on_leads_to_the_repl_before_anything_is_imported(board, live, pins):
    """It uses the pin in pins.txt, even in a file with which the unit would not start."""
    board.pin_text = "" if "what" in pins else pins
    (board.folder / "firmware/board/start.py").write_text("raise RuntimeError\n")
    printed, error = live([[0, AUCTION]], 5000, pins=pins)
    assert (printed, error) == ("AUCTION is held: here is the REPL.\n", "")
    if not pins:
        assert "RuntimeError" in "".join(live([], 5000))
        # A pin without a button is not held.
        assert "RuntimeError" in "".join(live([], 5000, pins="auction = 2\n"))


def test_main_and_pins_agree_about_the_pins_of_auction():
    """The table exists twice, since main.py may import nothing."""
    names: dict = {}
    text = (ROOT / "firmware/board/main.py").read_text(encoding="utf-8")
    exec(text[text.index("PINS = {") : text.index("SETTLE_MS")], names)
    wanted = {chip: (CHIPS[chip][0], sum(1 << pin for pin in FREE[chip])) for chip in CHIPS}
    assert names["PINS"] == wanted


def test_contacts_may_lie_at_the_supply_and_lamps_may_be_lit_by_a_low_level(board, live, tmp_path):
    wanted, _ = live(PRESS, 5000)
    board.pin_text = "closed = high\nlamp_on = low\nbuzzer_on = low\n"
    assert live(PRESS, 5000)[0] == wanted
    assert at_rest(tmp_path)


TOLD = f"""
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
            file.write("%s %d %s\\n" % (link.has_desktop, lamps, b"auction-started" in link.unsent))
        show(lamps, tone, volume)
    self.outputs.show = shows
    lives(self)
body.Body.live = live
{START}"""


def test_outputs_change_before_the_event_is_formatted_for_the_desktop(board, live):
    live(PRESS, 1100, TOLD)
    seen = (board.folder / "seen.txt").read_text().splitlines()
    lit = next(line for line in seen if line.startswith("True 1"))  # with a desktop connected
    assert lit == "True 1 False"


def test_build_held_at_power_on_opens_the_setup_which_goes_dark_when_idle(steps, live):
    """The next press lights it again."""
    changes = [[0, BUILD], [900, 0], [125000, BUILD], [125080, 0]]
    printed, _ = live(changes, 126000)
    assert "switched-on" not in printed
    assert re.search(r'"ms": 120\d{3}, "lamp": "permit-1", "on": false', printed)
    assert re.search(r'"ms": 1250\d\d, "lamp": "permit-2", "on": true', printed)


# Prints each level set on a pin.
PRINTED = f"""
import machine
class Pin(machine.Pin):
    def __call__(self, level=None):
        if level is not None:
            print(self.number, level)
        return super().__call__(level)
machine.Pin = Pin
{START}"""


def test_low_cells_flash_the_auction_lamp_at_power_on(steps, live):
    """Three short flashes precede the first note; good cells cause none."""
    steps.pin_text = "battery = 29\n"
    for mv, flashes in ((1900, 3), (2600, 0)):
        steps.world["battery_mv"] = mv
        printed, error = live([], 2000, PRINTED)
        before, started, _ = printed.partition("switched-on")
        assert started, error
        assert before.count("\n18 1\n") == flashes


def test_a_wrong_pin_file_is_printed_and_blinked(steps, live):
    lines = live([], 2300, PRINTED, pins="auction = 15\n")[0].splitlines()
    assert lines[0].startswith("The unit cannot start: pins.txt: auction = 15: used by build too")
    pause_and_next = ["LED 1", "LED 0"]  # the LED is always dark at the end
    assert lines[1:] == ["LED 0", *["LED 1", "LED 0"] * 3, "LED 0", *pause_and_next, "LED 0"]


CRASH = f"""
from firmware.board import body
class Body(body.Body):
    def run_pass(self):
        if body.now() > 250:
            raise RuntimeError("a broken wire")
        super().run_pass()
body.Body = Body
{START}"""


def test_a_crash_leaves_the_board_dark_and_silent_and_is_logged(steps, live, tmp_path):
    """It crashes after a quarter of a second, during the first notes or in an auction."""
    log = steps.folder / "crash.txt"
    for count, changes in enumerate(([], [[20, AUCTION], [100, 0]]), 1):
        printed, error = live(changes, 5000, CRASH)
        assert at_rest(tmp_path)
        assert "The unit has stopped: see crash.txt\n" in printed
        assert "RuntimeError: a broken wire" in printed + error
        assert log.read_text().count("RuntimeError: a broken wire") == count
    log.write_text("x" * 3000)
    live([], 5000, CRASH)
    assert log.read_text().count("a broken wire") == 1 and len(log.read_text()) < 500


def test_a_failure_at_the_start_is_also_logged(board, live):
    """The pin file wants a strip, but this MicroPython has no NeoPixel."""
    board.pin_text = "strip = 18\n"
    live([], 5000, "import sys\nclass Empty: pass\nsys.modules['neopixel'] = Empty\nimport main")
    assert "can't import name NeoPixel" in (board.folder / "crash.txt").read_text()


@pytest.mark.real_time
def test_ctrl_c_stops_the_unit_and_is_no_crash(board, tmp_path):
    trace = tmp_path / "trace"
    # Pressed again and again: a board that starts in the middle of a press ignores that one.
    presses = [change for ms in range(300, 60_000, 600) for change in ([ms, AUCTION], [ms + 80, 0])]
    board.world.update(time="real", trace=str(trace), changes=presses)
    command, environment = board.command(tmp_path / "world.json")
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}

    def in_an_auction():
        """Return a board's process as soon as its auction runs.

        Return None if AUCTION happened to be held at the start, which leads to the REPL.
        """
        process = subprocess.Popen(command, cwd=board.folder, env=environment, text=True, **pipes)
        until(
            lambda: (
                (trace.exists() and "auction-started" in trace.read_text())
                or process.poll() is not None
            )
        )
        return process if process.poll() is None else None

    process = until(in_an_auction)
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate(timeout=PATIENCE_S)[0]
    assert at_rest(tmp_path)
    assert not (board.folder / "crash.txt").exists()


def test_the_settings_survive_and_a_broken_file_does_not_hurt(board, live):
    board.pin_text = "switch = 13\n"
    setup = [[0, BUILD], [500, BUILD | ON], [900, ON]]
    for at, button in ((1500, BUILD), (2500, AUCTION), (3500, AUCTION)):
        setup += [[at, ON | button], [at + 80, ON]]
    printed, _ = live(setup, 9000)
    assert '"program": "championship"' in printed
    kept = board.folder / "settings.txt"
    assert kept.read_text() == "championship 3000000 2\n"
    assert '"program": "championship"' in live([[0, ON]], 900)[0]
    for broken in (b"chess 0 2", b"world 5000 2", b"world 0 \xff\xfe"):
        kept.write_bytes(broken)
        assert '"program": "city"' in live([[0, ON]], 900)[0]


WATCHED = f"""
import machine
class WDT:
    def __init__(self, timeout):
        print("watched", timeout)
    def feed(self):
        print("fed", machine.world.now_us() // 1000)
machine.WDT = WDT
{START}"""


def test_a_watchdog_is_fed_in_time_and_exists_only_if_enabled(steps, live):
    del steps.world["trace"], steps.world["report"]
    assert live([], 20000, WATCHED)[0] == ""
    steps.pin_text = "watchdog = on\n"
    first, *fed = live([], 20000, WATCHED)[0].splitlines()
    assert first == "watched 8000"
    times = [0, *(int(line.split()[1]) for line in fed), 20000]
    assert max(later - earlier for earlier, later in pairwise(times)) < 1000


STEADY = f"""
import gc
from firmware.board import body
gc.disable()
def live(self):
    steps(self, 200)
    before = 0
    before = gc.mem_alloc()
    steps(self, 2000)
    print("allocated", gc.mem_alloc() - before, self.rest.idle)
def steps(self, count):
    while count:
        self.run_pass()
        count -= 1
body.Body.live = live
{START}"""


@pytest.mark.slow
def test_a_steady_pass_of_the_whole_firmware_allocates_nothing(steps, live):
    """The board is in play, then becomes idle, and its clock wraps meanwhile.

    Each pass reads the contacts up to a hundred times.
    """
    del steps.world["trace"], steps.world["report"]
    steps.world["start"] = (1 << 30) - 100_000
    steps.heap = "16m"
    printed, error = live([], 4_000_000, STEADY)
    assert printed == "allocated 0 True\n", error


# Makes the running body available as `the_body`; the code after `finally` prints the results.
KNOWN = """
class Body(body.Body):
    def live(self):
        global the_body
        the_body = self
        super().live()
serial_port.SerialPort, body.Body = Port, Body
try:
    from firmware.board import start
    start.run()
finally:
"""
LINE = f"""
import gc, time
from firmware.board import body, serial_port
from city_unit.ticks import diff
def left(link, now):
    due = link.next_due()
    return 1000 if due is None else diff(due, now)
polls, collections = [], []
class Port(serial_port.SerialPort):
    def waits(self):
        return True
    def poll(self, now):
        polls.append(left(self.link, now))
        self.moved += 1025  # garbage that is due to be collected, whenever there is time
        time.sleep_ms(1)
        return False
class Collector:
    def collect():
        collections.append(left(the_body.port.link, body.now()))
    def mem_free():
        return 1
body.gc = Collector
{KNOWN}
    print("polls", len(polls), min(polls), "collections", len(collections), min(collections))
"""


@pytest.mark.slow
def test_neither_the_line_nor_a_collection_of_garbage_holds_up_what_is_due(steps, live):
    """Either takes a Pico long enough to delay an edge that is due meanwhile."""
    steps.heap = "16m"
    printed, error = live([[20, AUCTION], [100, 0]], 55000, LINE)
    counts = re.search(r"polls (\d+) (\d+) collections (\d+) (\d+)", printed)
    assert counts, error
    polls, nearest_poll, collections, nearest_collection = map(int, counts.groups())
    assert (polls > 10000, nearest_poll) == (True, 8)
    assert (collections > 10000, nearest_collection) == (True, 30)


BUSY = f"""
import time
from firmware.board import body, serial_port
class Port(serial_port.SerialPort):
    was_busy = False
    def waits(self):
        return not self.was_busy and 994 < body.now() < 1000
    def poll(self, now):
        if 994 < now < 1000 and not self.was_busy:
            self.was_busy = True
            print("busy")
            time.sleep_ms(1000 - body.now())
            the_body.rest.sense(None)  # like the interrupt of a Pico's button
            time.sleep_ms(BUSY_MS)
        return super().poll(now)
{KNOWN}
    print(*the_body.unit.events.get(1)[:2])
"""


@pytest.mark.parametrize(
    "changes, busy_ms, started",
    [
        ([[1000, AUCTION]], 9, 1016),
        ([[1000, AUCTION], [1003, 0], [1005, AUCTION]], 4, 1016),
        ([[990, AUCTION], [1000, 0], [1003, AUCTION]], 4, 1006),
    ],
)
def test_a_press_counts_from_its_first_edge_while_the_line_keeps_the_board_busy(
    steps, live, changes, busy_ms, started
):
    """The interrupt notes an edge even if the contact is back at its old level at the next read."""
    printed, error = live([*changes, [1080, 0]], 1500, BUSY.replace("BUSY_MS", str(busy_ms)))
    assert "busy" in printed
    assert printed.splitlines()[-1] == f"{started} auction-started", error


IDLE = """
from firmware.board import body
sleeps = {1: 0, 6: 0}
class Time:
    def __getattr__(self, name):
        return getattr(time, name)
    def sleep_ms(self, ms):
        sleeps[ms] = sleeps.get(ms, 0) + 1
        time.sleep_ms(ms)
time = body.time
body.time = Time()
try:
    from firmware.board import start
    start.run()
finally:
    print("sleeps", sleeps[1] > 1000, sleeps[6] > 1000)
"""


@pytest.mark.slow
def test_an_idle_board_reads_its_contacts_less_often_and_meets_its_deadlines(steps, live):
    """It becomes idle two minutes after the last press; the next is still shown within 25 ms."""
    printed, error = live([[130001, AUCTION], [130081, 0]], 131000, IDLE)
    assert "sleeps True True" in printed, error
    (lit,) = re.findall(r'"ms": (\d+), "lamp": "auction", "on": true', printed)
    assert 130017 <= int(lit) <= 130026
    busy, _ = live([], 119000, IDLE)
    assert "sleeps True False" in busy
