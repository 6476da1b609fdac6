"""An append-only file of steps: the save of a game or of a tournament.

It has a header, the line `play`, and one line per step; each line has a checksum (`append_file`).
When a damaged file is continued, it is truncated after its last good line, and the original is kept
beside it.

Only one window may have a file open, which a lock ensures. The lock is on a separate file, since a
repair replaces the file of steps, and on Windows nobody could read a locked file. The system
releases the lock when its process ends, even by a crash, so a lock file left behind is harmless.
"""

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from city_unit.desktop.append_file import AppendFile, Unsealed, back_up, seal, seal_all, unseal_all
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_read, cannot_write, write_whole
from city_unit.desktop.forms import number

PLAY = "play"  # the line between the header and the steps
LARGEST = 16 * 1024 * 1024  # bytes, about a hundred times a long evening
_Meaning = TypeVar("_Meaning")

# The errors of a disk without support for locks, where the game is played without a lock.
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)


class Lock:
    """The exclusive right to write a file, held until `release`.

    Raises UserError if another process, or another lock in this process, holds it.
    """

    def __init__(self, save: Path) -> None:
        self._path = _lock_path(save)
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
        """Release the lock and remove its file."""
        if self._lock.is_locked and os.name != "nt":
            # Remove it while it is held, since afterwards it may belong to another process. A
            # process that has already opened it notices that it is gone, and creates another.
            self._remove()
        self._lock.release()
        if os.name == "nt":  # where a file that any process has open cannot be removed
            self._remove()

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            os.remove(self._path)


def is_locked(save: Path) -> bool:
    """Return whether a window has this file open."""
    if not _lock_path(save).exists():
        return False
    try:
        Lock(save).release()
    except UserError:
        return True
    return False


def _lock_path(save: Path) -> Path:
    save = save.resolve()  # two names of one file must share a lock
    return save.with_name(f".{save.name}.lock")


class StepsFile(AppendFile):
    """An open file of steps, locked until `close`. The disk holds whole lines only.

    A line that cannot be written stays in memory. `add_line`, `write`, `retry` and `close` try
    again.
    """

    def __init__(
        self, path: Path, chain: str, lock: Lock, report: Callable[[str], object] | None = None
    ) -> None:
        self._chain = chain
        self._lock = lock
        try:
            super().__init__(path, os.fsync, report)
        except OSError as error:
            raise cannot_write(path, error) from None

    def add_line(self, text: str) -> None:
        """Write a line. On return it is on the disk, or `error` says why not."""
        line, self._chain = seal(text, self._chain)
        self.add(line.encode())

    def close(self) -> None:
        """Close the file; `error` is then set if lines were lost."""
        if not self.closed:
            super().close()
            self._lock.release()


def create(
    path: Path, lines: list[str], report: Callable[[str], object] | None = None
) -> StepsFile:
    """Create a file, replacing any other, and open it; raises UserError."""
    lock = Lock(path)
    try:
        text, chain = seal_all(lines)
        write_whole(path, text)
        return StepsFile(path, chain, lock, report)
    except BaseException:
        lock.release()
        raise


def read(path: Path) -> Unsealed:
    """Return the lines of a file up to the first damage; raises UserError if it is unreadable."""
    try:
        with path.open("rb") as file:  # a device has no size, and may have no end
            data = file.read(LARGEST + 1)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise cannot_read(path, error) from None
    if len(data) > LARGEST:
        too_large = _("{path} is too large for a file of city-game: {size} MB")
        raise UserError(too_large.format(path=path, size=number(max(size, LARGEST) // 2**20)))
    return unseal_all(data)


def resume(
    path: Path,
    parse: Callable[[Path, list[str]], tuple[_Meaning, int]],
    report: Callable[[str], object] | None = None,
) -> tuple[StepsFile, _Meaning, str]:
    """Open a file to continue it; return it, its meaning, and a sentence on its repair or "".

    parse  returns the meaning of the lines and the number of valid lines; if it raises UserError,
           the file stays as it is
    """
    lock = Lock(path)
    try:
        opened = read(path)
        meaning, good = parse(path, opened.texts)
        is_whole, chain, said = opened.is_whole and good == len(opened.texts), opened.chain, ""
        if not is_whole or opened.repaired:
            chain, said = _repair(path, opened.texts[:good], opened.repaired if is_whole else 0)
        return StepsFile(path, chain, lock, report), meaning, said
    except BaseException:
        lock.release()
        raise


def _repair(path: Path, good: list[str], mended: int) -> tuple[str, str]:
    """Rewrite the file with its good lines; return the last checksum and a sentence on the repair.

    mended  the line with a repaired bit, if nothing was lost; 0 if lines after `good` were lost
    """
    try:
        aside = back_up(path, "damaged")
    except OSError as error:
        raise cannot_write(path, error) from None
    text, chain = seal_all(good)
    try:
        write_whole(path, text)
    except UserError:
        aside.unlink()  # the original is still in place
        raise
    said = _(
        "{path} was damaged after line {line} and continues from there; the original is {aside}"
    )
    if mended:
        said = _(
            "{path} was damaged in line {line} and repaired without loss; the original is {aside}"
        )
    return chain, said.format(path=path, line=mended or len(good), aside=aside)
