"""A unit's own record of what it does: lines like those of the trace, as it happens.

Each start of the unit begins with a line that tells its boot number; each change
tells as well how many microseconds after it was due it could be shown.
"""

import json
from pathlib import Path

from city_unit.ticks import MASK
from city_unit.trace import FIELDS, LAMPS
from sim import texts_link as texts
from sim.errors import UserError
from sim.runner import Change, Runner


class Record:
    """Adds to the file at `path`, and is the only reader of the runner's changes.

    Raises UserError if the file cannot be written.
    """

    def __init__(self, path: str, runner: Runner, boot: int) -> None:
        self._runner = runner
        try:
            self._file = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115
        except OSError as error:
            raise UserError(texts.CANNOT_RECORD % (path, error.strerror or error)) from error
        self._write({"ms": runner.ms, "boot": boot})

    def note(self) -> None:
        """Write what has changed since the last call, before anybody is told of it."""
        self._runner.note()  # what a command has changed since the unit's last step
        changes = self._runner.changes
        while changes:
            change = changes.popleft()
            late_us = self._runner.now_us - change.ms * 1000 & MASK
            self._write({**_told(change), "late_us": late_us})

    def close(self) -> None:
        self._file.close()

    def _write(self, line: dict) -> None:
        self._file.write(json.dumps(line) + "\n")


def _told(change: Change) -> dict:
    if change.what in LAMPS:
        return {"ms": change.ms, "lamp": change.what, "on": change.value}
    if change.what == "tone":
        return {"ms": change.ms, "tone": change.value}
    values = (value for value in (change.value, change.why) if value is not None)
    fields = dict(zip(FIELDS.get(change.what, ()), values, strict=False))
    return {"ms": change.ms, "event": change.what, **fields}
