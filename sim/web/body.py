"""The unit's body in a page. It runs in MicroPython, in the browser, and in CPython.

A browser starves its timers, so nothing here ticks. Whatever a person does comes with its
own time; the unit lives until then, and a twin of it lives ahead. The twin's trace is the
plan: all that the unit will do if nobody touches it. The unit itself is never
stepped between two inputs, however late they come.

Text goes in and text comes out, JSON both ways: a number that crosses the border of the
interpreter would be cut to 32 bits.
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

SETUP_OFF_MS = 100  # the slide switch goes off for so long before it is on with BUILD held

PLANNED_LINES = 2000  # a plan ends here at once; `further` goes on from there
RELIVED_LINES = 200  # of the life again by the journal


class Life(Drive):
    """A unit with its contacts, in a time of its own, `ms`, that never wraps.

    unit     the unit, whose draws are `draws`
    fingers  on its contacts
    tape     a trace of all that the unit did, and a snapshot line wherever that changed
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

    def copy(self) -> "Life":
        """Return a twin that lives ahead by itself, with an empty tape."""
        draws = Draws(self.draws.seed)
        unit = self.unit.copy(draws.below)
        return Life(unit, draws, self.fingers.copy(unit), self.now, self.ms)

    def cut(self) -> list[str]:
        """Return the lines of the tape, and forget them."""
        lines, self.tape = self.tape, []
        return lines

    def move(self) -> None:
        """Do all motions of the fingers that are due now."""
        self.go(self.ms)

    def change(self, bit: int, level: int, after_ms: int = 0) -> None:
        """Change a contact, now or later."""
        self.fingers.plan(add(self.now, after_ms), bit, level)
        self.move()

    def snapshot(self) -> tuple:
        """Return the state of the unit, all that `snapshot_text` writes down."""
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
        """Write down all changes."""
        self._write(self.now)

    def _write(self, now: int) -> None:
        self._recorder.note(now)
        snapshot = self.snapshot()
        if snapshot != self._snapshot:
            self._snapshot = snapshot
            self.tape.append('{"ms": %d, "unit": %s}' % (self.ms, snapshot_text(snapshot)))


def snapshot_text(snapshot: tuple) -> str:
    """Return a snapshot as JSON.

    hour_ends  when the game's clock runs out, null if it does not run
    choice     of the setup: its page, and a name, a length in ms, or a volume
    """
    state, program, clock_ms, volume, hour_ends, page, chosen = snapshot
    choice = page and [page, chosen.name if page == "program" else chosen]
    return (
        '{"state": "%s", "program": "%s", "clock_ms": %d, "volume": %d, "hour_ends": %s, '
        '"choice": %s}'
    ) % (state, program, clock_ms, volume, json.dumps(hour_ends), json.dumps(choice))


