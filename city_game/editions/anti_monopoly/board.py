"""The board of competitors and monopolists: a classic board, and what a hotel costs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from city_game.editions.classic import board as classic
from city_game.editions.classic.board import MOST
from city_game.kernel import board_file
from city_game.kernel.board import SPACES
from city_game.kernel.board_file import Part

DECKS = ("competitor", "monopolist")  # by the side of the player who draws


@dataclass
class Group(classic.Group):
    """A city with its streets, or businesses; the prices of a house and of a hotel there."""

    hotel: int = 0


class Board(classic.Board):
    """All printed facts of a board; `hotel_prices` by deed."""

    def __init__(self, *printed, pieces: classic.Pieces) -> None:
        super().__init__(*printed, pieces=pieces)
        self.hotel_prices = [cast(Group, self.groups[group]).hotel for group in self.group_of]


class Reader(classic.Reader):
    """A reading of a board of competitors and monopolists."""

    of_group = Group
    spaces = (*SPACES, "side card")
    decks = DECKS
    sorts: Mapping[str, int] = {"street": MOST, "business": 0}

    def group_more(self, row: Part) -> dict[str, Any]:
        more = super().group_more(row)
        is_city = more["sort"] == "street"
        hotel = self.take(row, "hotel", board_file.sum_of_money, 0) if is_city else 0
        return {**more, "hotel": hotel}

    def made(self, *printed) -> Board:
        return Board(*printed, pieces=self.in_box)
