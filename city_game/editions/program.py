"""The figures of the unit's programs, as the unit describes them: the game keeps no copy."""

from collections.abc import Iterator
from functools import cache

from city_game.kernel.edition import Edition
from city_game.kernel.engine import why_not
from city_game.kernel.state import State
from city_unit import host

MINUTE_MS = 60000


@cache
def described(program: str) -> host.Description:
    """Return the figures of a program, as an emulated unit in this process describes them.

    The table uses them until its own unit has described itself; games without a unit use
    no others.
    """
    return host.Memory(program=program).client.describe()


def own_minutes(edition: Edition) -> int:
    """Return how long the hour is by the edition's program, as its book has it."""
    return described(edition.program).clock_ms // MINUTE_MS


def is_short(edition: Edition, minutes: int) -> bool:
    """Return whether an hour of `minutes` is shorter; 0, the unit's own setting, is not."""
    return 0 < minutes < own_minutes(edition)


def calls(edition: Edition) -> Iterator[tuple[int, str]]:
    """Yield the marks of the clock that lead to an action: ms before its end, and the action."""
    if edition.calls:
        for mark in described(edition.program).marks:
            if name := edition.calls.get(mark.label or mark.kind):
                yield mark.first_left_ms, name


def due_call(state: State, left_ms: float, at: int) -> tuple | None:
    """Return the action of a mark that has passed, and that is still to be done; None for none."""
    for left, name in calls(state.edition):
        if left_ms <= left and not why_not(state, (name, at)):
            return (name, at)
    return None
