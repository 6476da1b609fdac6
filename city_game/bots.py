"""Computer players in three strengths; docs/editions.md describes them.

A bot returns a legal action for each decision of its player. In an auction every bot returns a
plan, the time and amount of its next bid if nobody else bids first, and the earliest plan is
carried out. This module has the behaviour that all bots share, and the bots for any edition, which
differ in how they value deeds. City has bots of its own.
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

HURRY_MS = 250  # before a bot bids or passes if no person is left to bid
PASS_MS = 1200  # before it passes otherwise, as if it had thought

STEP = 10  # notes; the money in an offer is a multiple of it
AGAIN = 0.2  # share of the hour before a bot requests a deed again; does not affect wins


class Bot:
    """The player of one seat.

    left            the remaining share of the hour, 1.0 to 0.0; the table updates it
    reserve         cash that it does not spend on buildings, in notes
    building_money  cash that it does not spend on deeds, in notes
    steps           the number of its bids up to the printed price
    least_gain      the lowest gain for which it makes a deal, in notes
    partner_share   the partner's share of a deal's gain, in per cent
    offers_deals    whether it offers deals itself
    requested       by (deed, owner): the value of `left` at its last request for the deed
    """

    reserve = 200
    building_money = 0
    steps = 8
    least_gain = 25  # measured like the figures of City's planner (5: 47, 25; 100: 51, 21)
    partner_share = 50
    offers_deals = True

    def __init__(self, player: int, random: Random) -> None:
        self.player = player
        self.random = random.random
        self.left = 1.0
        self._limit = self._step = 0
        self._limit_for: object = None
        self._offered_in = -1  # the turn of its last offer
        self.requested: dict[tuple[int, int], float] = {}
        # By phase: makes the decision. `choose` decides in the phases that only some editions have.
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

    # The strengths differ in these.

    def value(self, state: Any, deed: int, player: int) -> int:
        """Return the worth of a deed to a player, in notes."""
        raise NotImplementedError

    def bid_delay(self, since: int, unit: Description) -> int:
        """Return its delay in ms after the last bid, which was made `since` ms into the auction."""
        return 1500 + int(3500 * self.random())

    # The phases.

    def jail(self, state: State) -> tuple:
        """Leave jail at once; in the second half, once all deeds are sold, stay: jail is safe."""
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
        wished = max(least, self.would_pay(state, deed) // 3)
        is_too_high = why_not(state, ("put up", deed, wished)) == "opening-too-high"
        return least if is_too_high else wished

    def would_pay(self, state: State, deed: int, mood: float = 1.0) -> int:
        """Return the highest price that it would pay the bank for a deed."""
        value = int(self.value(state, deed, self.player) * mood)
        return max(0, min(value, state.cash[self.player] - self.building_money))

    def limit(self, state: State) -> int:
        """Return the highest bid that it would make in the running auction."""
        auction = state.auction
        assert auction is not None
        if self._limit_for is not auction:
            self._limit_for = auction
            mood = 0.9 + 0.2 * self.random()  # lest equal bots stop at the same amount
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
        """Return the time and amount of its bid if nobody bids before; None if it bids no more.

        Times are in ms since the light went on.

        since  the time of the last bid, 0 before any
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
        # The smallest sufficient loan, or else the largest.
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
        """Return deeds in the order of preference among equal loans: that of the board."""
        return sorted(deeds)

    def choose(self, state: State) -> tuple:
        """Return the first of its actions with the highest prospect in the edition."""
        prospect = state.edition.prospect
        return max(own_actions(state), key=lambda action: prospect(state, action))

    def manage(self, state: Any) -> tuple:
        """Offer a deal, then take the actions that promise a gain, then end the turn."""
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
        """Return the worth of a deed to a player minus its mortgage, in notes."""
        return self.value(state, deed, player) - state.mortgage[deed]

    def proposal(self, state: State) -> tuple | None:
        """Return an ("offer", ...), at most once per turn, or None."""
        if not self.offers_deals or self._offered_in == state.turns:
            return None
        me = self.player
        for group, members in enumerate(state.board.members):
            if state.held[me][group] != state.edition.enough(state, me, group) - 1:
                continue
            for wanted in members:
                partner = state.owner[wanted]
                asked = self.requested.get((wanted, partner), 2.0)
                if partner in (BANK, me) or asked - self.left < AGAIN:
                    continue
                self.requested[wanted, partner] = self.left
                terms = self._terms(state, wanted, partner)
                if terms and not refusal(state, terms):
                    self._offered_in = state.turns
                    return terms
        return None

    def _terms(self, state: State, wanted: int, partner: int) -> tuple | None:
        """Return the offer with the highest total gain, None if a side would gain too little."""
        me = self.player
        gain = self.deed_worth(state, wanted, me)
        loss = self.deed_worth(state, wanted, partner)
        best, gives, costs = gain - loss, (), loss
        group_of = state.board.group_of
        for mine in state.owned[me]:
            group = group_of[mine]
            # A partner with others of its group gains; the bot, which has no other, loses little.
            is_of_use = state.held[partner][group] > 0 and state.held[me][group] == 1
            if group == group_of[wanted] or not is_of_use:
                continue
            lost = self.deed_worth(state, mine, me)
            gained = self.deed_worth(state, mine, partner)
            if gain - loss + gained - lost > best:
                best, gives, costs = gain - loss + gained - lost, (mine,), loss - gained
        pays = (costs + best * self.partner_share // 100) // STEP * STEP
        if best // 2 <= self.least_gain + STEP or pays > state.cash[me] - self.reserve:
            return None
        return ("offer", me, partner, gives, (wanted,), pays, 0)


def own_actions(state: State) -> list[tuple]:
    """Return the legal actions of the deciding player."""
    actions = state.edition.actions
    return [action for action in legal_actions(state) if actions[action[0]].is_own]


class Plan(NamedTuple):
    """A bot's next step if no other comes first, `at` ms into the auction; amount 0 is a pass."""

    at: int
    player: int
    amount: int

    def action(self, state: State, started: int, at: int) -> tuple:
        """Return the action `at` ms into the auction, which began at the unit's time `started`."""
        if not self.amount:
            return ("pass", self.player, started + at)
        return ("bid", self.player, max(self.amount, least_bid(state)), started + at, 0)


def plans(
    state: State, bots: Iterable[Bot], since: int, unit: Description, hurry: bool
) -> Iterator[Plan]:
    """Yield the plan of each bot that is still in; for `since` and `hurry` see `Bot.next_bid`."""
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
    """Return whether only bots may still bid, while all people, a leader included, just wait."""
    people = frozenset(people)
    return state.rules.passes_end_auctions and (not people or people.isdisjoint(still_in(state)))


class General(Bot):
    """A bot for any edition: values a deed by its price and by its use for completing a group.

    caution  the highest bid against a single rival, as a share of the value
    begun    the extra worth for each other deed held of the group, as a share of the price
    whole    the extra worth of a deed that completes the group, as a share of the price
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
        """Return the share of a value that it bids: all of it against several rivals."""
        return self.caution if sum(state.alive) == 2 else 1.0

    def jail(self, state: State) -> tuple:
        action = super().jail(state)
        return self.choose(state) if why_not(state, action) else action

    def unsold(self, state: State) -> tuple:
        """Buy or auction a deed; without auctions pay its full value, as no lower price follows."""
        action = super().unsold(state)
        if not why_not(state, action):
            return action
        deed = state.board.deed_on[state.place[self.player]]
        wants = state.board.prices[deed] <= self.would_pay(state, deed, 1 / self._share(state))
        return BUY if wants else max(legal_actions(state), key=lambda each: each[0] == "leave")


class Visitor(General):
    """Buys by mood, and builds on every other turn at random."""

    reserve = 300
    offers_deals = False

    def value(self, state: State, deed: int, player: int) -> int:
        return int(state.board.prices[deed] * (0.7 + 0.5 * self.random()))

    def manage(self, state: State) -> tuple:
        return super().manage(state) if self.random() < 0.5 else END_TURN


class Builder(General):
    """Pays what it thinks a deed is worth, and little more for a whole group."""

    reserve = 150
    whole = 0.7


class Planner(General):
    """Bids less than a deed is worth against a single rival, and pays well for a whole group."""

    # In 300 games of classic against a builder it wins 73 % with this caution and 43 % with 1.0; at
    # a table of four 25 % and 35 %. In 600 games of the championship it wins 55 % with this share
    # of a deal and half with 50 (docs/editions.md).
    reserve = 150
    caution = 0.75
    partner_share = 30


class AtRandom(Bot):
    """Plays and bids at random, as a baseline for the others."""

    def __init__(self, player: int, random: Random) -> None:
        super().__init__(player, random)
        self.decide.clear()

    def value(self, state: State, deed: int, player: int) -> int:
        return int(state.board.prices[deed] * self.random())

    def choose(self, state: State) -> tuple:
        possible = own_actions(state)
        return possible[int(len(possible) * self.random())]


STRENGTHS: dict[str, type[Bot]] = {"visitor": Visitor, "builder": Builder, "planner": Planner}
MEASURES: dict[str, type[Bot]] = {"random": AtRandom}  # for simulations only


def make(edition: Edition, strength: str, player: int, seed: int) -> Bot:
    """Return a bot for a seat, the edition's own if it has one. The seed determines its moves.

    It uses Python's generator, not the unit's, since the golden games were played with it.
    """
    kind = edition.minds().get(strength) or (STRENGTHS | MEASURES)[strength]
    return kind(player, random.Random(seed * 6 + player))
