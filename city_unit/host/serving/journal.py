"""The journal: a unit's events in a file, for programs that were disconnected when it restarted.

Each line is `SERIAL BOOT NUMBER AT KIND [VALUE [WHY]]` with the checksum of a frame of the link.
Damage therefore affects only the damaged lines. SERIAL counts the lines, so that lines that have
changed places can be sorted. Memory and file are bounded: the oldest events are removed first.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from city_unit.desktop.append_file import FULL, AppendFile, back_up, repair
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.files import reason, warn
from city_unit.ticks import MASK
from city_unit.wire import LONGEST, parse_number, seal, unseal

MOST = 16384  # events: several evenings, in 2 MB
_LARGEST = 1 << 24  # bytes; a larger file, or an endless device, is not a journal

SOMETHING_ELSE = lazy("the file contains something other than a unit's events")

# The start of a line, all there is if the power failed while the first line was written.
_TORN = re.compile(rb"\d{1,10}( \d{0,10}){0,3}( [a-z-]*[ -~]*)?")
_SEAL = 10  # bytes of a checksum, with `*` and the newline
_MAX_REPAIRED = 16  # lines; damage in more of them is not single flipped bits


class Entry(NamedTuple):
    """An event; `words` are its time, kind and fields, as on the wire."""

    boot: int
    number: int
    words: str

    def line(self, serial: int) -> bytes:
        text = f"{serial} {self.boot} {self.number} {self.words}"
        return seal(text[: LONGEST - _SEAL])  # a hostile unit may send more than fits


class Journal:
    """The stored events of one unit, continued from the file at `path`.

    If the disk is full, events wait in memory (see `AppendFile`). A damaged file is replaced by
    its readable events, and the original is kept next to it.

    path     the file; a missing folder is created
    most     the limit of stored events
    report   receives a sentence for people when damage is found, and when writing stops or resumes
    is_ours  whether the program chose the path; any other content is then treated as damage

    Raises OSError if the file cannot be read or written for a reason other than a full disk, is in
    use by another unit, or contains something else.
    """

    def __init__(
        self,
        path: Path,
        most: int = MOST,
        report: Callable[[str], object] = warn,
        is_ours: bool = False,
    ) -> None:
        self._path = path
        self._most = most
        self._report = report
        self._is_ours = is_ours
        self._boots: dict[int, list[Entry]] = {}  # in order of first appearance
        self._count = 0  # of all entries
        self._serial = 0  # serial number of the next line
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(path.with_name(f".{path.name}.lock"), thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise OSError(_("another unit is writing its events there")) from None
        except OSError as error:
            if error.errno not in FULL:
                raise
        try:
            self._read()
        except OSError:
            self._lock.release()
            raise

    def add(self, boot: int, index: int, words: str) -> None:
        """Append an event. On return it is in the file, but not necessarily on the disk."""
        entry = Entry(boot, index, words)
        self._keep(entry)
        self._file.add(entry.line(self._serial))
        self._serial += 1
        if self._serial > 2 * self._most and not self._file.error:
            with suppress(OSError):  # no room for two files: the file grows until a later attempt
                self._rewrite()

    def retry(self) -> None:
        """Try occasionally to write the events that wait in memory; call it often."""
        self._file.retry()

    def answer(self, words: list[str], current: int) -> str | None:
        """Return the answer to the command `journal BOOT N`; `current` is the boot of the unit.

        None if it is another command, or BOOT is unknown.
        """
        if words[0] != "journal" or len(words) < 3:
            return None
        boot, index = parse_number(words[1], MASK), parse_number(words[2], MASK)
        if index < 0 or boot not in self._boots:
            return None
        entry = self.next_entry(boot, index)
        if entry is None or entry.boot == current:
            return ""
        return f"{entry.boot} {entry.number} {entry.words}"

    def has(self, boot: int, index: int) -> bool:
        """Return whether this event or a later one of its boot is stored."""
        entries = self._boots.get(boot)
        return bool(entries) and entries[-1].number >= index

    def next_entry(self, boot: int, index: int) -> Entry | None:
        """Return the first event of a boot from number `index`, else the first of a later boot."""
        is_later = False
        for each, entries in self._boots.items():
            if each == boot:
                is_later = True
                place = bisect_left(entries, index, key=lambda entry: entry.number)
                if place < len(entries):
                    return entries[place]
            elif is_later and entries:
                return entries[0]
        return None

    def run_before(self, boot: int, index: int) -> list[str]:
        """Return the words of the unbroken run of events that ends just before number `index`."""
        words: list[str] = []
        for entry in reversed(self._boots.get(boot, [])):
            if entry.number == index - len(words) - 1:
                words.append(entry.words)
            elif entry.number < index:
                break
        return words[::-1]

    def close(self) -> None:
        self._file.close()
        self._lock.release()

    def _read(self) -> None:
        """Read the file, repair it, and open it for appending."""
        content = b""
        with suppress(FileNotFoundError), open(self._path, "rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise OSError(SOMETHING_ELSE)
        found, is_whole = readable(content)
        is_torn = _TORN.fullmatch(content) or not content.strip(b"\0")
        if not (found or is_torn or self._is_ours):
            raise OSError(SOMETHING_ELSE)
        for entry in found:
            self._keep(entry)
        self._serial = len(found)
        self._file = AppendFile(self._path, report=self._report)
        if not is_whole:
            aside = None
            try:
                aside = back_up(self._path, "damaged")
                self._rewrite()
            except OSError as error:
                if aside is not None:
                    aside.unlink(missing_ok=True)
                words = _(
                    "Warning: {path} is damaged and cannot be repaired now: {why}; its {count}"
                    " readable events are in use"
                )
                why = reason(error)
                self._report(words.format(path=self._path, why=why, count=self._count))
                if not content.endswith(b"\n"):
                    self._file.add(b"\n")  # otherwise the next event would continue the torn line
                return
            words = _(
                "{path} was damaged; its {count} readable events are kept, the original is {aside}"
            )
            self._report(words.format(path=self._path, count=self._count, aside=aside))
        elif self._count != len(found):
            with suppress(OSError):
                self._rewrite()

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

    def _rewrite(self) -> None:
        """Replace the file by the events in memory."""
        stored = [entry for entries in self._boots.values() for entry in entries]
        self._file.replace(b"".join(entry.line(place) for place, entry in enumerate(stored)))
        self._serial = len(stored)


def readable(content: bytes) -> tuple[list[Entry], bool]:
    """Return the readable events in order, and whether the file is undamaged."""
    lines = content.splitlines(keepends=True)
    is_whole = not content or content.endswith(b"\n")
    found: list[tuple[int, Entry]] = []
    place = tries = 0
    while place < len(lines):
        entries, taken = _entries(lines[place : place + 1]), 1
        if entries is None:
            is_whole = False
            tries += 1
            if tries <= _MAX_REPAIRED:
                entries, taken = repair(lines[place : place + 2], 2 * LONGEST, _entries)
        found += entries or []
        place += taken
    is_whole = is_whole and all(serial == at for at, (serial, _entry) in enumerate(found))
    boots: dict[int, dict[int, Entry]] = {}
    for _serial, entry in sorted(found, key=lambda each: each[0]):
        numbers = boots.setdefault(entry.boot, {})
        is_whole = is_whole and entry.number > next(reversed(numbers), -1)
        numbers.setdefault(entry.number, entry)
    return [of[index] for of in boots.values() for index in sorted(of)], is_whole


def _entries(lines: list[bytes]) -> list[tuple[int, Entry]] | None:
    """Return the serial and the event of each line; None if a line is damaged."""
    entries = []
    for line in lines:
        words = unseal(line.removesuffix(b"\n")).split(" ")
        serial, boot, index = (parse_number(word, MASK) for word in (*words, "", "", "")[:3])
        if len(words) < 4 or min(serial, boot, index) < 0:
            return None
        entries.append((serial, Entry(boot, index, " ".join(words[3:]))))
    return entries
