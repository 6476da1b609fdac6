"""The editions, one package each, found by searching this folder.

An edition is named after its folder, with hyphens for underscores. The figures of the unit's
programs come from the unit's own description, so the game has no copy of them.
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

USUAL = "city"  # the default edition
USUAL_PROGRAM = "city"  # assumed until the unit has reported its program
MINUTE_MS = 60000
KNOWN: dict[str, Edition] = {}  # the editions loaded, by name


def names() -> list[str]:
    """Return the names of all editions, the default first."""
    modules = iter_modules(__path__)
    found = {module.name.replace("_", "-") for module in modules if module.ispkg}
    return sorted({*found, *KNOWN}, key=lambda name: (name != USUAL, name))


def get(name: str = USUAL) -> Edition:
    """Return the edition with this name; raises UserError if there is none."""
    if name not in KNOWN:
        if name not in names():
            unknown = _('there is no edition "{name}"{hint}')
            raise UserError(unknown.format(name=name, hint=did_you_mean(name, names())))
        KNOWN[name] = import_module(f"{__name__}.{name.replace('-', '_')}").EDITION
    return KNOWN[name]


def chosen(name: str, board: str) -> Edition:
    """Return the named edition; without a name, the edition of the board if one is given."""
    return get(name or USUAL) if name or not board else of_board(board)


def of_board(board: str) -> Edition:
    """Return the edition of a board, which is the name of a supplied board or a file."""
    editions = map(get, names())
    owner = next((one for one in editions if own_file(one, board).is_file()), get())
    return get(edition_named(text_of(owner, board)) or USUAL)


@cache
def described(program: str) -> host.Description:
    """Return the figures of a program, as an emulated unit in this process describes them.

    Games without a unit use them, and the table does until its unit has described itself.
    """
    return host.Memory(program=program).client.describe()


def own_minutes(edition: Edition) -> int:
    """Return the length of the hour in the edition's program, which follows its book."""
    return described(edition.program).clock_ms // MINUTE_MS


def is_short(edition: Edition, minutes: int) -> bool:
    """Return whether `minutes` is shorter than the edition's hour; 0 means the unit's setting."""
    return 0 < minutes < own_minutes(edition)


def clock_calls(edition: Edition) -> Iterator[tuple[int, str]]:
    """Yield the clock's marks that trigger an action: the ms left at the mark, and the action."""
    if edition.calls:
        for mark in described(edition.program).marks:
            if name := edition.calls.get(mark.label or mark.kind):
                yield mark.first_left_ms, name


def due_call(state: State, left_ms: float, at: int) -> tuple | None:
    """Return the action of a mark that has passed, if it is still legal, else None."""
    for left, name in clock_calls(state.edition):
        if left_ms <= left and not why_not(state, (name, at)):
            return (name, at)
    return None
