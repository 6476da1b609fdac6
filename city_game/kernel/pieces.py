"""The pieces in the box: blocks come as pieces of 1, 2 and 3, and change is given."""

from city_game.editions.board import MOST_BLOCKS
from city_game.kernel.state import State

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


def room(state: State, district: int) -> int:
    """Return how many more blocks the rules allow there."""
    return MOST_BLOCKS - state.residential[district] - state.industrial[district]


def can_stand(state: State, kind: str, district: int, more: int) -> bool:
    """Return whether the box, and change for what stands there, has the pieces.

    Fewer blocks, if `more` is negative, need change as well: half of a piece of two cannot go.
    """
    box = state.box_blocks[kind]
    if 0 <= more <= box[0]:
        return True
    if more > 0 and not any(box):
        return False
    return _exchange(state, kind, district, more) is not None


def stand(state: State, kind: str, district: int, more: int) -> None:
    """Put `more` blocks (or fewer, if negative) of a kind on a district, where they can stand."""
    found = _exchange(state, kind, district, more)
    assert found is not None, "the box is empty"
    state.box_blocks[kind], state.made_of[kind][district] = found
    state.blocks[kind][district] += more


def give_back(state: State, district: int) -> None:
    """Return everything that stands on a district to the box, but for its bonus."""
    for kind in ("residential", "industrial"):
        stand(state, kind, district, -state.blocks[kind][district])
    if state.station[district]:
        state.station[district] = False
        state.box_stations += 1
    if state.hazard[district]:
        state.box_hazards[state.hazard[district]] += 1
        state.hazard[district] = ""
    group = state.board.group_of[district]
    if state.stadium[group] == district:
        state.stadium[group] = -1
    if state.skyscraper[group] == district:
        state.skyscraper[group] = -1
    if state.tower == district:
        state.tower = -1


def _exchange(state: State, kind: str, district: int, more: int) -> tuple | None:
    """Return the box and the district's pieces after the change, or None if it cannot be made."""
    box = state.box_blocks[kind]
    here = state.made_of[kind][district]
    ones, twos, threes = box[0] + here[0], box[1] + here[1], box[2] + here[2]
    for way in WAYS[state.blocks[kind][district] + more]:
        left = [ones - way[0], twos - way[1], threes - way[2]]
        if min(left) >= 0:
            return left, way
    return None
