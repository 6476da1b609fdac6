"""Chance acts as a player: it draws the dice, the cards and, without a unit, the permits.

The seed and the number of draws so far determine each draw. The state holds the number but not the
seed. A game resumed from its log therefore draws the same values, while bots and players, who can
read the whole state, cannot predict them.
"""

from collections.abc import Callable, Mapping

from city_game.kernel.state import State

Below = Callable[[int, int], int]  # (draws so far, n) to a random number below n


class Luck:
    """The chance of one game: the high bits of a 64-bit linear congruential generator.

    It differs from the unit's generator (`city_unit.draws`), and must stay: with another generator
    saved games and the golden games would draw other values.
    """

    def __init__(self, seed: int) -> None:
        self._seed = self._word = seed
        self._draws = 0  # number of the draw that `_word` belongs to

    def draw(self, state: State) -> tuple:
        """Return the action of chance in this phase; in a game without a unit, also the unit's."""
        return state.edition.draws[state.phase](state, self._below)

    def _below(self, draws: int, n: int) -> int:
        """Return a number below n; for n up to 144 the bias is below 10^-7."""
        if draws < self._draws:  # actions were undone
            self._word, self._draws = self._seed, 0
        while self._draws < draws:
            self._word = (self._word * 6364136223846793005 + 1442695040888963407) % 2**64
            self._draws += 1
        word = self._word >> 22
        return (((word ^ word >> 17) & 0xFFFFFFFF) * n) >> 32


def is_drawn(state: State) -> bool:
    """Return whether chance acts next; with a unit, the caller leaves the permits to it."""
    return state.phase in state.edition.draws


def cards(state: State) -> list[int]:
    """Return the cards that may be drawn now: any unseen one, else the top of the pile.

    With the switch `reshuffle` it may be any card of the pile.
    """
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


# phase: draws the action of chance; an edition may add phases
DRAWS: Mapping[str, Callable[[State, Below], tuple]] = {
    "start roll": _dice,
    "dice": _dice,
    "chance": _card,
}
