"""The pieces in the box: blocks come as pieces of 1, 2 and 3, and change is given."""

from city_game.editions.city.board import MOST_BLOCKS
from city_game.editions.city.state import State

# The ways to make up each number of blocks from pieces of 1, 2 and 3, fewest pieces first.
WAYS = tuple(
    tuple(
        sorted(
            (
                (blocks - 2 * twos - 3 * threes, twos, threes)
                for threes in range(blocks // 3 + 1)
                for twos in range((blocks - 3 * threes) // 2 + 1)
            ),
            key=sum,
        )
    )
    for blocks in range(MOST_BLOCKS + 1)
)


def room(state: State, deed: int) -> int:
    """Return how many more blocks the rules allow there."""
    return MOST_BLOCKS - state.residential[deed] - state.industrial[deed]


def can_stand(state: State, kind: str, deed: int, more: int) -> bool:
    """Return whether the box, with change for the pieces there, can make up the blocks.

    Fewer blocks, if `more` is negative, need change as well: half of a piece of two cannot go.
    """
    box = state.box_blocks[kind]
    if 0 <= more <= box[0]:
        return True
    if more > 0 and not any(box):
        return False
    return _exchange(state, kind, deed, more) is not None


def stand(state: State, kind: str, deed: int, more: int) -> None:
    """Put `more` blocks (or fewer, if negative) of a kind on a deed, where they can stand."""
    found = _exchange(state, kind, deed, more)
    assert found is not None, "the box is empty"
    state.box_blocks[kind], state.made_of[kind][deed] = found
    state.blocks[kind][deed] += more


def give_back(state: State, deed: int) -> None:
    """Return all pieces on a deed to the box, but for its bonus."""
    for kind in ("residential", "industrial"):
        stand(state, kind, deed, -state.blocks[kind][deed])
    if state.station[deed]:
        state.station[deed] = False
        state.box_stations += 1
    if state.hazard[deed]:
        state.box_hazards[state.hazard[deed]] += 1
        state.hazard[deed] = ""
    group = state.board.group_of[deed]
    if state.stadium[group] == deed:
        state.stadium[group] = -1
    if state.skyscraper[group] == deed:
        state.skyscraper[group] = -1
    if state.tower == deed:
        state.tower = -1


def _exchange(state: State, kind: str, deed: int, more: int) -> tuple | None:
    """Return the box and the deed's pieces after the change, or None if it cannot be made."""
    box = state.box_blocks[kind]
    here = state.made_of[kind][deed]
    ones, twos, threes = box[0] + here[0], box[1] + here[1], box[2] + here[2]
    for way in WAYS[state.blocks[kind][deed] + more]:
        left = [ones - way[0], twos - way[1], threes - way[2]]
        if min(left) >= 0:
            return left, way
    return None
