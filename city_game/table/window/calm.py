"""Whether things walk, tumble and blink at this table: remembered from one evening to the next."""

from contextlib import suppress
from pathlib import Path

from city_unit.desktop import folders
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import make_folder, write_whole


def is_wanted() -> bool:
    """Return whether calm was chosen last."""
    with suppress(ImportError, OSError, ValueError):
        return _choice().read_text(encoding="utf-8").strip() == "yes"
    return False


def keep(calm: bool) -> None:
    """Remember what is wanted; where nothing can be written, it holds for this evening."""
    with suppress(ImportError, UserError):
        make_folder(_choice().parent)
        write_whole(_choice(), "yes\n" if calm else "no\n")


def _choice() -> Path:
    return folders.settings() / "calm"
