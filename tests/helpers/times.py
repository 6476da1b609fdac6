"""A clock that tests move; and when an auction does what, if AUCTION goes down at 1 s.

A test that needs these times takes them from here, so that a program may change.
"""

from city_unit.programs import PROGRAMS

CITY = PROGRAMS[0]
LENGTH_MS = CITY.auction_ms[0]
FAST_MS = CITY.warning_ms
HOLD_MS = CITY.cancel_hold_ms
SLOW_MS = LENGTH_MS - FAST_MS  # how long the lamp flashes slowly

DEBOUNCE_MS = 16  # how long a press stands before it counts
PRESSED = 1000 + DEBOUNCE_MS
WARNED = PRESSED + SLOW_MS
ENDED = PRESSED + LENGTH_MS

# A span in which the lamp flashes fast: it begins and ends away from where its flashing changes.
FAST_FROM = WARNED + 1000
FAST_TO = ENDED - 1000


class StandingClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def move(self, ms: float) -> None:
        self.seconds += ms / 1000
