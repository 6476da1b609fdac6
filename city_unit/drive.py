"""The one loop that takes a unit through virtual time, from deadline to deadline."""

from city_unit.ticks import add, diff
from city_unit.trace import Recorder, line

LONGEST_HOP = 0x10000000  # ms; far below the largest distance of two times


class Drive:
    """Steps a unit, or a link with its unit, just when it is due.

    stepped  has `step(now, levels)` and `next_due()`: a unit, a link, or fingers on one of them
    note     called after each step with the time on the unit's clock
    also     returns the ms at which somebody else wants a step, or None
    ms       up to when it has lived, since the start of the run
    now      the same moment on the unit's clock, which wraps
    levels   of the contacts
    """

    def __init__(self, stepped, start: int = 0, note=None, also=None) -> None:
        self.stepped = stepped
        self.ms = 0
        self.now = start
        self.levels = 0
        self._note = note
        self._also = also

    def until(self, ms: int, levels: int | None = None) -> None:
        """Live until `ms`, meeting each deadline on the way; there the contacts take `levels`."""
        while True:
            due = self.next_ms()
            if due is None or due >= ms:
                break
            self.go(max(due, self.ms))
        if ms > self.ms or levels is not None:
            self.go(ms, levels)

    def go(self, ms: int, levels: int | None = None) -> None:
        """Step once, at `ms`, however late that is; the contacts take `levels` there."""
        while ms - self.ms > LONGEST_HOP:
            self._step(self.ms + LONGEST_HOP)
        if levels is not None:
            self.levels = levels
        self._step(ms)

    def next_ms(self) -> int | None:
        """Return when something is due next; None if a contact must come first."""
        due = self.stepped.next_due()
        ms = None if due is None else self.ms + diff(due, self.now)
        other = self._also() if self._also else None
        if ms is None or (other is not None and other < ms):
            return other
        return ms

    def _step(self, ms: int) -> None:
        self.now = add(self.now, ms - self.ms)
        self.ms = ms
        self.stepped.step(self.now, self.levels)
        if self._note:
            self._note(self.now)


def replay(unit, changes, start: int, end_ms: int, write) -> None:
    """Run `unit` in virtual time and write its trace, a line at a time.

    changes  `(ms, levels)`, the contacts' new levels at each time, in order
    start    the unit's own clock at ms 0
    end_ms   the end of the run; events due at that instant still count
    write    takes each line
    """
    record(unit, changes, start, end_ms, lambda *change: write(line(*change)))


def record(unit, changes, start: int, end_ms: int, tell) -> None:
    """Run `unit` as `replay` does, and `tell` each change as `Recorder` does."""
    drive = Drive(unit, start, Recorder(unit, start, tell).note)
    drive.go(0, 0)
    for place in range(len(changes)):
        ms, levels = changes[place]
        if place + 1 == len(changes) or changes[place + 1][0] > ms:
            drive.until(ms, levels)
    drive.until(end_ms)
