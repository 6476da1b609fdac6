"""What few units have: a strip of lamps, a buzzer with one pitch, a UART, a look at the cells."""

import machine

from city_unit.ticks import const

from .serial_port import PIECE, SerialPort

_RED = (255, 40, 20)  # of a strip's lamps, before its brightness
_FULL_MV = const(9900)  # what a full measure stands for: three times 3.3 V


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

    lamps = NeoPixel(machine.Pin(pins["strip"], machine.Pin.OUT), 5)
    lamps.write()
    return [StripLamp(lamps, place, pins["brightness"]) for place in range(5)]


class ActiveBuzzer:
    """A buzzer with a pitch and a loudness of its own, as a PWM: the rhythm carries the cue."""

    def __init__(self, pin: int, silence: int) -> None:
        self._silence = silence
        self._level = 1 if silence else 0
        self._pin = machine.Pin(pin, machine.Pin.OUT, value=self._level)

    def init(self, freq: int, duty_u16: int) -> None:
        self._pin(self._level ^ (duty_u16 != self._silence))


class UartPort(SerialPort):
    """The link over a UART, for a board that is reached by two wires."""

    def __init__(self, link, pins: dict) -> None:
        super().__init__(link)
        tx, rx = machine.Pin(pins["tx"]), machine.Pin(pins["rx"])
        self._uart = machine.UART(pins["uart"], 115200, tx=tx, rx=rx, rxbuf=256, txbuf=256)

    def _read(self) -> bytes:
        count = self._uart.any()
        return self._uart.read(min(PIECE, count)) or b"" if count else b""

    def _write(self, data: bytes) -> int:
        return self._uart.write(data[:PIECE]) or 0

    def _guard(self, live: bool) -> None:
        self._guarded = live  # nothing that comes this way stops a program


def supply_mv(pin: int) -> int:
    """Return the millivolts of the supply, of which the pin sees a third."""
    return machine.ADC(pin).read_u16() * _FULL_MV >> 16
