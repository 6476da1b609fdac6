"""The trace: each change of a unit with the time at which it was due, as a line of JSON.

For the desktop and the page's MicroPython; not used on a board. The lines are formatted by hand, so
that every interpreter writes the same bytes. None of the strings in them needs escaping.
"""

from city_unit.facts import LAMP_COUNT, OUTPUTS, TONE
from city_unit.ticks import diff

# The kinds of events, and the names of their values.
EVENTS = {
    "switched-on": ("program",),
    "switched-off": (),
    "auction-started": ("length_ms",),
    "auction-warning": ("left_ms",),
    "auction-ended": (),
    "auction-cancelled": (),
    "permit-started": (),
    "permit-granted": ("permit",),
    "hour-beep": ("left_ms",),
    "hour-ended": (),
    "phase-started": ("phase",),
    "last-round": ("left_ms",),
    "time-called": (),
    "refused": ("what", "why"),
}


class Recorder:
    """Reports each change of a unit after each of its steps.

    Changes of the same millisecond are ordered: events, lamps, tone. Times count from `start` and
    do not wrap.

    report  receives the ms at which the change was due, the changed output (one of
          `facts.OUTPUTS`) or the kind of an event, the new value (0 or 1 for a lamp, Hz for the
          tone, else the event's value or None), and the reason of an event or None
    """

    def __init__(self, unit, start: int, report) -> None:
        self._unit = unit
        self._report = report
        self._at = start
        self._ms = 0
        self._seen = unit.events.count
        self._lamps = unit.lamps
        self._tone = unit.tone

    def note(self, now: int) -> None:
        """Report all changes since the last call, at most 2^29 ms ago."""
        unit = self._unit
        while self._seen < unit.events.count:
            at, kind, value, why = unit.events.get(self._seen)
            self._seen += 1
            self._report(self._ms_at(at), kind, value, why)
        changed = unit.lamps ^ self._lamps
        if changed:
            self._lamps = unit.lamps
            for lamp in range(LAMP_COUNT):
                if changed >> lamp & 1:
                    lit = unit.lamps >> lamp & 1
                    self._report(self._ms_at(unit.changed_at[lamp]), OUTPUTS[lamp], lit, None)
        if unit.tone != self._tone:
            self._tone = unit.tone
            self._report(self._ms_at(unit.changed_at[TONE]), "tone", unit.tone, None)
        self._ms_at(now)

    def _ms_at(self, at: int) -> int:
        self._ms += diff(at, self._at)
        self._at = at
        return self._ms


def line(ms: int, what: str, value: str | int | None, why: str | None = None) -> str:
    """Return a change as a line of the trace, without the newline."""
    return '{"ms": %d%s}' % (ms, fields(what, value, why))


def fields(what: str, value: str | int | None, why: str | None = None) -> str:
    """Return the fields of a change that follow the time in its JSON object."""
    if what == "tone":
        return ', "tone": %d' % value
    if what in OUTPUTS:
        return ', "lamp": "%s", "on": %s' % (what, "true" if value else "false")
    text = ', "event": "%s"' % what
    for name, content in zip(EVENTS.get(what, ()), (value, why)):
        if content is not None:
            text += ', "%s": %s' % (name, content if isinstance(content, int) else '"%s"' % content)
    return text
