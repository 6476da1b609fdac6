"""Append-only files that survive a full disk and a power cut, with checksums to detect damage.

Data is appended in whole pieces. If the disk is full, a piece waits in memory and is written before
the next one, or by `retry`. A partly written piece is truncated, so that the file always ends with
a whole one.

Saved games and the saved hour consist of steps; each step depends on all earlier ones. Their
lines form a chain: each ends with ` *` and eight hex digits, the CRC-32 of the previous digits and
of the line. A torn, changed, lost or moved line is therefore detected. Independent lines, as in a
journal, have independent checksums. In both, a single flipped bit per line can be repaired.
"""

import errno
import os
import shutil
import time
from binascii import crc32
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.files import reason, writing_whole

STOPPED = lazy(
    "Warning: cannot write {path}: {why}. The program continues; free some space, and writing"
    " resumes"
)

_Read = TypeVar("_Read")

RETRY_S = 1.0
LONGEST = 1000  # bytes of a sealed line to repair; longer than any real one
MOST = 4 << 20  # bytes waiting in memory
FULL = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
)  # disk, quota or file-size limit reached


class AppendFile:
    """The file at `path`, created if missing.

    sync       flushes a file descriptor to the disk, now (os.fsync) or soon; or None
    report     receives a sentence for people when writing stops or resumes
    clock      seconds on a monotonic clock
    error      why pieces are waiting in memory, in the user's language; "" if none are
    unwritten  the waiting bytes; beyond `MOST` further pieces are dropped
    lost       the number of pieces dropped since writing stopped

    Raises OSError if the file cannot be opened for a reason other than a full disk.
    """

    def __init__(
        self,
        path: Path,
        sync: Callable[[int], object] | None = None,
        report: Callable[[str], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self.error = ""
        self.unwritten = b""
        self.lost = 0
        self._sync = sync
        self._report = report
        self._clock = clock
        self._tried_at = 0.0
        self._is_torn = False  # the file may end with a partial piece
        self._length = 0  # of all whole pieces
        self._file: BinaryIO | None = None
        self._is_closed = False
        try:
            self._open()
        except OSError as error:
            if error.errno not in FULL:
                raise
            self._stop(error)

    def add(self, piece: bytes, is_urgent: bool = True) -> None:
        """Append a piece. On return it is in the file, or `error` tells why not.

        is_urgent  whether to `sync` it too
        """
        if self.error and len(self.unwritten) + len(piece) > MOST:
            self.lost += 1
        else:
            self.unwritten += piece
        self.write(is_urgent)

    def write(self, is_urgent: bool = True) -> None:
        """Append the waiting pieces."""
        try:
            if self._file is None:
                self._open()
            assert self._file is not None
            if self._is_torn:
                self._file.truncate(self._length)
                self._is_torn = False
            data = self.unwritten
            while data:  # a nearly full disk accepts only a part
                count = self._file.write(data)
                self._is_torn = True
                data = data[count:]
            if self._sync is not None and is_urgent:
                self._sync(self._file.fileno())
        except OSError as error:
            self._stop(error)
            if self._is_torn and self._file is not None:
                with suppress(OSError):
                    self._file.truncate(self._length)
                    self._is_torn = False
            return
        self._is_torn = False
        self._length += len(self.unwritten)
        self.unwritten = b""
        self._resume()

    def retry(self) -> None:
        """Append the waiting pieces, at most once per `RETRY_S`; call it often."""
        if self.error and self._clock() - self._tried_at >= RETRY_S:
            self.write()

    def replace(self, content: bytes) -> None:
        """Replace the content atomically, and discard the waiting pieces.

        Raises OSError; content and pieces are then unchanged.
        """
        self._close_file()  # Windows cannot replace an open file
        with writing_whole(self.path, self._sync) as file:
            file.write(content)
        self._is_torn = False
        self.unwritten = b""
        self.lost = 0
        self._open()
        self._resume()

    @property
    def closed(self) -> bool:
        return self._is_closed

    def close(self) -> None:
        """Write all pieces and close the file, synced if it has a `sync`; see `error`."""
        if self._is_closed:
            return
        if self.unwritten:
            self.write()
        if self._sync is not None and self._file is not None:
            with suppress(OSError):
                os.fsync(self._file.fileno())
        self._close_file()
        self._is_closed = True

    def _open(self) -> None:
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 (open as long as this object)
        if not self._is_torn:
            self._length = os.fstat(self._file.fileno()).st_size

    def _close_file(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _stop(self, error: OSError) -> None:
        was_writing = not self.error
        self.error = reason(error)
        self._tried_at = self._clock()
        if was_writing and self._report is not None:
            self._report(STOPPED.format(path=self.path, why=self.error))

    def _resume(self) -> None:
        if self.error and self._report is not None:
            words = _("Writing to {path} has resumed; nothing is lost")
            if self.lost:
                words = _("Writing to {path} has resumed; {count} entries are lost")
            self._report(words.format(path=self.path, count=self.lost))
        self.error = ""
        self.lost = 0


def back_up(path: Path, what: str) -> Path:
    """Save a copy of a file under a free name next to it, PATH.WHAT-N, and return that name.

    On file systems with hard links this takes no space. Raises OSError.
    """
    number = 1
    while (aside := path.with_name(f"{path.name}.{what}-{number}")).exists():
        number += 1
    try:
        os.link(os.path.realpath(path), aside)
    except OSError:
        part = aside.with_name(f"{aside.name}.part")
        try:
            shutil.copyfile(path, part)
            part.replace(aside)
        finally:
            part.unlink(missing_ok=True)
    return aside


def repair(
    lines: list[bytes], longest: int, read: Callable[[list[bytes]], _Read | None]
) -> tuple[_Read | None, int]:
    """Repair a line by flipping one bit; return its content, and the number of lines used.

    A flipped bit can also destroy a newline, which joins two lines, or create one, which splits a
    line in two. `read` returns None if a checksum is wrong. The result is (None, 1) if no flip
    helps or the line is longer than `longest`.
    """
    for taken in range(1, len(lines) + 1):
        damaged = b"".join(lines[:taken])
        if len(damaged) > longest:
            break
        for place, byte in enumerate(damaged):
            for bit in range(8):
                candidate = damaged[:place] + bytes([byte ^ 1 << bit]) + damaged[place + 1 :]
                content = read(candidate.splitlines(keepends=True))
                if content is not None:
                    return content, taken
    return None, 1


class Unsealed(NamedTuple):
    """The texts up to the first damaged line, and the digits at that point.

    is_whole  whether no line is damaged
    repaired  the number of the first repaired line, from 1; 0 for none
    """

    texts: list[str]
    chain: str
    is_whole: bool
    repaired: int


def seal(text: str, chain: str) -> tuple[str, str]:
    """Return a sealed line and its digits; `chain` are the digits of the previous line."""
    chain = f"{crc32(f'{chain} {text}'.encode()):08x}"
    return f"{text} *{chain}\n", chain


def seal_all(texts: list[str]) -> tuple[str, str]:
    """Return sealed lines, and the digits of the last one."""
    chain = ""
    sealed = []
    for text in texts:
        line, chain = seal(text, chain)
        sealed.append(line)
    return "".join(sealed), chain


def unseal_all(data: bytes) -> Unsealed:
    """Return the texts of sealed lines; a line with one flipped bit is repaired."""
    chain = ""
    texts: list[str] = []
    repaired = 0
    lines = data.splitlines(keepends=True)
    at = 0
    while at < len(lines):
        good, taken = _unsealed(lines[at : at + 1], chain), 1
        if good is None:
            opened = partial(_unsealed, chain=chain)
            good, taken = repair(lines[at : at + 2], 2 * LONGEST, opened)
            repaired = repaired or (at + 1 if good else 0)
        if good is None:
            return Unsealed(texts, chain, False, repaired)
        texts += good[0]
        chain = good[1]
        at += taken
    return Unsealed(texts, chain, True, repaired)


def _unsealed(lines: list[bytes], chain: str) -> tuple[list[str], str] | None:
    """Return the texts of lines and the digits of the last one; None if a line is damaged."""
    texts = []
    for raw in lines:
        line = raw.decode("utf-8", "replace")
        text = line[: line.rfind(" *")]
        right, chain = seal(text, chain)
        if line != right:
            return None
        texts.append(text)
    return (texts, chain) if texts else None
