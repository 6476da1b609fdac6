"""The state of a game of City, the pieces that stand on its deeds, and the rents that they earn.

Blocks come as pieces of 1, 2 and 3, and change is given.
"""

from city_game.editions.city.board import MOST_BLOCKS, Board
from city_game.kernel import state
from city_game.kernel.edition import Look
from city_game.kernel.state import BANK


class State(state.State):
    """One game of City.

    pressed  whether BUILD was pressed since the last roll
    permit   blocks that may still be built
    travel   whether the player stands on a station, to be used
    by_train  whether the player is arriving by station
    dodge    the holder of the rent dodge card; BANK is free parking
    """

    __slots__ = (
        "blocks",
        "bonus",
        "box_blocks",
        "box_bonuses",
        "box_hazards",
        "box_stations",
        "by_train",
        "dodge",
        "hazard",
        "industrial",
        "made_of",
        "permit",
        "pressed",
        "residential",
        "skyscraper",
        "stadium",
        "station",
        "tower",
        "travel",
    )
    board: Board

    def lay_out(self) -> None:
        board, pieces = self.board, self.board.pieces
        deeds = len(board.deeds)
        self.dodge = BANK
        self.residential = [0] * deeds
        self.industrial = [0] * deeds
        self.bonus = [""] * deeds
        self.hazard = [""] * deeds
        self.station = [False] * deeds
        self.stadium = [-1] * len(board.groups)  # the deed where it stands
        self.skyscraper = [-1] * len(board.groups)
        self.tower = -1
        self.blocks = {"residential": self.residential, "industrial": self.industrial}
        # By pieces of 1, 2 and 3 blocks, as they were placed.
        self.made_of = {kind: [(0, 0, 0)] * deeds for kind in self.blocks}
        self.box_blocks = {
            "residential": list(pieces.residential),
            "industrial": list(pieces.industrial),
        }
        self.box_stations = pieces.stations
        self.box_bonuses = dict(pieces.bonuses)
        self.box_hazards = dict(pieces.hazards)
        self.pressed = False
        self.permit = 0
        self.travel = False
        self.by_train = False


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


# Rents, the look of a deed, and the worth of a player.


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


def counted_blocks(state: State, deed: int) -> int:
    """Return the number of blocks that count for the rent: beside a hazard homes do not."""
    blocks = state.industrial[deed]
    return blocks if state.hazard[deed] else blocks + state.residential[deed]


def look(state: State, deed: int) -> Look:
    group = state.board.group_of[deed]
    there = (
        state.bonus[deed] or state.hazard[deed],
        "stadium" if state.stadium[group] == deed else "",
        "skyscraper" if state.skyscraper[group] == deed else "",
        "tower" if state.tower == deed else "",
    )
    return Look(
        homes=state.made_of["residential"][deed],
        works=state.made_of["industrial"][deed],
        landmarks=tuple(kind for kind in there if kind),
        has_station=bool(state.station[deed]),
        is_doubled=doubled(state, deed),
        counted=counted_blocks(state, deed),
    )


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
