"""What a district brings, and what a player is worth."""

from city_game.kernel.state import State


def rent(state: State, district: int) -> int:
    """Return what a visitor owes there, mortgaged or not; the bare rule of the rulebook.

    All blocks count, or only the industrial ones beside a hazard; doubled once by
    the group's skyscraper or by the tower, if that is the same owner's.
    """
    if state.hazard[district]:
        return rent_beside_hazard(state, district)
    blocks = state.industrial[district] + state.residential[district]
    due = state.board.rents[district][blocks]
    return 2 * due if doubled(state, district) else due


def rent_with(state: State, district: int, kind: str, blocks: int) -> int:
    """Return what would be owed there with so many more blocks of a kind."""
    counted = state.industrial[district] + blocks
    if state.hazard[district]:
        counted -= blocks if kind == "residential" else 0
    else:
        counted += state.residential[district]
    due = state.board.rents[district][counted]
    return 2 * due if doubled(state, district) else due


def rent_beside_hazard(state: State, district: int) -> int:
    """Return what would be owed there beside a hazard: the homes would not count."""
    due = state.board.rents[district][state.industrial[district]]
    return 2 * due if doubled(state, district) else due


def doubled(state: State, district: int) -> bool:
    """Return whether a skyscraper or the tower doubles this rent."""
    owner = state.owner[district]
    if owner < 0:
        return False
    tower = state.tower
    if tower >= 0 and state.owner[tower] == owner:
        return True
    skyscraper = state.skyscraper[state.board.group_of[district]]
    return skyscraper >= 0 and state.owner[skyscraper] == owner


def worth(state: State, player: int) -> int:
    """Return cash and the rents of all deeds; a mortgaged deed brings nothing."""
    total = state.cash[player]
    for district in state.owned[player]:
        if not state.mortgage[district]:
            total += rent(state, district)
    return total


def has_group(state: State, player: int, group: int) -> bool:
    """Return whether all the group's districts are this player's."""
    return state.held[player][group] == len(state.board.members[group])


def stadiums(state: State, player: int) -> int:
    """Return how many stadiums stand on the player's districts."""
    return sum(at >= 0 and state.owner[at] == player for at in state.stadium)
