"""Run a unit through virtual time, from deadline to deadline.

For the desktop and the page's MicroPython; not used on a board.
"""

from city_unit.ticks import add, diff
from city_unit.trace import Recorder, line

LONGEST_HOP = 0x10000000  # ms; within the range of `diff`


class Drive:
    """Steps a unit, or a link with its unit, whenever it is due.

    stepped  a unit, a link, or `Fingers` on one of them: has `step(now, levels)` and `next_due()`
    note     called after each step with the time of the unit's clock
    ms       the current time since the start of the run
    now      the same on the unit's clock, which wraps
    levels   of the contacts
    """

    def __init__(self, stepped, start: int, note=None) -> None:
        self.stepped = stepped
        self.ms = 0
        self.now = start
        self.levels = 0
        self._note = note

    def until(self, ms: int, levels: int | None = None) -> None:
        """Advance to `ms` through all deadlines, then set the contacts to `levels`."""
        while True:
            due = self.next_ms()
            if due is None or due >= ms:
                break
            self.go(max(due, self.ms))
        if ms > self.ms or levels is not None:
            self.go(ms, levels)

    def go(self, ms: int, levels: int | None = None) -> None:
        """Step once at `ms`, even if it is late, and set the contacts to `levels`."""
        while ms - self.ms > LONGEST_HOP:
            self._step(self.ms + LONGEST_HOP)
        if levels is not None:
            self.levels = levels
        self._step(ms)

    def next_ms(self) -> int | None:
        """Return when the next step is due; None if only a contact can change anything."""
        due = self.stepped.next_due()
        return None if due is None else self.ms + diff(due, self.now)

    def _step(self, ms: int) -> None:
        self.now = add(self.now, ms - self.ms)
        self.ms = ms
        self.stepped.step(self.now, self.levels)
        if self._note:
            self._note(self.now)


def replay(unit, changes, start: int, end_ms: int, write) -> None:
    """Run `unit` in virtual time and write its trace line by line.

    changes  the contacts' new levels in order of time, as `(ms, levels)`
    start    the time of the unit's clock at ms 0
    end_ms   the end of the run, inclusive
    write    receives each line
    """
    record(unit, changes, start, end_ms, lambda *change: write(line(*change)))


def record(unit, changes, start: int, end_ms: int, report) -> None:
    """Run `unit` like `replay`, and report each change like `Recorder`."""
    drive = Drive(unit, start, Recorder(unit, start, report).note)
    drive.go(0, 0)
    for place in range(len(changes)):  # only the last of several changes at the same ms counts
        ms, levels = changes[place]
        if place + 1 == len(changes) or changes[place + 1][0] > ms:
            drive.until(ms, levels)
    drive.until(end_ms)
