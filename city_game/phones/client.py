"""A connected telephone: its seat, its last bid, and its clock.

The server regularly requests the time from each telephone and measures the round trip, which
bounds the offset of the telephone's clock; see `city_unit.host.offset`. A press carries the
telephone's own time. It is limited by the measurements: a press is never later than its arrival,
and never earlier than the slowest round trip allows.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

from city_unit.host.offset import Offset

KEPT = 64  # round trips: 16 s of a sale, in which the clocks drift by less than 2 ms
# No home network is slower. A press counts as made at most this long before its arrival.
LONGEST_MS = 600.0


class Press(NamedTuple):
    """The time of a press in ms of this computer's clock, wrong by at most `within`."""

    at: float
    within: float


class PhoneClock:
    """The clock of a telephone during one connection."""

    def __init__(self) -> None:
        self._offset = Offset(KEPT)
        self._trips: deque[float] = deque(maxlen=KEPT)

    @property
    def slowest(self) -> float:
        """Return the longest time that a press may travel, in ms."""
        return min(max(self._trips, default=LONGEST_MS), LONGEST_MS)

    def learn(self, sent: float, arrived: float, stamp: float) -> None:
        """Record a round trip: this computer's ms at both ends, the telephone's in between."""
        self._offset.learn(sent, arrived, int(stamp))
        self._trips.append(arrived - sent)

    def press(self, stamp: float, arrived: float) -> Press:
        """Return the time of a press that a telephone dates `stamp` and that came at `arrived`.

        The clock of an honest, prompt telephone is known to half a round trip. The server cannot
        prove that a press was made before it arrived, so `within` always extends to the arrival:
        a telephone that backdates its presses, or responds late, only makes them less certain.
        """
        if not self._trips:
            return Press(arrived, LONGEST_MS)
        low, high = self._offset.bounds(arrived)
        middle = stamp - (low + high) / 2
        at = min(max(middle, arrived - self.slowest), arrived)
        within = (high - low) / 2 + abs(at - middle)
        return Press(at, max(within, arrived - at))


PLAYER, SPECTATOR, REFEREE = ROLES = ("player", "spectator", "referee")
NOBODY = -1


class Verdict(NamedTuple):
    """The outcome of a bid made by telephone.

    sale   the number of its sale
    words  the reason if it does not count, else ""
    """

    sale: int
    amount: int
    words: str
    counts: bool


class Missed(NamedTuple):
    """The events from `since` to before `until`, without a telephone; the cash at the start."""

    since: int
    until: int
    cash: int


@dataclass
class Client:
    """A telephone that is connected.

    page     identifies one loading of the page; message numbers restart with each
    verdict  the verdict on its last bid, None before the first
    shown    the last view sent to it, as JSON
    missed   the events while its player had no telephone, if any
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
