"""The board file of City: the keys and sections that only its boards have."""

from collections.abc import Callable, Sequence

from city_game.editions.city.board import (
    BONUSES,
    HAZARDS,
    MOST_BLOCKS,
    SPACES,
    Board,
    Deed,
    Group,
    Money,
    Pieces,
)
from city_game.kernel import board
from city_game.kernel import board_values as values
from city_game.kernel.board_file import BoardReader, Part, key_of
from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import any_of

SUMS_OF_A_DISTRICT = ("price", "residential", "industrial")


def counts(kinds: tuple[str, ...]) -> Callable[[object], dict[str, int]]:
    """Return a reader of the number of pieces of each kind, 0 for a kind that is not named."""

    def read(value: object) -> dict[str, int]:
        if not isinstance(value, dict):
            raise ValueError(
                _("it must be how many there are of {kinds}").format(kinds=any_of(kinds))
            )
        for kind, count in value.items():
            toml_reader.choice(kinds)(kind)
            values.COUNT(count)
        return {kind: value.get(kind, 0) for kind in kinds}

    return read


class Reader(BoardReader):
    """A reading of a board of City."""

    money = Money
    spaces = SPACES
    cards = (
        (
            rf"pay {values.SUM} per block",
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
        three = toml_reader.list_of(values.COUNT, 3, 3)  # how many of 1, 2 and 3 blocks
        self.pieces = Pieces(
            residential=self.take(part, "residential", three, ()),
            industrial=self.take(part, "industrial", three, ()),
            stations=self.take(part, "stations", values.COUNT, 0),
            stadiums=self.take(part, "stadiums", values.COUNT, 0),
            skyscrapers=self.take(part, "skyscrapers", values.COUNT, 0),
            bonuses=self.take(part, "bonuses", counts(BONUSES), {}),
            hazards=self.take(part, "hazards", counts(tuple(HAZARDS)), {}),
        )
        self.unknown_keys(part)

    def group(self, row: Part) -> Group:
        name = self.take(row, "name", values.some_text, "")
        colour = self.take(row, "colour", values.colour, "")
        skyscraper = self.take(row, "skyscraper", values.sum_of_money, 0)
        self.unknown_keys(row)
        return Group(name, colour, skyscraper=skyscraper)

    def deed(self, row: Part, groups: Sequence[board.Group]) -> Deed:
        name, group = self.name_and_group(row, groups)
        price, residential, industrial = (
            self.take(row, key, values.sum_of_money, 0) for key in SUMS_OF_A_DISTRICT
        )
        rents = self.take(row, "rents", values.rents(MOST_BLOCKS), ())
        self.unknown_keys(row)
        return Deed(
            name, key_of(name), group, price, rents, residential=residential, industrial=industrial
        )

    def made(self, *printed: object) -> Board:
        return Board(*printed, pieces=self.pieces)
