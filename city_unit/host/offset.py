"""Where the unit's clock is, as seen from the desktop's, and the pings by which that is known."""

from collections import deque

from city_unit.ticks import MASK

PING_MS = 1000  # a unit lets go after 5 s without a word: three pings may be lost
FIRST_PING_MS = 20  # between the first pings, which set the clock
FIRST_PINGS = 8  # half of the round trips that an `Offset` keeps
_MOST_PINGED = 8  # pings whose answer may still be under way

# How much faster or slower than the desktop's the unit's clock may run: twice
# the tolerance of cheap crystals.
DRIFT = 100e-6

# A stamp is cut to whole ms, and taken once a pass of the body, which lasts less than 1 ms.
STAMP_MS = 2.0


class Offset:
    """The unit's ms less the desktop's, within bounds that are certain.

    An answer that was asked for at `asked` and came at `came` was stamped in
    between. So each round trip gives an interval in which the offset must lie;
    older ones are widened by the possible drift since, and the result is
    the intersection of the latest `kept`.
    """

    def __init__(self, kept: int = 16) -> None:
        self._intervals: deque[tuple[float, float, float]] = deque(maxlen=kept)

    def forget(self) -> None:
        self._intervals.clear()

    def learn(self, asked: float, came: float, stamp: int) -> None:
        """Record a round trip: the desktop's ms at both ends, the unit's of the answer.

        stamp   the unit's, unwrapped: it goes on beyond 2^30
        """
        self._intervals.append((came, stamp - came, stamp + STAMP_MS - asked))

    def bounds(self, now: float) -> tuple[float, float]:
        """Return the least and the greatest that the offset can be at the desktop's `now`.

        Raises LookupError before the first round trip.
        """
        if not self._intervals:
            raise LookupError("the unit's clock is not known yet")  # no text: the program is wrong
        low, high = self._widened(self._intervals[-1], now)
        for interval in reversed(self._intervals):
            lower, higher = self._widened(interval, now)
            if lower > high or higher < low:
                break  # a clock was set or slept: older bounds prove nothing
            low = max(low, lower)
            high = min(high, higher)
        return low, high

    def _widened(self, interval: tuple[float, float, float], now: float) -> tuple[float, float]:
        at, low, high = interval
        drift = abs(now - at) * DRIFT
        return low - drift, high + drift


class Pings:
    """The schedule of pings, and the offset of the unit's clock from their answers.

    every_ms  how often it is asked; in the beginning more often, to set the clock
    due       when it is to be asked next
    """

    def __init__(self, every_ms: float, offset: Offset) -> None:
        self.every_ms = every_ms
        self.due = 0.0
        self._offset = offset
        self._count = 0
        self._first = 0  # that are still to be sent in the beginning
        self._asked: dict[int, float] = {}

    def begin(self, now: float) -> None:
        """The unit is there: ask it at once, and often."""
        self._first = FIRST_PINGS
        self.due = now

    def forget(self) -> None:
        """The unit is gone: its answers no longer say how long they took."""
        self._asked.clear()

    def next(self, now: float) -> int:
        """Return the number of the next ping, which is sent now."""
        self._count = self._count % MASK + 1
        self._asked[self._count] = now
        if len(self._asked) > _MOST_PINGED:
            del self._asked[next(iter(self._asked))]
        self._first -= 1
        self.due = now + (FIRST_PING_MS if self._first > 0 else self.every_ms)
        return self._count

    def learn(self, number: int, now: float, unit_ms: int) -> bool:
        """Record the answer to a ping; return whether that ping was still in flight."""
        asked = self._asked.pop(number, None)
        if asked is None:
            return False
        self._offset.learn(asked, now, unit_ms)
        return True
