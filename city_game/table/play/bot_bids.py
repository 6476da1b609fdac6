"""How the bots at the table bid: by plans for the unit's clock, made anew after each step."""

from city_game.bots import Bot, in_auction
from city_game.bots.in_auction import Plan
from city_game.kernel.state import Auction, State
from city_unit.host import Description


class BotBids:
    """The plans of the bots in the running auction."""

    def __init__(self, seats: list[Bot | None]) -> None:
        self._bots = [bot for bot in seats if bot]
        self._people = [player for player, bot in enumerate(seats) if bot is None]
        self._made_for: tuple = ()
        self._plans: list[Plan] = []  # the soonest first

    def take_due(self, state: State, now: float, unit: Description) -> Plan | None:
        """Return the bid or pass whose time has come, by the unit's clock, each only once."""
        auction = state.auction
        assert auction is not None and auction.started is not None
        known = (auction.deed, auction.started, len(auction.bids), len(auction.passed))
        if self._made_for != known:
            self._made_for = known
            self._plans = self._plan(state, auction, auction.started, unit)
        if not self._plans or now < auction.started + self._plans[0].at:
            return None
        return self._plans.pop(0)

    def _plan(self, state: State, auction: Auction, started: int, unit: Description) -> list[Plan]:
        since = auction.bids[-1].at - started if auction.bids else 0
        hurry = in_auction.only_bots_left(state, self._people)
        return sorted(in_auction.plans(state, self._bots, since, unit, hurry))
