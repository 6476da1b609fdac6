"""The whole firmware on the 32-bit MicroPython: its heap, and the allocations of a steady pass.

The modules of MicroPython's own on a board are a few lines here, laid out before
anything is counted: the pins, which take no heap on a board either, the time, a
USB port on which nobody says anything.
"""

import tempfile
from pathlib import Path

from firmware.virtual.launch import lay
from tests.helpers.interpreters import available

PASSES = 1_000  # of up to a hundred looks each

BOARD = """
import gc
import sys
path = sys.path[:]
sys.path.clear()
import binascii, micropython
sys.path.extend(path)
class Open:
    def __call__(self, level=None):
        return 1
    def irq(self, handler, hard=False):
        pass
class Pins:
    IN = OUT = PULL_UP = PULL_DOWN = 0
    pin = Open()
    def __call__(self, number, mode=0, pull=0, value=0):
        return self.pin
class Machine:
    Pin = Pins()
    class PWM:
        def __init__(self, pin, freq, duty_u16):
            pass
        def init(self, freq, duty_u16):
            pass
    WDT = None
class Time:
    us = 0
    end = 2000000
    def ticks_ms():
        return Time.us // 1000
    def ticks_us():
        return Time.us
    def sleep_us(us):
        Time.us += us
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
        kept.live_once()
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
steps(1000)
gc.collect()
# then
gc.disable()
before = gc.mem_alloc()
steps(PASSES)
print(gc.mem_alloc() - before)
"""


def measured() -> tuple[int, int]:
    """Return the bytes of a Pico that lives, and those that its steady passes allocate."""
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder), compile_it=True)
        files = {path.name: path for path in Path(folder).iterdir()}
        taken, allocated = available()["32-bit"](
            BOARD.replace("PASSES", str(PASSES)), files
        ).split()
    return int(taken), int(allocated)
