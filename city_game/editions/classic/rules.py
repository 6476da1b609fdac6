"""The classic board, the state of a game on it, and the rules that differ from the kernel's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from city_game.kernel import board, deals, flow, moves, sales, state
from city_game.kernel.board import SPACES, BoardReader, Part
from city_game.kernel.flow import cash_and_deeds, owe
from city_game.kernel.state import BANK, Debt
from city_game.kernel.state import State as AnyState
from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _

MOST = 5  # the last index of a street's rents, that of the hotel
HOTEL = 5  # in `State.houses`, which otherwise counts 0 to 4 houses
DEALT = 2  # deeds to each player
MOST_PLAYERS = 6


@dataclass
class Group(board.Group):
    """Deeds of one sort, with the price of a house in notes of 10k."""

    sort: str = "street"
    house: int = 0


@dataclass
class Pieces:
    """The numbers of houses and hotels that the bank starts with."""

    houses: int
    hotels: int


class Board(board.Board):
    """All printed facts of a board; `sorts`, `house_prices` and `hotel_prices` by deed."""

    groups: list[Group]

    def __init__(self, *printed, pieces: Pieces) -> None:
        super().__init__(*printed)
        self.pieces = pieces
        self.sorts = [self.groups[group].sort for group in self.group_of]
        self.house_prices = [self.groups[group].house for group in self.group_of]
        self.hotel_prices = self.house_prices


class Reader(BoardReader):
    """Reads a classic board.

    sorts  by sort of group: the last index of the rents of its deeds
    """

    of_group = Group
    sorts: Mapping[str, int] = {"street": MOST, "station": 3, "utility": 1}
    spaces = (*SPACES, "chest")
    cards = (
        (
            rf"pay {board.SUM} per house",
            "repairs",
            "pay 250k per house",  # no text: in the file
        ),
    )
    in_box = Pieces(0, 0)

    def read_more(self) -> None:
        part = self.section("pieces")
        if part:
            houses = self.take(part, "houses", board.COUNT, 0)
            self.in_box = Pieces(houses, self.take(part, "hotels", board.COUNT, 0))
            self.unknown_keys(part)

    def group_more(self, row: Part) -> dict[str, Any]:
        sort = self.take(row, "sort", toml_reader.choice([*self.sorts]), "street")
        price = self.take(row, "house", board.sum_of_money, 0) if sort == "street" else 0
        return {"sort": sort, "house": price}

    def rents(self, group: board.Group | None) -> toml_reader.Reader[tuple[int, ...]]:
        sort = group.sort if isinstance(group, Group) else "street"
        return board.rents(self.sorts.get(sort, MOST))

    def members(self, groups: Sequence[board.Group], deeds: Sequence[board.Deed]) -> None:
        """Check that two deeds can be dealt to each of six players."""
        super().members(groups, deeds)
        largest = max((len(group.deeds) for group in groups), default=0)
        # In the championship two streets of one colour are dealt anew, so another must be left.
        least = DEALT * (MOST_PLAYERS - 1) + largest + 1
        if len(deeds) < least:
            words = _("it needs at least {count} districts, since two are dealt to each player")
            self.add_error(self.file, None, words.format(count=least))

    def make_board(self, *printed) -> Board:
        return Board(*printed, pieces=self.in_box)


class State(state.State):
    """One classic game.

    houses  by deed: 0 to 4 houses, or HOTEL
    bank    the numbers of houses and of hotels that the bank has left
    won     the player and the index in `bank` of a building that was won but not yet placed
    back    the phase and the decider to return to after a sale or a deal
    taken   by deed: the price of lifting a mortgage that was just taken over
    thrown  the sum of the last throw
    dealt   the number of deeds dealt before the game, by a switch
    pot     the index of the first event that counts towards the money on free parking, by a switch
    """

    __slots__ = ("back", "bank", "dealt", "houses", "pot", "taken", "thrown", "won")
    board: Board

    def lay_out(self) -> None:
        self.houses = [0] * len(self.board.deeds)
        self.bank = [self.board.pieces.houses, self.board.pieces.hotels]
        self.won: tuple[int, int] | None = None
        self.back: tuple[str, int] | None = None
        self.taken: dict[int, int] = {}
        self.thrown = 0
        self.dealt = self.pot = 0
        if self.deals_deeds():
            self.phase = "dealing"

    def deals_deeds(self) -> bool:
        """Return whether deeds are dealt before the dice decide who starts."""
        is_timed = not self.rules.until_one_is_left
        return self.rules.short_game or (is_timed and self.rules.deeds_are_dealt)

    def full(self, _deed: int) -> int:
        """Return the number of houses that a hotel replaces."""
        return 3 if self.rules.short_game else 4

    def worth_in_houses(self, deed: int) -> int:
        """Return the cost of a deed's buildings in houses; a hotel costs one more than `full`."""
        return self.full(deed) + 1 if self.houses[deed] == HOTEL else self.houses[deed]

    def cost(self, deed: int) -> int:
        """Return the cost of a deed's buildings; that of a hotel includes its houses."""
        hotel = self.houses[deed] == HOTEL
        houses = self.full(deed) if hotel else self.houses[deed]
        price = self.board.house_prices[deed] * houses
        return price + self.board.hotel_prices[deed] if hotel else price


