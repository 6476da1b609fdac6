"""The board of City with its pieces, the state of a game on it, and the rents of its districts.

Districts have blocks, landmarks, bonuses and hazards. The box holds pieces of 1, 2 and 3 blocks,
and players may exchange pieces for others of the same total.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from city_game.kernel import board, state
from city_game.kernel.board import BoardReader, Part
from city_game.kernel.edition import Look
from city_game.kernel.state import BANK
from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import any_of

BONUSES = ("school", "park", "wind farm", "water tower")
KINDS = ("residential", "industrial")  # of blocks
HAZARDS = {"power station": 3, "sewage works": 3, "prison": 4, "rubbish dump": 2}  # in blocks
SPACES = ("go", "chance", "auction", "planning", "tax", "jail", "parking", "go to jail")

MOST_BLOCKS = 8  # in a district


@dataclass
class Deed(board.Deed):
    """A district: its rents are for 0 to 8 blocks; the other fields are the prices of a block."""

    residential: int = 0
    industrial: int = 0


@dataclass
class Group(board.Group):
    """Districts of one colour, with the price of their skyscraper in notes of 10k."""

    skyscraper: int = 0


@dataclass
class Money(board.Money):
    """The sums that belong to no district, in notes of 10k."""

    stadium: int
    stadium_income: int
    tower: int
    hazard_block: int


@dataclass
class Pieces:
    """The pieces in the box; of blocks, the numbers of pieces of 1, 2 and 3 blocks."""

    residential: tuple[int, ...]
    industrial: tuple[int, ...]
    stations: int
    stadiums: int
    skyscrapers: int
    bonuses: dict[str, int]
    hazards: dict[str, int]


class Board(board.Board):
    """All printed facts of a board, and the pieces in the box."""

    money: Money
    groups: list[Group]
    deeds: list[Deed]

    def __init__(self, *printed: Any, pieces: Pieces) -> None:
        super().__init__(*printed)
        self.pieces = pieces
        self.block_prices = {kind: [getattr(deed, kind) for deed in self.deeds] for kind in KINDS}


def piece_counts(kinds: tuple[str, ...]) -> Callable[[object], dict[str, int]]:
    """Return a reader of the number of pieces of each kind, 0 for a missing kind."""

    def read(value: object) -> dict[str, int]:
        if not isinstance(value, dict):
            raise ValueError(
                _("it must be a table with the numbers of {kinds}").format(kinds=any_of(kinds))
            )
        for kind, count in value.items():
            toml_reader.choice(kinds)(kind)
            board.COUNT(count)
        return {kind: value.get(kind, 0) for kind in kinds}

    return read


class Reader(BoardReader):
    """Reads a board of City."""

    of_group, of_deed, money = Group, Deed, Money
    spaces = SPACES
    cards = (
        (
            rf"pay {board.SUM} per block",
            "pay per block",
            "pay 50k per block",  # no text: in the file
        ),
        (r"planning permission", "planning", "planning permission"),  # no text: in the file
        (r"auction", "auction", "auction"),
        (r"knock down ([1-9])", "knock down", "knock down 2"),  # no text: in the file
    )
    pieces = Pieces((), (), 0, 0, 0, {}, {})

    def read_more(self) -> None:
        part = self.section("pieces")
        if part is None:
            return
        three = toml_reader.list_of(board.COUNT, 3, 3)  # the pieces of 1, 2 and 3 blocks
        self.pieces = Pieces(
            residential=self.take(part, "residential", three, ()),
            industrial=self.take(part, "industrial", three, ()),
            stations=self.take(part, "stations", board.COUNT, 0),
            stadiums=self.take(part, "stadiums", board.COUNT, 0),
            skyscrapers=self.take(part, "skyscrapers", board.COUNT, 0),
            bonuses=self.take(part, "bonuses", piece_counts(BONUSES), {}),
            hazards=self.take(part, "hazards", piece_counts(tuple(HAZARDS)), {}),
        )
        self.unknown_keys(part)

    def group_more(self, row: Part) -> dict[str, Any]:
        return {"skyscraper": self.take(row, "skyscraper", board.sum_of_money, 0)}

    def deed_more(self, row: Part) -> dict[str, Any]:
        return {kind: self.take(row, kind, board.sum_of_money, 0) for kind in KINDS}

    def rents(self, group: board.Group | None) -> toml_reader.Reader[tuple[int, ...]]:
        return board.rents(MOST_BLOCKS)

    def make_board(self, *printed: object) -> Board:
        return Board(*printed, pieces=self.pieces)


class State(state.State):
    """One game of City.

    pressed   whether BUILD was pressed since the last roll
    permit    the number of blocks that may still be built
    travel    whether the player may take the train from the station where they stand
    by_train  whether the player is arriving by train
    dodge     the holder of the rent dodge card; BANK if it lies on free parking
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
        self.stadium = [-1] * len(board.groups)  # its deed, -1 for none
        self.skyscraper = [-1] * len(board.groups)
        self.tower = -1
        self.blocks = {"residential": self.residential, "industrial": self.industrial}
        # The numbers of pieces of 1, 2 and 3 blocks on each deed.
        self.made_of = {kind: [(0, 0, 0)] * deeds for kind in KINDS}
        self.box_blocks = {kind: list(getattr(pieces, kind)) for kind in KINDS}
        self.box_stations = pieces.stations
        self.box_bonuses = dict(pieces.bonuses)
        self.box_hazards = dict(pieces.hazards)
        self.pressed = False
        self.permit = 0
        self.travel = False
        self.by_train = False


