"""Players that think by themselves, in three strengths; docs/editions.md explains each.

Here are the behaviour that all bots share, and the bots for any edition, which differ in how they
value. For each decision of its player the bot returns a legal action. In an auction it returns the
time and the amount of its next bid; of several bots' plans the earliest is the next step.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from city_game.kernel.actions import legal_actions, why_not
from city_game.kernel.deals import refusal
from city_game.kernel.edition import Edition
from city_game.kernel.sales import barred, least_bid, still_in
from city_game.kernel.state import BANK, State
from city_unit.host import Description

ROLL = ("roll",)
BUY = ("buy",)
END_TURN = ("end turn",)

HURRY_MS = 250  # until it bids or passes if no person is left to bid
PASS_MS = 1200  # until it passes otherwise: as if it had thought

STEP = 10  # of the money offered, in notes: 100k
AGAIN = 0.2  # of the hour, before a bot asks for a deed again; wins do not depend on it


class Bot:
    """One seat's thinking.

    left            the share of the hour that remains, 1.0 to 0.0; the table keeps it up to date
    reserve         cash that it does not spend on buildings, in notes
    building_money  cash that it does not spend on deeds, in notes
    steps           the number of its bids up to the printed price
    least_gain      the least gain of a deal, in notes
    leaves          the part of a deal's gain that it leaves to the partner, in per cent
    offers_deals    whether it offers deals itself
    asked           its last request for a deed: by (deed, owner), the `left` of that moment
    """

    reserve = 200
    building_money = 0
    steps = 8
    least_gain = 25  # of a planner, measured as its own figures: (5: 47, 25; 100: 51, 21)
    leaves = 50
    offers_deals = True

    def __init__(self, player: int, random: Random) -> None:
        self.player = player
        self.random = random.random
        self.left = 1.0
        self._limit = self._step = 0
        self._limit_for: object = None
        self._offered_in = -1  # the turn of its last offer
        self.asked: dict[tuple[int, int], float] = {}
        # The decision in each phase; that of a phase of some editions only is `choose`.
        self.decide: defaultdict[str, Callable] = defaultdict(
            lambda: self.choose,
            {
                "roll": lambda _state: ROLL,
                "jail": self.jail,
                "leaving jail": lambda _state: ("move on",),
                "unsold": self.unsold,
                "debt": self.debt,
                "manage": self.manage,
                "deal": self.answer,
            },
        )

    # The differences between the strengths.

    def value(self, state: Any, deed: int, player: int) -> int:
        """Return the worth of owning this deed to a player, in notes."""
        raise NotImplementedError

    def bid_delay(self, since: int, unit: Description) -> int:
        """Return how many ms it would wait after the last bid, made `since` ms into the auction."""
        return 1500 + int(3500 * self.random())

    # The phases.

    def jail(self, state: State) -> tuple:
        """Leave early while there is something to buy; later jail is a quiet place."""
        if self.left < 0.5 and -1 not in state.owner:
            return ROLL
        if state.jail_cards[self.player]:
            return ("use card",)
        fine = ("pay fine",)
        if state.cash[self.player] >= self.reserve + state.board.money.jail_fine:
            return ROLL if why_not(state, fine) else fine
        return ROLL

    def unsold(self, state: State) -> tuple:
        deed = state.board.deed_on[state.place[self.player]]
        if state.board.prices[deed] <= self.would_pay(state, deed):
            return BUY
        return ("put up", deed, self.opening(state, deed))

    def opening(self, state: State, deed: int) -> int:
        least = state.board.money.least_bid
        return max(least, self.would_pay(state, deed) // 3)

    def would_pay(self, state: State, deed: int, mood: float = 1.0) -> int:
        """Return the most that it would pay the bank for a deed."""
        value = int(self.value(state, deed, self.player) * mood)
        return max(0, min(value, state.cash[self.player] - self.building_money))

    def limit(self, state: State) -> int:
        """Return the most that this bot bids in the running auction."""
        auction = state.auction
        assert auction is not None
        if self._limit_for is not auction:
            self._limit_for = auction
            mood = 0.9 + 0.2 * self.random()  # otherwise equal bots would stop at the same amount
            if auction.lot:
                worth = int(state.edition.lot_worth(state, self.player) * mood)
                self._limit = min(worth, state.cash[self.player] - self.reserve)
            else:
                self._limit = self.would_pay(state, auction.deed, mood)
            price = auction.opening if auction.lot else state.board.prices[auction.deed]
            self._step = max(1, price // self.steps)
        return self._limit

    def next_bid(
        self, state: Any, since: int, unit: Description, hurry: bool = False
    ) -> tuple[int, int] | None:
        """Return the time (ms into the auction) and the amount of its bid if no other comes first.

        None: it bids no more in this auction, and passes unless it leads.

        since  the time of the last bid, or of the light going on, in ms into the auction
        unit   the figures of the unit that times the auction
        hurry  whether no person is left to bid, so that people only wait
        """
        auction = state.auction
        assert auction is not None
        limit = self.limit(state)
        asked = auction.highest() or auction.opening
        if limit <= asked or auction.leader() == self.player:
            return None
        delay = HURRY_MS if hurry else self.bid_delay(since, unit)
        return since + delay, min(asked + self._step, limit)

    def debt(self, state: Any) -> tuple:
        debt = state.debts[0]
        debtor, amount = debt.debtor, debt.amount
        if state.cash[debtor] >= amount:
            return ("pay",)
        if state.edition.liquidity(state, debtor) < amount:
            return ("bankrupt",)
        # The least sufficient loan, or the largest.
        loans = {
            deed: state.edition.loan(state, deed)
            for deed in self.in_order(state.owned[debtor])
            if not why_not(state, ("mortgage", deed))
        }
        if not loans:
            return self.choose(state)
        enough = [deed for deed, lent in loans.items() if state.cash[debtor] + lent >= amount]
        best = min(enough, key=loans.__getitem__) if enough else max(loans, key=loans.__getitem__)
        return ("mortgage", best)

    def in_order(self, deeds: Iterable[int]) -> Iterable[int]:
        """Return deeds in the order in which equal loans are taken: of the board."""
        return sorted(deeds)

    def choose(self, state: State) -> tuple:
        """Return the action of its own with the edition's highest prospect; of equals the first."""
        prospect, actions = state.edition.prospect, state.edition.actions
        mine = [action for action in legal_actions(state) if actions[action[0]].is_own]
        return max(mine, key=lambda action: prospect(state, action))

    def manage(self, state: Any) -> tuple:
        """Deal, then take the actions with a prospect of gain, then end the turn."""
        if step := self.proposal(state):
            return step
        spare = state.cash[self.player] - self.reserve
        if spare <= 0:
            return END_TURN
        action = self.choose(state)
        return action if state.edition.prospect(state, action) > 0 else END_TURN

    def answer(self, state: State) -> tuple:
        """Accept a deal if its gain is above `least_gain`."""
        deal = state.deal
        assert deal is not None
        gain = deal.pays - deal.takes_cards * state.board.money.jail_fine
        gain += sum(self.deed_worth(state, deed, self.player) for deed in deal.gives)
        gain -= sum(self.deed_worth(state, deed, self.player) for deed in deal.asks)
        return ("accept",) if gain > self.least_gain else ("decline",)

    def deed_worth(self, state: State, deed: int, player: int) -> int:
        """Return the worth of a deed to a player, less its mortgage, in notes."""
        return self.value(state, deed, player) - state.mortgage[deed]

    def proposal(self, state: State) -> tuple | None:
        """Return an ("offer", ...) to make, at most one a turn, or None."""
        if not self.offers_deals or self._offered_in == state.turns:
            return None
        me = self.player
        for group, members in enumerate(state.board.members):
            if state.held[me][group] != state.edition.enough(state, me, group) - 1:
                continue
            for wanted in members:
                partner = state.owner[wanted]
                asked = self.asked.get((wanted, partner), 2.0)
                if partner in (BANK, me) or asked - self.left < AGAIN:
                    continue
                self.asked[wanted, partner] = self.left
                terms = self._terms(state, wanted, partner)
                if terms and not refusal(state, terms):
                    self._offered_in = state.turns
                    return terms
        return None

    def _terms(self, state: State, wanted: int, partner: int) -> tuple | None:
        """Return the offer with the highest total gain, None if a side would not gain enough."""
        me = self.player
        gain = self.deed_worth(state, wanted, me)
        loss = self.deed_worth(state, wanted, partner)
        best, gives, costs = gain - loss, (), loss
        group_of = state.board.group_of
        for mine in state.owned[me]:
            group = group_of[mine]
            # It helps where the partner holds others of its group, and costs little alone.
            is_of_use = state.held[partner][group] > 0 and state.held[me][group] == 1
            if group == group_of[wanted] or not is_of_use:
                continue
            lost = self.deed_worth(state, mine, me)
            gained = self.deed_worth(state, mine, partner)
            if gain - loss + gained - lost > best:
                best, gives, costs = gain - loss + gained - lost, (mine,), loss - gained
        pays = (costs + best * self.leaves // 100) // STEP * STEP
        if best // 2 <= self.least_gain + STEP or pays > state.cash[me] - self.reserve:
            return None
        return ("offer", me, partner, gives, (wanted,), pays, 0)


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


class General(Bot):
    """A bot for any edition: values a deed by its price, and by how far it makes a group whole.

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
        return BUY if wants else max(legal_actions(state), key=lambda each: each[0] == "leave")


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
    whole = 0.7


class Planner(General):
    """Bids less than a deed is worth against a single rival, and pays well for a whole group."""

    # Of 300 games of classic against a builder it wins 73 % by this caution, and 43 % by 1.0; at a
    # table of four 25 % by it, and 35 % by 1.0. Of 600 of the championship it wins 55 % by this
    # part of a deal, and half by 50 (docs/editions.md).
    reserve = 150
    caution = 0.75
    leaves = 30


class AtRandom(Bot):
    """Does any legal action, and bids up to any part of a price: the others are measured by it."""

    def __init__(self, player: int, random: Random) -> None:
        super().__init__(player, random)
        self.decide.clear()

    def value(self, state: State, deed: int, player: int) -> int:
        return int(state.board.prices[deed] * self.random())

    def choose(self, state: State) -> tuple:
        actions = state.edition.actions
        possible = [action for action in legal_actions(state) if actions[action[0]].is_own]
        return possible[int(len(possible) * self.random())]


STRENGTHS: dict[str, type[Bot]] = {"visitor": Visitor, "builder": Builder, "planner": Planner}
MEASURES: dict[str, type[Bot]] = {"random": AtRandom}  # for simulations only


def make(edition: Edition, strength: str, player: int, seed: int) -> Bot:
    """Return a bot for a seat, the edition's own if it has one; its moves follow from the seed.

    Its moods are Python's generator and not the unit's: the golden games have its numbers.
    """
    kind = edition.minds().get(strength) or (STRENGTHS | MEASURES)[strength]
    return kind(player, random.Random(seed * 6 + player))
