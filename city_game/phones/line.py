"""A connected telephone: its seat, its last bid, and its clock.

The server asks each telephone again and again for its clock and measures the round trip itself, so
that the clock is known within bounds; see `city_unit.host.offset`. A press bears the telephone's
own time, which is held against the measurements: a press is never later than its arrival, and never
earlier than the slowest round trip allows.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

from city_unit.host.offset import Offset

KEPT = 64  # round trips: 16 s of them in a sale, in which clocks drift less than 2 ms apart
# No network at home takes longer: beyond that a press counts from when it came, less this.
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
    def slowest(self) -> float:
        """Return for how long a press may be on its way, in ms, as far as was measured."""
        return min(max(self._trips, default=LONGEST_MS), LONGEST_MS)

    def learn(self, asked: float, came: float, stamp: float) -> None:
        """Record a round trip: this computer's ms at both ends, the telephone's in between."""
        self._offset.learn(asked, came, int(stamp))
        self._trips.append(came - asked)

    def press(self, stamp: float, came: float) -> Press:
        """Return when a press was made that came at `came` and says that it was at `stamp`.

        A telephone that answers at once and speaks the truth is known to half a round trip. A press
        cannot be proved to be older than its arrival, so `within` reaches up to that: a
        telephone that dates its presses back, or answers late, only makes itself doubtful.
        """
        if not self._trips:
            return Press(came, LONGEST_MS)
        low, high = self._offset.bounds(came)
        middle = stamp - (low + high) / 2
        at = min(max(middle, came - self.slowest), came)
        within = (high - low) / 2 + abs(at - middle)
        return Press(at, max(within, came - at))


PLAYER, SPECTATOR, REFEREE = ROLES = ("player", "spectator", "referee")
NOBODY = -1


class Verdict(NamedTuple):
    """The outcome of a bid that was made by telephone.

    sale   the number of the sale that it was made in
    words  why it does not count, "" if it does
    """

    sale: int
    amount: int
    words: str
    counts: bool


class Missed(NamedTuple):
    """The events of a game while a player had no telephone: from, and up to before; cash then."""

    since: int
    until: int
    cash: int


@dataclass
class Line:
    """A telephone that is connected.

    page     which loading of the page it is: its numbers begin anew with each
    verdict  the verdict on its last bid, None for nothing yet
    shown    the last view that it got, as a text
    missed   the events while its player had no telephone, None for nothing
    """

    role: str = PLAYER
    has_greeted: bool = False
    player: int = NOBODY
    token: str = ""
    page: str = ""
    language: str = ""
    clock: PhoneClock = field(default_factory=PhoneClock)
    verdict: Verdict | None = None
    has_lost_seat: bool = False
    shown: str = ""
    missed: Missed | None = None
