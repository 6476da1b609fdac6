"""The editions, a package each: found by their packages, so that nothing else names one.

An edition's name is its folder's, with a hyphen for an underscore. The figures of the unit's
programs are as the unit describes them: the game keeps no copy.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from city_game.kernel.actions import why_not
from city_game.kernel.board import edition_named, own_file, text_of
from city_game.kernel.edition import Edition
from city_game.kernel.state import State
from city_unit import host
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, did_you_mean

USUAL = "city"  # the edition unless a command, a board or a save names another
USUAL_PROGRAM = "city"  # of the unit, until it has reported its own
MINUTE_MS = 60000
KNOWN: dict[str, Edition] = {}  # the editions loaded, by name


def names() -> list[str]:
    """Return the names of all editions, the usual one first."""
    modules = iter_modules(__path__)
    found = {module.name.replace("_", "-") for module in modules if module.ispkg}
    return sorted({*found, *KNOWN}, key=lambda name: (name != USUAL, name))


def get(name: str = USUAL) -> Edition:
    """Return the edition of a name; raises UserError if there is none."""
    if name not in KNOWN:
        if name not in names():
            unknown = _('there is no edition "{name}"{hint}')
            raise UserError(unknown.format(name=name, hint=did_you_mean(name, names())))
        KNOWN[name] = import_module(f"{__name__}.{name.replace('-', '_')}").EDITION
    return KNOWN[name]


def asked_for(name: str, board: str) -> Edition:
    """Return the edition of that name; without a name the one that a board belongs to, if any."""
    return get(name or USUAL) if name or not board else of_board(board)


def of_board(board: str) -> Edition:
    """Return the edition that a board belongs to: by the name of one of ours, or by its file."""
    editions = map(get, names())
    owner = next((one for one in editions if own_file(one, board).is_file()), get())
    return get(edition_named(text_of(owner, board)) or USUAL)


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
