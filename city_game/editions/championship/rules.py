"""The rules of the championship that differ from the classic rules.

Numbers in brackets are lines of the rulebook.
"""

from collections.abc import Callable, Iterable, Sequence

from city_game.editions.classic import rules as classic
from city_game.editions.classic.rules import DEALT, HOTEL
from city_game.kernel import deals, flow, moves, sales
from city_game.kernel.state import BANK
from city_game.kernel.switches import HouseRules
from city_unit.desktop.catalogue import _

CARD = "jail card"  # no text: the name of a lot


class State(classic.State):
    """One table of a championship.

    ranks        the players who roll for the order of play, grouped by equal rolls so far
    offered      by player: the dealt deeds that they have neither taken nor refused
    ready        the number of players who make no more deals before play begins
    playing      whether play has been called
    round        the number of the current round, from 0
    last_place   the place of the player on turn in the order of play
    final_round  the number of the last round, -1 until it is called
    """

    __slots__ = (
        "final_round",
        "last_place",
        "offered",
        "playing",
        "ranks",
        "ready",
        "round",
    )

    def lay_out(self) -> None:
        super().lay_out()
        juniors = self.players // 2 if self.rules.partners_play_apart else self.players
        self.tied = list(range(juniors))
        self.ranks = [self.tied]
        self.offered: list[list[int]] = [[] for _ in range(self.players)]
        self.ready = self.round = self.last_place = 0
        self.playing = False
        self.final_round = -1

    def deals_deeds(self) -> bool:
        return False  # here they are dealt after the rolls for the order of play

    def full(self, _deed: int) -> int:
        return 4


def seats_refusal(seats: int, rules: HouseRules) -> str:
    """Return why a number of seats is refused: four or six players sit in teams (7)."""
    if rules.partners_play_apart:
        if seats in (4, 6):
            return ""
        return _("where partners play apart, a table has four or six seats")
    if seats in (2, 3):
        return ""
    return _(
        "a table has two or three teams, each a seat; with the house rule partners_play_apart "
        "four or six seats"
    )


# Before play: the order of play, the dealt deeds, and deals (19, 53 to 55, 151 to 161).


def teams(state: State) -> Sequence[Sequence[int]]:
    """Return the seats of each team; partners who play apart sit opposite each other."""
    half = state.players // 2
    if state.rules.partners_play_apart:
        return [(junior, junior + half) for junior in range(half)]
    return [(player,) for player in range(state.players)]


def start_roll(state: State, action: tuple) -> None:
    """Record a roll for the order of play, the highest first; tied players roll again."""
    if not (rolled := moves.rolled_for_start(state, action)):
        return
    place = state.ranks.index(state.tied)
    state.ranks[place : place + 1] = [
        [player for player in state.tied if rolled[player] == total]
        for total in sorted(set(rolled.values()), reverse=True)
    ]
    state.tied = next((rank for rank in state.ranks if len(rank) > 1), [])
    if state.tied:
        return
    order = [player for (player,) in state.ranks]
    if state.rules.partners_play_apart:  # all juniors precede their partners
        order += [junior + len(order) for junior in order]
    state.order = order
    state.turn = order[0]
    state.phase, state.decider = "dealing", BANK
    state.events += [("starts", order[0]), ("plays last", order[-1])]


def _left(state: State) -> list[int]:
    dealt = [deed for hand in state.offered for deed in hand]
    return [deed for deed, owner in enumerate(state.owner) if owner < 0 and deed not in dealt]


def draw_deed(state: State, below: Callable[[int, int], int]) -> tuple:
    left = _left(state)
    return ("deal deed", left[below(state.draws, len(left))])


def why_not_deal_deed(state: State, action: tuple) -> str:
    return "" if action[1] in _left(state) else "sold"


def deal_deed(state: State, action: tuple) -> None:
    """Deal a deed; two streets of one colour go back, and two others are dealt."""
    player = state.order[state.dealt]
    hand = state.offered[player]
    hand.append(action[1])
    state.draws += 1
    state.events.append(("dealt", player, action[1]))
    if len(hand) < DEALT:
        return
    groups = {state.board.group_of[deed] for deed in hand}
    if len(groups) == 1 and state.board.sorts[hand[0]] == "street":
        hand.clear()
        state.events.append(("dealt anew", player))
        return
    state.dealt += 1
    if state.dealt == state.players:
        _answer(state)


def _answer(state: State) -> None:
    """Ask the next player to take or refuse; after the last, open deals or begin play."""
    asked = [player for player in state.order if state.offered[player]]
    if asked:
        state.phase, state.decider = "dealt", asked[0]
    elif state.playing:
        _begin(state)
    else:
        state.phase, state.decider = "deals", state.order[0]


def why_not_refuse(state: State, action: tuple) -> str:
    return "" if action[1] in state.offered[state.decider] else "not-dealt"


def why_not_take(state: State, action: tuple) -> str:
    price = state.board.prices[action[1]]
    return why_not_refuse(state, action) or (
        "not-enough-money" if state.cash[state.decider] < price else ""
    )


