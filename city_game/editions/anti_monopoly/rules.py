"""The board, the state and the rules of competitors and monopolists.

Numbers after AM are lines of the book's text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from city_game.editions.classic import rules as classic
from city_game.editions.classic.rules import HOTEL, MOST, price_of_next
from city_game.kernel import board, flow, moves
from city_game.kernel.board import SPACES, Part
from city_game.kernel.flow import owe
from city_game.kernel.state import BANK

DECKS = ("competitor", "monopolist")  # one for each side
COMPETITOR, MONOPOLIST = range(len(DECKS))
NO_SIDE = -1  # not yet chosen


@dataclass
class Group(classic.Group):
    """A city with its streets, or a group of businesses, with the price of a hotel."""

    hotel: int = 0


class Board(classic.Board):
    """All printed facts of a board."""

    def __init__(self, *printed, pieces: classic.Pieces) -> None:
        super().__init__(*printed, pieces=pieces)
        self.hotel_prices = [cast(Group, self.groups[group]).hotel for group in self.group_of]


class Reader(classic.Reader):
    """Reads a board of competitors and monopolists."""

    of_group = Group
    spaces = (*SPACES, "side card")
    decks = DECKS
    sorts: Mapping[str, int] = {"street": MOST, "business": 0}

    def group_more(self, row: Part) -> dict[str, Any]:
        more = super().group_more(row)
        is_city = more["sort"] == "street"
        hotel = self.take(row, "hotel", board.sum_of_money, 0) if is_city else 0
        return {**more, "hotel": hotel}

    def make_board(self, *printed) -> Board:
        return Board(*printed, pieces=self.in_box)


class State(classic.State):
    """One game.

    sides   by player: COMPETITOR, MONOPOLIST or NO_SIDE
    fined   whether the fine was just paid, so that the roll follows
    """

    __slots__ = ("fined", "sides")

    def lay_out(self) -> None:
        super().lay_out()
        self.sides = [NO_SIDE] * self.players
        self.fined = False

    def deals_deeds(self) -> bool:
        return False

    def full(self, deed: int) -> int:
        """Return the number of houses that a hotel replaces (AM 59, 62)."""
        return 3 if self.is_of(self.owner[deed], MONOPOLIST) else 4

    def is_of(self, player: int, side: int) -> bool:
        return player >= 0 and self.sides[player] == side


LAST_TURN = 3  # in the corner, in which the fine must be paid before the roll (AM 111)
OF_A_CITY = 2  # streets of a city are a monopoly (AM 52)

# Sides: the player with the highest roll chooses first, then the others clockwise (AM 24).


def start_roll(state: State, action: tuple) -> None:
    moves.start_roll(state, action)
    if state.phase == "roll":
        state.phase = "choosing a side"


def why_not_take(state: State, action: tuple) -> str:
    return "" if action[0] in _open_sides(state) else "side-is-full"


def take_side(state: State, action: tuple) -> None:
    """Join a side. Once it is full, all remaining players join the other."""
    _join(state, state.decider, action[0])
    left = [player for player in range(state.players) if state.sides[player] == NO_SIDE]
    if len(open_sides := _open_sides(state)) == 1:
        for player in left:
            _join(state, player, open_sides[0])
        left = []
    state.decider = (state.decider + 1) % state.players
    if not left:
        state.phase, state.decider = "roll", state.turn


def _join(state: State, player: int, side: str) -> None:
    state.sides[player] = DECKS.index(side)
    state.events.append((side, player))


def _open_sides(state: State) -> list[str]:
    """Return the sides that are not full: they differ by one player at most (AM 28)."""
    most = (state.players + 1) // 2
    return [name for side, name in enumerate(DECKS) if state.sides.count(side) < most]


# Rents and wealth.


def has_monopoly(state: State, deed: int) -> bool:
    """Return whether a deed's owner has two unmortgaged streets of its city (AM 52, 82)."""
    owner = state.owner[deed]
    members = state.board.members[state.board.group_of[deed]]
    free = [each for each in members if state.owner[each] == owner and not state.mortgage[each]]
    return owner >= 0 and len(free) >= OF_A_CITY


def is_doubled(state: State, deed: int) -> bool:
    """Return whether the rent is twice the printed one (AM 54, 57, 84)."""
    if state.board.sorts[deed] == "business" and not state.rules.businesses_double:
        return False
    return state.is_of(state.owner[deed], MONOPOLIST) and has_monopoly(state, deed)


