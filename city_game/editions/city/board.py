"""The board of City: districts with blocks, landmarks and hazards, beside the usual parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from city_game.kernel import board
from city_game.kernel.board import BoardReader, Part
from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import any_of

BONUSES = ("school", "park", "wind farm", "water tower")
HAZARDS = {"power station": 3, "sewage works": 3, "prison": 4, "rubbish dump": 2}  # in blocks

# The kinds of space; a district's space has its name on the track instead.
SPACES = ("go", "chance", "auction", "planning", "tax", "jail", "parking", "go to jail")

MOST_BLOCKS = 8  # a district


@dataclass
class Deed(board.Deed):
    """One district; `rents` are for 0 to 8 blocks, the others the prices of a block."""

    residential: int = 0
    industrial: int = 0


@dataclass
class Group(board.Group):
    """Districts of one colour, and the price of their skyscraper in notes of 10k."""

    skyscraper: int = 0


@dataclass
class Money(board.Money):
    """The sums that are not a district's, in notes of 10k."""

    stadium: int
    stadium_income: int
    tower: int
    hazard_block: int


@dataclass
class Pieces:
    """The pieces in the box; residential and industrial by pieces of 1, 2 and 3 blocks."""

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
        self.block_prices = {
            "residential": [deed.residential for deed in self.deeds],
            "industrial": [deed.industrial for deed in self.deeds],
        }


def counts(kinds: tuple[str, ...]) -> Callable[[object], dict[str, int]]:
    """Return a reader of the number of pieces of each kind, 0 for a kind that is not named."""

    def read(value: object) -> dict[str, int]:
        if not isinstance(value, dict):
            raise ValueError(
                _("it must be how many there are of {kinds}").format(kinds=any_of(kinds))
            )
        for kind, count in value.items():
            toml_reader.choice(kinds)(kind)
            board.COUNT(count)
        return {kind: value.get(kind, 0) for kind in kinds}

    return read


class Reader(BoardReader):
    """A reading of a board of City."""

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
        three = toml_reader.list_of(board.COUNT, 3, 3)  # how many of 1, 2 and 3 blocks
        self.pieces = Pieces(
            residential=self.take(part, "residential", three, ()),
            industrial=self.take(part, "industrial", three, ()),
            stations=self.take(part, "stations", board.COUNT, 0),
            stadiums=self.take(part, "stadiums", board.COUNT, 0),
            skyscrapers=self.take(part, "skyscrapers", board.COUNT, 0),
            bonuses=self.take(part, "bonuses", counts(BONUSES), {}),
            hazards=self.take(part, "hazards", counts(tuple(HAZARDS)), {}),
        )
        self.unknown_keys(part)

    def group_more(self, row: Part) -> dict[str, Any]:
        return {"skyscraper": self.take(row, "skyscraper", board.sum_of_money, 0)}

    def deed_more(self, row: Part) -> dict[str, Any]:
        kinds = ("residential", "industrial")
        return {kind: self.take(row, kind, board.sum_of_money, 0) for kind in kinds}

    def rents(self, group: board.Group | None) -> toml_reader.Reader[tuple[int, ...]]:
        return board.rents(MOST_BLOCKS)

    def made(self, *printed: object) -> Board:
        return Board(*printed, pieces=self.pieces)
