"""The next step of the bots in an auction: the earliest bid or pass."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from city_game.bots.bot import HURRY_MS, PASS_MS, Bot
from city_game.kernel.sales import barred, least_bid, still_in
from city_game.kernel.state import State
from city_unit.host import Description


class Plan(NamedTuple):
    """A bot's step unless another comes first; amount 0 is a pass. Times in ms into the auction."""

    at: int
    player: int
    amount: int

    def action(self, state: State, started: int, at: int) -> tuple:
        """Return the action for `at` ms into the auction that `started` on the unit's clock."""
        if not self.amount:
            return ("pass", self.player, started + at)
        return ("bid", self.player, max(self.amount, least_bid(state)), started + at, 0)


def plans(
    state: State, bots: Iterable[Bot], since: int, unit: Description, hurry: bool
) -> Iterator[Plan]:
    """Yield the plan of each bot that is still in; `since` and `hurry` as of `Bot.next_bid`."""
    auction = state.auction
    assert auction is not None
    out = {*barred(state), *auction.passed}
    for bot in bots:
        player = bot.player
        if not state.alive[player] or player in out:
            continue
        bid = bot.next_bid(state, since, unit, hurry)
        if bid:
            yield Plan(bid[0], player, bid[1])
        elif state.rules.passes_end_auctions and player != auction.leader():
            yield Plan(since + (HURRY_MS if hurry else PASS_MS), player, 0)


def only_bots_left(state: State, people: Iterable[int]) -> bool:
    """Return whether only bots may still bid, so that people only wait for them.

    A leading person waits as well.
    """
    people = frozenset(people)
    return state.rules.passes_end_auctions and (not people or people.isdisjoint(still_in(state)))
