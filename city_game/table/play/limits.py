"""How high a player would go, kept secret: the table then bids for them, no more than it must."""

from city_game.rules.proxy import Limit, next_bid
from city_game.rules.state import Auction, State

__all__ = ["Limit", "Limits"]


class Limits:
    """The limits of the sale that runs; another sale begins without any."""

    def __init__(self) -> None:
        self._sale: Auction | None = None
        self._limits: dict[int, Limit] = {}

    def set(self, state: State, player: int, limit: Limit) -> None:
        """Have a player's bids made up to a limit; 0 has none made any more."""
        self._begin(state)
        self._limits.pop(player, None)
        if limit.most:
            self._limits[player] = limit

    def of(self, state: State, player: int) -> int:
        """Return the amount up to which the table bids for a player, 0 for not at all."""
        self._begin(state)
        return self._limits[player].most if player in self._limits else 0

    def next(self, state: State) -> tuple[int, int] | None:
        """Return the player and the amount of the bid that is to be made, None for none."""
        self._begin(state)
        return next_bid(state, self._limits) if state.auction is not None else None

    def _begin(self, state: State) -> None:
        if self._sale is not state.auction:
            self._sale = state.auction
            self._limits.clear()
