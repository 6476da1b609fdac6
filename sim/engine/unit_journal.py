"""A unit's events on disk: written before anybody is told of them, told again after a restart."""

import errno
import sys
from pathlib import Path

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import reason
from city_unit.host.serving.journal import Journal
from city_unit.link import Link

CANNOT_KEEP = lazy("cannot keep the unit's events in {path}: {why}; name another file")
NO_LONGER_KEPT = lazy("Warning: the unit's events are no longer written to {path}: {why}")


def require_folder(path: Path) -> None:
    """Raise UserError if the folder of a journal that somebody asked for is not there.

    A folder that was mistyped is not made: nobody would look for the events there.
    """
    if not path.parent.is_dir():
        why = reason(FileNotFoundError(errno.ENOENT, ""))
        raise UserError(CANNOT_KEEP.format(path=path, why=why), FAILURE)


class UnitJournal:
    """The journal of a link's unit, at `path`. Raises UserError if it cannot be kept there."""

    def __init__(self, link: Link, path: Path) -> None:
        try:
            self._journal = Journal(path)
        except OSError as error:
            why = reason(error) if error.errno else str(error)
            raise UserError(CANNOT_KEEP.format(path=path, why=why), FAILURE) from error
        self._path = path
        self._link = link
        self._boot = link.boot
        self._next = 0  # the number of the event that is written next
        self._is_told = False  # that it can no longer be written
        link.more = self.answer

    def note(self) -> None:
        """Write what has happened since the last call."""
        link = self._link
        events = link.unit.events
        if link.boot != self._boot:  # the unit has become another
            self._boot, self._next = link.boot, 0
        for index in range(max(self._next, events.first()), events.count):
            words = [str(word) for word in events.get(index) if word is not None]
            self._journal.add(self._boot, index, " ".join(words))
        self._next = events.count
        if self._journal.fault and not self._is_told:
            self._is_told = True
            words = NO_LONGER_KEPT.format(path=self._path, why=self._journal.fault)
            print(words, file=sys.stderr, flush=True)

    def answer(self, words: list[str]) -> str | None:
        """Answer `journal BOOT N`, as a link's `more` does."""
        return self._journal.answer(words, self._link.boot)

    def close(self) -> None:
        self._journal.close()