def rent(state: State, deed: int) -> int:
    """Return the rent of a deed: 0 if its owner is a monopolist in prison (AM 102)."""
    owner = state.owner[deed]
    if owner >= 0 and not may_collect(state, owner):
        return 0
    printed = state.board.rents[deed][state.houses[deed]]
    return 2 * printed if is_doubled(state, deed) else printed


def may_collect(state: State, player: int) -> bool:
    return not (state.jailed[player] and state.sides[player] == MONOPOLIST)


def landed(state: State, deed: int) -> bool:
    """Record that no rent is paid because the owner is in prison."""
    owner = state.owner[deed]
    if owner not in (BANK, state.turn) and not may_collect(state, owner):
        state.events.append(("no rent", owner, deed))
    return False


def redemption(state: State, deed: int) -> int:
    return classic.redemption(state, deed) if state.rules.interest else state.mortgage[deed]


def worth(state: State, player: int) -> int:
    """Return cash plus the prices of deeds and buildings; by a switch half for mortgaged deeds."""
    total = state.cash[player]
    for deed in state.owned[player]:
        price = state.board.prices[deed]
        if state.mortgage[deed]:
            price = price // 2 if state.rules.mortgaged_deeds_count else 0
        total += price + state.cost(deed)
    return total


# Building: competitors build anywhere, monopolists only in a monopoly (AM 55, 56, 66).


def why_not_build(state: State, action: tuple) -> str:
    deed, player = action[1], state.decider
    if state.board.sorts[deed] != "street":
        return "no-street"
    if state.mortgage[deed]:
        return "mortgaged"
    if is_at_war(state, player):
        return "in-the-price-war"
    if state.is_of(player, MONOPOLIST) and not has_monopoly(state, deed):
        return "needs-a-monopoly"
    if state.houses[deed] == HOTEL:
        return "hotel-there"
    if not state.bank[classic.next_building(state, deed)]:
        return "none-left"
    return "not-enough-money" if state.cash[player] < price_of_next(state, deed) else ""


def build(state: State, action: tuple) -> None:
    """Build a house, or a hotel in place of the houses."""
    deed, player = action[1], state.decider
    kind, cost = classic.next_building(state, deed), price_of_next(state, deed)
    state.cash[player] -= cost
    classic.add_building(state, deed)
    state.events.append((classic.BUILT[kind], player, deed, cost))


def why_not_sell(state: State, action: tuple) -> str:
    return "" if state.houses[action[1]] else "nothing-built"