# By number of blocks: the ways to make it up from pieces of 1, 2 and 3, fewest pieces first.
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
    """Return how many more blocks the deed has room for."""
    return MOST_BLOCKS - state.residential[deed] - state.industrial[deed]


def can_make_up(state: State, kind: str, deed: int, more: int) -> bool:
    """Return whether the pieces in the box and on the deed can make up the new number of blocks.

    This also matters for a negative `more`: half of a piece of two cannot be removed.
    """
    box = state.box_blocks[kind]
    if 0 <= more <= box[0]:
        return True
    if more > 0 and not any(box):
        return False
    return _exchange(state, kind, deed, more) is not None


def change_blocks(state: State, kind: str, deed: int, more: int) -> None:
    """Add `more` blocks of a kind to a deed, or remove some if negative; see `can_make_up`."""
    found = _exchange(state, kind, deed, more)
    assert found is not None, "the box is empty"
    state.box_blocks[kind], state.made_of[kind][deed] = found
    state.blocks[kind][deed] += more


def clear_deed(state: State, deed: int) -> None:
    """Return all pieces on a deed to the box, except its bonus."""
    for kind in KINDS:
        change_blocks(state, kind, deed, -state.blocks[kind][deed])
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
    """Return the pieces in the box and on the deed after the change, None if it is impossible."""
    box = state.box_blocks[kind]
    here = state.made_of[kind][deed]
    ones, twos, threes = box[0] + here[0], box[1] + here[1], box[2] + here[2]
    for way in WAYS[state.blocks[kind][deed] + more]:
        left = [ones - way[0], twos - way[1], threes - way[2]]
        if min(left) >= 0:
            return left, way
    return None


# Rents, the appearance of a deed, and the worth of a player.


def rent(state: State, deed: int) -> int:
    """Return the rent of a deed, as if it were not mortgaged.

    All blocks count, but beside a hazard only the industrial ones. The group's skyscraper or the
    tower doubles it, once, if it has the same owner.
    """
    return rent_with(state, deed, "industrial", 0)


def rent_with(state: State, deed: int, kind: str, blocks: int) -> int:
    """Return the rent of a deed with `blocks` more blocks of a kind."""
    counted = state.industrial[deed] + blocks
    if state.hazard[deed]:
        counted -= blocks if kind == "residential" else 0
    else:
        counted += state.residential[deed]
    due = state.board.rents[deed][counted]
    return 2 * due if is_doubled(state, deed) else due


def rent_beside_hazard(state: State, deed: int) -> int:
    """Return the rent of a deed beside a hazard, where homes do not count."""
    due = state.board.rents[deed][state.industrial[deed]]
    return 2 * due if is_doubled(state, deed) else due


def is_doubled(state: State, deed: int) -> bool:
    """Return whether a skyscraper or the tower doubles the rent of a deed."""
    owner = state.owner[deed]
    if owner < 0:
        return False
    tower = state.tower
    if tower >= 0 and state.owner[tower] == owner:
        return True
    skyscraper = state.skyscraper[state.board.group_of[deed]]
    return skyscraper >= 0 and state.owner[skyscraper] == owner


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
        is_doubled=is_doubled(state, deed),
        counted=state.industrial[deed] + (0 if state.hazard[deed] else state.residential[deed]),
    )


def worth(state: State, player: int) -> int:
    """Return cash plus the rents of all deeds, nothing for mortgaged ones."""
    total = state.cash[player]
    for deed in state.owned[player]:
        if not state.mortgage[deed]:
            total += rent(state, deed)
    return total


def salary(state: State, player: int) -> int:
    """Return a player's income at GO: the salary, plus a sum for each stadium."""
    money = state.board.money
    stadiums = sum(at >= 0 and state.owner[at] == player for at in state.stadium)
    return money.salary + money.stadium_income * stadiums
