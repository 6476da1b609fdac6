"""When a board sleeps and for how long, and how much of its time it is awake."""

import time

from city_unit.ticks import MASK, const, diff

# A unit that nobody has touched for so long, and that no desktop talks to, is
# idle. Assumption; long enough for the thinking of a slow player.
_IDLE_MS = const(120000)

# How often an idle board looks at its contacts. What it finds then is 16 ms old
# before it counts, and must be seen and heard 25 ms after the first contact.
_IDLE_LOOK_MS = const(6)

# A pass takes a Pico about a millisecond. A deadline that is nearer than the one
# that the next pass may miss is waited for to the tick, unless a contact changes.
_NEAR_MS = const(3)
_FAR_MS = const(1000)
_SHORT_US = const(50)

# Called, they return the board's milliseconds and microseconds, which wrap at 2^30.
now: type[int] = time.ticks_ms  # type: ignore  # the stubs have types of their own for them
now_us: type[int] = time.ticks_us  # type: ignore  # as above


class Rest:
    """A board's sleep.

    idle   whether it is idle: it then looks less often
    awake  how much of its time it was awake of late, in thousandths
    """

    def __init__(self, contacts) -> None:
        self.idle = False
        self.awake = 1000
        self._contacts = contacts
        self._levels = -1
        self._touched = 0
        self._slept = 0  # us, since
        self._since = now_us()

    def note(self, at: int, levels: int, live: bool) -> None:
        """Note what the contacts are at `at`, and whether a desktop is there."""
        if live or levels != self._levels:
            self._levels = levels
            self._touched = at
            self.idle = False
        elif diff(at, self._touched) > _IDLE_MS:
            self.idle = True

    def sleep(self, at: int, due: int | None) -> None:
        """Sleep until the next look; it is `at` now, and something is due at `due`."""
        look = _IDLE_LOOK_MS if self.idle else 1
        before = now_us()
        left = _FAR_MS if due is None else diff(due, at)
        if due is None or left > _NEAR_MS:
            time.sleep_ms(min(look, left - _NEAR_MS + 1))
        else:
            while diff(due, now()) > 0 and self._contacts.levels() == self._levels:
                time.sleep_us(_SHORT_US)
        self._slept += now_us() - before & MASK

    def count(self) -> None:
        """Work out `awake` since the last call; at least each minute."""
        ms = (now_us() - self._since & MASK) // 1000
        if ms:
            self.awake = max(0, 1000 - self._slept // ms)
        self._slept = 0
        self._since = now_us()