def sell(state: State, action: tuple) -> None:
    """Sell a house or a whole hotel to the bank for half of what it cost (AM 76, 90)."""
    deed, player = action[1], state.decider
    before, hotel = state.cost(deed), state.houses[deed] == HOTEL
    state.bank[hotel] += 1
    state.houses[deed] = 0 if hotel else state.houses[deed] - 1
    classic.pay_for_buildings(state, player, deed, (before - state.cost(deed)) // 2)


def deal_refusal(state: State, action: tuple) -> str:
    """Return why a deal is refused: a street has buildings, or a player at war would buy one."""
    _, proposer, partner, gives, asks, _pays, cards = action
    if any(state.houses[deed] for deed in (*gives, *asks)):
        return "built-up"
    buys = (asks or cards > 0) and is_at_war(state, proposer)
    buys = buys or ((gives or cards < 0) and is_at_war(state, partner))
    return "in-the-price-war" if buys else ""


# The corner: prison for a monopolist, the price war for a competitor (AM 95 to 115).


def is_at_war(state: State, player: int) -> bool:
    return bool(state.jailed[player]) and state.sides[player] == COMPETITOR


def to_the_corner(state: State, player: int, _space: int) -> None:
    moves.go_to_jail(state)
    if state.sides[player] == COMPETITOR:
        state.events[-1] = ("at war", player)
    flow.proceed(state)


def begin_turn(state: State) -> None:
    state.fined = False


def why_not_roll(state: State, _action: tuple) -> str:
    return "must-pay" if state.jailed[state.turn] == LAST_TURN else ""


def why_not_pay_fine(state: State, action: tuple) -> str:
    return "" if why_not_roll(state, action) else moves.why_not_pay_fine(state, action)


def pay_fine(state: State, _action: tuple) -> None:
    """Pay and roll in the same turn (AM 107); in the last turn the fine may become a debt."""
    owe(state, state.turn, BANK, state.board.money.jail_fine, "fine")
    moves.leave_jail(state)
    state.fined = True
    flow.proceed(state)


def rolls_on(state: State) -> bool:
    if not state.fined:
        return False
    state.fined = False
    state.phase, state.decider = "roll", state.turn
    return True


def sit_out(state: State, _action: tuple) -> None:
    """Skip this turn, and pay at the start of the next (AM 107)."""
    state.jailed[state.turn] = LAST_TURN
    flow.end_turn(state)


def dice(state: State, action: tuple) -> None:
    """Move by the dice; the second double in a row gives no further roll (AM 42)."""
    _, first, second = action
    player = state.turn
    if not state.jailed[player]:
        moves.dice(state, action)
        if state.doubles > 1:
            state.doubles = 0
        return
    state.rolls += 1
    state.draws += 1
    state.events.append(("rolled", player, first, second))
    if first == second:  # leave the corner without moving, and roll again (AM 113)
        state.doubles = 1
        moves.leave_jail(state)
        state.decider = player
        return
    state.jailed[player] += 1
    flow.proceed(state)


# Spaces and cards.


def draw_card(state: State, player: int, _space: int) -> None:
    moves.draw_from(state, DECKS[state.sides[player]])


def income_tax(state: State, player: int, _space: int) -> None:
    state.phase, state.decider = "income tax", player


def share(state: State, player: int) -> int:
    """Return the tax as a tenth of a player's property; a fifth of a monopolist's cash (AM 124)."""
    cash = state.cash[player] * (2 if state.is_of(player, MONOPOLIST) else 1)
    board, owned = state.board, state.owned[player]
    prices = sum(board.prices[deed] for deed in owned if not state.mortgage[deed])
    return (cash + prices + sum(map(state.cost, owned))) // 10


def cheaper_tax(state: State) -> str:
    """Return the action that pays less."""
    fixed = state.board.taxes[state.place[state.turn]]
    return "pay share" if share(state, state.turn) < fixed else "pay sum"


def pay_sum(state: State, _action: tuple) -> None:
    moves.pay_tax(state, state.turn, state.place[state.turn])


def pay_share(state: State, _action: tuple) -> None:
    if due := share(state, state.turn):
        owe(state, state.turn, BANK, due, "tax")
    flow.proceed(state)


def pay_each(state: State, player: int, amount: int) -> None:
    """Pay all others except monopolists in prison (AM 102)."""
    for other in filter(lambda other: may_collect(state, other), state.others(player)):
        owe(state, player, other, amount, "card")
    flow.proceed(state)


# Bankruptcy and the end.


def give_up(state: State, debtor: int, creditor: int) -> None:
    """Sell a bankrupt's buildings; by a switch the deeds go to the bank, not to the creditor."""
    for deed in list(state.owned[debtor]):
        if state.houses[deed]:
            classic.pay_for_buildings(state, debtor, deed, classic.clear(state, deed))
        if creditor != BANK and not state.rules.creditor_gets_deeds:
            state.transfer(deed, BANK)
            state.mortgage[deed] = 0


def estate(state: State) -> bool:
    """Leave a bankrupt's deeds with the bank: there are no auctions (AM 46)."""
    state.estate.clear()
    return False


def is_over(state: State) -> bool:
    """Return whether one player or, by a switch, one side is left (AM 12, 13)."""
    left = [state.sides[player] for player in range(state.players) if state.alive[player]]
    return len(left) == 1 or (state.rules.side_decides and len(set(left)) == 1)


# Estimates for bots.


def enough(state: State, player: int, _group: int) -> int:
    """Return the number of deeds of a group that gives an advantage, 0 for competitors."""
    return OF_A_CITY if state.is_of(player, MONOPOLIST) else 0


def prospect(state: State, action: tuple) -> float:
    """Return the deciding player's expected gain by an action, in notes."""
    name = action[0]
    if name == "build":
        deed = action[1]
        rents, built, full = state.board.rents[deed], state.houses[deed], state.full(deed)
        there = rents[built]
        rises = [(rents[to] - there) / (to - built) for to in range(built + 1, full + 1)]
        rises.append((rents[HOTEL] - there) / (full + 1 - built))
        times = classic.LANDINGS * (2 if is_doubled(state, deed) else 1)
        return times * max(rises) - price_of_next(state, deed)
    if name == "lift":
        return 1.0
    if name == "pay sum":
        return -state.board.taxes[state.place[state.turn]]
    if name == "pay share":
        return -share(state, state.turn)
    costs = {"sell": -1e3, "mortgage": -1e3, "sit out": -50.0, "bankrupt": classic.NEVER}
    return costs.get(name, 0.0)
