"""The lamps and the buzzer; they show what they are told, until they are told otherwise."""

from machine import PWM, Pin

from city_unit.ticks import const

_FULL = const(65535)

# How long of each period the buzzer gets current, for the volumes 0 to 3. Half
# is the loudest; what is heard follows the logarithm. Assumption.
_DUTIES = (0, 600, 4500, 32768)

# The generator's pitch in silence. A Pico takes a new pitch and duty when a period
# ends, so that a tone would begin late by the rest of one of the tone before it.
_IDLE_HZ = const(10000)

_RED = (255, 40, 20)  # of a strip's lamps, before its brightness


class Lamps:
    """Five lamps, a pin each."""

    def __init__(self, pins: dict) -> None:
        self._dark = 0 if pins["lamp_on"] == "high" else 1
        self._pins = [Pin(number, Pin.OUT, value=self._dark) for number in pins["lamps"]]

    def show(self, lamps: int, changed: int) -> None:
        """Let the lamps of the mask `lamps` be lit; only those of `changed` are touched."""
        for place in range(5):
            if changed >> place & 1:
                self._pins[place](lamps >> place & 1 ^ self._dark)

    def read(self, _shown: int) -> int:
        """Return the mask of the lamps whose pins have the level of a lit one."""
        lamps = 0
        for place in range(5):
            lamps |= (self._pins[place]() ^ self._dark) << place
        return lamps


class Strip:
    """Five addressable lamps on one pin, one after the other."""

    def __init__(self, pins: dict) -> None:
        from neopixel import NeoPixel

        self._strip = NeoPixel(Pin(pins["strip"], Pin.OUT), 5)
        self._lit = tuple([part * pins["brightness"] // 255 for part in _RED])
        self._dark = (0, 0, 0)
        self._strip.write()

    def show(self, lamps: int, changed: int) -> None:
        for place in range(5):
            if changed >> place & 1:
                self._strip[place] = self._lit if lamps >> place & 1 else self._dark
        self._strip.write()

    def read(self, shown: int) -> int:
        """Return `shown`: nobody can ask a strip."""
        return shown


class PassiveBuzzer:
    """A buzzer that sounds at the pitch it is given. Silence is duty 0: the generator
    runs on, since one that is stopped may leave its pin high.
    """

    def __init__(self, pins: dict) -> None:
        self._silence = 0 if pins["buzzer_on"] == "high" else _FULL
        self._pwm = PWM(Pin(pins["buzzer"]), freq=_IDLE_HZ, duty_u16=self._silence)

    def sound(self, tone: int, volume: int) -> None:
        """Sound at `tone` Hz, 0 for silence, with `volume` 0 to 3."""
        duty = _DUTIES[volume] if tone else 0
        if self._silence:
            duty = _FULL - duty
        self._pwm.init(freq=tone or _IDLE_HZ, duty_u16=duty)  # both, before a period ends


class ActiveBuzzer:
    """A buzzer with a pitch and a loudness of its own; the rhythm carries the cue."""

    def __init__(self, pins: dict) -> None:
        self._silence = 0 if pins["buzzer_on"] == "high" else 1
        self._pin = Pin(pins["buzzer"], Pin.OUT, value=self._silence)

    def sound(self, tone: int, volume: int) -> None:
        self._pin(self._silence ^ 1 if tone and volume else self._silence)


class Outputs:
    """All that a person sees and hears of a unit.

    lamps, tone  what is shown now
    """

    def __init__(self, pins: dict) -> None:
        self.lamps = 0
        self.tone = 0
        self._buzzer = (ActiveBuzzer if pins["buzzer_kind"] == "active" else PassiveBuzzer)(pins)
        self._lamps = (Lamps if pins["strip"] is None else Strip)(pins)

    def show(self, lamps: int, tone: int, volume: int) -> None:
        """Show this; what has not changed is not touched."""
        changed = lamps ^ self.lamps
        if changed:
            self.lamps = lamps
            self._lamps.show(lamps, changed)
        if tone != self.tone:
            self.tone = tone
            self._buzzer.sound(tone, volume)

    def flash(self, lit: int) -> None:
        """Show the auction lamp, or nothing."""
        self.show(lit, 0, 0)

    def read(self) -> int:
        """Return the mask of the lit lamps as the pins have them."""
        return self._lamps.read(self.lamps)

    def rest(self) -> None:
        """Be dark and silent, whatever was shown, even if one of the two fails."""
        try:
            self._buzzer.sound(0, 0)
        finally:
            self._lamps.show(0, 31)
