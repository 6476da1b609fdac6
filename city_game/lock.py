"""One window a game: a lock beside a save, which dies with the process that holds it.

The lock is on a file of its own: the save is replaced when it is mended, and under
Windows a locked file cannot be read by others. The system lets go of it when its holder
ends, however that comes about; a lock file that is left behind holds nobody up.
"""

import contextlib
import os
from pathlib import Path
from typing import BinaryIO

from city_game.errors import UserError
from city_game.texts import OPEN_ELSEWHERE

if os.name == "nt":
    import msvcrt

    def _seize(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _seize(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """The right to write a save, held until `release`.

    Raises UserError if another process, or another lock of this one, holds it.
    """

    def __init__(self, save: Path) -> None:
        self._path = _beside(save)
        self._file = self._take(save)

    def _take(self, save: Path) -> BinaryIO:
        while True:
            try:
                file = open(self._path, "ab")  # noqa: SIM115
            except OSError as error:
                raise UserError(f"cannot write {self._path}: {error.strerror}", code=1) from None
            try:
                _seize(file)
            except (BlockingIOError, PermissionError):
                file.close()
                raise UserError(f"{save}: {OPEN_ELSEWHERE}", code=1) from None
            except OSError:
                return file  # a disk that knows no locks: better to play than to be safe
            if self._is_there(file):
                return file
            file.close()  # its holder took it away between our opening and locking it

    def _is_there(self, file: BinaryIO) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), os.stat(self._path))
        except OSError:
            return False

    def release(self) -> None:
        """Let go, and take the lock file away."""
        if self._file.closed:
            return
        if os.name != "nt":  # while it is held: once it is not, it may be another's
            self._remove()
        self._file.close()
        if os.name == "nt":  # an open file cannot be removed there, so neither can another's
            self._remove()

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            os.remove(self._path)


def is_locked(save: Path) -> bool:
    """Return whether a window has this game open."""
    if not _beside(save).exists():
        return False
    try:
        Lock(save).release()
    except UserError:
        return True
    return False


def _beside(save: Path) -> Path:
    save = save.resolve()  # two names of one file are one game
    return save.with_name(f".{save.name}.lock")
