"""A user's file of pins, as it lies on the desktop."""

from pathlib import Path

from city_unit.desktop.catalogue import _
from firmware.board.pins import PinError

MARK = "\ufeff"  # with which some editors begin a text; no board reads over it


def read_pins(file: str | Path) -> str:
    """Return the text of a pin file, without the `MARK` of some editors.

    Raises PinError if it cannot be read.
    """
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or _("it is not text")
        raise PinError(
            _("{file} cannot be read: {reason}").format(file=file, reason=reason)
        ) from None