class Body:
    """The unit, as the page talks to it.

    Everything that was done since the switch went on is the page's journal; a new body that
    lives it again goes on as the old one would have.
    """

    def __init__(self, kept: str) -> None:
        """Make a body of the JSON that the page kept.

        seed      of the draws
        start     the unit's clock at 0 ms
        programs  the person's own, each the values of a Program by name
        program, clock_ms, volume   the unit's memory
        """
        memory = json.loads(kept)
        own = []
        for values in memory["programs"]:
            fixed = {key: _fixed(values[key]) for key in values if key != "name"}
            own.append(Program(values["name"], **fixed))
        settings = Settings(PROGRAMS + tuple(own))
        settings.volume = memory["volume"]
        for program in settings.programs:
            if program.name == memory["program"]:
                settings.choose(program, _length(program, memory["clock_ms"]))
        draws = Draws(memory["seed"])
        unit = Unit(settings, draws.below)
        self._life = Life(unit, draws, Fingers(unit), memory["start"] & MASK)
        self._life.move()
        self._twin = self._life  # lives ahead of it

    def relive(self, journal: str) -> None:
        """Do a journal again, JSON of the arguments of `do`; the next `do` tells the end of it."""
        life = self._life
        for ms, what, value, more in json.loads(journal):
            self._do(ms, what, value, more)
            life.tape = life.tape[-RELIVED_LINES:]

    def do(self, asked: str) -> str:
        """Do one thing and look ahead; JSON of `[ms, what, value, more, ahead_ms]` comes in.

        ms        when it is done; a late one counts at the time of the one before it
        what      press, release, tap    value: AUCTION or BUILD
                  switch                 value: 0 or 1
                  set up                 switch on with BUILD held, from whatever is
                  program                value: its name; more: its length in ms, or None
                  volume                 value: 0 to 3
                  live                   nothing but that time passed
        ahead_ms  how far the plan is to reach

        The answer: when it was done, the contacts that are closed now, whether nothing
        is left that a new body would not have (`at_rest`), why something was refused (""),
        the snapshot, until when the plan is whole (null is for ever), the trace since the
        last call, and the plan.
        """
        ms, what, value, more, ahead_ms = json.loads(asked)
        why = self._do(ms, what, value, more)
        life = self._life
        log = life.cut()
        unit = snapshot_text(life.snapshot())
        # The life itself does not go on: a twin of it does, with dice of its own.
        self._twin = life.copy()
        plan, until = foretold(self._twin, life.ms + ahead_ms, PLANNED_LINES)
        levels = life.fingers.levels
        is_at_rest = life.unit.state == "off" and not levels and life.next_ms() is None
        now = (life.ms, levels, json.dumps(is_at_rest), json.dumps(why), unit)
        return (
            '{"ms": %d, "levels": %d, "at_rest": %s, "why": %s, "unit": %s, ' % now
            + '"until": %s, "log": [%s], "plan": [%s]}'
            % (json.dumps(until), ", ".join(log), ", ".join(plan))
        )

    def further(self, asked: str) -> str:
        """Go on with the plan; JSON of `[until, lines]` comes in: how far, in about so many lines.

        The answer is the next part of the plan, and until when it is whole, as of `do`.
        """
        plan, until = foretold(self._twin, *json.loads(asked))
        return '{"until": %s, "plan": [%s]}' % (json.dumps(until), ", ".join(plan))

    def _do(self, ms: int, what: str, value, more) -> str:
        life = self._life
        life.until(max(ms, life.ms))
        fingers = life.fingers
        if what in ("press", "tap"):
            fingers.press(life.now, value)
            life.move()
            if what == "tap":
                fingers.release(life.now, value, TAP_MS)
        elif what == "release":
            fingers.release(life.now, value)
            life.move()
        elif what == "switch":
            fingers.forget(SWITCH)
            life.change(SWITCH, value)
        elif what == "set up":
            after_ms = 0
            if fingers.levels & SWITCH:
                fingers.forget(SWITCH)
                life.change(SWITCH, 0)
                after_ms = SETUP_OFF_MS
            fingers.forget(BUILD)
            life.change(BUILD, 1, after_ms)
            life.change(SWITCH, 1, after_ms)
            life.change(BUILD, 0, after_ms + TAP_MS)
        elif what == "program":
            return self._choose(value, more)
        elif what == "volume":
            life.unit.settings.volume = value
            life.note()
        elif what != "live":
            raise KeyError(what)
        return ""

    def _choose(self, name: str, clock_ms: int | None) -> str:
        unit = self._life.unit
        settings = unit.settings
        if unit.state != "off" and "restart" not in TRANSITIONS[unit.state]:
            return unit.state
        for program in settings.programs:
            if program.name == name:
                settings.choose(program, _length(program, clock_ms))
                why = unit.command(self._life.now, "restart") if unit.state != "off" else ""
                self._life.note()
                return why
        return "unknown"


def facts() -> str:
    """Return the page's knowledge of programs, as JSON: the built-in ones."""
    names = [name for name in dir(Program) if name[0] != "_" and name != "cues"]
    programs = []
    for program in PROGRAMS:
        values = {name: getattr(program, name) for name in names}
        values["name"] = program.name
        programs.append(values)
    return json.dumps({"programs": programs})


def foretold(twin: Life, until: int, most: int) -> tuple[list[str], int | None]:
    """Return the trace of a twin until `until`, and until when that is known; None is for ever.

    most  lines, after which it ends earlier; the changes of one moment are never parted
    """
    while len(twin.tape) < most:
        due = twin.next_ms()
        if due is None:
            return twin.cut(), None
        if due > until:
            return twin.cut(), until
        twin.until(due)
    return twin.cut(), twin.ms


def _fixed(value):
    """Return a value, whose lists are tuples in the core."""
    if isinstance(value, dict):
        return {key: _fixed(value[key]) for key in value}
    return tuple([_fixed(part) for part in value]) if isinstance(value, list) else value


def _length(program: Program, clock_ms: int | None) -> int | None:
    """Return a length that players agreed on, None if the program does not offer it."""
    return clock_ms if clock_ms in program.clock_choices_ms else None
