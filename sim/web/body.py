"""The unit's body in a page. It runs in the browser's MicroPython, and in CPython.

A browser throttles timers, so nothing here ticks. Each input carries its own time. The unit is
advanced to that time, and a copy of it is run ahead. The trace of the copy is the plan:
everything the unit will do if nobody touches it. The unit itself is never stepped between two
inputs, however late they arrive.

Requests and responses are JSON strings: the interpreter's boundary would cut a number to 32 bits.
"""

import json

from city_unit.draws import Draws
from city_unit.drive import Drive
from city_unit.facts import BUILD, SWITCH, TAP_MS
from city_unit.fingers import Fingers
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from city_unit.ticks import MASK, add
from city_unit.trace import Recorder, line
from city_unit.transitions import TRANSITIONS
from city_unit.unit import Unit

SETUP_OFF_MS = 100  # how long the switch is off before it goes on with BUILD held

PLANNED_LINES = 2000  # the longest plan that `do` returns; `further` returns the rest
REPLAYED_LINES = 200  # trace lines kept when a journal is replayed


class Session(Drive):
    """A unit with its contacts, on a clock of its own, `ms`, that never wraps.

    unit     the unit; its random draws come from `draws`
    fingers  press its contacts
    tape     the trace of the unit, with a snapshot line wherever the snapshot changed
    """

    def __init__(self, unit: Unit, draws: Draws, fingers: Fingers, now: int, ms: int = 0) -> None:
        super().__init__(fingers, now, self._write)
        self.ms = ms
        self.unit = unit
        self.draws = draws
        self.fingers = fingers
        self.tape: list[str] = []
        self._recorder = Recorder(
            unit, now, lambda at, *change: self.tape.append(line(ms + at, *change))
        )
        self._snapshot = self.snapshot()

    def copy(self) -> "Session":
        """Return an independent copy with an empty tape."""
        draws = Draws(self.draws.seed)
        unit = self.unit.copy(draws.below)
        return Session(unit, draws, self.fingers.copy(unit), self.now, self.ms)

    def cut(self) -> list[str]:
        """Return the lines of the tape and empty it."""
        lines, self.tape = self.tape, []
        return lines

    def move(self) -> None:
        """Apply all finger motions that are due now."""
        self.go(self.ms)

    def change(self, bit: int, level: int, after_ms: int = 0) -> None:
        """Change a contact, now or later."""
        self.fingers.plan(add(self.now, after_ms), bit, level)
        self.move()

    def snapshot(self) -> tuple:
        """Return the state of the unit, as `snapshot_text` formats it."""
        unit = self.unit
        settings = unit.settings
        left = unit.clock.left_at(self.now)
        setup = unit.setup if unit.state == "setup" else None
        return (
            unit.state,
            settings.program.name,
            settings.clock_ms,
            settings.volume,
            self.ms + left if left else None,
            setup and setup.page,
            setup and setup.choices[setup.choice],
        )

    def note(self) -> None:
        """Write all changes to the tape."""
        self._write(self.now)

    def _write(self, now: int) -> None:
        self._recorder.note(now)
        snapshot = self.snapshot()
        if snapshot != self._snapshot:
            self._snapshot = snapshot
            self.tape.append('{"ms": %d, "unit": %s}' % (self.ms, snapshot_text(snapshot)))


def snapshot_text(snapshot: tuple) -> str:
    """Return a snapshot as JSON.

    hour_ends  when the game's clock runs out; null if it is not running
    choice     in the setup: its page, and a program name, a length in ms, or a volume
    """
    state, program, clock_ms, volume, hour_ends, page, chosen = snapshot
    choice = page and [page, chosen.name if page == "program" else chosen]
    return (
        '{"state": "%s", "program": "%s", "clock_ms": %d, "volume": %d, "hour_ends": %s, '
        '"choice": %s}'
    ) % (state, program, clock_ms, volume, json.dumps(hour_ends), json.dumps(choice))


