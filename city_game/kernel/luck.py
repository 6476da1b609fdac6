"""Chance is a player: it draws the dice, the cards and, without a unit, the permits.

Its next action follows from its seed and from the number of its actions. The state has the
number and not the seed: so a game resumed from its log goes on as it would have, and a reader
of the state, such as a bot, cannot see the dice to come.
"""

from collections.abc import Callable, Mapping

from city_game.kernel.state import State

Below = Callable[[int, int], int]  # a number below the second, by the number of draws so far


class Luck:
    """Chance in one game: the high bits of a 64-bit linear congruential generator.

    It is not the unit's generator (`city_unit.draws`) because games that were begun, and the
    golden games, have these numbers: another generator would roll other dice in a resumed game.
    """

    def __init__(self, seed: int) -> None:
        self._seed = self._word = seed
        self._draws = 0  # how far the generator has come

    def draw(self, state: State) -> tuple:
        """Return chance's action, or that of a unit that is not there."""
        return state.edition.draws[state.phase](state, self._below)

    def _below(self, draws: int, n: int) -> int:
        """Return a number below n; for n up to 144 the bias is below 10^-7."""
        if draws < self._draws:  # steps were undone
            self._word, self._draws = self._seed, 0
        while self._draws < draws:
            self._word = (self._word * 6364136223846793005 + 1442695040888963407) % 2**64
            self._draws += 1
        word = self._word >> 22
        return (((word ^ word >> 17) & 0xFFFFFFFF) * n) >> 32


def is_drawn(state: State) -> bool:
    """Return whether chance acts next, where no unit draws for it."""
    return state.phase in state.edition.draws


def cards(state: State) -> list[int]:
    """Return the cards of the deck that may be drawn: any unseen, then the pile in its order."""
    deck, printed = state.deck, state.board.cards
    if unseen := [card for card in state.unseen if printed[card].deck == deck]:
        return unseen
    pile = [card for card in state.pile if printed[card].deck == deck]
    return pile if state.rules.reshuffle else pile[:1]


def _dice(state: State, below: Below) -> tuple:
    sides = state.edition.sides
    first, second = divmod(below(state.draws, sides * sides), sides)
    return (state.phase, first + 1, second + 1)


def _card(state: State, below: Below) -> tuple:
    possible = cards(state)
    return ("card", possible[below(state.draws, len(possible))])


# phase: chance's action in it; an edition may have more
DRAWS: Mapping[str, Callable[[State, Below], tuple]] = {
    "start roll": _dice,
    "dice": _dice,
    "chance": _card,
}
