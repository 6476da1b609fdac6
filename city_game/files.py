"""Files that are written whole, or not at all, and the folders for them."""

import os
from pathlib import Path

from city_game.errors import UserError


def write_whole(path: str | Path, text: str) -> None:
    """Write a file through a neighbour of it; raises UserError if that cannot be done."""
    path = Path(path)
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}", code=1) from None


def make_folder(path: str | Path) -> None:
    """Make a folder and those above it, if they are not there; raises UserError."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {path}: {error.strerror}", code=1) from None