class Body:
    """The unit's interface to the page.

    The page's journal holds all inputs since the switch went on. A new body that replays the
    journal continues exactly as the old one would have.
    """

    def __init__(self, kept: str) -> None:
        """Create a body from the page's stored state, a JSON object.

        seed      of the random draws
        start     the unit's clock at 0 ms
        programs  the user's own, each the values of a Program by name
        program, clock_ms, volume   the unit's memory
        """
        memory = json.loads(kept)
        custom = []
        for values in memory["programs"]:
            fixed = {key: _tuples(values[key]) for key in values if key != "name"}
            custom.append(Program(values["name"], **fixed))
        settings = Settings(PROGRAMS + tuple(custom))
        settings.volume = memory["volume"]
        for program in settings.programs:
            if program.name == memory["program"]:
                settings.choose(program, _length(program, memory["clock_ms"]))
        draws = Draws(memory["seed"])
        unit = Unit(settings, draws.below)
        self._session = Session(unit, draws, Fingers(unit), memory["start"] & MASK)
        self._session.move()
        self._ahead = self._session  # the copy that makes the plan

    def replay(self, journal: str) -> None:
        """Replay a journal, a JSON list of `[ms, what, value, more]`.

        The log of the next `do` includes the end of its trace.
        """
        session = self._session
        for ms, what, value, more in json.loads(journal):
            self._do(ms, what, value, more)
            session.tape = session.tape[-REPLAYED_LINES:]

    def do(self, request: str) -> str:
        """Apply one input and look ahead; the request is JSON: `[ms, what, value, more, ahead_ms]`.

        ms        the input's time; a time before that of the last input counts as that one
        what      press, release, tap    value: AUCTION or BUILD
                  switch                 value: 0 or 1
                  set up                 switch on with BUILD held, from any state
                  program                value: its name; more: its length in ms, or None
                  volume                 value: 0 to 3
                  live                   no input: let time pass
        ahead_ms  how far the plan should reach

        The response, a JSON object:
        ms       the time at which the input counted
        levels   the closed contacts
        at_rest  whether a new body would be in the same state
        why      the reason for a refusal, else ""
        unit     the snapshot
        until    the end of the plan; null if nothing can follow it
        log      the trace since the last call
        plan     the trace to come
        """
        ms, what, value, more, ahead_ms = json.loads(request)
        why = self._do(ms, what, value, more)
        session = self._session
        log = session.cut()
        unit = snapshot_text(session.snapshot())
        # The copy runs ahead with its own random draws; the session stays where it is.
        self._ahead = session.copy()
        plan, until = run_ahead(self._ahead, session.ms + ahead_ms, PLANNED_LINES)
        levels = session.fingers.levels
        is_at_rest = session.unit.state == "off" and not levels and session.next_ms() is None
        now = (session.ms, levels, json.dumps(is_at_rest), json.dumps(why), unit)
        return (
            '{"ms": %d, "levels": %d, "at_rest": %s, "why": %s, "unit": %s, ' % now
            + '"until": %s, "log": [%s], "plan": [%s]}'
            % (json.dumps(until), ", ".join(log), ", ".join(plan))
        )

    def further(self, request: str) -> str:
        """Continue the plan; the request is JSON: `[until, lines]`.

        until  how far the plan should reach
        lines  about how many lines to return

        The response is JSON: the `plan` from there, and its end, `until`, as in `do`.
        """
        plan, until = run_ahead(self._ahead, *json.loads(request))
        return '{"until": %s, "plan": [%s]}' % (json.dumps(until), ", ".join(plan))

    def _do(self, ms: int, what: str, value, more) -> str:
        session = self._session
        session.until(max(ms, session.ms))
        fingers = session.fingers
        if what in ("press", "tap"):
            fingers.press(session.now, value)
            session.move()
            if what == "tap":
                fingers.release(session.now, value, TAP_MS)
        elif what == "release":
            fingers.release(session.now, value)
            session.move()
        elif what == "switch":
            fingers.cancel(SWITCH)
            session.change(SWITCH, value)
        elif what == "set up":
            after_ms = 0
            if fingers.levels & SWITCH:
                fingers.cancel(SWITCH)
                session.change(SWITCH, 0)
                after_ms = SETUP_OFF_MS
            fingers.cancel(BUILD)
            session.change(BUILD, 1, after_ms)
            session.change(SWITCH, 1, after_ms)
            session.change(BUILD, 0, after_ms + TAP_MS)
        elif what == "program":
            return self._choose(value, more)
        elif what == "volume":
            session.unit.settings.volume = value
            session.note()
        elif what != "live":
            raise KeyError(what)
        return ""

    def _choose(self, name: str, clock_ms: int | None) -> str:
        unit = self._session.unit
        settings = unit.settings
        if unit.state != "off" and "restart" not in TRANSITIONS[unit.state]:
            return unit.state
        for program in settings.programs:
            if program.name == name:
                settings.choose(program, _length(program, clock_ms))
                why = unit.command(self._session.now, "restart") if unit.state != "off" else ""
                self._session.note()
                return why
        return "unknown"


def facts() -> str:
    """Return the built-in programs as JSON."""
    names = [name for name in dir(Program) if name[0] != "_" and name != "cues"]
    programs = []
    for program in PROGRAMS:
        values = {name: getattr(program, name) for name in names}
        values["name"] = program.name
        programs.append(values)
    return json.dumps({"programs": programs})


def run_ahead(session: Session, until: int, most: int) -> tuple[list[str], int | None]:
    """Run a session on to `until`; return its trace and where that ends, None if nothing follows.

    most  lines after which it ends earlier; changes of the same moment stay together
    """
    while len(session.tape) < most:
        due = session.next_ms()
        if due is None:
            return session.cut(), None
        if due > until:
            return session.cut(), until
        session.until(due)
    return session.cut(), session.ms


def _tuples(value):
    """Return a JSON value with tuples in place of lists, as a Program has them."""
    if isinstance(value, dict):
        return {key: _tuples(value[key]) for key in value}
    return tuple([_tuples(part) for part in value]) if isinstance(value, list) else value


def _length(program: Program, clock_ms: int | None) -> int | None:
    """Return the chosen length, or None if the program does not offer it."""
    return clock_ms if clock_ms in program.clock_choices_ms else None
