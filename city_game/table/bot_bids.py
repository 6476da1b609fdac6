"""How the bots at the table bid: by plans for the unit's clock, made anew after each bid."""

from city_game.bots import Bot
from city_game.rules.sales import least_bid
from city_game.rules.state import Auction, State


class BotBids:
    """The plans of the bots in the running auction."""

    def __init__(self, bots: list[Bot | None]) -> None:
        self._bots = bots
        self._made_for: tuple = ()
        self._plans: list[tuple[float, int, int]] = []  # unit ms, player, amount; soonest first

    def due(self, state: State, now: float) -> tuple[int, int] | None:
        """Return the player and the amount of a bid whose time has come, each only once."""
        auction = state.auction
        assert auction is not None and auction.started is not None
        known = (auction.district, auction.started, len(auction.bids))
        if self._made_for != known:
            self._made_for = known
            self._plans = self._plan(state, auction, auction.started)
        if not self._plans or now < self._plans[0][0]:
            return None
        _, player, planned = self._plans.pop(0)
        amount = max(planned, least_bid(state))
        return (player, amount) if amount <= state.cash[player] else None

    def _plan(self, state: State, auction: Auction, started: int) -> list[tuple[float, int, int]]:
        since = auction.bids[-1][2] - started if auction.bids else 0
        plans = []
        for player, bot in enumerate(self._bots):
            plan = bot.next_bid(state, since) if bot and state.alive[player] else None
            if plan:
                plans.append((started + plan[0], player, plan[1]))
        return sorted(plans)
