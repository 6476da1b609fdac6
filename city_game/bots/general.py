"""Bots for any edition: they decide by prices, by groups, and by the edition's prospects."""

from city_game.bots.bot import BUY, END_TURN, Bot
from city_game.kernel.engine import legal_actions, why_not
from city_game.kernel.state import State
from city_unit.host import Description


def _leaves(action: tuple) -> bool:
    return action[0] == "leave"


class General(Bot):
    """Values a deed by its price, and by how far it makes a group whole.

    caution  the most that it bids against a single rival, as a share of the value
    begun    the extra worth, as a share of the price, for each other deed of the group
    whole    the extra worth, as a share of the price, if the player has enough of the group by it
    """

    caution = 1.0
    begun = 0.25
    whole = 1.0

    def value(self, state: State, deed: int, player: int) -> int:
        group = state.board.group_of[deed]
        mine = state.held[player][group] - (state.owner[deed] == player)
        factor = 1 + self.begun * mine
        if mine + 1 == state.edition.enough(state, player, group):
            factor += self.whole
        return int(state.board.prices[deed] * factor)

    def would_pay(self, state: State, deed: int, mood: float = 1.0) -> int:
        return super().would_pay(state, deed, mood * self._share(state))

    def _share(self, state: State) -> float:
        """Return the part of a value that it bids: all of it where several rivals outbid it."""
        return self.caution if sum(state.alive) == 2 else 1.0

    def jail(self, state: State) -> tuple:
        action = super().jail(state)
        return self.choose(state) if why_not(state, action) else action

    def unsold(self, state: State) -> tuple:
        """Buy, or put it up; where no auction follows, a lower price is not to be had."""
        action = super().unsold(state)
        if not why_not(state, action):
            return action
        deed = state.board.deed_on[state.place[self.player]]
        wants = state.board.prices[deed] <= self.would_pay(state, deed, 1 / self._share(state))
        return BUY if wants else max(legal_actions(state), key=_leaves)

    def bid_delay(self, since: int, unit: Description) -> int:
        return 1500 + int(3500 * self.random())


class Visitor(General):
    """Buys by mood, and builds when it thinks of it."""

    reserve = 300
    offers_deals = False

    def value(self, state: State, deed: int, player: int) -> int:
        return int(state.board.prices[deed] * (0.7 + 0.5 * self.random()))

    def manage(self, state: State) -> tuple:
        return super().manage(state) if self.random() < 0.5 else END_TURN


class Builder(General):
    """Pays the price that it sees in a deed, and little more for a whole group."""

    reserve = 150
    caution = 1.0
    whole = 0.7


class Planner(General):
    """Bids less than a deed is worth against a single rival, and pays well for a whole group."""

    # Of 300 games of classic against a builder it wins 73 % by this caution, and 43 % by 1.0; at a
    # table of four 25 % by it, and 35 % by 1.0. Of 600 of the championship it wins 55 % by this
    # part of a deal, and half by 50 (docs/editions.md).
    reserve = 150
    caution = 0.75
    leaves = 30
