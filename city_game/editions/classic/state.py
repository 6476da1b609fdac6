"""The state of a classic game, beside the state of any game."""

from city_game.editions.classic.board import HOTEL, Board
from city_game.kernel import state


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

    def full(self) -> int:
        """Return how many houses stand on a street before its hotel."""
        return 3 if self.rules.short_game else 4

    def worth_in_houses(self, deed: int) -> int:
        """Return the cost of the buildings there in houses; a hotel is one more than `full`."""
        return self.full() + 1 if self.houses[deed] == HOTEL else self.houses[deed]
