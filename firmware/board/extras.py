"""Optional parts (LED strip, active or bridged buzzer, battery sense), and the board's own
commands on the link, `board` and `crash`.
"""

import gc
import os
from binascii import hexlify

import machine

from city_unit.facts import LAMP_COUNT
from city_unit.ticks import const
from city_unit.wire import parse_number

from .parts import IDLE_HZ
from .store import CRASHES, read

_RED = (255, 40, 20)  # of a strip's lamps, before its brightness
_FULL_MV = const(9900)  # the supply at a full reading: three times 3.3 V
_FULL = const(65535)  # the duty of a PWM that is never low

# The duties of a buzzer between two pins. One pin is high at the start of the period, the other at
# its end, so the first harmonic of the voltage between them is proportional to
# 2 * sin(pi * duty) ** 2: 6 dB above a buzzer to ground, with the same steps of 10 dB.
BRIDGED = const((0, 6711, 12459, 32768))

_PIECE = const(36)  # bytes of the crash log in one answer, two hexadecimal digits each


class StripLamp:
    """One lamp of an addressable strip, with the interface of a pin."""

    def __init__(self, strip, place: int, brightness: int) -> None:
        self._strip = strip
        self._place = place
        self._colours = (0, 0, 0), tuple([part * brightness // 255 for part in _RED])
        self._lit = 0

    def __call__(self, lit=None) -> int:
        if lit is not None:
            self._lit = lit
            self._strip[self._place] = self._colours[lit]
            self._strip.write()
        return self._lit  # a strip cannot be read


def strip(pins: dict) -> list:
    """Return the lamps of a strip, switched off."""
    from neopixel import NeoPixel

    lamps = NeoPixel(machine.Pin(pins["strip"], machine.Pin.OUT), LAMP_COUNT)
    lamps.write()
    return [StripLamp(lamps, place, pins["brightness"]) for place in range(LAMP_COUNT)]


class ActiveBuzzer:
    """A buzzer of fixed pitch and loudness, with the interface of a PWM; cues keep their rhythm."""

    def __init__(self, pin: int, silence: int) -> None:
        self._silence = silence
        self._level = 1 if silence else 0
        self._pin = machine.Pin(pin, machine.Pin.OUT, value=self._level)

    def init(self, freq: int, duty_u16: int) -> None:
        self._pin(self._level ^ (duty_u16 != self._silence))


class Bridge:
    """A passive buzzer between two pins of one generator, with the interface of a PWM.

    The pins are high in turn. In silence both are low, so the buzzer carries no voltage.
    """

    def __init__(self, pwm, opposite: int) -> None:
        self._pwm = pwm
        pin = machine.Pin(opposite)
        self._opposite = machine.PWM(pin, freq=IDLE_HZ, duty_u16=_FULL, invert=True)

    def init(self, freq: int, duty_u16: int) -> None:
        self._pwm.init(freq=freq, duty_u16=duty_u16)  # both pins share the generator's pitch
        self._opposite.duty_u16(_FULL - duty_u16)


def supply_mv(pin: int) -> int:
    """Return the supply in millivolts; the pin measures a third of it."""
    return machine.ADC(pin).read_u16() * _FULL_MV >> 16


def answer(body, words) -> str | None:
    """Return the answer to a command that only boards have; None if it is unknown.

    board    closed contacts and lit lamps, both read from the pins; time awake in thousandths;
             free bytes of memory after the latest garbage collection; the supply in mV, 0 if no
             pin measures it; bytes in the crash log
    crash N  a piece of the crash log from byte N, in hexadecimal digits; takes a board some
             20 ms, and is requested only after a crash
    """
    if words[0] == "crash":
        begin = max(0, parse_number(words[1], 9999))
        return hexlify(read(CRASHES).encode()[begin : begin + _PIECE]).decode()
    if words[0] != "board":
        return None
    supply = length = 0
    if body.battery is not None:
        supply = supply_mv(body.battery) or 1  # 0 means not measured
    try:
        length = os.stat(CRASHES)[6]
    except OSError:
        pass  # it has never crashed
    return "contacts=%d lamps=%d awake=%d free=%d battery=%d crash=%d" % (
        body.contacts.levels(),
        body.outputs.read(),
        body.rest.awake,
        body.free or gc.mem_free(),
        supply,
        length,
    )
