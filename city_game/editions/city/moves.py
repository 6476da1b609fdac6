"""The spaces of City and the effects of its cards: stations, tax, planning permission, parking."""

from collections.abc import Iterator

from city_game.editions.city.board import MOST_BLOCKS
from city_game.editions.city.pieces import State, can_stand, room, stand
from city_game.kernel import moves
from city_game.kernel.flow import owe, proceed, settled
from city_game.kernel.state import BANK


def roll(state: State, action: tuple) -> None:
    moves.roll(state, action)
    state.pressed = False


def begin_turn(state: State) -> None:
    state.travel = state.pressed = False


def landed(state: State, deed: int) -> bool:
    """Note whether the player may go on by station."""
    is_there = state.station[deed] and not state.by_train
    state.travel = is_there and any(there and at != deed for at, there in enumerate(state.station))
    return False


def travels(state: State) -> bool:
    """Offer a player on a station the journey, if it is pending; return whether it is."""
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
    """Go by station to another station's deed, and resolve its space."""
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


def leave_it(state: State, _action: tuple) -> None:
    """Auction nothing, from the auction space."""
    proceed(state)


# Planning permission: a bonus that protects, or a hazard that spoils.


def placings(state: State) -> Iterator[tuple]:
    """Yield each ("place", piece, deed) that the player on turn may do."""
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
    """Put a bonus on the player's own or an unsold deed, or a hazard on any other."""
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
    """Ask the player to place a bonus or a hazard, if any can be placed."""
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
    if state.dodge != player:
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
    """Pay no rent, for the rent dodge card."""
    debt = state.debts[0]
    state.dodge = BANK
    state.events.append(("dodged", debt.debtor, debt.deed, debt.amount))
    settled(state)


# The effects of cards, beside the usual ones.


def pay_per_block(state: State, player: int, amount: int) -> None:
    owned = state.owned[player]
    blocks = sum(state.residential[deed] + state.industrial[deed] for deed in owned)
    if blocks:
        owe(state, player, BANK, amount * blocks, "card")
    proceed(state)


def knock_down(state: State, player: int, amount: int) -> None:
    """Remove blocks from the player's fullest deed, homes first; all of them, if fewer.

    If the box cannot give change for a larger piece, the whole piece falls.
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
        while not can_stand(state, kind, full, -falls):
            falls += 1
        stand(state, kind, full, -falls)
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
