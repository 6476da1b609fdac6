"""Chance is a player: it draws the dice, the cards and, without a unit, the permits.

What it does next follows from its seed and from how often it has acted, and of these the
state knows only the second: so a game resumed from its log goes on as it would have, and
nobody who is shown the state, such as a bot, can see the dice to come.
"""

from city_game.editions.program import described
from city_game.kernel.state import State

DICE = tuple((first, second) for first in range(1, 7) for second in range(1, 7))
ROLLS = tuple(("dice", *dice) for dice in DICE)
START_ROLLS = tuple(("start roll", *dice) for dice in DICE)
PERMITS = tuple(described().odds)
GRANTS = tuple(("permit", permit) for permit, odds in described().odds.items() for _ in range(odds))

DRAWN = ("start roll", "dice", "chance")  # the phases that are chance's alone
PHASES = (*DRAWN, "permit")  # and that of the unit, where there is a unit


class Luck:
    """Chance in one game: a 64-bit linear congruential generator, of which high bits are used.

    It is not the unit's generator (`city_unit.draws`) because games that were begun, and the
    golden games, have these numbers: another generator would roll other dice in a resumed game.
    """

    def __init__(self, seed: int) -> None:
        self._seed = self._word = seed
        self._draws = 0  # how far the generator has come

    def draw(self, state: State) -> tuple:
        """Return chance's action in a phase that is chance's."""
        phase = state.phase
        if phase == "dice":
            return ROLLS[self._below(state.draws, 36)]
        if phase == "start roll":
            return START_ROLLS[self._below(state.draws, 36)]
        if phase == "permit":
            return GRANTS[self._below(state.draws, len(GRANTS))]
        possible = cards(state)
        return ("card", possible[self._below(state.draws, len(possible))])

    def _below(self, draws: int, n: int) -> int:
        """Return a number below n; for n up to 36 the bias is below 10^-8."""
        if draws < self._draws:  # steps were taken back
            self._word, self._draws = self._seed, 0
        while self._draws < draws:
            self._word = (self._word * 6364136223846793005 + 1442695040888963407) % 2**64
            self._draws += 1
        word = self._word >> 22
        return (((word ^ word >> 17) & 0xFFFFFFFF) * n) >> 32


def cards(state: State) -> list[int]:
    """Return the cards that may be drawn: any that is unseen, then the pile in its order."""
    if state.unseen:
        return state.unseen
    return state.pile if state.rules.reshuffle else state.pile[:1]
