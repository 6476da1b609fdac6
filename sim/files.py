"""Files that are written whole or not at all."""

from pathlib import Path

from sim.errors import UserError


def write_whole(path: str, content: bytes) -> None:
    """Write a file, or leave what was there; raises UserError."""
    unfinished = Path(f"{path}.part")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}", 1) from None
    finally:
        unfinished.unlink(missing_ok=True)


def refuse_no_folder(*paths: str | None) -> None:
    """Raise UserError if one of the files that are to be written would lie in no folder."""
    for path in paths:
        if path and not Path(path).parent.is_dir():
            raise UserError(f"{path}: there is no folder {Path(path).parent}")
