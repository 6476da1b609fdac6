"""The two buttons and the switch, as the pins have them this very moment."""

from machine import Pin

from city_unit.unit import AUCTION, BUILD, SWITCH


class Contacts:
    def __init__(self, pins: dict) -> None:
        self._auction = _pin(pins["auction"], pins)
        self._build = _pin(pins["build"], pins)
        self._switch = None if pins["switch"] is None else _pin(pins["switch"], pins)
        self._open = AUCTION | BUILD | SWITCH if pins["closed"] == "low" else 0
        # A board without a switch is on for as long as it has power.
        self._always = SWITCH if self._switch is None else 0

    def levels(self) -> int:
        """Return the bits of the closed contacts, as `Unit.step` takes them."""
        levels = self._auction() | self._build() << 1
        if self._switch:
            levels |= self._switch() << 2
        return levels ^ self._open | self._always


def _pin(number: int, pins: dict) -> Pin:
    if pins["pull"] == "outside":
        return Pin(number, Pin.IN)
    return Pin(number, Pin.IN, Pin.PULL_UP if pins["closed"] == "low" else Pin.PULL_DOWN)
