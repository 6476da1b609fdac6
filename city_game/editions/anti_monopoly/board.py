"""The board of competitors and monopolists, with prices of hotels, and the state of a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from city_game.editions.classic import board as classic
from city_game.editions.classic.board import HOTEL, MOST
from city_game.kernel import board
from city_game.kernel.board import SPACES, Part

DECKS = ("competitor", "monopolist")  # by the side of the player who draws
COMPETITOR, MONOPOLIST = range(len(DECKS))
NO_SIDE = -1  # not yet chosen


@dataclass
class Group(classic.Group):
    """A city with its streets, or businesses; the prices of a house and of a hotel there."""

    hotel: int = 0


class Board(classic.Board):
    """All printed facts of a board."""

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
        hotel = self.take(row, "hotel", board.sum_of_money, 0) if is_city else 0
        return {**more, "hotel": hotel}

    def made(self, *printed) -> Board:
        return Board(*printed, pieces=self.in_box)


class State(classic.State):
    """One game.

    sides   of each player: COMPETITOR, MONOPOLIST, or NO_SIDE
    fined   whether the fine was just paid, and the roll follows
    """

    __slots__ = ("fined", "sides")

    def lay_out(self) -> None:
        super().lay_out()
        self.sides = [NO_SIDE] * self.players
        self.fined = False

    def deals_deeds(self) -> bool:
        return False

    def full(self, deed: int) -> int:
        """Return how many houses stand on a street before its hotel (AM 59, 62)."""
        return 3 if self.is_of(self.owner[deed], MONOPOLIST) else 4

    def is_of(self, player: int, side: int) -> bool:
        return player >= 0 and self.sides[player] == side

    def cost(self, deed: int) -> int:
        """Return the price of all that stands there; a hotel has cost its houses too."""
        hotel = self.houses[deed] == HOTEL
        houses = self.full(deed) if hotel else self.houses[deed]
        price = self.board.house_prices[deed] * houses
        return price + self.board.hotel_prices[deed] if hotel else price
