"""Estimate the offset between the unit's clock and the desktop's from ping round trips."""

from collections import deque

from city_unit.ticks import MASK

PING_MS = 1000  # the unit drops a client silent for 5 s, so three pings may be lost
FIRST_PING_MS = 20  # between the first pings, which establish the offset
FIRST_PINGS = 8  # half of the round trips that an `Offset` stores
_MAX_IN_FLIGHT = 8  # pings

# Largest rate difference of the two clocks: twice the tolerance of cheap crystals.
DRIFT = 100e-6

# Error of a timestamp: it is truncated to ms, and taken once per pass of at most 1 ms.
STAMP_MS = 2.0


class Offset:
    """The unit's time minus the desktop's in ms, within guaranteed bounds.

    The unit stamps a pong between the sending of the ping and the receipt of the pong. So each
    round trip gives an interval that contains the offset. Older intervals are widened by the
    possible drift since; the result is the intersection of the latest `kept`.
    """

    def __init__(self, kept: int = 16) -> None:
        self._intervals: deque[tuple[float, float, float]] = deque(maxlen=kept)

    def forget(self) -> None:
        self._intervals.clear()

    def learn(self, sent: float, received: float, stamp: int) -> None:
        """Record a round trip.

        sent, received  when, in ms of the desktop's clock
        stamp           the unit's time in the pong, unwrapped
        """
        self._intervals.append((received, stamp - received, stamp + STAMP_MS - sent))

    def bounds(self, now: float) -> tuple[float, float]:
        """Return the lower and upper bound of the offset at the desktop's `now`.

        Raises LookupError before the first round trip.
        """
        if not self._intervals:
            raise LookupError("the unit's clock is not known yet")  # no text: the program is wrong
        low, high = self._widened(self._intervals[-1], now)
        for interval in reversed(self._intervals):
            lower, higher = self._widened(interval, now)
            if lower > high or higher < low:
                break  # a clock was set or suspended: older intervals are invalid
            low = max(low, lower)
            high = min(high, higher)
        return low, high

    def _widened(self, interval: tuple[float, float, float], now: float) -> tuple[float, float]:
        at, low, high = interval
        drift = abs(now - at) * DRIFT
        return low - drift, high + drift


class Pings:
    """The schedule of pings: first a burst to establish the offset, then one per `every_ms`.

    due  when to send the next ping
    """

    def __init__(self, every_ms: float, offset: Offset) -> None:
        self.every_ms = every_ms
        self.due = 0.0
        self._offset = offset
        self._count = 0
        self._burst = 0  # pings left in the burst
        self._sent_at: dict[int, float] = {}  # of the pings in flight

    def begin(self, now: float) -> None:
        """Start the burst."""
        self._burst = FIRST_PINGS
        self.due = now

    def forget(self) -> None:
        """Drop the pings in flight: the connection is lost."""
        self._sent_at.clear()

    def next(self, now: float) -> int:
        """Return the number of the ping to send now."""
        self._count = self._count % MASK + 1
        self._sent_at[self._count] = now
        if len(self._sent_at) > _MAX_IN_FLIGHT:
            del self._sent_at[next(iter(self._sent_at))]
        self._burst -= 1
        self.due = now + (FIRST_PING_MS if self._burst > 0 else self.every_ms)
        return self._count

    def learn(self, number: int, now: float, unit_ms: int) -> bool:
        """Record a pong; return whether its ping was in flight."""
        sent = self._sent_at.pop(number, None)
        if sent is None:
            return False
        self._offset.learn(sent, now, unit_ms)
        return True
