"""Why the unit on a board does not answer: asked of its REPL, told in one line."""

from importlib.util import find_spec

from city_unit import host
from firmware import texts
from firmware.board.pins import PinError
from firmware.boards import MARK, describe, this_board
from firmware.tool import scripts
from firmware.tool.errors import BoardError
from firmware.tool.ports import is_there
from firmware.tool.remote import Remote


def why_not(port: str, error: host.LinkError) -> str:
    """Return what to tell of a unit that did not answer at `port`.

    A board whose REPL answers is asked; the unit is then started again.
    """
    if isinstance(error, host.Busy) or not is_there(port) or not find_spec("mpremote"):
        return str(error)
    try:
        return why(Remote(port)) or texts.WAS_STOPPED.format(port=port)
    except BoardError as its_error:
        return str(its_error)


def why(remote: Remote) -> str:
    """Start the unit while somebody listens, and return what is wrong; "" for nothing.

    Raises BoardError if no MicroPython answers.
    """
    found = remote.begin(scripts.LOOK)
    if not is_ours(found["files"]):
        return texts.NOT_ON_IT.format(port=remote.port)
    said = remote.listen()
    if found["pins"].startswith(MARK):
        return texts.MARKED.format(port=remote.port)
    if said:
        return texts.BOARD_SAYS.format(port=remote.port, line=said[-1])
    return texts.LINK_ELSEWHERE.format(port=remote.port) if is_elsewhere(found) else ""


def is_ours(files) -> bool:
    """Return whether the unit is among the files of a board."""
    return "main.py" in files and any(name.startswith("firmware/board/") for name in files)


def is_elsewhere(found: dict) -> bool:
    """Return whether the unit's link is on two wires, by what a look at its board found."""
    try:
        return describe(this_board(found["machine"]), found["pins"])["link"] == "uart"
    except PinError:
        return False
