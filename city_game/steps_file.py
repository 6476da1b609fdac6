"""A file of steps that grows while it is open: a game's save, or a tournament.

Its lines are sealed (`append_file`): a header, the line `play`, and the steps. A damaged one is cut
behind its last good line when it is gone on with, and the original kept beside it.

It is open in one window only: a lock beside it dies with its process. The lock is on a file of its
own: the steps are replaced when they are mended, and under Windows a locked file cannot be read by
others. The system lets go of it when its holder ends, however that comes about; a lock file that is
left behind holds nobody up.
"""

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from city_unit.desktop.append_file import AppendFile, Opened, keep_aside, open_all, seal, seal_all
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_read, cannot_write, write_whole
from city_unit.desktop.forms import number

PLAY = "play"  # the line between the header and the steps
LARGEST = 16 * 1024 * 1024  # bytes; a long evening is a hundredth of it
_Meaning = TypeVar("_Meaning")

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
        """Release the lock, and remove its file."""
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


class StepsFile(AppendFile):
    """A file of steps, locked until `close`; on the disk are whole lines only.

    A line that the disk refuses stays in memory, and is tried again with the next one, by `write`,
    by `retry` and by `close`.
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
        """Write a line; on return it is on the disk, or `error` says why not."""
        line, self._chain = seal(text, self._chain)
        self.add(line.encode())

    def close(self) -> None:
        """Close the file; `error` then says whether something is lost."""
        if not self.closed:
            super().close()
            self._lock.release()


def begin(path: Path, lines: list[str], report: Callable[[str], object] | None = None) -> StepsFile:
    """Write a new file, whatever was there, and have it open; raises UserError."""
    lock = Lock(path)
    try:
        text, chain = seal_all(lines)
        write_whole(path, text)
        return StepsFile(path, chain, lock, report)
    except BaseException:
        lock.release()
        raise


def read(path: Path) -> Opened:
    """Return the lines of a file as far as they are good; raises UserError if it is unreadable."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            too_large = _("{path} is no file of city-game: it has {size} MB")
            raise UserError(too_large.format(path=path, size=number(size // 2**20)))
        return open_all(path.read_bytes())
    except OSError as error:
        raise cannot_read(path, error) from None


def go_on(
    path: Path,
    understand: Callable[[Path, list[str]], tuple[_Meaning, int]],
    report: Callable[[str], object] | None = None,
) -> tuple[StepsFile, _Meaning, str]:
    """Open a file to go on with it: return it, its meaning, and a sentence on its repair, or "".

    understand  returns the meaning of lines, and how many of them make sense; raises UserError, and
                the file is then left as it is
    """
    lock = Lock(path)
    try:
        opened = read(path)
        meaning, good = understand(path, opened.texts)
        is_whole, chain, said = opened.is_whole and good == len(opened.texts), opened.chain, ""
        if not is_whole or opened.mended:
            chain, said = _mend(path, opened.texts[:good], opened.mended if is_whole else 0)
        return StepsFile(path, chain, lock, report), meaning, said
    except BaseException:
        lock.release()
        raise


def _mend(path: Path, good: list[str], mended: int) -> tuple[str, str]:
    """Write the good lines anew; return the digits of the last, and a sentence on the repair.

    mended  the line in which a bit was flipped back, with nothing lost; 0 for a loss behind `good`
    """
    try:
        aside = keep_aside(path, "damaged")
    except OSError as error:
        raise cannot_write(path, error) from None
    text, chain = seal_all(good)
    try:
        write_whole(path, text)
    except UserError:
        aside.unlink()  # it is still where it was
        raise
    said = _("{path} was damaged behind line {line}; all before it counts, the original is {aside}")
    if mended:
        said = _(
            "{path} was damaged in line {line}, and is mended with nothing lost; the original is "
            "{aside}"
        )
    return chain, said.format(path=path, line=mended or len(good), aside=aside)
