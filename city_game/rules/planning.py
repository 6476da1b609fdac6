"""Planning permission: a bonus that protects, or a hazard that spoils."""

from collections.abc import Iterator

from city_game.rules import flow
from city_game.rules.state import Illegal, State


def placings(state: State, player: int) -> Iterator[tuple]:
    """Yield each ("place", piece, district) that the rules allow the player."""
    bonuses = [kind for kind, left in state.box_bonuses.items() if left]
    hazards = [kind for kind, left in state.box_hazards.items() if left]
    for district, owner in enumerate(state.owner):
        if state.bonus[district] or state.hazard[district]:
            continue
        if owner in (-1, player):
            for piece in bonuses:
                yield ("place", piece, district)
        if owner != player:
            for piece in hazards:
                yield ("place", piece, district)


def place(state: State, action: tuple) -> None:
    _, piece, district = action
    player = state.decider
    if state.bonus[district]:
        raise Illegal("bonus-there")
    if state.hazard[district]:
        raise Illegal("hazard-there")
    owner = state.owner[district]
    if piece in state.box_bonuses:
        if owner not in (-1, player):
            raise Illegal("not-yours")
        box, standing = state.box_bonuses, state.bonus
    elif piece in state.box_hazards:
        if owner == player:
            raise Illegal("yours")
        box, standing = state.box_hazards, state.hazard
    else:
        raise Illegal("unknown-piece")
    if not box[piece]:
        raise Illegal("box-empty")
    box[piece] -= 1
    standing[district] = piece
    state.events.append(("placed", player, piece, district))
    flow.proceed(state)
