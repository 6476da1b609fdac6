"""The size of the firmware: its files, its heap, and what a pass allocates.

A Pico has 1.4 MB of flash memory and about 195 kB of heap left, so neither limits the unit; the
limits here only reveal growth. Start-up time is scarce: MicroPython takes about 4 ms to read and
load 1,000 bytes. The file needed before the first note therefore has a limit of its own, and the
other is read while that note sounds, in less than 60 ms.
"""

import pytest

from city_unit.draws import Draws
from city_unit.facts import AUCTION, SWITCH
from city_unit.settings import Settings
from city_unit.unit import Unit
from firmware.tool.image import FIRST, LATER, built
from firmware.virtual.launch import lay
from tests.helpers.interpreters import available
from tests.helpers.needs import needs

pytestmark = pytest.mark.slow

BYTES = {f"{FIRST}.mpy": 17_000, f"{LATER}.mpy": 12_000, "main.py": 2_000}  # at most
HEAP_BYTES = 50_000  # at most


def test_the_files_that_are_copied_are_small():
    sizes = {name: len(content) for name, content in built("rp2040").items()}
    assert sizes.keys() == BYTES.keys()
    assert {name: size for name, size in sizes.items() if size > BYTES[name]} == {}


# Runs the whole firmware on the 32-bit port, through an auction and then at rest. Short stand-ins
# replace a board's own modules (pins, time, a silent USB port); they are created before the heap is
# measured, since on a board they take none. Prints each change at the pins: ms, lamps, tone.
PASSES = 1_000  # each reads the contacts up to a hundred times
PRESSED_MS, RELEASED_MS, END_MS = 1000, 1080, 54_000  # one auction, including its final sound
WRAPS_MS = 30_000  # when the clock wraps

BOARD = f"""
import gc
import sys
path = sys.path[:]
sys.path.clear()
import binascii, micropython
sys.path.extend(path)
class Pin:
    level = 0
    def __call__(self, level=None):
        if level is None:
            return self.level
        self.level = level
    def irq(self, handler, hard=False):
        pass
class Pins:
    IN = OUT = PULL_UP = PULL_DOWN = 0
    all = [Pin() for _ in range(30)]
    def __call__(self, number, mode=0, pull=0, value=1):
        self.all[number].level = value
        return self.all[number]
class Machine:
    Pin = Pins()
    tone = 0
    class PWM:
        def __init__(self, pin, freq, duty_u16):
            pass
        def init(self, freq, duty_u16):
            Machine.tone = freq if 0 < duty_u16 < 65535 else 0
    WDT = None
class Time:
    us = lamps = tone = 0
    end = {END_MS}000
    def ticks_ms():
        return Time.us // 1000 - {WRAPS_MS} & 0x3FFFFFFF
    def ticks_us():
        return Time.us
    def sleep_us(us):
        lamps = 0
        for place in range(5):
            lamps |= Pins.all[18 + place].level << place
        if Time.us < {END_MS}000 and (Time.lamps != lamps or Time.tone != Machine.tone):
            Time.lamps = lamps
            Time.tone = Machine.tone
            print(Time.us // 1000, lamps, Time.tone)
        Time.us += us
        Pins.all[14].level = 0 if {PRESSED_MS}000 <= Time.us < {RELEASED_MS}000 else 1
        if Time.us >= Time.end:
            raise SystemExit
    def sleep_ms(ms):
        Time.sleep_us(ms * 1000)
class Os:
    machine = "Raspberry Pi Pico with RP2040"
    def uname():
        return Os
    def urandom(count):
        return bytes(count)
    def rename(old, new):
        pass
class Select:
    POLLIN = 1
    POLLOUT = 4
    class poll:
        def register(self, stream, what):
            pass
        def ipoll(self, ms):
            return ()
class Micropython:
    const = micropython.const
    def kbd_intr(char):
        pass
for name, module in (
    ("binascii", binascii), ("machine", Machine), ("time", Time), ("os", Os),
    ("select", Select), ("micropython", Micropython),
):
    sys.modules[name] = module
lives = None
def live(body):
    global kept
    kept = body
    lives(body)
def steps(count):
    while count:
        kept.run_pass()
        kept.unit.step(Time.ticks_ms(), kept.rest.levels)  # a pass steps it only when it is due
        count -= 1
kept = body = None
before = 0
gc.collect()
# then
before = gc.mem_alloc()
import city_unit_board as board
lives = board.Body.live
board.Body.live = live
try:
    board.run()
except SystemExit:
    pass
gc.collect()
# then
print(gc.mem_alloc() - before)
Time.end = 1000000000
steps(500)  # until after the hour's first beep, at 15 minutes
gc.collect()
# then
gc.disable()
before = gc.mem_alloc()
steps({PASSES})
print(gc.mem_alloc() - before)
"""

SETTLED_MS = 5  # the start waits for the pull-ups of the contacts


def expected() -> list[str]:
    """Return each change that a unit shows, stepped at every millisecond."""
    unit = Unit(Settings(), Draws(0).below)
    shown, told = (0, 0), []
    for ms in range(SETTLED_MS, END_MS):
        unit.step(ms, SWITCH | (AUCTION if PRESSED_MS <= ms < RELEASED_MS else 0))
        if shown != (unit.lamps, unit.tone):
            shown = unit.lamps, unit.tone
            told.append(f"{ms} {unit.lamps} {unit.tone}")
    return told


def test_the_whole_firmware_plays_as_the_clock_wraps_is_small_and_allocates_nothing(tmp_path):
    needs("32-bit" in available(), "the 32-bit MicroPython")
    lay(tmp_path, compile_it=True)
    files = {path.name: path for path in tmp_path.iterdir()}
    *changes, taken, allocated = available()["32-bit"](BOARD, files).splitlines()
    assert changes == expected() and len(changes) > 80
    assert int(taken) <= HEAP_BYTES and allocated == "0"
