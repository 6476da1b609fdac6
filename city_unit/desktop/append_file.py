"""Files that only grow: whole pieces are appended, a full disk delays them, damage is found.

A piece that the disk does not accept stays in memory and is written before the next one, or by
`retry`. A piece that was written in part is cut off again, so that the file has whole pieces only.

Saved games and the kept hour are steps, each of which needs all before it. Their lines end with
` *` and eight hex digits, a crc32 of the line and of the digits before it: a line that is torn,
changed, lost or moved is found. Lines that stand alone, as a journal's, have checksums of their
own. A single flipped bit is mended in both.
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

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.files import reason, writing_whole

STOPPED = lazy(
    "Warning: cannot write {path}: {why}. The program goes on; make room, and writing goes on too"
)
RESUMED = lazy("{path} is written again; nothing is lost")
RESUMED_WITH_A_GAP = lazy("{path} is written again; {count} entries are lost")

_Read = TypeVar("_Read")

RETRY_S = 1.0
LONGEST = 1000  # bytes, of a sealed line in which a flipped bit is looked for: longer than all
MOST = 4 << 20  # bytes that wait in memory
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors of a full disk, a quota, a limit


class AppendFile:
    """The file at `path`, which is made if it is missing.

    sync       makes the bytes of a file descriptor durable, now (os.fsync) or soon; or None
    report     receives one sentence for people when writing stops, and when it resumes
    clock      seconds that never go back
    error      why pieces wait in memory, in the user's language; "" if none do
    unwritten  the bytes of these pieces; beyond `MOST` further pieces are dropped and counted
    lost       how many were dropped since writing stopped

    Raises OSError if the file cannot be opened for another reason than a full disk.
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
        self._is_torn = False  # a part of a piece may be in the file
        self._length = 0  # of the whole pieces
        self._file: BinaryIO | None = None
        self._is_closed = False
        try:
            self._open()
        except OSError as error:
            if error.errno not in FULL:
                raise
            self._stop(error)

    def add(self, piece: bytes, is_urgent: bool = True) -> None:
        """Append a piece; on return the file has it, or `error` says why not.

        is_urgent  whether it is to be durable too
        """
        if self.error and len(self.unwritten) + len(piece) > MOST:
            self.lost += 1
        else:
            self.unwritten += piece
        self.write(is_urgent)

    def write(self, is_urgent: bool = True) -> None:
        """Append the pieces that wait."""
        try:
            if self._file is None:
                self._open()
            assert self._file is not None
            if self._is_torn:
                self._file.truncate(self._length)
                self._is_torn = False
            data = self.unwritten
            while data:  # a disk that fills up accepts a part first
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
        """Append the pieces that wait, if the last try is `RETRY_S` ago; call it often."""
        if self.error and self._clock() - self._tried_at >= RETRY_S:
            self.write()

    def replace(self, content: bytes) -> None:
        """Replace the content, whole or not at all; pieces that wait are forgotten with it.

        Raises OSError; content and pieces then stay.
        """
        self._let_go()  # Windows replaces no open file
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
        """Write all pieces, and close the file, durable if it has a `sync`; see `error`."""
        if self._is_closed:
            return
        if self.unwritten:
            self.write()
        if self._sync is not None and self._file is not None:
            with suppress(OSError):
                os.fsync(self._file.fileno())
        self._let_go()
        self._is_closed = True

    def _open(self) -> None:
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 (it lives as long)
        if not self._is_torn:
            self._length = os.fstat(self._file.fileno()).st_size

    def _let_go(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _stop(self, error: OSError) -> None:
        was_good = not self.error
        self.error = reason(error)
        self._tried_at = self._clock()
        if was_good and self._report is not None:
            self._report(STOPPED.format(path=self.path, why=self.error))

    def _resume(self) -> None:
        if self.error and self._report is not None:
            words = RESUMED_WITH_A_GAP if self.lost else RESUMED
            self._report(words.format(path=self.path, count=self.lost))
        self.error = ""
        self.lost = 0


def keep_aside(path: Path, what: str) -> Path:
    """Keep a file's content under a free name beside it, PATH.WHAT-N, and return that name.

    Where the system has hard links this needs no room on the disk. Raises OSError.
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


def mend(
    lines: list[bytes], longest: int, read: Callable[[list[bytes]], _Read | None]
) -> tuple[_Read | None, int]:
    """Return the content of the first of `lines` with one bit flipped back, and the lines used.

    A flip that destroyed the end of a line made one line of two; a flip that made an end made two
    of one. `read` returns None for lines with a wrong checksum. (None, 1) if no flip helps, or
    the line is longer than `longest`.
    """
    for taken in range(1, len(lines) + 1):
        spoiled = b"".join(lines[:taken])
        if len(spoiled) > longest:
            break
        for place, byte in enumerate(spoiled):
            for bit in range(8):
                whole = spoiled[:place] + bytes([byte ^ 1 << bit]) + spoiled[place + 1 :]
                content = read(whole.splitlines(keepends=True))
                if content is not None:
                    return content, taken
    return None, 1


class Opened(NamedTuple):
    """The texts up to the first line that is bad, and the digits there.

    is_whole  whether these are all
    mended    the first line of which a flipped bit was mended, counted from 1; 0 for none
    """

    texts: list[str]
    chain: str
    is_whole: bool
    mended: int


def seal(text: str, chain: str) -> tuple[str, str]:
    """Return a text as a sealed line, and its digits; `chain` is those of the line before."""
    chain = f"{crc32(f'{chain} {text}'.encode()):08x}"
    return f"{text} *{chain}\n", chain


def seal_all(texts: list[str]) -> tuple[str, str]:
    """Return texts as sealed lines, and the digits of the last."""
    chain = ""
    sealed = []
    for text in texts:
        line, chain = seal(text, chain)
        sealed.append(line)
    return "".join(sealed), chain


def open_all(data: bytes) -> Opened:
    """Return the texts of sealed lines; a line that a flipped bit has spoiled is made good."""
    chain = ""
    texts: list[str] = []
    mended = 0
    lines = data.splitlines(keepends=True)
    at = 0
    while at < len(lines):
        good, taken = _opened(lines[at : at + 1], chain), 1
        if good is None:
            opened = partial(_opened, chain=chain)
            good, taken = mend(lines[at : at + 2], 2 * LONGEST, opened)
            mended = mended or (at + 1 if good else 0)
        if good is None:
            return Opened(texts, chain, False, mended)
        texts += good[0]
        chain = good[1]
        at += taken
    return Opened(texts, chain, True, mended)


def _opened(lines: list[bytes], chain: str) -> tuple[list[str], str] | None:
    """Return the texts of lines and the digits of the last, None if any of them is bad."""
    texts = []
    for raw in lines:
        line = raw.decode("utf-8", "replace")
        text = line[: line.rfind(" *")]
        right, chain = seal(text, chain)
        if line != right:
            return None
        texts.append(text)
    return (texts, chain) if texts else None
