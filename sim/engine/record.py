"""A unit's own record of what it does: lines like those of the trace, as it happens.

Each start of the unit begins with a line that tells its boot number; each change
tells as well how many microseconds after it was due it could be shown.
"""

import json
from pathlib import Path

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import reason
from city_unit.ticks import MASK
from city_unit.trace import line
from sim.engine.runner import Runner

CANNOT_RECORD = lazy("cannot write {path}: {why}")


class Record:
    """Adds to the file at `path`, and is the only reader of the runner's changes.

    Raises UserError if the file cannot be written.
    """

    def __init__(self, path: str, runner: Runner, boot: int) -> None:
        self._runner = runner
        try:
            self._file = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115
        except OSError as error:
            raise UserError(CANNOT_RECORD.format(path=path, why=reason(error)), FAILURE) from error
        self._boot = boot

    def begin(self) -> None:
        """Write that the unit has been started."""
        self._file.write(json.dumps({"ms": self._runner.ms, "boot": self._boot}) + "\n")

    def note(self) -> None:
        """Write what has changed since the last call, before anybody is told of it."""
        self._runner.note()  # what a command has changed since the unit's last step
        changes = self._runner.changes
        while changes:
            change = changes.popleft()
            late_us = self._runner.now_us - change.ms * 1000 & MASK
            text = line(change.ms, change.what, change.value, change.why)
            self._file.write(f'{text[:-1]}, "late_us": {late_us}}}\n')

    def close(self) -> None:
        self._file.close()
