"""The editions, a package each: found by their packages, so that nothing else names one.

An edition's name is its folder's, with a hyphen for an underscore.
"""

from importlib import import_module
from pkgutil import iter_modules

from city_game.kernel import board_file
from city_game.kernel.edition import Edition
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, did_you_mean
from city_unit.desktop.forms import all_of

USUAL = "city"  # the edition unless a command, a board or a save names another
USUAL_PROGRAM = "city"  # of the unit, until it has reported its own
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
            unknown = _('there is no edition "{name}"{hint}; there are {names}')
            words = {"name": name, "hint": did_you_mean(name, names()), "names": all_of(names())}
            raise UserError(unknown.format(**words))
        KNOWN[name] = import_module(f"{__name__}.{name.replace('-', '_')}").EDITION
    return KNOWN[name]


def asked_for(name: str, board: str) -> Edition:
    """Return the edition of that name; without a name the one that a board belongs to, if any."""
    return get(name or USUAL) if name or not board else of_board(board)


def of_board(board: str) -> Edition:
    """Return the edition that a board belongs to: by the name of one of ours, or by its file."""
    editions = map(get, names())
    owner = next((one for one in editions if board_file.own_file(one, board).is_file()), get())
    return get(board_file.edition_named(board_file.text_of(owner, board)) or USUAL)
