"""The whole firmware as it would lie on a board, on both MicroPythons, from source and compiled.

The Unix port runs every scenario elsewhere (`test_conformance.py`); the 32-bit port has
no virtual board, so that here a world of a few lines stands for the board's modules.
"""

import pytest

from city_unit.draws import Draws
from city_unit.facts import AUCTION, SWITCH
from city_unit.settings import Settings
from city_unit.unit import Unit
from firmware.tool.image import ROOT, sources
from firmware.virtual.launch import lay
from tests.helpers.interpreters import available
from tests.helpers.needs import needs

pytestmark = pytest.mark.slow

SETTLED_MS = 10  # main.py waits for the pull-up of AUCTION, then the start for all of them
PRESSED, RELEASED, END = 1000, 1080, 54000  # ms: one auction, the sound of its end included
SEED = 7
START = (1 << 30) - 30000  # of the clock, which wraps in the middle

WORLD = """
import sys
class World:
    config = {}
    JUMP = False
    CLOSED = 0
    CONTACTS = {14: 1, 15: 2}
    us = START * 1000
    shown = ()
    def levels():
        return 1 if PRESSED <= World.us // 1000 - START < RELEASED else 0
    def now_us():
        return World.us
    def sleep(us):
        lamps = 0
        for place in range(5):
            lamps |= machine.levels.get(18 + place, 0) << place
        shown = lamps, machine.tones.get(16)
        if shown != World.shown and 16 in machine.tones:
            World.shown = shown
            print(World.us // 1000 - START, *shown)
        World.us += us
        if World.us // 1000 - START > END:
            raise SystemExit
class Time:
    def ticks_ms():
        return World.us // 1000 & 0x3FFFFFFF
    def ticks_us():
        return World.us & 0x3FFFFFFF
    def sleep_us(us):
        World.sleep(us)
    def sleep_ms(ms):
        Time.sleep_us(ms * 1000)
class Os:
    def uname():
        return Os
    machine = "Raspberry Pi Pico with RP2040"
    def urandom(count):
        return bytes([SEED] + [0] * (count - 1))
sys.modules["world"] = World
sys.modules["time"] = Time
sys.modules["os"] = Os
import machine
class UART:
    def __init__(self, number, baud, tx, rx, rxbuf, txbuf):
        pass
    def any(self):
        return 0
machine.UART = UART
try:
    from firmware.board import start
except ImportError:
    import city_unit_board as start
start.read = lambda name: "link = uart" if name == "pins.txt" else ""
try:
    import main
except SystemExit:
    pass
"""


def expected() -> list[str]:
    """Return each change that a unit shows, stepped at every millisecond."""
    unit = Unit(Settings(), Draws(SEED).below)
    shown, told = (None, None), []
    for ms in range(SETTLED_MS, END + 1):
        unit.step(ms, SWITCH | (AUCTION if PRESSED <= ms < RELEASED else 0))
        if shown != (unit.lamps, unit.tone):
            shown = unit.lamps, unit.tone
            told.append(f"{ms} {unit.lamps} {unit.tone}")
    return told


@pytest.mark.parametrize("compile_it", [False, True], ids=["source", "compiled"])
@pytest.mark.parametrize("port", ["unix", "32-bit"])
def test_an_auction(port, compile_it, tmp_path):
    needs(port in available(), f"the {port} MicroPython")
    files = sources()
    if compile_it:
        lay(tmp_path, compile_it=True)
        files = {path.name: path for path in tmp_path.iterdir()}
    files = {**files, "machine.py": ROOT / "firmware/virtual/lib/machine.py"}
    named = {"START": START, "PRESSED": PRESSED, "RELEASED": RELEASED, "END": END, "SEED": SEED}
    names = "".join(f"{name} = {value}\n" for name, value in named.items())
    told = available()[port](names + WORLD, files, 1 << 21).split("\n")
    assert [line for line in told if line] == expected()
    assert len(expected()) > 80
