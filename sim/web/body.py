"""The unit's body in a page. It runs in MicroPython, in the browser, and in CPython.

A browser starves its timers, so nothing here ticks. Whatever a person does comes with its
own time; the unit lives until then, and a twin of it lives ahead. What the twin did is the
plan: a trace of what the unit will do if nobody touches it. The unit itself is never
stepped between two inputs, however late they come.

Text goes in and text comes out, JSON both ways: a number that crosses the border of the
interpreter would be cut to 32 bits.
"""

import json

from city_unit.draws import Draws
from city_unit.drive import Drive
from city_unit.facts import AUCTION, BUILD, SWITCH, TAP_MS
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from city_unit.ticks import MASK, add, diff
from city_unit.trace import Recorder, line
from city_unit.transitions import TRANSITIONS
from city_unit.unit import Unit

SHORTEST_PRESS_MS = 40  # however short a click is, its press outlasts the debounce
SETUP_OFF_MS = 100  # the slide switch goes off for so long before it is on with BUILD held

PLANNED_LINES = 2000  # a plan ends here; what comes after it is asked for when its time nears
RELIVED_LINES = 200  # of what was lived again from the journal

# What a copy of a unit may share with it, since nothing ever changes in them.
SHARED = (int, str, bool, type(None), Program)


def copied(thing, copies: dict):
    """Return a copy of `thing` and of all that it holds; each thing is copied once.

    copies  the copies so far, by the identity of what they are copies of
    """
    if isinstance(thing, SHARED):
        return thing
    if isinstance(thing, (tuple, list)):
        return type(thing)([copied(part, copies) for part in thing])
    if id(thing) not in copies:
        copy = copies[id(thing)] = object.__new__(type(thing))
        for name, value in thing.__dict__.items():
            setattr(copy, name, copied(value, copies))
    return copies[id(thing)]


class Dice(Draws):
    """Draws that a unit can call: as an object, so that its twin gets dice of its own."""

    def __call__(self, n: int) -> int:
        return self.below(n)


class Tape:
    """The lines of a trace, written by calling it; an object for the same reason."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, ms: int, what: str, value: str | int | None, why: str | None) -> None:
        self.lines.append(line(ms, what, value, why))

    def cut(self) -> list[str]:
        """Return the lines so far, and forget them."""
        lines, self.lines = self.lines, []
        return lines


class Fingers:
    """A unit with the fingers on its contacts; what they will do may be known ahead.

    levels  the contacts that are closed
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.levels = 0
        self._changes: list[tuple[int, int, int]] = []  # to come: `(due, bit, level)`, in order

    def plan(self, due: int, bit: int, level: int) -> None:
        """Have a contact change at `due`, after what is planned for then."""
        changes = self._changes
        place = 0
        while place < len(changes) and diff(changes[place][0], due) <= 0:
            place += 1
        changes.insert(place, (due, bit, level))

    def forget(self, bit: int) -> None:
        """Have a contact stay as it is."""
        self._changes = [change for change in self._changes if change[1] != bit]

    def next_due(self) -> int | None:
        """Return when something happens next, as a unit does."""
        due = self._unit.next_due()
        if self._changes and (due is None or diff(self._changes[0][0], due) < 0):
            return self._changes[0][0]
        return due

    def step(self, now: int, _levels: int) -> None:
        """Live until `now`, and do what is to be done by then."""
        self._unit.step(now, self.levels)
        while self._changes and diff(self._changes[0][0], now) <= 0:
            _, bit, level = self._changes.pop(0)
            self.levels = self.levels | bit if level else self.levels & ~bit
            self._unit.step(now, self.levels)


