"""A unit's events on disk: written before anybody is told of them, told again after a restart."""

import errno
from pathlib import Path

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import reason
from city_unit.host.serving.journal import Journal
from city_unit.link import Link

CANNOT_KEEP = lazy("cannot keep the unit's events in {path}: {why}; name another file")


def require_folder(path: Path) -> None:
    """Raise UserError if the folder of a journal that somebody asked for is not there.

    A folder that was mistyped is not made: nobody would look for the events there.
    """
    if not path.parent.is_dir():
        why = reason(FileNotFoundError(errno.ENOENT, ""))
        raise UserError(CANNOT_KEEP.format(path=path, why=why), FAILURE)


class UnitJournal:
    """The journal of a link's unit, at `path`.

    is_ours  whether that is the program's own place, and no file that a user named

    Raises UserError if it cannot be kept there.
    """

    def __init__(self, link: Link, path: Path, is_ours: bool = False) -> None:
        try:
            self._journal = Journal(path, is_ours=is_ours)
        except OSError as error:
            why = reason(error) if error.errno else str(error)
            raise UserError(CANNOT_KEEP.format(path=path, why=why), FAILURE) from error
        self._link = link
        self._boot = link.boot
        self._next = 0  # the number of the event that is written next
        link.more = self.answer

    def note(self) -> None:
        """Write all events since the last call."""
        link = self._link
        events = link.unit.events
        if link.boot != self._boot:  # the unit has become another
            self._boot, self._next = link.boot, 0
        for index in range(max(self._next, events.first()), events.count):
            words = [str(word) for word in events.get(index) if word is not None]
            self._journal.add(self._boot, index, " ".join(words))
        self._next = events.count
        self._journal.retry()

    def answer(self, words: list[str]) -> str | None:
        """Answer `journal BOOT N`, as a link's `more` does."""
        return self._journal.answer(words, self._link.boot)

    def close(self) -> None:
        self._journal.close()
