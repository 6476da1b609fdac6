"""Who pressed first: bids wait until no earlier bid can still be on its way.

Pure: times are the unit's, in ms. Without telephones nothing is ever on its way, and each
bid is judged at once.
"""

from collections.abc import Callable
from typing import NamedTuple


class Claim(NamedTuple):
    """A bid as it was pressed; `at` may be wrong by `within`.

    at         when, in ms of the unit's clock; `within` in ms as well
    on_judged  is called with the reason's code why it does not count, "" if it does
    """

    player: int
    amount: int
    at: int
    within: int
    on_judged: Callable[["Claim", str], object]

    def is_close_to(self, at: int, within: int) -> bool:
        """Return whether it is uncertain which of two presses was first."""
        return abs(self.at - at) < self.within + within


class Judge:
    """The bids that were pressed and are not judged yet."""

    def __init__(self) -> None:
        self._waiting: list[Claim] = []

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def waits_for(self, player: int) -> int:
        """Return the highest amount of a player that is not judged yet, 0 for none."""
        return max((claim.amount for claim in self._waiting if claim.player == player), default=0)

    def take(self, claim: Claim) -> None:
        self._waiting.append(claim)
        self._waiting.sort(key=lambda waiting: waiting.at)  # of equals the first to come is first

    def take_due(self, until: float) -> Claim | None:
        """Take away the earliest press, if it was not after `until`, and return it to be judged."""
        if not self._waiting or self._waiting[0].at > until:
            return None
        return self._waiting.pop(0)

    def drop(self) -> list[Claim]:
        """Give up all that wait, for a sale that is not held any longer, and return them."""
        dropped, self._waiting = self._waiting, []
        return dropped
