"""A user's file of pins, as it lies on the desktop."""

from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason
from firmware.boards import Mistake, describe

MARK = "\ufeff"  # with which some editors begin a text; no board reads over it


def read_pins(file: str | Path) -> str:
    """Return the text of a pin file, without the `MARK` of some editors; raises UserError."""
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        why = reason(error) if isinstance(error, OSError) else _("it is not text")
        words = _("{file} cannot be read: {reason}").format(file=file, reason=why)
        raise UserError(words) from None


def pins_of(board: str, text: str, file: str | Path) -> dict:
    """Return a board's pins with the text of a file laid over them; raises UserError."""
    try:
        return describe(board, text)
    except Mistake as mistake:
        raise refused(file, text, mistake) from None


def refused(file: str | Path, text: str, mistake: Mistake) -> UserError:
    """Return the error for a mistake in a file with this text: its line, and why it is one."""
    name = mistake.what.partition("=")[0].strip()
    names = [line.partition("#")[0].partition("=")[0].strip() for line in text.split("\n")]
    if name not in names:  # its lines are right, but clash with a pin that they do not set
        return UserError(_("{file}: {mistake}").format(file=file, mistake=mistake))
    last = len(names) - names[::-1].index(name)
    words = {"file": file, "line": last, "mistake": mistake}
    return UserError(_("{file}, line {line}: {mistake}").format(**words))
