"""Chance is a player: it draws the dice, the cards and, without a unit, the permits.

Its seed is in the state, and moves on with each of its actions, so that a game
resumed from its log goes on as it would have.
"""

from city_game.rules.state import State

PERMITS = ("1", "2", "3", "station")
PERMIT_ODDS = (3, 3, 3, 1)  # assumption, as the unit's

DICE = tuple((one, other) for one in range(1, 7) for other in range(1, 7))
ROLLS = tuple(("dice", *dice) for dice in DICE)
START_ROLLS = tuple(("start roll", *dice) for dice in DICE)
GRANTS = tuple(
    ("permit", permit)
    for permit, odds in zip(PERMITS, PERMIT_ODDS, strict=True)
    for _ in range(odds)
)


def draw_on(state: State) -> None:
    """Move the seed on (a 64-bit linear congruential generator; its high bits are used)."""
    state.luck = (state.luck * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF


def draw(state: State) -> tuple:
    """Return chance's action in a phase that is chance's."""
    return CHANCE[state.phase](state)


def cards(state: State) -> list[int]:
    """Return the cards that may be drawn: any unseen one, then the pile in its order."""
    if state.unseen:
        return state.unseen
    return state.pile if state.rules.reshuffle else state.pile[:1]


def _below(state: State, n: int) -> int:
    """Return a number below n; for n up to 36 the bias is below one in 10^8."""
    word = state.luck >> 22
    return (((word ^ word >> 17) & 0xFFFFFFFF) * n) >> 32


def _dice(state: State) -> tuple:
    return ROLLS[_below(state, 36)]


def _start(state: State) -> tuple:
    return START_ROLLS[_below(state, 36)]


def _card(state: State) -> tuple:
    possible = cards(state)
    return ("card", possible[_below(state, len(possible))])


def _permit(state: State) -> tuple:
    return GRANTS[_below(state, len(GRANTS))]


CHANCE = {"start roll": _start, "dice": _dice, "chance": _card, "permit": _permit}
