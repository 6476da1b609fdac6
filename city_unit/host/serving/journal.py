"""The events of a unit in a file, for programs that were away when it was started anew.

Each line is `SERIAL BOOT NUMBER AT KIND [VALUE [WHY]]` with the checksum of the link's lines, so
each line proves itself: damage costs the damaged lines and no others. SERIAL counts the lines, so
that lines that changed places are put back.
Memory and file are bounded: the oldest events go first.
"""

import re
import time
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from city_unit.desktop.append_file import FULL, AppendFile, keep_aside, mend
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.files import reason, warn
from city_unit.ticks import MASK
from city_unit.wire import LONGEST, number, seal, unseal

MOST = 16384  # events that are kept: those of several evenings, in two MB
_LARGEST = 1 << 24  # bytes: a file with more, or a device that never ends, is no journal

SOMETHING_ELSE = lazy("the file holds something else than events of a unit")
MENDED = lazy("{path} was damaged; its {count} readable events are kept, the original is {aside}")
NOT_MENDED = lazy(
    "Warning: {path} is damaged and cannot be mended now: {why}; its {count} readable events are"
    " in use"
)

# The beginning of a line: all that is there if the power failed while the first one was written.
_TORN = re.compile(rb"\d{1,10}( \d{0,10}){0,3}( [a-z-]*[ -~]*)?")
_SEAL = 10  # bytes of a checksum, with `*` and the end of the line
_MOST_MENDED = 16  # lines in which a flipped bit is looked for: where there are more, it is none


class Entry(NamedTuple):
    """An event; `words` are its time, its kind and more, as they stand on the wire."""

    boot: int
    number: int
    words: str

    def line(self, serial: int) -> bytes:
        text = f"{serial} {self.boot} {self.number} {self.words}"
        return seal(text[: LONGEST - _SEAL])  # a hostile unit may say more than fits


class Journal:
    """The events of one unit, those of the file at `path` first.

    A full disk stops nobody: events then wait in memory (`AppendFile`). A damaged file is replaced
    by its readable events, and the original kept beside it.

    path     a folder that is missing is made
    most     events that are kept
    report   receives one sentence for people about damage, a stop, and an end of it
    is_ours  whether the place is the program's own: any content is then damage
    clock    seconds that never go back

    Raises OSError if the file cannot be read or written for another reason than a full disk, is
    another unit's at the moment, or holds something else.
    """

    def __init__(
        self,
        path: Path,
        most: int = MOST,
        report: Callable[[str], object] = warn,
        is_ours: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._most = most
        self._report = report
        self._is_ours = is_ours
        self._boots: dict[int, list[Entry]] = {}  # in the order in which they were first met
        self._count = 0  # of all entries
        self._serial = 0  # of the next line
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(path.with_name(f".{path.name}.lock"), thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise OSError(_("another unit writes its events there")) from None
        except OSError as error:
            if error.errno not in FULL:
                raise
        try:
            self._read(clock)
        except OSError:
            self._lock.release()
            raise

    @property
    def error(self) -> str:
        """Return why events are not in the file, in the user's language; "" if they are."""
        return self._file.error

    def add(self, boot: int, index: int, words: str) -> None:
        """Write an event; it is in the file, if not yet on the disk, when this returns."""
        entry = Entry(boot, index, words)
        self._keep(entry)
        self._file.add(entry.line(self._serial))
        self._serial += 1
        if self._serial > 2 * self._most and not self._file.error:
            with suppress(OSError):  # no room for both files: it grows, and this is tried again
                self._write_anew()

    def retry(self) -> None:
        """Write the events that wait for room, now and then; call it often."""
        self._file.retry()

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
        self._file.close()
        self._lock.release()

    def _read(self, clock: Callable[[], float]) -> None:
        """Read the file, mend it, and open it to be continued."""
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
        self._file = AppendFile(self._path, report=self._report, clock=clock)
        if not is_whole:
            aside = None
            try:
                aside = keep_aside(self._path, "damaged")
                self._write_anew()
            except OSError as error:
                if aside is not None:
                    aside.unlink(missing_ok=True)
                why = reason(error)
                self._report(NOT_MENDED.format(path=self._path, why=why, count=self._count))
                if not content.endswith(b"\n"):
                    self._file.add(b"\n")  # else the next event would continue the torn line
                return
            self._report(MENDED.format(path=self._path, count=self._count, aside=aside))
        elif self._count != len(found):
            with suppress(OSError):
                self._write_anew()

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
        """Rewrite the file with the events that memory has, and no more."""
        kept = [entry for entries in self._boots.values() for entry in entries]
        self._file.replace(b"".join(entry.line(place) for place, entry in enumerate(kept)))
        self._serial = len(kept)


def readable(content: bytes) -> tuple[list[Entry], bool]:
    """Return the events of a file in their order, and whether it was whole."""
    lines = content.splitlines(keepends=True)
    is_whole = not content or content.endswith(b"\n")
    found: list[tuple[int, Entry]] = []
    place = tries = 0
    while place < len(lines):
        entries, taken = _entries(lines[place : place + 1]), 1
        if entries is None:
            is_whole = False
            tries += 1
            if tries <= _MOST_MENDED:
                entries, taken = mend(lines[place : place + 2], 2 * LONGEST, _entries)
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
    """Return the events of lines, each with its serial; None if a line is damaged."""
    entries = []
    for line in lines:
        words = unseal(line.removesuffix(b"\n")).split(" ")
        serial, boot, index = (number(word, MASK) for word in (*words, "", "", "")[:3])
        if len(words) < 4 or min(serial, boot, index) < 0:
            return None
        entries.append((serial, Entry(boot, index, " ".join(words[3:]))))
    return entries
