"""The auctioneer at the table: takes bids, judges them in order, bids for bots and maximums."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from city_game.bots import Bot, Plan, only_bots_left, plans
from city_game.kernel import sales
from city_game.kernel.sales import Limit, next_bid
from city_game.kernel.state import Auction, State
from city_game.words import refused
from city_unit.host import Description

if TYPE_CHECKING:
    from city_game.table.session import Session


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
        """Pop the earliest press, if it was not after `until`; it is to be judged."""
        if not self._waiting or self._waiting[0].at > until:
            return None
        return self._waiting.pop(0)

    def drop(self) -> list[Claim]:
        """Give up all that wait, for a sale that is not held any longer, and return them."""
        dropped, self._waiting = self._waiting, []
        return dropped


class Limits:
    """The limits of the sale that runs; one that is held again keeps them.

    keep  notes a limit that was set, where it outlives this process
    """

    def __init__(self) -> None:
        self._sale: Auction | None = None
        self._limits: dict[int, Limit] = {}
        self.keep: Callable[[int, Limit], object] = lambda _player, _limit: None

    def restore(self, state: State, limits: Mapping[int, Limit]) -> None:
        """Go on with the limits that were noted when the table was interrupted in a sale."""
        self._sale = state.auction
        self._limits = dict(limits) if state.auction is not None else {}

    def set(self, state: State, player: int, limit: Limit) -> None:
        """Set the limit up to which the table bids for a player; 0 removes it."""
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
        last, sale = self._sale, state.auction
        self._sale = sale
        if last is sale:
            return
        is_held_again = last and sale and last.ended is None and last.deed == sale.deed
        if not is_held_again:
            self._limits.clear()


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
            since = auction.bids[-1].at - auction.started if auction.bids else 0
            hurry = only_bots_left(state, self._people)
            self._plans = sorted(plans(state, self._bots, since, unit, hurry))
        if not self._plans or now < auction.started + self._plans[0].at:
            return None
        return self._plans.pop(0)


class Auctioneer:
    """The sale that runs.

    judge    the bids that were pressed and wait for earlier ones that may be on their way
    limits   the secret maximum of each player, up to which the table bids for them
    slowest  says for how many ms a press may be on its way, at most; 0 at one keyboard
    """

    def __init__(self, game: "Session", seats: list[Bot | None]) -> None:
        self._game = game
        self._bots = seats
        self._bot_bids = BotBids(seats)
        self.judge = Judge()
        self.limits = Limits()
        self.slowest: Callable[[], float] = lambda: 0.0

    def bid(self, player: int, amount: int) -> bool:
        """Bid now, by the unit's clock; return False if that is refused at once."""
        game = self._game
        if game.state.phase not in sales.JUDGED_IN:
            game.hint(refused("too-early"))
            return False
        whys: list[str] = []
        at, within = int(game.unit.now()), game.unit.within()
        self.claim(Claim(player, amount, at, within, lambda _claim, why: whys.append(why)))
        return not any(whys)

    def claim(self, claim: Claim) -> None:
        """Record a bid that was pressed; if it does not count, that is recorded as well."""
        self.judge.take(claim)
        self.judge_bids(self._game.unit.now())

    def judge_bids(self, now: float) -> None:
        """Judge the bids before which no other can come any more, in the order of the presses."""
        if self._game.state.phase not in sales.JUDGED_IN:
            for claim in self.judge.drop():
                claim.on_judged(claim, "no-auction")
            return
        until = now - self.slowest()
        while (claim := self.judge.take_due(until)) is not None:
            game, bid = self._game, (claim.player, claim.amount, claim.at, claim.within)
            why = sales.refusal(game.state, *bid)
            if why == "bid-too-low" and self._bots[claim.player]:
                pass  # a bot that was overtaken while its bid waited will plan another one
            elif why:
                game.do(("refused bid", *bid, why))
                game.hint(game.log[-1])
            else:
                game.do(("bid", *bid))
            claim.on_judged(claim, why)

    def is_decided(self) -> bool:
        """Return whether nobody is left who might bid, and no bid is on its way."""
        return sales.is_decided(self._game.state) and not self.judge.waits

    def call_bids(self) -> None:
        """Make the next bid for a player's maximum, or the bid that a bot has planned."""
        game, state = self._game, self._game.state
        limited = None if self.judge.waits else self.limits.next(state)
        if limited:
            self.bid(*limited)
            return
        plan = self._bot_bids.take_due(state, game.unit.time, game.unit.described)
        if plan is None:
            return
        if not plan.amount:
            game.do(("pass", plan.player, int(game.unit.time)))
        elif (amount := max(plan.amount, sales.least_bid(state))) <= state.cash[plan.player]:
            self.bid(plan.player, amount)

    def pass_on(self) -> None:
        """Pass for all people who might still bid at the keyboard: there they agree."""
        game = self._game
        if game.state.phase != "bidding" or not game.unit.online:
            return
        for player in game.at_keyboard() & set(sales.still_in(game.state)):
            game.do(("pass", player, int(game.unit.now())))