# By the index in `State.bank`: the names of the lots, and of the events.
LOTS = ("house", "hotel")
BUILT, PLACED = ("house built", "hotel built"), ("house placed", "hotel placed")

# Rents.


def rent(state: State, deed: int) -> int:
    """Return the rent of a deed; that of a utility depends on the last throw."""
    board, owner, group = state.board, state.owner[deed], state.board.group_of[deed]
    if board.sorts[deed] == "street":
        bare = board.rents[deed][state.houses[deed]]
        return 2 * bare if is_doubled(state, deed) else bare
    return rent_of_one_among(state, deed, state.held[owner][group] if owner >= 0 else 1)


def rent_of_one_among(state: State, deed: int, held: int) -> int:
    """Return the rent of a station or utility if `held` deeds of its group count."""
    rents = state.board.rents[deed]
    due = rents[min(max(1, held), len(rents)) - 1]
    return due * max(2, state.thrown) if state.board.sorts[deed] == "utility" else due


def is_doubled(state: State, deed: int) -> bool:
    """Return whether the bare rent is doubled: one owner for the whole group, and no mortgage."""
    owner, group = state.owner[deed], state.board.group_of[deed]
    if owner < 0 or state.houses[deed] or state.board.sorts[deed] != "street":
        return False
    members = state.board.members[group]
    return state.has_group(owner, group) and not any(state.mortgage[each] for each in members)


def worth(state: State, player: int) -> int:
    return sum(parts_of_worth(state, player))


def parts_of_worth(state: State, player: int) -> tuple[int, int, int, int]:
    """Return cash, deeds at their price, mortgaged deeds at half of it, and buildings at cost."""
    bare = mortgaged = built = 0
    for deed in state.owned[player]:
        price = state.board.prices[deed]
        if state.mortgage[deed]:
            mortgaged += price // 2
        else:
            bare += price
        built += state.cost(deed)
    return state.cash[player], bare, mortgaged, built