class Life:
    """A unit with its contacts, in a time of its own that never wraps.

    unit     the unit
    fingers  on its contacts
    tape     what the unit did, as a trace; what it is from then on, a snapshot, is a line too
    """

    def __init__(self, settings: Settings, seed: int, start: int) -> None:
        self.tape = Tape()
        self.unit = Unit(settings, Dice(seed))
        self.fingers = Fingers(self.unit)
        self._recorder = Recorder(self.unit, start & MASK, self.tape)
        self._drive = Drive(self.fingers, start & MASK, self)
        self._snapshot = self.snapshot()
        self._drive.go(0)

    @property
    def ms(self) -> int:
        """Until when it has lived."""
        return self._drive.ms

    def live(self, until: int) -> None:
        """Live until `until`, from deadline to deadline; what is due then is lived too."""
        self._drive.until(until)

    def next_ms(self) -> int | None:
        """Return when something happens next; None if a person must come first."""
        return self._drive.next_ms()

    def is_at_rest(self) -> bool:
        """Return whether nothing is left of what was: it is off, and no finger is on it."""
        return self.unit.state == "off" and not self.fingers.levels and self.next_ms() is None

    def change(self, bit: int, level: int, after_ms: int = 0) -> None:
        """Have a contact change, now or later."""
        self.fingers.plan(add(self._drive.now, after_ms), bit, level)
        self._drive.go(self.ms)

    def command(self, what: str) -> str:
        """Do what the link could ask for; return "", or why not."""
        why = self.unit.command(self._drive.now, what)
        self.note()
        return why

    def snapshot(self) -> tuple:
        """Return what the unit is: all that `snapshot_text` writes down."""
        unit = self.unit
        settings = unit.settings
        left = unit.clock.left_at(self._drive.now)
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
        """Write down what has changed."""
        self(self._drive.now)

    def __call__(self, now: int) -> None:
        self._recorder.note(now)
        snapshot = self.snapshot()
        if snapshot != self._snapshot:
            self._snapshot = snapshot
            self.tape.lines.append('{"ms": %d, "unit": %s}' % (self.ms, snapshot_text(snapshot)))


def snapshot_text(snapshot: tuple) -> str:
    """Return a snapshot as JSON.

    hour_ends  when the game's clock runs out, null if it does not run
    choice     what the setup shows: the page, and a name, a length in ms, or a volume
    """
    state, program, clock_ms, volume, hour_ends, page, chosen = snapshot
    choice = page and [page, chosen.name if page == "program" else chosen]
    return (
        '{"state": "%s", "program": "%s", "clock_ms": %d, "volume": %d, "hour_ends": %s, '
        '"choice": %s}'
    ) % (state, program, clock_ms, volume, json.dumps(hour_ends), json.dumps(choice))


