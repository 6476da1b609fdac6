"""A clock that tests move, and the times of an auction whose button is pressed at 1 s.

Tests use these constants rather than numbers, so that a program may change.
"""

from city_unit.programs import PROGRAMS

CITY = PROGRAMS[0]
LENGTH_MS = CITY.auction_ms[0]
FAST_MS = CITY.warning_ms
HOLD_MS = CITY.cancel_hold_ms
SLOW_MS = LENGTH_MS - FAST_MS  # duration of slow flashing

DEBOUNCE_MS = 16  # how long a press must last to count
PRESSED = 1000 + DEBOUNCE_MS
WARNED = PRESSED + SLOW_MS
ENDED = PRESSED + LENGTH_MS

# A span within the fast flashing.
FAST_FROM = WARNED + 1000
FAST_TO = ENDED - 1000


class StandingClock:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def move(self, ms: float) -> None:
        self.seconds += ms / 1000
