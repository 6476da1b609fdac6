"""The rules of City: permits and building, and the spaces and cards that only City has."""

from collections.abc import Callable, Iterator

from city_game.editions import described
from city_game.editions.city.board import (
    HAZARDS,
    MOST_BLOCKS,
    State,
    can_make_up,
    change_blocks,
    room,
)
from city_game.kernel import flow, moves
from city_game.kernel.flow import owe, proceed, settled
from city_game.kernel.state import BANK

PERMITS = tuple(described("city").odds)
GRANTS = tuple(
    ("permit", permit) for permit, odds in described("city").odds.items() for _ in range(odds)
)
MOST_OF_A_PERMIT = 3


def draw_permit(state: State, below: Callable[[int, int], int]) -> tuple:
    """Draw the permit in a game without a unit."""
    return GRANTS[below(state.draws, len(GRANTS))]


def why_not_press(state: State, _action: tuple) -> str:
    if state.pressed:
        return "pressed-already"
    return "" if has_ground(state) else "nothing-to-build-on"


def press(state: State, _action: tuple) -> None:
    """Press BUILD, which is allowed once per roll."""
    state.pressed = True
    state.phase = "permit"
    state.decider = BANK


def has_ground(state: State) -> bool:
    """Return whether the player on turn could use some permit."""
    if state.rules.stations_anywhere:
        return True  # a permit for a station is useful even without a deed
    return not all(state.mortgage[deed] for deed in state.owned[state.turn])


def why_not_permit(_state: State, action: tuple) -> str:
    return "" if action[1] in PERMITS else "unknown-permit"


def permit(state: State, action: tuple) -> None:
    """Record the unit's permit: for 1, 2 or 3 blocks, or for a station."""
    granted = action[1]
    state.draws += 1
    state.events.append(("granted", state.turn, granted))
    state.decider = state.turn
    if granted == "station":
        state.phase = "station"
    else:
        state.permit = int(granted)
        state.phase = "build"


def refused(state: State, _action: tuple) -> None:
    """Record that the unit refused a permit. BUILD may be pressed again until the hour is over."""
    state.pressed = state.hour_over
    flow.proceed(state)


def why_not_build(state: State, action: tuple) -> str:
    _, deed, kind, blocks = action
    if state.mortgage[deed]:
        return "mortgaged"
    if kind not in state.blocks:
        return "unknown-piece"
    if not 1 <= blocks <= state.permit:
        return "beyond-the-permit"
    if blocks > room(state, deed):
        return "district-full"
    if state.cash[state.turn] < blocks * state.board.block_prices[kind][deed]:
        return "not-enough-money"
    return "" if can_make_up(state, kind, deed, blocks) else "box-empty"


def build(state: State, action: tuple) -> None:
    """Buy blocks of a kind for a deed, at the price on its card."""
    _, deed, kind, blocks = action
    player = state.turn
    cost = blocks * state.board.block_prices[kind][deed]
    change_blocks(state, kind, deed, blocks)
    state.cash[player] -= cost
    state.permit -= blocks
    state.events.append(("built", player, deed, blocks, kind, cost))
    if not state.permit:
        flow.proceed(state)


def done(state: State, _action: tuple) -> None:
    """Discard the rest of the permit."""
    state.permit = 0
    flow.proceed(state)


def why_not_station(state: State, action: tuple) -> str:
    deed = action[1]
    if state.station[deed]:
        return "station-there"
    if not state.box_stations:
        return "box-empty"
    if state.rules.stations_anywhere:
        return ""
    if state.owner[deed] != state.turn:
        return "not-yours"
    return "mortgaged" if state.mortgage[deed] else ""


def station(state: State, action: tuple) -> None:
    """Build a station, which is free."""
    deed = action[1]
    state.station[deed] = True
    state.box_stations -= 1
    state.events.append(("station built", state.turn, deed))
    flow.proceed(state)