def take(state: State, action: tuple) -> None:
    sales.buy_of_bank(state, action[1], state.decider)
    state.offered[state.decider].remove(action[1])
    _answer(state)


def refuse(state: State, action: tuple) -> None:
    deed, player = action[1], state.decider
    state.offered[player].remove(deed)
    state.events.append(("refused", player, deed))
    _answer(state)


def ready(state: State, _action: tuple) -> None:
    """Record that a player makes no more deals; play begins when it is called."""
    state.ready += 1
    if state.ready < state.players:
        state.decider = state.order[state.ready]
    elif state.rules.play_begins_at_once:
        _begin(state)
    else:
        state.phase, state.decider = "waiting", BANK


def why_not_play(state: State, _action: tuple) -> str:
    return "not-now" if state.playing else ""


def play(state: State, action: tuple) -> None:
    """Call play; players who have not answered for a dealt deed do so first."""
    state.playing = True
    state.events.append(("play called", action[1]))
    if state.phase in ("deals", "waiting"):
        _begin(state)


def _begin(state: State) -> None:
    state.playing = True
    state.phase, state.decider = "roll", state.turn
    state.events.append(("turn", state.turn))


# The last round, and the end (159, 180).


def why_not_last_round(state: State, _action: tuple) -> str:
    is_called = state.final_round >= 0 or state.hour_over or not state.playing
    return "not-now" if is_called or state.rules.until_one_is_left else ""


def last_round(state: State, action: tuple) -> None:
    """Call the last round: the current round is finished, and one more is played."""
    state.final_round = state.round + 1
    state.events.append(("last round", action[1]))


def new_hour(state: State, action: tuple) -> None:
    state.final_round = -1
    flow.new_hour(state, action)


def begin_turn(state: State) -> None:
    place = state.order.index(state.turn)
    state.round += place < state.last_place
    state.last_place = place


def is_last_turn(state: State) -> bool:
    later = state.order[state.order.index(state.turn) + 1 :]
    is_last = state.round == state.final_round and not any(state.alive[each] for each in later)
    return state.hour_over or is_last


# Raising money: before the first roll of one's turn, or for a debt (99, 111 to 139).


def _not_now(state: State) -> str:
    if state.phase == "debt":
        return "can-pay" if state.cash[state.decider] >= state.debts[0].amount else ""
    return "before-the-dice" if state.doubles else ""


def why_not_mortgage(state: State, action: tuple) -> str:
    return _not_now(state) or flow.why_not_mortgage(state, action)


def why_not_sell(state: State, action: tuple) -> str:
    if state.houses[action[1]] == HOTEL:
        return "goes-whole"
    return _not_now(state) or classic.why_not_sell(state, action)


def why_not_raze(state: State, action: tuple) -> str:
    return _not_now(state) or classic.why_not_raze(state, action)


def value(state: State, deed: int) -> int:
    """Return the lowest price of a deed in a player's sale (119, 170, 176)."""
    utility = state.board.sorts[deed] == "utility"
    return state.board.money.least_bid if utility else state.board.prices[deed]


def why_not_hold(state: State, action: tuple) -> str:
    deed = action[1]
    if state.mortgage[deed]:
        return "mortgaged"
    return _not_now(state) or classic.group_refusal(state, deed)


def hold(state: State, action: tuple) -> None:
    """Auction the player's own deed among all others, from its value upwards."""
    if state.phase != "debt":
        state.back = (state.phase, state.decider)
    flow.open_auction(state, action[1], state.decider, value(state, action[1]))


def why_not_hold_card(state: State, action: tuple) -> str:
    if not state.jail_cards[state.decider]:
        return "no-jail-card"
    return "below-least" if action[1] < state.board.money.least_bid else ""


def hold_card(state: State, action: tuple) -> None:
    """Auction the player's own jail card among all others, from the seller's price (174)."""
    seller = state.decider
    if state.phase != "debt":
        state.back = (state.phase, seller)
    others = (player for player in range(state.players) if player != seller)
    flow.open_auction(state, -1, seller, action[1], CARD, tuple(others))


def award(state: State, player: int) -> None:
    """Hand over a jail card and its price; other lots as in classic."""
    sale = state.sales[-1]
    if sale.lot != CARD:
        classic.award(state, player)
        return
    state.cash[sale.opener] += sale.highest()
    state.jail_cards[player].append(state.jail_cards[sale.opener].pop())


def lot_worth(state: State, player: int) -> int:
    assert state.auction is not None
    if state.auction.lot == CARD:
        return state.board.money.jail_fine
    return classic.lot_worth(state, player)


def why_not_put_up(state: State, action: tuple) -> str:
    return sales.why_not_put_up(state, action) if state.rules.unsold_is_auctioned else "stays"


def why_not_leave(state: State, _action: tuple) -> str:
    return "must-be-auctioned" if state.rules.unsold_is_auctioned else ""