class Body:
    """What the page talks to.

    Everything that was done since the switch went on is the page's journal; a new body that
    lives it again goes on as the old one would have.
    """

    def __init__(self, kept: str) -> None:
        """Make a body of what the page kept, as JSON.

        seed      of the draws
        start     what the unit's clock shows at 0 ms
        programs  the person's own, each the values of a Program by name
        program, clock_ms, volume   what the unit has in its memory
        """
        memory = json.loads(kept)
        settings = Settings(PROGRAMS + tuple([_program(values) for values in memory["programs"]]))
        settings.volume = memory["volume"]
        for program in settings.programs:
            if program.name == memory["program"]:
                settings.choose(program, _length(program, memory["clock_ms"]))
        self._life = Life(settings, memory["seed"], memory["start"])
        self._pressed_at = {AUCTION: 0, BUILD: 0}
        self._kinds = {
            "press": self._press,
            "release": self._release,
            "tap": self._tap,
            "switch": self._switch,
            "set up": self._set_up,
            "program": self._choose,
            "volume": self._set_volume,
            "live": self._live,
        }

    def relive(self, journal: str) -> None:
        """Do again what was done, JSON of what `do` takes; the next `do` tells the end of it."""
        tape = self._life.tape
        for ms, what, value, more in json.loads(journal):
            self._do(ms, what, value, more)
            tape.lines = tape.lines[-RELIVED_LINES:]

    def do(self, asked: str) -> str:
        """Do one thing and look ahead; JSON of `[ms, what, value, more, ahead_ms]` comes in.

        ms        when it is done; what came late was done at the time of the one before it
        what      press, release, tap    value: AUCTION or BUILD
                  switch                 value: 0 or 1
                  set up                 switch on with BUILD held, from whatever is
                  program                value: its name; more: its length in ms, or None
                  volume                 value: 0 to 3
                  live                   nothing but that time passed
        ahead_ms  how far the plan is to reach

        What comes back: when it was done, the contacts that are closed now, whether nothing
        is left that a new body would not have (`at_rest`), why something was refused (""),
        the snapshot, until when the plan is whole (null is for ever), what happened since the
        last call, and the plan.
        """
        ms, what, value, more, ahead_ms = json.loads(asked)
        why = self._do(ms, what, value, more)
        life = self._life
        log = life.tape.cut()
        unit = snapshot_text(life.snapshot())
        plan, until = foretold(life, life.ms + ahead_ms)
        now = (life.ms, life.fingers.levels, json.dumps(life.is_at_rest()), json.dumps(why), unit)
        return (
            '{"ms": %d, "levels": %d, "at_rest": %s, "why": %s, "unit": %s, ' % now
            + '"until": %s, "log": [%s], "plan": [%s]}'
            % (json.dumps(until), ", ".join(log), ", ".join(plan))
        )

    def _do(self, ms: int, what: str, value: object, more: object) -> str:
        life = self._life
        life.live(max(ms, life.ms))
        return self._kinds[what](value, more) or ""

    # What a person does.

    def _press(self, bit: int, _more: object) -> None:
        self._life.fingers.forget(bit)
        self._pressed_at[bit] = self._life.ms
        self._life.change(bit, 1)

    def _release(self, bit: int, _more: object) -> None:
        life = self._life
        if life.fingers.levels & bit:
            life.fingers.forget(bit)
            life.change(bit, 0, max(0, self._pressed_at[bit] + SHORTEST_PRESS_MS - life.ms))

    def _tap(self, bit: int, _more: object) -> None:
        self._press(bit, None)
        self._life.change(bit, 0, TAP_MS)

    def _switch(self, on: int, _more: object) -> None:
        self._life.fingers.forget(SWITCH)
        self._life.change(SWITCH, on)

    def _set_up(self, _value: object, _more: object) -> None:
        life = self._life
        after_ms = 0
        if life.fingers.levels & SWITCH:
            self._switch(0, None)
            after_ms = SETUP_OFF_MS
        life.fingers.forget(BUILD)
        life.change(BUILD, 1, after_ms)
        life.change(SWITCH, 1, after_ms)
        life.change(BUILD, 0, after_ms + TAP_MS)

    def _choose(self, name: str, clock_ms: int | None) -> str:
        unit = self._life.unit
        settings = unit.settings
        if unit.state != "off" and "restart" not in TRANSITIONS[unit.state]:
            return unit.state
        for program in settings.programs:
            if program.name == name:
                settings.choose(program, _length(program, clock_ms))
                if unit.state != "off":
                    return self._life.command("restart")
                self._life.note()
                return ""
        return "unknown"

    def _set_volume(self, volume: int, _more: object) -> None:
        self._life.unit.settings.volume = volume
        self._life.note()

    def _live(self, _value: object, _more: object) -> None:
        pass


def facts() -> str:
    """Return what the page must know of programs, as JSON: the built-in ones, the defaults of
    a program, and the sounds."""
    names = [name for name in dir(Program) if name[0] != "_" and name != "cues"]
    programs = []
    for program in PROGRAMS:
        values = {name: getattr(program, name) for name in names}
        values["name"] = program.name
        programs.append(values)
    defaults = {name: getattr(Program, name) for name in names}
    return json.dumps({"programs": programs, "defaults": defaults, "cues": Program.cues})


def foretold(life: Life, until: int) -> tuple[list[str], int | None]:
    """Return what a life will do until `until`, and until when that is known; None is for ever.

    The life itself does not go on: a twin of it does, with dice of its own.
    """
    twin = copied(life, {})
    while len(twin.tape.lines) < PLANNED_LINES:
        due = twin.next_ms()
        if due is None:
            return twin.tape.cut(), None
        if due > until:
            return twin.tape.cut(), until
        twin.live(due)
    return twin.tape.cut(), twin.ms


def _program(values: dict) -> Program:
    """Make a program of its values, whose lists are tuples in the core."""
    values = dict(values)
    name = values.pop("name")
    cues = values.pop("cues", None)
    fixed = {key: _fixed(values[key]) for key in values}
    if cues is not None:
        fixed["cues"] = {key: _fixed(cues[key]) for key in cues}
    return Program(name, **fixed)


def _fixed(value):
    return tuple([_fixed(part) for part in value]) if isinstance(value, list) else value


def _length(program: Program, clock_ms: int | None) -> int | None:
    """Return a length that players agreed on, None if the program does not offer it."""
    return clock_ms if clock_ms in program.clock_choices_ms else None