def why_not_landmark(state: State, action: tuple) -> str:
    """Return why a player cannot buy a stadium, a skyscraper or the tower for their deed.

    A stadium needs two deeds of the group, a skyscraper the whole group, and each group has room
    for one of each. The only tower needs two whole groups, and stands in one of them.
    """
    landmark, deed = action
    player, group = state.turn, state.board.group_of[deed]
    if state.mortgage[deed]:
        return "mortgaged"
    if landmark == "tower":
        if state.tower >= 0:
            return "tower-there"
        groups = range(len(state.board.groups))
        whole = [each for each in groups if state.has_group(player, each)]
        if len(whole) < 2 or group not in whole:
            return "needs-two-groups"
    elif landmark == "stadium":
        if state.stadium[group] >= 0:
            return "stadium-there"
        if state.held[player][group] < 2:
            return "needs-two-of-the-group"
        if count_landmarks(state.stadium) >= state.board.pieces.stadiums:
            return "box-empty"
    else:
        if state.skyscraper[group] >= 0:
            return "skyscraper-there"
        if not state.has_group(player, group):
            return "needs-the-group"
        if count_landmarks(state.skyscraper) >= state.board.pieces.skyscrapers:
            return "box-empty"
    return _why_not_pay(state, player, price_of(state, landmark, deed))


def landmark(state: State, action: tuple) -> None:
    """Buy a stadium, a skyscraper or the tower."""
    kind, deed = action
    state.cash[state.turn] -= price_of(state, kind, deed)
    if kind == "tower":
        state.tower = deed
    else:
        sites = state.stadium if kind == "stadium" else state.skyscraper
        sites[state.board.group_of[deed]] = deed
    state.events.append(("landmark built", state.turn, kind, deed))


def price_of(state: State, landmark: str, deed: int) -> int:
    """Return the price of a landmark; the price of a skyscraper depends on the group."""
    money = state.board.money
    group = state.board.groups[state.board.group_of[deed]]
    return {"stadium": money.stadium, "tower": money.tower}.get(landmark, group.skyscraper)


def count_landmarks(sites: list[int]) -> int:
    """Return the number of landmarks built, from the list of their sites by group."""
    return len(sites) - sites.count(-1)


def why_not_clear(state: State, action: tuple) -> str:
    deed = action[1]
    if not state.hazard[deed]:
        return "no-hazard"
    return _why_not_pay(state, state.decider, clearing_cost(state, deed))


def clear(state: State, action: tuple) -> None:
    """Remove a hazard from a player's own deed, at a price per block of the hazard."""
    deed = action[1]
    player = state.decider
    hazard = state.hazard[deed]
    state.cash[player] -= clearing_cost(state, deed)
    state.hazard[deed] = ""
    state.box_hazards[hazard] += 1
    state.events.append(("cleared", player, hazard, deed))


def clearing_cost(state: State, deed: int) -> int:
    return HAZARDS[state.hazard[deed]] * state.board.money.hazard_block


def _why_not_pay(state: State, player: int, cost: int) -> str:
    return "not-enough-money" if state.cash[player] < cost else ""


def roll(state: State, action: tuple) -> None:
    moves.roll(state, action)
    state.pressed = False


def begin_turn(state: State) -> None:
    state.travel = state.pressed = False


def landed(state: State, deed: int) -> bool:
    """Note whether the player may take the train from here."""
    is_there = state.station[deed] and not state.by_train
    state.travel = is_there and any(there and at != deed for at, there in enumerate(state.station))
    return False


def travels(state: State) -> bool:
    """Offer the journey to a player at a station, if it is pending."""
    if not state.travel:
        return False
    state.phase = "travel"
    state.decider = state.turn
    return True


def why_not_travel(state: State, action: tuple) -> str:
    deed = action[1]
    here = state.board.space_of[deed] == state.place[state.turn]
    return "no-station" if here or not state.station[deed] else ""


def travel(state: State, action: tuple) -> None:
    """Take the train to another station's deed, and resolve its space."""
    deed = action[1]
    player = state.turn
    space = state.board.space_of[deed]
    state.events.append(("travelled", player, deed))
    if space < state.place[player] and state.rules.travel_passes_go:
        moves.collect_salary(state, player)
    state.place[player] = space
    state.by_train = True
    moves.arrive(state)
    state.by_train = False


def stay(state: State, _action: tuple) -> None:
    state.travel = False
    proceed(state)


def may_auction(state: State, player: int, _what: int) -> None:
    if BANK not in state.owner:
        proceed(state)
        return
    state.phase = "auction space"
    state.decider = player


