"""The parts wired to the pins: two buttons and a switch, the lamps and a buzzer."""

from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.ticks import const

# The buzzer's duty, in parts of 65535, for the volumes 0 to 3; 0 is silence. The audible first
# harmonic is proportional to sin(pi * duty), so half is the loudest. The other two are 10 and
# 20 dB below it, each step about half as loud.
DUTIES = const((0, 2090, 6711, 32768))

# The generator's pitch in silence. A Pico applies a new pitch and duty only at the end of a
# period, so a low idle pitch would delay the next tone by up to that period.
IDLE_HZ = const(10000)


class Contacts:
    """Three pins, each called to read its level; `switch` is None if the supply is the switch."""

    def __init__(self, auction, build, switch, closed_is_low: bool) -> None:
        self._auction = auction
        self._build = build
        self._switch = switch
        self._open = AUCTION | BUILD | SWITCH if closed_is_low else 0
        # A board without a switch is on while it has power.
        self._always = 0 if switch else SWITCH

    def levels(self) -> int:
        """Return the bits of the closed contacts, in the form `Unit.step` expects."""
        levels = self._auction() | self._build() << 1
        if self._switch:
            levels |= self._switch() << 2
        return levels ^ self._open | self._always


class Outputs:
    """The lamps and the buzzer of a unit.

    lamps, tone  as last shown

    Each lamp is a pin, called with its new level, or without one to read it; a chip may have too
    few pins for the last lamps, and they read as they should be. The buzzer is a PWM
    with a duty for each volume. Silence is a duty of 0 or full: the generator keeps running, since
    a stopped one may leave its pin high.
    """

    def __init__(self, pins, dark: int, pwm, duties: tuple) -> None:
        self.lamps = 0
        self.tone = 0
        self._pins = pins
        self._dark = dark  # the level of a dark lamp
        self._pwm = pwm
        self._duties = duties

    def show(self, lamps: int, tone: int, volume: int) -> None:
        """Set the outputs that have changed."""
        changed = lamps ^ self.lamps
        if changed:
            self.lamps = lamps
            for place in range(len(self._pins)):
                if changed >> place & 1:
                    self._pins[place](lamps >> place & 1 ^ self._dark)
        if tone != self.tone:
            self.tone = tone
            self._sound(tone, volume)

    def read(self) -> int:
        """Return the mask of the lit lamps, read from their pins."""
        count = len(self._pins)
        lamps = self.lamps >> count << count
        for place in range(count):
            lamps |= (self._pins[place]() ^ self._dark) << place
        return lamps

    def switch_off(self) -> None:
        """Switch everything off; the lamps go dark even if silencing the buzzer fails."""
        try:
            self._sound(0, 0)
        finally:
            for pin in self._pins:
                pin(self._dark)

    def _sound(self, tone: int, volume: int) -> None:
        duty = self._duties[volume if tone else 0]
        self._pwm.init(freq=tone or IDLE_HZ, duty_u16=duty)  # both within one period
