"""Optional parts of a board: a strip, an active buzzer, a UART.

The firmware's own code drives each part in a real MicroPython; a stand-in records the calls.
"""

import math

import pytest

from city_unit.facts import LAMP_COUNT
from firmware.board import parts
from firmware.boards import describe
from firmware.maker.wiring.circuit import branches
from firmware.tool.image import ROOT, sources
from tests.helpers.interpreters import available, run_unix
from tests.helpers.needs import needs

VIRTUAL = ROOT / "firmware/virtual/lib"
WIRED = """
import sys
from firmware.board.pins import describe
from firmware.board.start import outputs_of, port_of
"""


@pytest.fixture
def board():
    """Return a function that runs code with the firmware and the virtual board's modules."""
    needs("unix" in available(), "the unix MicroPython")
    modules = {f"{name}.py": VIRTUAL / f"{name}.py" for name in ("machine", "world", "time", "os")}
    return lambda code: run_unix(WIRED + code, {**sources(), **modules}).splitlines()


def test_a_strip_shows_the_lamps_in_order_at_its_brightness(board):
    printed = board("""
import machine
class NeoPixel(list):
    def __init__(self, pin, count):
        super().__init__([(0, 0, 0)] * count)
        self.pin = pin.number
    def write(self):
        NeoPixel.lit = self.pin, list(self)
class neopixel:
    NeoPixel = NeoPixel
sys.modules["neopixel"] = neopixel
outputs = outputs_of(describe("rp2040", "strip = 2\\nbrightness = 51"))
print(*NeoPixel.lit)
outputs.show(0b10001, 0, 2)
print(*NeoPixel.lit)
print(outputs.read())
outputs.show(0b10000, 0, 2)
outputs.show(0b10000, 440, 2)
print(*NeoPixel.lit)
outputs.switch_off()
print(*NeoPixel.lit)
""")
    lit, dark = "(51, 8, 4)", "(0, 0, 0)"
    rest = [dark] * (LAMP_COUNT - 5)
    assert printed == [
        f"2 [{', '.join([dark] * LAMP_COUNT)}]",
        f"2 [{', '.join([lit, dark, dark, dark, lit, *rest])}]",
        "17",
        f"2 [{', '.join([dark, dark, dark, dark, lit, *rest])}]",
        f"2 [{', '.join([dark] * LAMP_COUNT)}]",
    ]


def test_a_chip_with_too_few_pins_goes_without_the_last_lamp(board):
    assert board("""
import machine
pins = describe("esp32c3")
*pins["lamps"], last = pins["lamps"]
outputs = outputs_of(pins)
outputs.show(0b11001, 0, 2)
print(outputs.read() == 0b11001, last in machine.levels)
outputs.show(0b01000, 0, 2)
print(outputs.read() == 0b01000)
""") == ["True False", "True"]
    description = describe("esp32-c3")
    fewer = {**description, "lamps": description["lamps"][:-1]}
    assert branches("esp32-c3", fewer) == branches("esp32-c3", description)[:-1]


def test_an_active_buzzer_follows_the_rhythm_without_a_pitch(board):
    printed = board("""
import machine
for on in ("high", "low"):
    outputs = outputs_of(describe("rp2040", "buzzer_kind = active\\nbuzzer_on = " + on))
    heard = [machine.levels[16]]
    for tone, volume in ((440, 1), (2700, 1), (0, 1), (2000, 0), (0, 0), (2000, 3)):
        outputs.show(0, tone, volume)
        heard.append(machine.levels[16])
    outputs.switch_off()
    heard.append(machine.levels[16])
    print(heard, machine.tones)
""")
    assert printed == ["[0, 1, 1, 0, 0, 0, 1, 0] {}", "[1, 0, 0, 1, 1, 1, 0, 1] {}"]


def test_a_uart_carries_the_link(board):
    """With noise before the greeting, a slow line, and a Ctrl-C that does nothing."""
    printed = board("""
import machine
import micropython
from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import Unit
class UART:
    incoming = b""
    outgoing = b""
    room = 5
    def __init__(self, number, baud, tx, rx, rxbuf, txbuf):
        print(number, baud, tx.number, rx.number)
    def any(self):
        return len(self.incoming)
    def read(self, count):
        data = self.incoming[:count]
        UART.incoming = self.incoming[count:]
        return data
    def write(self, data):
        if UART.room == 0:
            return None
        UART.outgoing += data[:UART.room]
        return len(data[:UART.room])
machine.UART = UART
from city_unit.wire import seal, unseal
from city_unit.link import Link
pins = describe("rp2040", "link = uart\\nuart = 1\\ntx = 4\\nrx = 5")
def run_other(words):
    return "yes" if words[0] == "board" else None
unit = Unit(Settings(), Draws(1).below)
port = port_of(pins, Link(unit, 7, "0.1.0 pico unit", run_other=run_other))
print(port.poll(0))
def say(text):
    UART.incoming += seal(text)
    UART.room = 0
    for now in range(100):
        port.poll(now)
    UART.room = 5
    while port.poll(200):
        pass
    lines = UART.outgoing.split(b"\\n")[:-1]
    UART.outgoing = b""
    return [unseal(line) for line in lines]
UART.incoming = b"\\x03\\xff noise\\n"
tag = say("hello 1 me")[0].split(" ")[2]
print(port.link.has_desktop)
print(say("ping %s 7" % tag)[0].split(" ")[0], port.link.has_desktop)
for command in ("board", "dance"):
    print(say("do %s %d %s" % (tag, 1 + (command == "dance"), command))[0].split(" ")[0])
port.close()
""")
    assert printed == ["1 115200 4 5", "False", "False", "pong True", "done", "refused"]


def test_volumes_are_steps_of_10_db():
    """The first harmonic of a tone is proportional to sin(pi * duty)."""
    strengths = [math.sin(math.pi * duty / 65536) for duty in parts.DUTIES]
    assert strengths[0] == 0
    levels = [20 * math.log10(strength) for strength in strengths[1:]]
    assert levels == pytest.approx([-20, -10, 0], abs=0.05)
