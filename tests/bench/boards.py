"""The cost of the unit on a board: bytes of its files, heap, allocation, and the time of a step.

Measured on the MicroPythons that run on a desktop; the tests hold the figures
that do not depend on the machine.

A Pico has 1.4 MB of flash memory and about 195 kB of heap left, so that neither limits the
unit: the limits here are there to notice growth. Time at the start is scarce. MicroPython
reads and loads some 4 ms for each 1,000 bytes, so that the file before the first note has a limit
of its own, and the other one is read while that note sounds, in less than 60 ms.
"""

import tempfile
from argparse import Namespace
from pathlib import Path

from firmware.linker import FIRST, LATER
from firmware.tool.image import built, sources
from firmware.virtual.launch import lay
from tests.bench.figure import Figure
from tests.helpers.interpreters import available, compiled

STEPS = 100_000
BYTES = {f"{FIRST}.mpy": 17_000, f"{LATER}.mpy": 12_000, "main.py": 2_000}  # at most
LINK = ("commands", "description", "link", "wire")  # modules that only the link needs

# Bytes that are allocated over steady steps, of a game that runs, across the clock's wrap.
STEADY = f"""
import gc
from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import Unit
from city_unit.ticks import add
unit = Unit(Settings(), Draws(7).below)
now = (1 << 30) - {STEPS // 2}
def steps(count):
    global now
    while count:
        unit.step(now, 4)
        now = add(now, 1)
        count -= 1
steps(1000)
gc.collect()
gc.disable()
before = 0
before = gc.mem_alloc()
steps({STEPS})
print(gc.mem_alloc() - before)
"""

# Bytes of heap that the core takes, loaded and running.
HEAP = """
import gc
before = 0
gc.collect()
# then
before = gc.mem_alloc()
from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import Unit
unit = Unit(Settings(), Draws(7).below)
unit.step(0, 4)
unit.step(1000, 5)
unit.step(1100, 4)
gc.collect()
# then
print(gc.mem_alloc() - before)
"""

# Microseconds of many steps of a unit, and of an empty object that is called alike.
COST = f"""
import time
from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import Unit
class Empty:
    def step(self, now, levels):
        pass
def steps(one):
    best = None
    for _ in range(5):
        begun = time.ticks_us()
        for now in range(1000, 1000 + {STEPS}):
            one.step(1000, 4)
        took = time.ticks_diff(time.ticks_us(), begun)
        best = took if best is None else min(best, took)
    return best
unit = Unit(Settings(), Draws(7).below)
unit.step(0, 4)
unit.step(1000, 4)
print(steps(unit), steps(Empty()))
"""

# The whole firmware on the 32-bit port. The modules of MicroPython's own on a board are a few lines
# here, laid out before anything is counted: the pins, which take no heap on a board either, the
# time, a USB port on which nobody says anything.
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


def core() -> dict[str, Path]:
    """Return the files of the unit itself, without its link."""
    return {
        name: path
        for name, path in sources().items()
        if name.startswith("city_unit/") and path.stem not in LINK
    }


def run(_options: Namespace) -> list[Figure]:
    """Measure all that the installed tools allow."""
    ports = available()
    figures = [*sizes(), *map(allocation, ports)]
    if "32-bit" in ports:
        figures += [heap(), *whole()]
    if "unix" in ports:
        figures.append(cost())
    return figures


def sizes() -> list[Figure]:
    """Measure the files that are copied onto a Pico."""
    files = built("rp2040")
    figures = []
    for name, most in (*BYTES.items(), ("all three", sum(BYTES.values()))):
        size = sum(len(files[other]) for other in files if name in (other, "all three"))
        figures.append(Figure(f"on a Pico: {name}", f"{size:,} bytes", f"{most:,}", size <= most))
    return figures


def allocation(port: str) -> Figure:
    """Measure how many bytes steady steps allocate on an interpreter, by its name."""
    found = int(available()[port](STEADY, core(), 1 << 22))
    return Figure(f"allocated by {STEPS:,} steady steps, {port}", f"{found} bytes", "0", found == 0)


def heap() -> Figure:
    """Measure how much heap the core takes on the 32-bit port, from compiled files."""
    with tempfile.TemporaryDirectory() as folder:
        found = int(available()["32-bit"](HEAP, compiled(core(), Path(folder))))
    return Figure("heap of the core, 32-bit", f"{found:,} bytes", "20,500", found <= 20_500)


def whole() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder), compile_it=True)
        files = {path.name: path for path in Path(folder).iterdir()}
        told = available()["32-bit"](BOARD.replace("PASSES", str(PASSES)), files)
    taken, allocated = map(int, told.split())
    passes = f"allocated by {PASSES:,} steady passes of the whole, 32-bit"
    return [
        Figure("heap of the whole firmware, 32-bit", f"{taken:,} bytes", "50,000", taken <= 50_000),
        Figure(passes, f"{allocated} bytes", "0", allocated == 0),
    ]


def cost() -> Figure:
    unit, empty = [int(text) for text in available()["unix"](COST, core()).split()]
    times = unit / empty
    return Figure(
        "a steady step on the Unix port",
        f"{times:.1f} times an empty call",
        "5 times",
        times <= 5,
        f"{unit * 1000 / STEPS:.0f} ns beside {empty * 1000 / STEPS:.0f} ns",
    )
