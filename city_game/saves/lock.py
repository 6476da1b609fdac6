"""A game is open in one window only: a lock beside its save, which dies with its process.

The lock is on a file of its own: the save is replaced when it is mended, and under
Windows a locked file cannot be read by others. The system lets go of it when its holder
ends, however that comes about; a lock file that is left behind holds nobody up.
"""

import contextlib
import errno
import os
from pathlib import Path

from filelock import FileLock, Timeout

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_write

OPEN_ELSEWHERE = lazy("this game is open in another window")

# The errors of a disk that knows no locks: there it is better to play unlocked than not at all.
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)


class Lock:
    """The right to write a save, held until `release`.

    Raises UserError if another process, or another lock of this one, holds it.
    """

    def __init__(self, save: Path) -> None:
        self._path = _beside(save)
        self._lock = FileLock(self._path, thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            is_open = _("{path} is open in another window; close it there first")
            raise UserError(is_open.format(path=save), FAILURE) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise cannot_write(self._path, error) from None

    def release(self) -> None:
        """Let go, and take the lock file away."""
        if self._lock.is_locked and os.name != "nt":
            # While it is held: once it is not, it may be another's. A program that has opened it by
            # then finds that it is gone, and makes another.
            self._remove()
        self._lock.release()
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
