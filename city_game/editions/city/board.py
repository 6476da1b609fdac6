"""The board of City: districts with blocks, landmarks and hazards, beside the usual parts."""

from dataclasses import dataclass
from typing import Any

from city_game.kernel import board

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
