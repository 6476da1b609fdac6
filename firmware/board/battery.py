"""The voltage of the supply, where a pin can see a third of it."""

from machine import ADC

from city_unit.ticks import const

# Two AAA cells that are empty, behind a diode. Assumption; three cells run empty
# before this, since a board needs 1.8 V only.
_LOW_MV = const(2000)

_FULL_MV = const(9900)  # what a full measure stands for: three times 3.3 V


class Battery:
    def __init__(self, pins: dict) -> None:
        pin = pins["battery"]
        self._adc = None if pin is None else ADC(pin)

    def mv(self) -> int:
        """Return the millivolts of the supply, 0 if they are not measured."""
        return self._adc.read_u16() * _FULL_MV >> 16 if self._adc else 0

    def is_low(self) -> bool:
        return 0 < self.mv() < _LOW_MV
