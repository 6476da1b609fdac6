"""The state of a game of competitors and monopolists, beside the state of any game."""

from city_game.editions.anti_monopoly.board import DECKS, Board
from city_game.editions.classic.board import HOTEL
from city_game.kernel import state

COMPETITOR, MONOPOLIST = range(len(DECKS))
NO_SIDE = -1  # not yet chosen


class State(state.State):
    """One game.

    houses  on each deed: 0 to 4, or 5 for a hotel
    bank    the houses, and the hotels, that the bank has left
    sides   of each player: COMPETITOR, MONOPOLIST, or NO_SIDE
    fined   whether the fine was just paid, and the roll follows
    """

    __slots__ = ("bank", "fined", "houses", "sides")
    board: Board

    def lay_out(self) -> None:
        self.houses = [0] * len(self.board.deeds)
        self.bank = [self.board.pieces.houses, self.board.pieces.hotels]
        self.sides = [NO_SIDE] * self.players
        self.fined = False

    def full(self, deed: int) -> int:
        """Return how many houses stand on a street before its hotel (AM 59, 62)."""
        return 3 if self.is_of(self.owner[deed], MONOPOLIST) else 4

    def worth_in_houses(self, deed: int) -> int:
        """Return the number of houses there; a hotel is one more than those given for it."""
        return self.full(deed) + 1 if self.houses[deed] == HOTEL else self.houses[deed]

    def is_of(self, player: int, side: int) -> bool:
        return player >= 0 and self.sides[player] == side

    def cost(self, deed: int) -> int:
        """Return the price of all that stands there; a hotel has cost its houses too."""
        hotel = self.houses[deed] == HOTEL
        houses = self.full(deed) if hotel else self.houses[deed]
        price = self.board.house_prices[deed] * houses
        return price + self.board.hotel_prices[deed] if hotel else price
