"""Planning permission: a bonus that protects, or a hazard that spoils."""

from collections.abc import Iterator

from city_game.editions.city.state import State
from city_game.kernel import flow


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
    flow.proceed(state)
