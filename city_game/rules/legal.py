"""The actions that are legal in each phase, listed."""

from city_game.rules import luck, pieces
from city_game.rules.building import clearing_cost, has_ground, standing
from city_game.rules.debts import can_raise
from city_game.rules.planning import placings
from city_game.rules.rents import has_group
from city_game.rules.sales import least_bid
from city_game.rules.state import BANK, State

KINDS = ("residential", "industrial")


def own_turn(state: State) -> list[tuple]:
    """Return what one may do on one's own turn without a permit."""
    player = state.turn
    cash = state.cash[player]
    board = state.board
    actions: list[tuple] = []
    stadiums = standing(state.stadium) < board.pieces.stadiums
    skyscrapers = standing(state.skyscraper) < board.pieces.skyscrapers
    whole = [group for group in range(len(board.groups)) if has_group(state, player, group)]
    for district in state.owned[player]:
        group = board.group_of[district]
        if state.hazard[district] and cash >= clearing_cost(state, district):
            actions.append(("clear", district))
        if state.mortgage[district]:
            if cash >= state.mortgage[district]:
                actions.append(("lift", district))
            continue
        if state.rules.mortgage_freely:
            actions.append(("mortgage", district))
        mine = state.held[player][group]
        if stadiums and state.stadium[group] < 0 and mine >= 2 and cash >= board.money.stadium:
            actions.append(("stadium", district))
        if group not in whole:
            continue
        if skyscrapers and state.skyscraper[group] < 0 and cash >= board.groups[group].skyscraper:
            actions.append(("skyscraper", district))
        if state.tower < 0 and len(whole) >= 2 and cash >= board.money.tower:
            actions.append(("tower", district))
    return actions


def _start_roll(_state: State) -> list[tuple]:
    return list(luck.START_ROLLS)


def _roll(state: State) -> list[tuple]:
    return [("roll",), *own_turn(state)]


def _jail(state: State) -> list[tuple]:
    actions = _roll(state)
    if state.cash[state.turn] >= state.board.money.jail_fine:
        actions.append(("pay fine",))
    if state.jail_cards[state.turn]:
        actions.append(("use card",))
    return actions


def _dice(_state: State) -> list[tuple]:
    return list(luck.ROLLS)


def _leaving_jail(_state: State) -> list[tuple]:
    return [("move on",)]


def _unsold(state: State) -> list[tuple]:
    player = state.turn
    district = state.board.standing[state.place[player]]
    actions: list[tuple] = [("put up", district, state.board.money.least_bid)]
    if state.cash[player] >= state.board.prices[district]:
        actions.append(("buy",))
    return actions


def _auction_space(state: State) -> list[tuple]:
    least = state.board.money.least_bid
    unsold = [district for district, owner in enumerate(state.owner) if owner == BANK]
    return [("leave",), *(("put up", district, least) for district in unsold)]


def _hammer(_state: State) -> list[tuple]:
    return [("light on", 0)]


def _bids(state: State, at: int) -> list[tuple]:
    least = least_bid(state)
    return [
        ("bid", player, least, at, 0)
        for player in range(state.players)
        if state.alive[player] and state.cash[player] >= least
    ]


def _bidding(state: State) -> list[tuple]:
    auction = state.auction
    assert auction is not None and auction.started is not None
    latest = auction.bids[-1][2] if auction.bids else auction.started
    return [*_bids(state, latest), ("light out", latest + 1), ("cancelled",)]


def _settling(state: State) -> list[tuple]:
    auction = state.auction
    assert auction is not None and auction.ended is not None
    return [*_bids(state, auction.ended - 1), ("settle",)]


def _chance(state: State) -> list[tuple]:
    return [("card", card) for card in luck.cards(state)]


def _planning(state: State) -> list[tuple]:
    return list(placings(state, state.turn))


def _debt(state: State) -> list[tuple]:
    debtor, _, amount, why, _ = state.debts[0]
    actions: list[tuple] = []
    if why == "rent" and state.dodge == debtor:
        actions.append(("dodge",))
    if state.cash[debtor] >= amount:
        return [*actions, ("pay",)]
    if can_raise(state, debtor) < amount:
        actions.append(("bankrupt",))
    mortgage = state.mortgage
    return actions + [("mortgage", one) for one in state.owned[debtor] if not mortgage[one]]


def _travel(state: State) -> list[tuple]:
    here = state.board.standing[state.place[state.turn]]
    stations = [at for at, there in enumerate(state.station) if there and at != here]
    return [("stay",), *(("travel", district) for district in stations)]


def _manage(state: State) -> list[tuple]:
    actions = [("end turn",), *own_turn(state)]
    if not state.pressed and has_ground(state):
        actions.append(("press",))
    return actions


def _permit(_state: State) -> list[tuple]:
    return [("permit", permit) for permit in luck.PERMITS]


def _build(state: State) -> list[tuple]:
    player = state.turn
    cash = state.cash[player]
    actions: list[tuple] = [("done",)]
    for district in state.owned[player]:
        if state.mortgage[district]:
            continue
        most = min(state.permit, pieces.room(state, district))
        for kind in KINDS:
            price = state.board.block_prices[kind][district]
            actions += [
                ("build", district, kind, blocks)
                for blocks in range(1, most + 1)
                if blocks * price <= cash and pieces.can_stand(state, kind, district, blocks)
            ]
    return actions


def _station(state: State) -> list[tuple]:
    actions: list[tuple] = [("done",)]
    if not state.box_stations:
        return actions
    for district, there in enumerate(state.station):
        mine = state.owner[district] == state.turn and not state.mortgage[district]
        if not there and (mine or state.rules.stations_anywhere):
            actions.append(("station", district))
    return actions


def _deal(_state: State) -> list[tuple]:
    return [("accept",), ("decline",)]


def _over(_state: State) -> list[tuple]:
    return []


LEGAL = {
    "start roll": _start_roll,
    "roll": _roll,
    "jail": _jail,
    "dice": _dice,
    "leaving jail": _leaving_jail,
    "unsold": _unsold,
    "auction space": _auction_space,
    "hammer": _hammer,
    "bidding": _bidding,
    "settling": _settling,
    "chance": _chance,
    "planning": _planning,
    "debt": _debt,
    "travel": _travel,
    "manage": _manage,
    "permit": _permit,
    "build": _build,
    "station": _station,
    "deal": _deal,
    "over": _over,
}
