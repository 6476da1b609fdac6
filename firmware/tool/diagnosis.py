"""Why the unit on a board does not answer: asked of its REPL, said in one line."""

from contextlib import closing
from importlib.util import find_spec

from city_unit import host
from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import UserError
from firmware.board.pins import PinError
from firmware.boards import describe, this_board
from firmware.pin_file import MARK
from firmware.tool import scripts
from firmware.tool.commands import START
from firmware.tool.ports import is_there
from firmware.tool.remote import Remote

NOT_ON_IT = lazy(
    "there is MicroPython at {port}, but not the unit; put it there with: {start} flash"
)
MARKED = lazy(
    "pins.txt at {port} begins with an invisible mark (BOM), as some editors write it;"
    " this takes it away: {start} flash"
)
BOARD_SAYS = lazy("the unit at {port} does not run; its board says: {line}")
LINK_ELSEWHERE = lazy(
    "pins.txt says link = uart: the unit answers on those two pins, not at {port}"
)


def why_not(port: str, error: host.LinkError) -> str:
    """Return what to tell of a unit that did not answer at `port`.

    A board whose REPL answers is asked; the unit is then started again. "" if that
    is all that was wrong.
    """
    if isinstance(error, host.Busy) or not is_there(port) or not find_spec("mpremote"):
        return str(error)
    try:
        with closing(Remote(port)) as remote:
            return why(remote)
    except UserError as its_error:
        return str(its_error)


def why(remote: Remote) -> str:
    """Start the unit, listen to its start, and return the fault in words; "" for none.

    Raises UserError if no MicroPython answers.
    """
    found = remote.begin(scripts.LOOK)
    if not found["ours"]:
        return NOT_ON_IT.format(start=START, port=remote.port)
    said = remote.listen()
    if found["pins"].startswith(MARK):
        return MARKED.format(start=START, port=remote.port)
    if said:
        return BOARD_SAYS.format(port=remote.port, line=said[-1])
    return LINK_ELSEWHERE.format(port=remote.port) if is_elsewhere(found) else ""


def is_elsewhere(found: dict) -> bool:
    """Return whether the unit's link is on two wires; `found` is a look at its board."""
    try:
        return describe(this_board(found["machine"]), found["pins"])["link"] == "uart"
    except PinError:
        return False