# Planning permission: a bonus protects a deed, a hazard spoils it.


def placings(state: State) -> Iterator[tuple]:
    """Yield each legal ("place", piece, deed) of the player on turn."""
    pieces = (*state.box_bonuses, *state.box_hazards)
    for deed in range(len(state.owner)):
        for piece in pieces:
            action = ("place", piece, deed)
            if not why_not_place(state, action):
                yield action


def why_not_place(state: State, action: tuple) -> str:
    _, piece, deed = action
    if state.bonus[deed]:
        return "bonus-there"
    if state.hazard[deed]:
        return "hazard-there"
    owner = state.owner[deed]
    if piece in state.box_bonuses:
        if owner not in (-1, state.turn):
            return "not-yours"
        return "" if state.box_bonuses[piece] else "box-empty"
    if piece in state.box_hazards:
        if owner == state.turn:
            return "yours"
        if state.rules.stadium_keeps_hazards_out and deed in state.stadium:
            return "kept-out"
        return "" if state.box_hazards[piece] else "box-empty"
    return "unknown-piece"


def place(state: State, action: tuple) -> None:
    """Place a bonus on an own deed, a hazard on another player's, or either on an unsold one."""
    _, piece, deed = action
    if piece in state.box_bonuses:
        box, placed = state.box_bonuses, state.bonus
    else:
        box, placed = state.box_hazards, state.hazard
    box[piece] -= 1
    placed[deed] = piece
    state.events.append(("placed", state.turn, piece, deed))
    proceed(state)


def permission(state: State, player: int, _what: int) -> None:
    """Ask the player to place a bonus or a hazard, if any placing is legal."""
    if next(placings(state), None) is None:
        state.events.append(("permission lapsed", player))
        proceed(state)
        return
    state.phase = "planning"
    state.decider = player


def tax(state: State, player: int, space: int) -> None:
    industrial = state.industrial
    if any(industrial[deed] for deed in state.owned[player]):
        moves.pay_tax(state, player, space)
        return
    state.events.append(("untaxed", player))
    proceed(state)


def parking(state: State, player: int, _space: int) -> None:
    if state.dodge == BANK:
        state.events.append(("dodge card found", player))
    elif state.dodge != player:
        state.events.append(("dodge card taken", player, state.dodge))
    state.dodge = player
    proceed(state)


# The rent dodge card.


def may_dodge(state: State, debtor: int, why: str) -> bool:
    return why == "rent" and state.dodge == debtor


def why_not_dodge(state: State, _action: tuple) -> str:
    debt = state.debts[0]
    return "" if may_dodge(state, debt.debtor, debt.why) else "no-dodge-card"


def dodge(state: State, _action: tuple) -> None:
    """Use the rent dodge card instead of paying the rent."""
    debt = state.debts[0]
    state.dodge = BANK
    state.events.append(("dodged", debt.debtor, debt.deed, debt.amount))
    settled(state)


# The card effects that only City has.


def pay_per_block(state: State, player: int, amount: int) -> None:
    owned = state.owned[player]
    blocks = sum(state.residential[deed] + state.industrial[deed] for deed in owned)
    if blocks:
        owe(state, player, BANK, amount * blocks, "card")
    proceed(state)


def knock_down(state: State, player: int, amount: int) -> None:
    """Remove up to `amount` blocks from the player's fullest deed, homes first.

    If the box has no change for a larger piece, the whole piece falls.
    """
    owned = state.owned[player]
    built = [deed for deed in owned if state.residential[deed] + state.industrial[deed]]
    if not built:
        proceed(state)
        return
    prices = state.board.prices
    full = max(built, key=lambda deed: (MOST_BLOCKS - room(state, deed), prices[deed]))
    for kind, blocks in state.blocks.items():
        falls = min(amount, blocks[full])
        if not falls:
            continue
        while not can_make_up(state, kind, full, -falls):
            falls += 1
        change_blocks(state, kind, full, -falls)
        amount = max(0, amount - falls)
        state.events.append(("knocked down", player, full, falls, kind))
    proceed(state)


EFFECTS = {
    **moves.EFFECTS,
    "pay per block": pay_per_block,
    "planning": permission,
    "auction": may_auction,
    "knock down": knock_down,
}
