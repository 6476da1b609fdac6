"""The events of a unit in a file, those of its earlier starts too, for desktops that missed some.

An event is a line of the link, `BOOT NUMBER AT KIND [VALUE [WHY]]` with its checksum, so that
a line that was torn when the power failed is known as such. Memory and file have an end: the
oldest events go.
"""

import contextlib
import re
from bisect import bisect_left
from pathlib import Path
from typing import BinaryIO, NamedTuple

from filelock import FileLock, Timeout

from city_unit.desktop.catalogue import _
from city_unit.desktop.files import reason, writing_whole
from city_unit.ticks import MASK
from city_unit.wire import number, seal, unseal

MOST = 16384  # events that are kept: those of several evenings, in two MB

# The beginning of a line: all that is there if the power failed while the first one was written.
_TORN = re.compile(rb"\d{1,10}( \d{0,10}( \d{0,10}( [a-z-]*[ -~]*)?)?)?")


class Entry(NamedTuple):
    """An event; `words` are its time, its kind and more, as they stand on the wire."""

    boot: int
    number: int
    words: str

    def line(self) -> bytes:
        return seal(f"{self.boot} {self.number} {self.words}")


class Journal:
    """The events of one unit, those of the file at `path` first.

    fault  why they can no longer be written, "" while they can

    Raises OSError if the file cannot be read or written, is another unit's at the moment,
    or holds something else.
    """

    def __init__(self, path: Path, most: int = MOST) -> None:
        self.fault = ""
        self._path = path
        self._most = most
        self._boots: dict[int, list[Entry]] = {}  # in the order in which they were first met
        self._count = 0  # of all entries
        self._lines = 0  # in the file
        self._file: BinaryIO | None = None
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(path.with_name(f".{path.name}.lock"), thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise OSError(_("another unit writes its events there")) from None
        try:
            self._read()
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115 (it lives as long)
        except OSError:
            self._lock.release()
            raise

    def add(self, boot: int, index: int, words: str) -> None:
        """Write an event; it is in the file, if not yet on the disk, when this returns."""
        entry = Entry(boot, index, words)
        self._keep(entry)
        if self._file is None:
            return
        try:
            self._file.write(entry.line())
            self._lines += 1
            if self._lines > 2 * self._most:
                self._write_anew()
        except OSError as error:
            self.fault = reason(error)
            self._file = None

    def answer(self, words: list[str], present: int) -> str | None:
        """Return the text that answers `journal BOOT N` in the boot that is at present.

        None if the words are another command, or nothing is known of BOOT.
        """
        if words[0] != "journal" or len(words) < 3:
            return None
        boot, index = number(words[1], MASK), number(words[2], MASK)
        if index < 0 or boot not in self._boots:
            return None
        entry = self.next_behind(boot, index)
        if entry is None or entry.boot == present:
            return ""
        return f"{entry.boot} {entry.number} {entry.words}"

    def has(self, boot: int, index: int) -> bool:
        """Return whether this event, or one behind it, is there already."""
        entries = self._boots.get(boot)
        return bool(entries) and entries[-1].number >= index

    def next_behind(self, boot: int, index: int) -> Entry | None:
        """Return the first event from number `index` of a boot on, or of the boots after it.

        None if there is none, or nothing is known of that boot.
        """
        is_behind = False
        for each, entries in self._boots.items():
            if each == boot:
                is_behind = True
                place = bisect_left(entries, index, key=lambda entry: entry.number)
                if place < len(entries):
                    return entries[place]
            elif is_behind and entries:
                return entries[0]
        return None

    def run_before(self, boot: int, index: int) -> list[str]:
        """Return the words of the events of a boot just before number `index`, without a gap."""
        words: list[str] = []
        for entry in reversed(self._boots.get(boot, [])):
            if entry.number == index - len(words) - 1:
                words.append(entry.words)
            elif entry.number < index:
                break
        return words[::-1]

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None
        self._lock.release()

    def _read(self) -> None:
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return
        lines = content.split(b"\n")
        entries = [entry for entry in map(_entry, lines) if entry is not None]
        if content and not entries and not _TORN.fullmatch(content):
            raise OSError(_("the file holds something else than events of a unit"))
        for entry in entries:
            self._keep(entry)
        if lines[-1] or len(lines) - 1 != self._count:  # something was torn, or has to go
            self._write_anew()
        self._lines = self._count

    def _keep(self, entry: Entry) -> None:
        self._boots.setdefault(entry.boot, []).append(entry)
        self._count += 1
        while self._count > self._most:
            eldest = next(iter(self._boots))
            surplus = self._count - self._most
            dropped = min(len(self._boots[eldest]), max(surplus, self._most // 8))
            del self._boots[eldest][:dropped]
            self._count -= dropped
            if not self._boots[eldest] and eldest != entry.boot:
                del self._boots[eldest]

    def _write_anew(self) -> None:
        """Have the file hold what memory does, and no more."""
        is_open = self._file is not None
        if self._file is not None:
            self._file.close()  # Windows replaces no file that is open
        with writing_whole(self._path) as file:
            for entries in self._boots.values():
                file.writelines(entry.line() for entry in entries)
        self._lines = self._count
        if is_open:
            self._file = open(self._path, "ab", buffering=0)  # noqa: SIM115 (the same)


def _entry(line: bytes) -> Entry | None:
    words = unseal(line).split(" ", 2)
    if len(words) < 3:
        return None
    boot, index = number(words[0], MASK), number(words[1], MASK)
    return Entry(boot, index, words[2]) if boot >= 0 and index >= 0 else None
