"""What the desktop does to a unit by hand: fingers on its buttons, lamps lit to be seen."""

from city_unit.ticks import add, const

# After a release the contact rests for longer than the debounce, so that the
# next press cannot be taken for a bounce of this one.
_REST_MS = const(20)

# Lamps, tone and length: the four permit lamps blink and the buzzer beeps.
IDENTIFY = (30, 2700, 80, 0, 0, 170) * 4


class Finger:
    """A finger on the button with the contact `bit`; `held` is that bit while it is down."""

    def __init__(self, bit: int) -> None:
        self._bit = bit
        self.held = 0
        self.due: int | None = None

    def press(self, now: int, length: int) -> str:
        """Press for `length` ms, 0 for until told; return "", or why not."""
        if self.held or self.due is not None:
            return "busy"
        self.held = self._bit
        if length:
            self.due = add(now, length)
        return ""

    def lift(self, now: int) -> None:
        if self.held:
            self.held = 0
            self.due = add(now, _REST_MS)

    def fire(self, due: int) -> None:
        self.due = None
        self.lift(due)


class Show:
    """Lamps and tones shown beside the unit's own, for a person who looks for it."""

    def __init__(self) -> None:
        self.stop()

    def stop(self) -> None:
        self.lamps = self.tone = 0
        self.due: int | None = None

    def start(self, now: int, pattern: tuple[int, ...]) -> None:
        """Show `pattern`: lamps (a mask), tone (Hz) and length (ms), again and again."""
        self._pattern = pattern
        self._place = 0
        self.fire(now)

    def fire(self, due: int) -> None:
        place = self._place
        if place == len(self._pattern):
            self.stop()
            return
        self.lamps, self.tone, length = self._pattern[place : place + 3]
        self._place = place + 3
        self.due = add(due, length)
