"""Who runs a sale at the table: takes bids, judges them in order, bids for bots and maximums."""

from collections.abc import Callable

from city_game.bots import Bot
from city_game.kernel import sales
from city_game.report.reasons import refused
from city_game.table.play.bot_bids import BotBids
from city_game.table.play.game_at_table import GameAtTable
from city_game.table.play.judge import Claim, Judge
from city_game.table.play.limits import Limits


class Auctioneer:
    """The sale that runs.

    judge    the bids that were pressed and wait for earlier ones that may be on their way
    limits   the secret maximum of each player, up to which the table bids for them
    slowest  says for how many ms a press may be on its way, at most; 0 at one keyboard
    """

    def __init__(self, game: GameAtTable, seats: list[Bot | None]) -> None:
        self._game = game
        self._bots = seats
        self._bot_bids = BotBids(seats)
        self.judge = Judge()
        self.limits = Limits()
        self.slowest: Callable[[], float] = at_once

    def bid(self, player: int, amount: int) -> bool:
        """Bid now, by the unit's clock; return False if that is refused at once."""
        game = self._game
        if game.state.phase not in sales.JUDGED_IN:
            game.hint(refused("too-early"))
            return False
        whys: list[str] = []
        claim = Claim(
            player,
            amount,
            int(game.unit.now()),
            game.unit.within(),
            lambda _claim, why: whys.append(why),
        )
        self.claim(claim)
        return not any(whys)

    def claim(self, claim: Claim) -> None:
        """Take a bid that was pressed; if it does not count, that is noted as well."""
        self.judge.take(claim)
        self.judge_bids()

    def judge_bids(self) -> None:
        """Judge the bids before which no other can come any more, in the order of the presses."""
        if self._game.state.phase not in sales.JUDGED_IN:
            for claim in self.judge.drop():
                claim.on_judged(claim, "no-auction")
            return
        until = self._game.unit.now() - self.slowest()
        while (claim := self.judge.take_due(until)) is not None:
            self._take_in(claim)

    def _take_in(self, claim: Claim) -> None:
        game = self._game
        bid = (claim.player, claim.amount, claim.at, claim.within)
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
        """Have the next bid made for a player's maximum, or what a bot has planned for now."""
        game, state = self._game, self._game.state
        limited = None if self.judge.waits else self.limits.next(state)
        if limited:
            self.bid(*limited)
            return
        plan = self._bot_bids.take_due(state, game.unit.now(), game.unit.described)
        if plan is None:
            return
        if not plan.amount:
            game.do(("pass", plan.player, int(game.unit.now())))
        elif (amount := max(plan.amount, sales.least_bid(state))) <= state.cash[plan.player]:
            self.bid(plan.player, amount)

    def pass_on(self) -> None:
        """Have all people pass who might still bid at the keyboard: there they agree."""
        game = self._game
        if game.state.phase != "bidding" or not game.unit.online:
            return
        for player in game.at_keyboard() & set(sales.still_in(game.state)):
            game.do(("pass", player, int(game.unit.now())))

    def can_pass(self) -> bool:
        """Return whether a person is left at the keyboard who might still bid."""
        state = self._game.state
        if state.phase != "bidding" or not state.rules.passes_end_auctions:
            return False
        return bool(self._game.at_keyboard() & set(sales.still_in(state)))


def at_once() -> float:
    """Return how long a press is on its way from the table's own keyboard."""
    return 0.0