def liquidity(state: State, player: int) -> int:
    """Return the player's cash with all buildings sold and all deeds mortgaged."""
    halves = (state.cost(deed) // 2 for deed in state.owned[player])
    return cash_and_deeds(state, player) + sum(halves)


def redemption(state: State, deed: int) -> int:
    """Return the loan plus a tenth of it, rounded up to a note."""
    return state.mortgage[deed] + interest(state, deed)


def interest(state: State, deed: int) -> int:
    return -(-state.mortgage[deed] // 10)


# Building.


def next_building(state: State, deed: int) -> int:
    """Return the next building of a street as an index in `State.bank`: a house or a hotel."""
    return int(state.houses[deed] == state.full(deed))


def price_of_next(state: State, deed: int) -> int:
    board = state.board
    return (board.hotel_prices if next_building(state, deed) else board.house_prices)[deed]


def why_not_build(state: State, action: tuple) -> str:
    deed, player = action[1], state.decider
    if reason := site_refusal(state, deed) or _why_not_next(state, deed):
        return reason
    if not state.bank[next_building(state, deed)]:
        return "none-left"
    return "not-enough-money" if state.cash[player] < state.board.house_prices[deed] else ""


def _why_not_next(state: State, deed: int) -> str:
    if state.houses[deed] == HOTEL:
        return "hotel-there"
    least = min(map(state.worth_in_houses, group_members(state, deed)))
    return "unevenly" if state.worth_in_houses(deed) > least else ""


def build(state: State, action: tuple) -> None:
    """Build a house, or a hotel in place of the houses.

    By a switch it is auctioned if more players could build one than the bank has left.
    """
    deed, player = action[1], state.decider
    kind, prices = next_building(state, deed), state.board.house_prices
    bidders = builders(state, kind)
    if state.rules.last_ones_are_auctioned and len(bidders) > state.bank[kind]:
        state.back = state.phase, player
        least = min(prices[each] for one in bidders for each in building_sites(state, one, kind))
        flow.open_auction(state, deed, player, least, LOTS[kind], tuple(bidders))
        return
    state.cash[player] -= prices[deed]
    state.events.append((BUILT[kind], player, deed, prices[deed]))
    add_building(state, deed)


def add_building(state: State, deed: int) -> None:
    kind = next_building(state, deed)
    state.bank[kind] -= 1
    state.bank[0] += state.full(deed) if kind else 0
    state.houses[deed] = HOTEL if kind else state.houses[deed] + 1


def builders(state: State, kind: int) -> list[int]:
    """Return the players who could build one of this kind now."""
    prices = state.board.house_prices
    return [
        player
        for player, cash in enumerate(state.cash)
        if any(prices[each] <= cash for each in building_sites(state, player, kind))
    ]


def building_sites(state: State, player: int, kind: int) -> list[int]:
    """Return the streets of a player whose next building is of this kind."""
    return [
        deed
        for deed in state.owned[player]
        if not site_refusal(state, deed)
        and not _why_not_next(state, deed)
        and next_building(state, deed) == kind
    ]


def award(state: State, player: int) -> None:
    state.won = player, LOTS.index(state.sales[-1].lot)


def place_won(state: State) -> bool:
    """Place a house or hotel that was won; ask the winner if there is a choice."""
    if state.won is None:
        return False
    state.phase, state.decider = "placing", state.won[0]
    possible = building_sites(state, *state.won)
    if len(possible) > 1:
        return True
    _place(state, possible[0])
    return False


def why_not_place(state: State, action: tuple) -> str:
    assert state.won is not None
    deed = action[1]
    if reason := site_refusal(state, deed) or _why_not_next(state, deed):
        return reason
    return "" if next_building(state, deed) == state.won[1] else "unevenly"


def place(state: State, action: tuple) -> None:
    _place(state, action[1])
    flow.proceed(state)


def _place(state: State, deed: int) -> None:
    assert state.won is not None
    player, kind = state.won
    state.won = None
    state.events.append((PLACED[kind], player, deed))
    add_building(state, deed)


def resume(state: State) -> bool:
    """Return to the phase that a sale or a deal has interrupted."""
    if state.back is None:
        return False
    (state.phase, state.decider), state.back = state.back, None
    return True


def why_not_sell(state: State, action: tuple) -> str:
    deed = action[1]
    if not state.houses[deed]:
        return "nothing-built"
    if state.worth_in_houses(deed) < max(map(state.worth_in_houses, group_members(state, deed))):
        return "unevenly"
    if state.houses[deed] == HOTEL and state.bank[0] < state.full(deed):
        return "none-left"
    return ""


def sell(state: State, action: tuple) -> None:
    """Sell a house to the bank at half its price, or exchange a hotel for houses."""
    deed, player = action[1], state.decider
    if state.houses[deed] == HOTEL:
        state.houses[deed] = state.full(deed)
        state.bank[0] -= state.full(deed)
        state.bank[1] += 1
    else:
        state.houses[deed] -= 1
        state.bank[0] += 1
    pay_for_buildings(state, player, deed, state.board.house_prices[deed] // 2)


def why_not_raze(state: State, action: tuple) -> str:
    return "" if group_refusal(state, action[1]) else "nothing-built"


def raze(state: State, action: tuple) -> None:
    """Sell all buildings of a group to the bank, for half of what they cost."""
    for deed in group_members(state, action[1]):
        if state.houses[deed]:
            pay_for_buildings(state, state.decider, deed, clear(state, deed))


def clear(state: State, deed: int) -> int:
    """Return a deed's buildings to the bank's stock; return the price that the bank pays."""
    amount = state.cost(deed) // 2
    hotel = state.houses[deed] == HOTEL
    state.bank[hotel] += 1 if hotel else state.houses[deed]
    state.houses[deed] = 0
    return amount


def pay_for_buildings(state: AnyState, player: int, deed: int, amount: int) -> None:
    state.cash[player] += amount
    state.events.append(("buildings sold", player, deed, amount))


def group_members(state: State, deed: int) -> tuple[int, ...]:
    return state.board.members[state.board.group_of[deed]]


def site_refusal(state: State, deed: int) -> str:
    """Return why nothing at all can be built on an owned deed."""
    if state.board.sorts[deed] != "street":
        return "no-street"
    if not state.has_group(state.owner[deed], state.board.group_of[deed]):
        return "needs-the-group"
    return "mortgaged" if any(state.mortgage[each] for each in group_members(state, deed)) else ""


def loan_refusal(state: State, deed: int) -> str:
    return "built-up" if state.houses[deed] else ""


def group_refusal(state: State, deed: int) -> str:
    """Return why a deed cannot change hands: its group has buildings."""
    return (
        "group-built-up" if any(map(state.houses.__getitem__, group_members(state, deed))) else ""
    )


def deal_refusal(state: State, action: tuple) -> str:
    reasons = (group_refusal(state, deed) for deed in (*action[3], *action[4]))
    return next(filter(None, reasons), "")


# Mortgages that change hands: the taker may lift them at once.


def accept(state: State, action: tuple) -> None:
    """Accept a deal; lifting a mortgage at once costs the taker as much as later."""
    deal = state.deal
    assert deal is not None
    deals.accept(state, action)
    take_over(state, {deed: redemption(state, deed) for deed in (*deal.gives, *deal.asks)})


def take_over(state: State, prices: dict[int, int]) -> None:
    """Interrupt the phase after a deal for the takers of mortgages, given the prices by deed."""
    back = (state.phase, state.decider)
    state.taken.update(prices)
    if takes_over(state) and back[0] != "debt":
        state.back = back


def takes_over(state: State) -> bool:
    """Ask the next taker of mortgages who can afford to lift one; the interest is paid first."""
    if not state.taken or any(debt.why == "interest" for debt in state.debts):
        return False
    state.taken = {
        deed: price
        for deed, price in state.taken.items()
        if state.mortgage[deed] and price <= state.cash[state.owner[deed]]
    }
    if not state.taken:
        return False
    state.phase, state.decider = "taking over", state.owner[next(iter(state.taken))]
    return True


def why_not_settle(state: State, action: tuple) -> str:
    return "" if action[1] in state.taken else "not-taken-over"


def settle(state: State, action: tuple) -> None:
    """Lift a mortgage that was just taken over."""
    deed = action[1]
    price = state.taken[deed]
    state.cash[state.decider] -= price
    state.mortgage[deed] = 0
    state.events.append(("lifted", state.decider, deed, price))
    flow.proceed(state)


def keep(state: State, _action: tuple) -> None:
    """Keep all mortgages that the player just took over."""
    for deed in state.owned[state.decider]:
        state.taken.pop(deed, None)
    flow.proceed(state)


# Bankruptcy and the end.


def give_up(state: State, debtor: int, creditor: int) -> None:
    """Sell a bankrupt's buildings for the creditor, who owes interest on the mortgages."""
    due = 0
    for deed in state.owned[debtor]:
        if state.houses[deed]:
            amount = clear(state, deed)
            if creditor != BANK:
                pay_for_buildings(state, debtor, deed, amount)
        due += interest(state, deed)
    if due and creditor != BANK:
        state.debts.append(Debt(creditor, BANK, due, "interest", -1))
        if not is_over(state):
            state.taken.update({deed: state.mortgage[deed] for deed in state.owned[debtor]})


def is_over(state: State) -> bool:
    out = state.alive.count(False)
    return out == state.players - 1 or (state.rules.short_game and out >= 2)


# Before the game, by a switch, each player is dealt two deeds and pays for them.


def draw_deed(state: State, below: Callable[[int, int], int]) -> tuple:
    left = [deed for deed, owner in enumerate(state.owner) if owner < 0]
    return ("deal deed", left[below(state.draws, len(left))])


def why_not_deal_deed(state: State, action: tuple) -> str:
    return "sold" if state.owner[action[1]] >= 0 else ""


def deal_deed(state: State, action: tuple) -> None:
    """Deal a deed, which stays with the bank if the player cannot pay for it."""
    deed, player = action[1], state.dealt // DEALT
    if state.cash[player] < state.board.prices[deed]:
        state.events.append(("not paid", player, deed))
    else:
        sales.buy_of_bank(state, deed, player)
    state.draws += 1
    state.dealt += 1
    if state.dealt == DEALT * state.players:
        state.phase = "start roll"


# Spaces, cards and the dice.


def dice(state: State, action: tuple) -> None:
    state.thrown = action[1] + action[2]
    moves.dice(state, action)


def with_new_throw(effect: Callable[[State, int, int], None]) -> Callable[[State, int, int], None]:
    """Wrap the effect of a card that moves a player, so that a utility asks for a new throw."""

    def moved(state: State, player: int, amount: int) -> None:
        state.thrown = 0
        effect(state, player, amount)

    return moved


def landed(state: State, deed: int) -> bool:
    """Ask for the throw that sets the rent of a utility reached by a card."""
    is_free = state.owner[deed] in (BANK, state.turn) or state.mortgage[deed]
    if state.thrown or is_free or state.board.sorts[deed] != "utility":
        return False
    state.phase, state.decider = "utility", BANK
    return True


def throw(state: State, action: tuple) -> None:
    _, first, second = action
    player = state.turn
    deed = state.board.deed_on[state.place[player]]
    state.thrown = first + second
    state.draws += 1
    state.events.append(("thrown", player, first, second))
    owe(state, player, state.owner[deed], state.edition.rent(state, deed), "rent", deed)
    flow.proceed(state)


def go(state: State, player: int, _space: int) -> None:
    """Pay the salary a second time for landing on GO, by a switch."""
    if state.rules.double_on_go:
        moves.collect_salary(state, player)
    flow.proceed(state)


def parking(state: State, player: int, _space: int) -> None:
    """Pay out all taxes, fines and card payments since the last visit, by a switch."""
    if state.rules.money_on_parking:
        paid = [event for event in state.events[state.pot :] if event[0] == "paid"]
        # The bank keeps the interest.
        pot = sum(event[3] for event in paid if event[2] == BANK and event[4] != "interest")
        state.pot = len(state.events)
        if pot:
            state.cash[player] += pot
            state.events.append(("received", player, pot))
    flow.proceed(state)


def repairs(state: State, player: int, amount: int) -> None:
    """Charge for each house; a hotel counts as the number of houses that it cost."""
    houses = sum(map(state.worth_in_houses, state.owned[player]))
    if houses:
        owe(state, player, BANK, amount * houses, "card")
    flow.proceed(state)


def why_not_leave(state: State, _action: tuple) -> str:
    return "" if state.rules.no_auctions else "must-be-auctioned"


# Estimates for bots.

LANDINGS = 4.0  # the expected number of rents that a building earns
NEVER = -1e9


def prospect(state: State, action: tuple) -> float:
    """Return the deciding player's expected gain by an action, in notes."""
    name = action[0]
    if name == "build":
        return LANDINGS * best_rise(state, action[1]) - state.board.house_prices[action[1]]
    if name == "place":
        return best_rise(state, action[1])
    if name == "lift":
        whole = state.has_group(state.decider, state.board.group_of[action[1]])
        return 100.0 if whole else 1.0
    if name == "settle mortgage":
        left = state.cash[state.decider] - state.taken[action[1]]
        return 1.0 if left >= state.board.money.salary else -1.0
    return {"sell": -1e3, "mortgage": -1e3, "raze": -1e6, "bankrupt": NEVER}.get(name, 0.0)


def best_rise(state: State, deed: int) -> float:
    """Return the largest rise of a street's rent per house, for any number of further houses."""
    rents, built = state.board.rents[deed], state.houses[deed]
    return max((rents[to] - rents[built]) / (to - built) for to in range(built + 1, HOTEL + 1))


def lot_worth(state: State, player: int) -> int:
    assert state.auction is not None
    streets = building_sites(state, player, LOTS.index(state.auction.lot))
    return int(LANDINGS * max(best_rise(state, deed) for deed in streets))
