"""The auctioneer: runs the sale at the table.

A bid is a `Claim`: a player pressed for an amount at a time of the unit's clock. Presses may arrive
out of order, since each telephone has its own delay, so the `Judge` holds a claim until no earlier
one can still arrive; the rules then accept or refuse it. The auctioneer also bids for the players'
secret maximums (`Limits`) and for the bots (`BotBids`). At the table's own keyboard there is no
delay, and a bid is judged at once.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from city_game.bots import Bot, Plan, only_bots_left, plans
from city_game.kernel import sales
from city_game.kernel.sales import Limit, next_bid
from city_game.kernel.state import Auction, State
from city_game.table.unit import SessionPart
from city_game.words import refused
from city_unit.host import Description


class Claim(NamedTuple):
    """A bid as it was pressed."""

    player: int
    amount: int
    at: int  # time of the press, ms of the unit's clock
    within: int  # uncertainty of `at`, ms
    # Called with the claim and the code of the refusal, "" if the bid counts.
    on_judged: Callable[["Claim", str], object]

    def is_close_to(self, at: int, within: int) -> bool:
        """Return True if the order of this press and one at `at` is uncertain."""
        return abs(self.at - at) < self.within + within


class Judge:
    """Claims not judged yet, in the order of their presses."""

    def __init__(self) -> None:
        self._waiting: list[Claim] = []

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def waits_for(self, player: int) -> int:
        """Return the player's highest amount not judged yet, 0 for none."""
        return max((claim.amount for claim in self._waiting if claim.player == player), default=0)

    def take(self, claim: Claim) -> None:
        self._waiting.append(claim)
        self._waiting.sort(key=lambda waiting: waiting.at)  # stable: ties keep order of arrival

    def take_due(self, until: float) -> Claim | None:
        """Pop the earliest claim if it was pressed by `until`."""
        if not self._waiting or self._waiting[0].at > until:
            return None
        return self._waiting.pop(0)

    def drop(self) -> list[Claim]:
        """Remove and return all claims; their sale is over."""
        dropped, self._waiting = self._waiting, []
        return dropped


class Limits:
    """The secret maximums of the current sale; they survive a restart of the sale."""

    def __init__(self) -> None:
        self._sale: Auction | None = None
        self._limits: dict[int, Limit] = {}
        # Saves a limit beyond this process.
        self.save_limit: Callable[[int, Limit], object] = lambda _player, _limit: None

    def restore(self, state: State, limits: Mapping[int, Limit]) -> None:
        """Restore the limits saved before the table was interrupted in a sale."""
        self._sale = state.auction
        self._limits = dict(limits) if state.auction is not None else {}

    def set(self, state: State, player: int, limit: Limit) -> None:
        """Set a player's limit; 0 removes it."""
        self._begin(state)
        self._limits.pop(player, None)
        if limit.most:
            self._limits[player] = limit
        self.save_limit(player, limit)

    def of(self, state: State, player: int) -> int:
        """Return a player's limit, 0 for none."""
        self._begin(state)
        return self._limits[player].most if player in self._limits else 0

    def next(self, state: State) -> tuple[int, int] | None:
        """Return the player and amount of the next bid for a limit, None if there is none."""
        self._begin(state)
        return next_bid(state, self._limits) if self._limits else None

    def _begin(self, state: State) -> None:
        last, sale = self._sale, state.auction
        self._sale = sale
        if last is sale:
            return
        is_held_again = last and sale and last.ended is None and last.deed == sale.deed
        if not is_held_again:
            self._limits.clear()


class BotBids:
    """The bots' plans for the current auction, made again after every bid and pass."""

    def __init__(self, seats: list[Bot | None]) -> None:
        self._bots = [bot for bot in seats if bot]
        self._people = [player for player, bot in enumerate(seats) if bot is None]
        self._made_for: tuple = ()
        self._plans: list[Plan] = []  # soonest first

    def take_due(self, state: State, now: float, unit: Description) -> Plan | None:
        """Pop the bid or pass that is due at `now` of the unit's clock, None if there is none."""
        auction = state.auction
        if not self._bots or auction is None or auction.started is None:
            return None
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
    """Runs the sales of one game."""

    def __init__(self, session: SessionPart, seats: list[Bot | None]) -> None:
        self._session = session
        self._bots = seats
        self._bot_bids = BotBids(seats)
        self.judge = Judge()
        self.limits = Limits()
        # Returns the longest delay of a press, ms; 0 with one keyboard.
        self.slowest: Callable[[], float] = lambda: 0.0

    def bid(self, player: int, amount: int) -> bool:
        """Bid at the current time of the unit's clock; return False if refused at once."""
        session = self._session
        if session.state.phase not in sales.JUDGED_IN:
            session.hint(refused("too-early"))
            return False
        refusals: list[str] = []
        at, within = int(session.unit.now()), session.unit.within()
        self.claim(Claim(player, amount, at, within, lambda _claim, why: refusals.append(why)))
        return not any(refusals)

    def claim(self, claim: Claim) -> None:
        """Accept a claim, and judge all that are due; refused bids are recorded too."""
        self.judge.take(claim)
        self.judge_bids(self._session.unit.now())

    def judge_bids(self, now: float) -> None:
        """Judge, in the order of the presses, the claims no earlier press can still precede."""
        if self._session.state.phase not in sales.JUDGED_IN:
            for claim in self.judge.drop():
                claim.on_judged(claim, "no-auction")
            return
        until = now - self.slowest()
        while (claim := self.judge.take_due(until)) is not None:
            session, bid = self._session, (claim.player, claim.amount, claim.at, claim.within)
            why = sales.refusal(session.state, *bid)
            if why == "bid-too-low" and self._bots[claim.player]:
                pass  # the bot was outbid while its bid waited, and will plan another one
            elif why:
                session.do(("refused bid", *bid, why))
                session.hint(session.log[-1])
            else:
                session.do(("bid", *bid))
            claim.on_judged(claim, why)

    def call_bids(self) -> bool:
        """Make the next bid for a player's maximum, else the bid or pass of a bot that is due.

        Return False once nobody can bid any more and no bid waits to be judged.
        """
        session, state = self._session, self._session.state
        if not self.judge.waits:
            if sales.is_decided(state):
                return False
            if limited := self.limits.next(state):
                self.bid(*limited)
                return True
        plan = self._bot_bids.take_due(state, session.unit.time, session.unit.described)
        if plan is None:
            return True
        if not plan.amount:
            session.do(("pass", plan.player, int(session.unit.time)))
        elif (amount := max(plan.amount, sales.least_bid(state))) <= state.cash[plan.player]:
            self.bid(plan.player, amount)
        return True

    def pass_on(self) -> None:
        """Pass for everybody at the keyboard who might still bid: they agree on that key."""
        session = self._session
        if session.state.phase != "bidding" or not session.unit.online:
            return
        for player in session.at_keyboard() & set(sales.still_in(session.state)):
            session.do(("pass", player, int(session.unit.now())))