def _given_back(state: State, deed: int) -> int:
    """Return the bank's price for a mortgaged deed: the loan less a tenth."""
    lent = state.mortgage[deed] or state.edition.loan(state, deed)
    return lent - -(-lent // 10)


def why_not_give_back(state: State, _action: tuple) -> str:
    player = state.decider
    if state.cash[player] >= state.debts[0].amount:
        return "can-pay"
    is_last_resort = all(state.mortgage[each] for each in state.owned[player])
    return "" if is_last_resort else "last-resort"


def give_back(state: State, action: tuple) -> None:
    """Sell a mortgaged deed to the bank, as the last resort."""
    deed, player = action[1], state.decider
    amount = _given_back(state, deed)
    state.mortgage[deed] = 0
    state.transfer(deed, BANK)
    state.cash[player] += amount
    state.events.append(("given back", player, deed, amount))


def raises(state: State, deed: int) -> int:
    """Return the cash from mortgaging a deed and giving it back to the bank."""
    return flow.loan_left(state, deed) + _given_back(state, deed)


def give_up(state: State, debtor: int, _creditor: int) -> None:
    """Turn a bankrupt's property into cash for the creditor; the deeds go to the bank."""
    state.cash[debtor] = classic.liquidity(state, debtor)
    for deed in list(state.owned[debtor]):
        classic.clear(state, deed)
        state.mortgage[deed] = 0
        state.transfer(deed, BANK)
    state.pile += state.jail_cards[debtor]
    state.jail_cards[debtor] = []


def rent(state: State, deed: int) -> int:
    """Return the classic rent, for which mortgaged stations and utilities do not count."""
    board, owner = state.board, state.owner[deed]
    if board.sorts[deed] == "street":
        return classic.rent(state, deed)
    members = board.members[board.group_of[deed]]
    held = sum(state.owner[each] == owner and not state.mortgage[each] for each in members)
    return classic.rent_of_one_among(state, deed, held)


# Hotels can be built directly, without houses before them (107).


def _hotel_sites(state: State, deed: int) -> Sequence[int]:
    """Return the streets of a group that get hotels: all without four houses, or else the rest."""
    members = classic.group_members(state, deed)
    short = [each for each in members if state.houses[each] < state.full(each)]
    return short or [each for each in members if state.houses[each] != HOTEL]


def _cost(state: State, deed: int) -> int:
    return (HOTEL - state.houses[deed]) * state.board.house_prices[deed]


def cost_of_hotels(state: State, deed: int) -> int:
    return sum(_cost(state, each) for each in _hotel_sites(state, deed))


def why_not_build_hotels(state: State, action: tuple) -> str:
    if reason := classic.site_refusal(state, action[1]):
        return reason
    wanted = _hotel_sites(state, action[1])
    if not wanted:
        return "hotel-there"
    if state.bank[1] < len(wanted):
        return "none-left"
    if state.rules.last_ones_are_auctioned:
        others = set(classic.builders(state, 1)) - {state.decider}
        if state.bank[1] < len(wanted) + len(others):
            return "wanted-by-others"
    cost = cost_of_hotels(state, action[1])
    return "not-enough-money" if state.cash[state.decider] < cost else ""


def build_hotels(state: State, action: tuple) -> None:
    """Build hotels on the streets of a group at once, so that it stays even."""
    for deed in _hotel_sites(state, action[1]):
        cost = _cost(state, deed)
        state.cash[state.decider] -= cost
        state.bank[0] += state.houses[deed]
        state.bank[1] -= 1
        state.houses[deed] = HOTEL
        state.events.append(("hotel built", state.decider, deed, cost))


# Deals: the taker of a mortgaged deed pays the interest, and may lift it for the loan (166).


def _interest(state: State, deeds: Iterable[int]) -> int:
    return sum(classic.interest(state, deed) for deed in deeds)


def deal_refusal(state: State, action: tuple) -> str:
    _, proposer, partner, gives, asks, pays, _cards = action
    if state.cash[proposer] - pays < _interest(state, asks):
        return "not-enough-money"
    if state.cash[partner] + pays < _interest(state, gives):
        return "not-enough-money"
    return classic.deal_refusal(state, action)


def accept(state: State, action: tuple) -> None:
    deal = state.deal
    assert deal is not None
    deals.accept(state, action)
    for taker, deeds in ((deal.proposer, deal.asks), (deal.partner, deal.gives)):
        if due := _interest(state, deeds):
            state.cash[taker] -= due
            state.events.append(("paid", taker, BANK, due, "interest"))
    classic.take_over(state, {deed: state.mortgage[deed] for deed in (*deal.gives, *deal.asks)})


def prospect(state: State, action: tuple) -> float:
    """Return a bot's gain as in classic; bots take their dealt deeds and hold no sales."""
    name = action[0]
    if name == "build hotels":
        rents = {deed: state.board.rents[deed] for deed in _hotel_sites(state, action[1])}
        gains = (each[HOTEL] - each[state.houses[deed]] for deed, each in rents.items())
        return classic.LANDINGS * sum(gains)
    if name == "build":  # its cost is counted in full at the end
        return classic.prospect(state, action) + state.board.house_prices[action[1]]
    mine = {"take": 1.0, "hold": -1e8, "hold card": -1e8, "give back": -1e7}
    return mine[name] if name in mine else classic.prospect(state, action)
