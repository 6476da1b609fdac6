"""The trace: each change of a unit, at the time it was due, and as one line of JSON.

The lines are put together by hand, so that every interpreter writes the same
bytes; none of the texts in them needs escaping.
"""

from city_unit.facts import OUTPUTS, TONE
from city_unit.ticks import diff

# Every kind of event of a unit, and the names of its value and its why.
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
    """Tells each change of a unit, as seen after each of its steps.

    Of one millisecond it tells the events first, then the lamps, then the tone.
    Times count from `start`, on and on, across the wraps of the unit's clock.

    tell  called with the ms at which the change was due, what has changed (one of
          `facts.OUTPUTS`, or the kind of an event), its new value (0 or 1 of a lamp, Hz
          of the tone, else the event's value or None), and the why of an event or None
    """

    def __init__(self, unit, start: int, tell) -> None:
        self._unit = unit
        self._tell = tell
        self._at = start
        self._ms = 0
        self._seen = unit.events.count
        self._lamps = unit.lamps
        self._tone = unit.tone

    def note(self, now: int) -> None:
        """Record all changes since the last call, at most 2^29 ms ago."""
        unit = self._unit
        while self._seen < unit.events.count:
            at, kind, value, why = unit.events.get(self._seen)
            self._seen += 1
            self._tell(self._since(at), kind, value, why)
        changed = unit.lamps ^ self._lamps
        if changed:
            self._lamps = unit.lamps
            for lamp in range(TONE):
                if changed >> lamp & 1:
                    lit = unit.lamps >> lamp & 1
                    self._tell(self._since(unit.shown_at[lamp]), OUTPUTS[lamp], lit, None)
        if unit.tone != self._tone:
            self._tone = unit.tone
            self._tell(self._since(unit.shown_at[TONE]), "tone", unit.tone, None)
        self._since(now)

    def _since(self, at: int) -> int:
        self._ms += diff(at, self._at)
        self._at = at
        return self._ms


def line(ms: int, what: str, value: str | int | None, why: str | None = None) -> str:
    """Return a change as a line of the trace, without its end."""
    return '{"ms": %d%s}' % (ms, fields(what, value, why))


def fields(what: str, value: str | int | None, why: str | None = None) -> str:
    """Return the fields of a change, as they follow the time in its JSON object."""
    if what == "tone":
        return ', "tone": %d' % value
    if what in OUTPUTS:
        return ', "lamp": "%s", "on": %s' % (what, "true" if value else "false")
    text = ', "event": "%s"' % what
    for name, content in zip(EVENTS.get(what, ()), (value, why)):
        if content is not None:
            text += ', "%s": %s' % (name, content if isinstance(content, int) else '"%s"' % content)
    return text
