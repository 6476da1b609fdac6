"""Where the unit's clock is, as seen from the desktop's."""

from collections import deque

# How much faster or slower than the desktop's the unit's clock may run: twice
# what cheap crystals do.
DRIFT = 100e-6

# A stamp is cut to whole ms, and taken once a pass of the body, which lasts less than 1 ms.
STAMP_MS = 2.0


class Offset:
    """The unit's ms less the desktop's, within bounds that are certain.

    An answer that was asked for at `asked` and came at `came` was stamped in
    between. So each round trip gives an interval in which the offset must lie;
    older ones are widened by what the clocks may have drifted since, and what
    remains is what all of them have in common.
    """

    def __init__(self) -> None:
        self._intervals: deque[tuple[float, float, float]] = deque(maxlen=16)

    def forget(self) -> None:
        self._intervals.clear()

    def learn(self, asked: float, came: float, stamp: int) -> None:
        """Take a round trip: desktop's ms at both ends, the unit's ms of the answer."""
        self._intervals.append((came, stamp - came, stamp + STAMP_MS - asked))

    def bounds(self, now: float) -> tuple[float, float]:
        """Return the least and the greatest that the offset can be at the desktop's `now`.

        Raises LookupError before the first round trip.
        """
        if not self._intervals:
            raise LookupError("the unit's clock is not known yet")
        _, low, high = self._widened(self._intervals[-1], now)
        for interval in reversed(self._intervals):
            _, lower, higher = self._widened(interval, now)
            if lower > high or higher < low:
                break  # a clock was set or slept: what is older says nothing
            low = max(low, lower)
            high = min(high, higher)
        return low, high

    def _widened(self, interval: tuple[float, float, float], now: float):
        at, low, high = interval
        drift = abs(now - at) * DRIFT
        return at, low - drift, high + drift
