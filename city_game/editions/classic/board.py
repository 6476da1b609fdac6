"""The classic board, with streets, stations and utilities, and the state of a game on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from city_game.kernel import board, state
from city_game.kernel.board import SPACES, BoardReader, Part
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
    """All printed facts of a board; `sorts`, `house_prices` and `hotel_prices` by deed."""

    groups: list[Group]

    def __init__(self, *printed, pieces: Pieces) -> None:
        super().__init__(*printed)
        self.pieces = pieces
        self.sorts = [self.groups[group].sort for group in self.group_of]
        self.house_prices = [self.groups[group].house for group in self.group_of]
        self.hotel_prices = self.house_prices


class Reader(BoardReader):
    """A reading of a classic board.

    sorts  the sorts of a group, and so of its deeds: of each the last index of its rents
    """

    of_group = Group
    sorts: Mapping[str, int] = {"street": MOST, "station": 3, "utility": 1}
    spaces = (*SPACES, "chest")
    cards = (
        (
            rf"pay {board.SUM} per house",
            "repairs",
            "pay 250k per house",  # no text: in the file
        ),
    )
    in_box = Pieces(0, 0)

    def read_more(self) -> None:
        part = self.section("pieces")
        if part:
            houses = self.take(part, "houses", board.COUNT, 0)
            self.in_box = Pieces(houses, self.take(part, "hotels", board.COUNT, 0))
            self.unknown_keys(part)

    def group_more(self, row: Part) -> dict[str, Any]:
        sort = self.take(row, "sort", toml_reader.choice([*self.sorts]), "street")
        price = self.take(row, "house", board.sum_of_money, 0) if sort == "street" else 0
        return {"sort": sort, "house": price}

    def rents(self, group: board.Group | None) -> toml_reader.Reader[tuple[int, ...]]:
        sort = group.sort if isinstance(group, Group) else "street"
        return board.rents(self.sorts.get(sort, MOST))

    def made(self, *printed) -> Board:
        return Board(*printed, pieces=self.in_box)


class State(state.State):
    """One classic game.

    houses  on each deed: 0 to 4, or 5 for a hotel
    bank    the houses, and the hotels, that the bank has left
    won     the player, and the index in `bank`, of what was won and is still to be placed
    back    the phase and the decider to return to after a sale
    thrown  the sum of the last throw
    dealt   the number of deeds dealt before the game, by a switch
    pot     the index of the first event that counts for the money on free parking, by a switch
    """

    __slots__ = ("back", "bank", "dealt", "houses", "pot", "thrown", "won")
    board: Board

    def lay_out(self) -> None:
        self.houses = [0] * len(self.board.deeds)
        self.bank = [self.board.pieces.houses, self.board.pieces.hotels]
        self.won: tuple[int, int] | None = None
        self.back: tuple[str, int] | None = None
        self.thrown = 0
        self.dealt = self.pot = 0
        if self.deals_deeds():
            self.phase = "dealing"

    def deals_deeds(self) -> bool:
        """Return whether deeds are dealt before the dice decide who starts."""
        is_timed = not self.rules.until_one_is_left
        return self.rules.short_game or (is_timed and self.rules.deeds_are_dealt)

    def full(self, _deed: int) -> int:
        """Return how many houses stand on a street before its hotel."""
        return 3 if self.rules.short_game else 4

    def worth_in_houses(self, deed: int) -> int:
        """Return the cost of the buildings there in houses; a hotel is one more than `full`."""
        return self.full(deed) + 1 if self.houses[deed] == HOTEL else self.houses[deed]
