"""The classic board: streets with houses, stations and utilities, beside the usual parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from city_game.kernel import board
from city_game.kernel import board_values as values
from city_game.kernel.board import SPACES
from city_game.kernel.board_file import BoardReader, Part, key_of
from city_unit.desktop import toml_reader

MOST = 5  # the rents of a street go up to the hotel
HOTEL = 5  # a street has 0 to 4 houses, or this value


@dataclass
class Group(board.Group):
    """Deeds of one sort, and the price of a house there, in notes of 10k."""

    sort: str = "street"
    house: int = 0


@dataclass
class Pieces:
    """The houses and hotels that the bank has to sell."""

    houses: int
    hotels: int


class Board(board.Board):
    """All printed facts of a board; `sorts` and `house_prices` by deed."""

    groups: list[Group]

    def __init__(self, *printed, pieces: Pieces) -> None:
        super().__init__(*printed)
        self.pieces = pieces
        self.sorts = [self.groups[group].sort for group in self.group_of]
        self.house_prices = [self.groups[group].house for group in self.group_of]


class Reader(BoardReader):
    """A reading of a classic board.

    sorts  the sorts of a group, and so of its deeds: of each the last index of its rents
    """

    sorts: Mapping[str, int] = {"street": MOST, "station": 3, "utility": 1}
    spaces = (*SPACES, "chest")
    cards = (
        (
            rf"pay {values.SUM} per house",
            "repairs",
            "pay 250k per house",  # no text: in the file
        ),
    )
    in_box = Pieces(0, 0)

    def read_more(self) -> None:
        part = self.section("pieces")
        if part:
            houses = self.take(part, "houses", values.COUNT, 0)
            self.in_box = Pieces(houses, self.take(part, "hotels", values.COUNT, 0))
            self.unknown_keys(part)

    def group(self, row: Part) -> Group:
        name = self.take(row, "name", values.some_text, "")
        colour = self.take(row, "colour", values.colour, "")
        sort = self.take(row, "sort", toml_reader.choice([*self.sorts]), "street")
        house = self.take(row, "house", values.sum_of_money, 0) if sort == "street" else 0
        self.unknown_keys(row)
        return Group(name, colour, sort=sort, house=house)

    def deed(self, row: Part, groups: Sequence[board.Group]) -> board.Deed:
        name, place = self.name_and_group(row, groups)
        price = self.take(row, "price", values.sum_of_money, 0)
        group = groups[place] if place >= 0 else None
        sort = group.sort if isinstance(group, Group) else "street"
        rents = self.take(row, "rents", values.rents(self.sorts.get(sort, MOST)), ())
        self.unknown_keys(row)
        return board.Deed(name, key_of(name), place, price, rents)

    def made(self, *printed) -> Board:
        return Board(*printed, pieces=self.in_box)
