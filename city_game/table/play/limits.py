"""How high a player would go, kept secret: the table then bids for them, no more than it must."""

from collections.abc import Callable, Mapping

from city_game.kernel.proxy import Limit, next_bid
from city_game.kernel.state import Auction, State

__all__ = ["Limit", "Limits"]


class Limits:
    """The limits of the sale that runs; one that is held again keeps them.

    keep  notes a limit that was set, where it outlives this process
    """

    def __init__(self) -> None:
        self._sale: Auction | None = None
        self._limits: dict[int, Limit] = {}
        self.keep: Callable[[int, Limit], object] = _keep_nothing

    def restore(self, state: State, limits: Mapping[int, Limit]) -> None:
        """Go on with the limits that were noted when the table was interrupted in a sale."""
        self._sale = state.auction
        self._limits = dict(limits) if state.auction is not None else {}

    def set(self, state: State, player: int, limit: Limit) -> None:
        """Have a player's bids made up to a limit; 0 has none made any more."""
        self._begin(state)
        self._limits.pop(player, None)
        if limit.most:
            self._limits[player] = limit
        self.keep(player, limit)

    def of(self, state: State, player: int) -> int:
        """Return the amount up to which the table bids for a player, 0 for not at all."""
        self._begin(state)
        return self._limits[player].most if player in self._limits else 0

    def next(self, state: State) -> tuple[int, int] | None:
        """Return the player and the amount of the bid that is to be made, None for none."""
        self._begin(state)
        return next_bid(state, self._limits) if state.auction is not None else None

    def _begin(self, state: State) -> None:
        last, self._sale = self._sale, state.auction
        if last is not self._sale and not (last and _is_held_again(last, self._sale)):
            self._limits.clear()


def _is_held_again(last: Auction, sale: Auction | None) -> bool:
    return sale is not None and last.ended is None and last.deed == sale.deed


def _keep_nothing(_player: int, _limit: Limit) -> None:
    pass
