"""The trace: each change of the unit as one line of JSON, at the time it was due.

The lines are put together by hand, so that every interpreter writes the same
bytes; none of the texts in them needs escaping.
"""

from city_unit.ticks import add, diff

LONGEST_HOP = 0x10000000  # ms; far within what two times may lie apart

# The lamps in the order of their bits in `Unit.lamps`.
LAMPS = ("auction", "permit-1", "permit-2", "permit-3", "permit-station")

# What the value and the why of an event are called, for each kind that has one.
FIELDS = {
    "switched-on": ("program",),
    "auction-started": ("length_ms",),
    "auction-warning": ("left_ms",),
    "permit-granted": ("permit",),
    "hour-beep": ("left_ms",),
    "last-round": ("left_ms",),
    "phase-started": ("phase",),
    "refused": ("what", "why"),
}


class Recorder:
    """Writes a line for each change of a unit, as seen after each of its steps.

    Of one millisecond it tells the events first, then the lamps, then the tone.
    Times count from `start`, on and on, across the wraps of the unit's clock.
    """

    def __init__(self, unit, start: int, write) -> None:
        self._unit = unit
        self._write = write
        self._at = start
        self._ms = 0
        self._seen = unit.events.count
        self._lamps = unit.lamps
        self._tone = unit.tone

    def note(self, now: int) -> None:
        """Write what has changed since the last call, at most 2^29 ms ago."""
        unit = self._unit
        while self._seen < unit.events.count:
            at, kind, value, why = unit.events.get(self._seen)
            self._seen += 1
            self._write(
                '{"ms": %d, "event": "%s"%s}' % (self._since(at), kind, fields(kind, value, why))
            )
        changed = unit.lamps ^ self._lamps
        if changed:
            self._lamps = unit.lamps
            for lamp in range(5):
                if changed >> lamp & 1:
                    on = "true" if unit.lamps >> lamp & 1 else "false"
                    ms = self._since(unit.shown_at[lamp])
                    self._write('{"ms": %d, "lamp": "%s", "on": %s}' % (ms, LAMPS[lamp], on))
        if unit.tone != self._tone:
            self._tone = unit.tone
            self._write('{"ms": %d, "tone": %d}' % (self._since(unit.shown_at[5]), unit.tone))
        self._since(now)

    def _since(self, at: int) -> int:
        self._ms += diff(at, self._at)
        self._at = at
        return self._ms


def fields(kind: str, value, why) -> str:
    """Return an event's fields as they follow in its JSON object."""
    text = ""
    for name, content in zip(FIELDS.get(kind, ()), (value, why)):
        if content is not None:
            text += ', "%s": %s' % (name, content if isinstance(content, int) else '"%s"' % content)
    return text


def replay(unit, changes, start: int, end_ms: int, write) -> None:
    """Run `unit` in virtual time, from deadline to deadline, and write its trace.

    changes  `(ms, levels)`, the contacts' new levels at each time, in order
    start    the unit's own clock at ms 0
    end_ms   where the run ends; what is due at that instant is still told
    write    takes each line
    """
    recorder = Recorder(unit, start, write)
    unit.step(start, 0)
    ms = 0
    now = start
    levels = 0
    change = 0
    while True:
        goal = changes[change][0] if change < len(changes) else end_ms
        due = unit.next_due()
        hop = min(goal - ms, LONGEST_HOP)
        if due is not None:
            hop = min(hop, diff(due, now))
        ms += hop
        now = add(now, hop)
        while change < len(changes) and changes[change][0] == ms:
            levels = changes[change][1]
            change += 1
        unit.step(now, levels)
        recorder.note(now)
        if ms == end_ms and change == len(changes):
            return
