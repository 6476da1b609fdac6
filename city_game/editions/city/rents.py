"""The rent of a deed in City, and the worth of a player."""

from city_game.editions.city.state import State


def rent(state: State, deed: int) -> int:
    """Return the rent that a visitor owes there, mortgaged or not, by the bare rulebook.

    All blocks count, or only the industrial ones beside a hazard; doubled once by
    the group's skyscraper or by the tower, if that is the same owner's.
    """
    if state.hazard[deed]:
        return rent_beside_hazard(state, deed)
    blocks = state.industrial[deed] + state.residential[deed]
    due = state.board.rents[deed][blocks]
    return 2 * due if doubled(state, deed) else due


def rent_with(state: State, deed: int, kind: str, blocks: int) -> int:
    """Return the rent there after `blocks` more blocks of a kind."""
    counted = state.industrial[deed] + blocks
    if state.hazard[deed]:
        counted -= blocks if kind == "residential" else 0
    else:
        counted += state.residential[deed]
    due = state.board.rents[deed][counted]
    return 2 * due if doubled(state, deed) else due


def rent_beside_hazard(state: State, deed: int) -> int:
    """Return the rent there beside a hazard: the homes would not count."""
    due = state.board.rents[deed][state.industrial[deed]]
    return 2 * due if doubled(state, deed) else due


def doubled(state: State, deed: int) -> bool:
    """Return whether a skyscraper or the tower doubles this rent."""
    owner = state.owner[deed]
    if owner < 0:
        return False
    tower = state.tower
    if tower >= 0 and state.owner[tower] == owner:
        return True
    skyscraper = state.skyscraper[state.board.group_of[deed]]
    return skyscraper >= 0 and state.owner[skyscraper] == owner


def worth(state: State, player: int) -> int:
    """Return cash and the rents of all deeds; a mortgaged deed brings nothing."""
    total = state.cash[player]
    for deed in state.owned[player]:
        if not state.mortgage[deed]:
            total += rent(state, deed)
    return total


def stadiums(state: State, player: int) -> int:
    """Return how many stadiums stand on the player's deeds."""
    return sum(at >= 0 and state.owner[at] == player for at in state.stadium)


def salary(state: State, player: int) -> int:
    """Return a player's income at GO: the salary, and more for each stadium."""
    money = state.board.money
    return money.salary + money.stadium_income * stadiums(state, player)
