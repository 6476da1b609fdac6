"""A unit's own record of what it does: lines like those of the trace, as it happens.

Each start of the unit begins with a line that tells its boot number; each change
tells as well how many microseconds after it was due it could be shown.
"""

import json
from pathlib import Path

from city_unit.desktop.append_file import AppendFile
from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_write, warn
from city_unit.ticks import MASK
from city_unit.trace import line
from sim.engine.runner import Runner

INCOMPLETE = lazy("{path} lacks the last {count} lines: {why}")


class Record:
    """Adds to the file at `path`, and is the only reader of the runner's changes.

    A full disk delays it (`AppendFile`). Raises UserError if the file cannot be written.
    """

    def __init__(self, path: str, runner: Runner, boot: int) -> None:
        self._runner = runner
        try:
            self._file = AppendFile(Path(path), report=warn)
        except OSError as error:
            raise cannot_write(path, error) from error
        self._boot = boot

    def begin(self) -> None:
        """Write that the unit has been started."""
        self._add(json.dumps({"ms": self._runner.ms, "boot": self._boot}))

    def note(self) -> None:
        """Write all changes since the last call, before any client receives them."""
        self._runner.note()  # changes by a command since the unit's last step
        changes = self._runner.changes
        while changes:
            change = changes.popleft()
            late_us = self._runner.now_us - change.ms * 1000 & MASK
            text = line(change.ms, change.what, change.value, change.why)
            self._add(f'{text[:-1]}, "late_us": {late_us}}}')
        self._file.retry()

    def close(self) -> None:
        """Close the file. Raises UserError if it is incomplete."""
        self._file.close()
        if self._file.trouble:
            count = self._file.unwritten.count(b"\n") + self._file.lost
            words = INCOMPLETE.format(path=self._file.path, count=count, why=self._file.trouble)
            raise UserError(words, FAILURE)

    def _add(self, text: str) -> None:
        self._file.add(f"{text}\n".encode())
