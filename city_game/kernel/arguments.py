"""Checks of the values of an action: whether each names a player, a deed, a number that exists.

An action comes from a save, a window, a bot or a program. A list would take the index -1
for its last entry, and True for 1. These checks let only proper values through, so that the
rules behind them need not check again.
"""

from collections.abc import Callable, Mapping

from city_game.kernel.state import State

Check = Callable[[State, object], bool]


def fit(state: State, checks: tuple[Check, ...], values: tuple) -> bool:
    """Return whether the values of an action pass the checks of its fields."""
    if len(checks) != len(values):
        return False
    # A loop, because it runs before each action: `all` costs twice as much.
    for check, value in zip(checks, values, strict=True):  # noqa: SIM110
        if not check(state, value):
            return False
    return True


def is_whole(_state: State, value: object) -> bool:
    return type(value) is int  # True is an int too


def is_word(_state: State, value: object) -> bool:
    return type(value) is str


def _is_die(state: State, value: object) -> bool:
    return type(value) is int and 1 <= value <= state.edition.sides


def _is_player(state: State, value: object) -> bool:
    return type(value) is int and 0 <= value < state.players


def _is_deed(state: State, value: object) -> bool:
    return type(value) is int and 0 <= value < len(state.owner)


def _are_deeds(state: State, value: object) -> bool:
    return type(value) is tuple and all(_is_deed(state, deed) for deed in value)


# field: whether it can have a value; the rules then decide whether that value is legal
IS: Mapping[str, Check] = {
    "one": _is_die,
    "other": _is_die,
    "player": _is_player,
    "partner": _is_player,
    "district": _is_deed,
    "gives": _are_deeds,
    "asks": _are_deeds,
    "card": lambda state, value: type(value) is int and 0 <= value < len(state.board.cards),
    "amount": is_whole,  # of a deal it may be negative
    "cards": is_whole,
    "at": is_whole,
    "within": lambda _state, value: type(value) is int and value >= 0,
    "why": is_word,
}


def checks_of(fields: tuple[str, ...], known: Mapping[str, Check] = IS) -> tuple[Check, ...]:
    return tuple(known[field] for field in fields)
