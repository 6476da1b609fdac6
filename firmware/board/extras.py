"""Parts of few units: lamps on a strip, a buzzer of another kind, a look at the cells; and the
reports that a board gives of itself over the link: `board`, and `crash`.
"""

import gc
import os
from binascii import hexlify

import machine

from city_unit.facts import TONE
from city_unit.ticks import const
from city_unit.wire import number

from .parts import IDLE_HZ
from .store import CRASHES, read

_RED = (255, 40, 20)  # of a strip's lamps, before its brightness
_FULL_MV = const(9900)  # the supply at a full measure: three times 3.3 V
_FULL = const(65535)  # the duty of a PWM that is never low

# The duties of a buzzer between two pins. Each is high at one end of the period, so that
# the first harmonic of the voltage between them is as strong as 2 * sin(pi * duty) ** 2:
# 6 dB above a buzzer at ground, with the same steps of 10 dB.
BRIDGED = const((0, 6711, 12459, 32768))

_PIECE = const(36)  # bytes of the log of crashes in one answer, twice as many digits


class StripLamp:
    """One of the addressable lamps on one pin, called as a pin of its own would be."""

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
        return self._lit  # nobody can ask a strip


def strip(pins: dict) -> list:
    """Return the lamps of a strip, dark."""
    from neopixel import NeoPixel

    lamps = NeoPixel(machine.Pin(pins["strip"], machine.Pin.OUT), TONE)
    lamps.write()
    return [StripLamp(lamps, place, pins["brightness"]) for place in range(TONE)]


class ActiveBuzzer:
    """A buzzer with a pitch and a loudness of its own, as a PWM: the rhythm carries the cue."""

    def __init__(self, pin: int, silence: int) -> None:
        self._silence = silence
        self._level = 1 if silence else 0
        self._pin = machine.Pin(pin, machine.Pin.OUT, value=self._level)

    def init(self, freq: int, duty_u16: int) -> None:
        self._pin(self._level ^ (duty_u16 != self._silence))


class Bridge:
    """A passive buzzer between two pins of one generator, as a PWM: one is high, then the other.

    In silence both are low, so that nothing lies across the buzzer.
    """

    def __init__(self, pwm, opposite: int) -> None:
        self._pwm = pwm
        pin = machine.Pin(opposite)
        self._opposite = machine.PWM(pin, freq=IDLE_HZ, duty_u16=_FULL, invert=True)

    def init(self, freq: int, duty_u16: int) -> None:
        self._pwm.init(freq=freq, duty_u16=duty_u16)  # the generator's pitch is that of both
        self._opposite.duty_u16(_FULL - duty_u16)


def supply_mv(pin: int) -> int:
    """Return the millivolts of the supply; the pin sees a third of them."""
    return machine.ADC(pin).read_u16() * _FULL_MV >> 16


def answer(body, words) -> str | None:
    """Return the answer to a command that only a board has; None if it is unknown here too.

    board    contacts that are closed and lamps that are lit, both as the pins
             have them; thousandths of the time awake; bytes of memory that were free
             after the latest collection of garbage; mV of the supply, 0 if no pin sees
             it; bytes in the log of crashes
    crash N  the log from byte N on, as far as it fits, in hexadecimal digits;
             takes a board some 20 ms, and is asked for after a crash only
    """
    if words[0] == "crash":
        begin = max(0, number(words[1], 9999))
        return hexlify(read(CRASHES).encode()[begin : begin + _PIECE]).decode()
    if words[0] != "board":
        return None
    supply = length = 0
    if body.battery is not None:
        supply = supply_mv(body.battery) or 1  # 0 is for a board that does not measure it
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
