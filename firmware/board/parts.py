"""The parts wired to the pins: two buttons and a switch, five lamps and a buzzer."""

from city_unit.facts import AUCTION, BUILD, SWITCH, TONE
from city_unit.ticks import const

# How long of each period the buzzer gets current, in parts of 65535, for the volumes 0 to 3.
# The tone that is heard, the first harmonic, is as strong as sin(pi * duty): half is the
# loudest, and the others are 10 and 20 dB below it, each step about half as loud (duties that
# were guessed at first were 13 and 31 dB below it). The first is silence.
DUTIES = const((0, 2090, 6711, 32768))

# The generator's pitch in silence. A Pico takes a new pitch and duty when a period
# ends, so that a tone would begin late by the rest of one of the tone before it.
IDLE_HZ = const(10000)


class Contacts:
    """Three pins, each called for its level; no switch if the supply is the switch."""

    def __init__(self, auction, build, switch, closed_is_low: bool) -> None:
        self._auction = auction
        self._build = build
        self._switch = switch
        self._open = AUCTION | BUILD | SWITCH if closed_is_low else 0
        # A board without a switch is on for as long as it has power.
        self._always = 0 if switch else SWITCH

    def levels(self) -> int:
        """Return the bits of the closed contacts, as `Unit.step` takes them."""
        levels = self._auction() | self._build() << 1
        if self._switch:
            levels |= self._switch() << 2
        return levels ^ self._open | self._always


class Outputs:
    """The lamps and the sound of a unit, as the last call of `show` set them.

    lamps, tone  as they are shown now

    The lamps are five pins, each called with its new level or for the one it has;
    the buzzer is a PWM with a duty for each volume. Its silence is one of them, 0 or
    full: the generator runs on, since a stopped generator may leave its pin high.
    """

    def __init__(self, pins, dark: int, pwm, duties: tuple) -> None:
        self.lamps = 0
        self.tone = 0
        self._pins = pins
        self._dark = dark  # the level of a dark lamp
        self._pwm = pwm
        self._duties = duties

    def show(self, lamps: int, tone: int, volume: int) -> None:
        """Show this; a part that has not changed is not touched."""
        changed = lamps ^ self.lamps
        if changed:
            self.lamps = lamps
            for place in range(TONE):
                if changed >> place & 1:
                    self._pins[place](lamps >> place & 1 ^ self._dark)
        if tone != self.tone:
            self.tone = tone
            self._sound(tone, volume)

    def read(self) -> int:
        """Return the mask of the lamps whose pins have the level of a lit lamp."""
        lamps = 0
        for place in range(TONE):
            lamps |= (self._pins[place]() ^ self._dark) << place
        return lamps

    def rest(self) -> None:
        """Be dark and silent, whatever was shown, even if one of the two fails."""
        try:
            self._sound(0, 0)
        finally:
            for pin in self._pins:
                pin(self._dark)

    def _sound(self, tone: int, volume: int) -> None:
        duty = self._duties[volume if tone else 0]
        self._pwm.init(freq=tone or IDLE_HZ, duty_u16=duty)  # both, before a period ends
