"""When a finger was on a telephone, by this computer's clock: measured, never believed.

The server asks each telephone again and again what its clock says. It measures the round
trip itself, so that the telephone's clock is known within bounds; see `city_unit.host.offset`.
A press bears the telephone's own time. What it says is held against what was measured: a
press is never later than it came, and never earlier than the slowest round trip allows.
"""

from collections import deque
from typing import NamedTuple

from city_unit.host.offset import Offset

KEPT = 64  # round trips: 16 s of them in a sale, in which clocks drift less than 2 ms apart
# What a network at home never takes: beyond that a press counts from when it came, less this.
LONGEST_MS = 600.0


class Press(NamedTuple):
    """When a finger was there: `at` in ms of this computer's clock, wrong by `within` at most."""

    at: float
    within: float


class PhoneClock:
    """The clock of a telephone, for as long as its line stands."""

    def __init__(self) -> None:
        self._offset = Offset(KEPT)
        self._trips: deque[float] = deque(maxlen=KEPT)

    @property
    def is_known(self) -> bool:
        return bool(self._trips)

    @property
    def trip(self) -> float:
        """Return the quickest round trip, in ms; 0 before the first."""
        return min(self._trips, default=0.0)

    @property
    def slowest(self) -> float:
        """Return for how long a press may be on its way, in ms, as far as was measured."""
        return min(max(self._trips, default=LONGEST_MS), LONGEST_MS)

    def learn(self, asked: float, came: float, stamp: float) -> None:
        """Take a round trip: this computer's ms at both ends, the telephone's in between."""
        self._offset.learn(asked, came, int(stamp))
        self._trips.append(came - asked)

    def press(self, stamp: float, came: float) -> Press:
        """Return when a press was made that came at `came` and says that it was at `stamp`.

        Whoever answers at once and speaks the truth is known to half a round trip. A press
        cannot be proved to be older than its arrival, so `within` reaches up to that: a
        telephone that dates its presses back, or answers late, only makes itself doubtful.
        """
        if not self.is_known:
            return Press(came, LONGEST_MS)
        low, high = self._offset.bounds(came)
        middle = stamp - (low + high) / 2
        at = min(max(middle, came - self.slowest), came)
        within = (high - low) / 2 + abs(at - middle)
        return Press(at, max(within, came - at))
