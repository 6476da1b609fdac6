"""Scenario files: timed inputs to a unit, in TOML.

    program = "city"             # the name of a program, or the path of a program file
    seed = 7
    [[steps]]
    at = "1 s"                   # since the start of the run; steps are in order of time
    do = "tap auction"           # see STEPS
    [[steps]]
    when = "auction-warning"     # instead of `at`: the next such event after the step above
    after = "250 ms"             # optional: a delay after the event
    do = "tap build"

The contact of a step may bounce:

    bounce = "8 ms"              # optional: for how long the contact chatters after each edge

The chatter is drawn from the seed and the number of the step. The contact first changes at
the step's own time and has settled `bounce` later, unless its next edge cuts the chatter
short. The unit tolerates bounces of up to 15 ms; a longer one simulates a faulty contact.
Only one step at a time presses a contact: overlapping steps, and releases without a press,
are errors.

Reading resolves each `when` by running a unit on the steps above it. The result is a list of
contact levels, which any body can replay: a unit in virtual time, the firmware, or a chip.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError, at, did_you_mean
from city_unit.desktop.toml_reader import Table, choice, integer, text, time_ms, within
from city_unit.draws import Draws
from city_unit.drive import Drive
from city_unit.facts import BUTTONS, SWITCH, TAP_MS
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from city_unit.trace import EVENTS, Recorder
from city_unit.unit import Unit
from sim.engine import program_file
from sim.engine.trace import Change, Changes, Timed

STEPS = (
    *(f"{verb} {button}" for verb in ("press", "release", "tap") for button in BUTTONS),
    *(f"hold {button} for 2 s" for button in BUTTONS),
    "switch on",
    "switch off",
    "end",
)

LONGEST_MS = 1000 * 3_600_000
LONGEST_BOUNCE_MS = 1000
LARGEST_SEED = (1 << 63) - 1
DEFAULT_SEED = 1

_COLLISIONS = {
    "button": {
        "open": lazy("the button {button} is not pressed; a release needs a press before it"),
        "closed": lazy("the button {button} is already pressed, since {since} ms"),
        "until": lazy("the button {button} is still pressed, until {until} ms"),
    },
    "switch": {
        "open": lazy("the switch is already off"),
        "closed": lazy("the switch is already on, since {since} ms"),
        "until": lazy("the switch is still on, until {until} ms"),
    },
}
_BUTTON_STEP = re.compile(r"(press|release|tap|hold) (auction|build)(?: for (.+))?")

length = within(time_ms, 0, LONGEST_MS, lazy("between 0 ms and 1000 h"))
bounce_length = within(time_ms, 0, LONGEST_BOUNCE_MS, lazy("between 0 ms and 1 s"))
seed_number = integer(0, LARGEST_SEED)


@dataclass(frozen=True)
class Scenario:
    """A scenario to run.

    changes  `(ms, levels)` in order of time: the levels of all contacts from then on
    end_ms   when the run ends: at the step "end", else at the last change
    steps    the steps that the changes were made from
    """

    program: Program
    seed: int
    changes: Sequence[Change]
    end_ms: int
    steps: "Sequence[Step]" = ()

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs that the unit offers: the built-in ones and the scenario's own."""
        return PROGRAMS if self.program in PROGRAMS else (*PROGRAMS, self.program)

    def unit(self, kind: type[Unit] = Unit) -> Unit:
        """Return a unit with the program and the seed, before its first step."""
        unit = kind(Settings(self.programs), Draws(self.seed).below)
        unit.settings.choose(self.program)
        return unit


class Step(NamedTuple):
    """A step of the file, parsed; times in ms.

    at      when it happens; for a step with `when` this was found by running a unit
    verb    "press", "release", "tap", "hold" or "end"; the switch is pressed and released too
    length  of a tap or a hold, else 0
    when    the event that it waits for, "" for none
    after   the delay after that event
    """

    at: int
    verb: str
    contact: int = 0
    length: int = 0
    bounce: int = 0
    when: str = ""
    after: int = 0

    @property
    def button(self) -> str:
        """The name of the button, "" for the switch and for "end"."""
        return next((name for name, bit in BUTTONS.items() if bit == self.contact), "")


class Steps(Timed[Step]):
    def _split(self, thing: Step) -> tuple[int, Hashable]:
        return thing.at, thing._replace(at=0)

    def _join(self, ms: int, rest: Any) -> Step:
        return rest._replace(at=ms)


def load(path: str, program: str | None = None, seed: int | None = None) -> Scenario:
    """Read a scenario file, or standard input for "-"; raises UserError."""
    table = toml_reader.load(path)
    scenario = read(table, program, seed, Path(path).parent)
    table.tables("expect")  # only `city-unit check` reads these two
    table.table("faults")
    table.finish()
    return scenario


def read(
    table: Table, program: str | None = None, seed: int | None = None, folder: Path = Path()
) -> Scenario:
    """Parse a scenario from the table of a file; the caller handles the remaining keys.

    program, seed  override those of the file
    folder         the folder of the file, to which the path of a program file is relative
    """

    def read_program(value: object) -> Program:
        try:
            return program_file.find(text(value), folder)
        except UserError as error:
            raise ValueError(str(error)) from None

    chosen = table.take("program", read_program, PROGRAMS[0])
    if program is not None:
        chosen = program_file.find(program)
    own_seed = table.take("seed", seed_number, DEFAULT_SEED)
    seed = own_seed if seed is None else seed
    ahead = _Ahead(chosen, seed)
    steps = Steps()
    last: Step | None = None
    latest: dict[int, Step] = {}  # the latest step of each contact
    for block in table.tables("steps"):
        step = block.take("do", _read_do)
        if "when" in block:
            if "at" in block:
                raise block.error("at", _('at: a step has either "at" or "when", not both'))
            when = block.take("when", choice(EVENTS))
            after = block.take("after", length, 0)
            comes_ms = ahead.time_of(when, steps)
            if comes_ms is None:
                words = _('when: "{event}" never happens after {ms} ms')
                raise block.error("when", words.format(event=when, ms=last.at if last else 0))
            step = step._replace(at=comes_ms + after, when=when, after=after)
        elif "after" in block:
            words = _('after: needs an event to follow, such as when = "auction-warning"')
            raise block.error("after", words)
        else:
            step = step._replace(at=block.take("at", length))
        if step.contact:
            step = step._replace(bounce=block.take("bounce", bounce_length, 0))
        elif "bounce" in block:
            raise block.error("bounce", _('bounce: the step "end" has no contact to bounce'))
        block.finish()
        if last and last.verb == "end":
            raise block.error("do", _("do: there is a step after the end"))
        if last and step.at < last.at:
            words = _("at: {ms} ms is before the step above it, at {above} ms")
            raise block.error("at", words.format(ms=step.at, above=last.at))
        collision = _collision(step, latest.get(step.contact))
        if collision:
            raise block.error("do", at("do", collision))
        if step.contact:
            latest[step.contact] = step
        steps.append(step)
        last = step
    if not steps:
        raise table.missing("steps")
    return of_steps(chosen, seed, steps)


def of_steps(program: Program, seed: int, steps: Sequence["Step"]) -> Scenario:
    """Return the scenario of steps that are in order of time and do not collide."""
    end_ms, has_end = steps[-1].at, steps[-1].verb == "end"
    changes = Changes()
    for ms, levels in _changes(_edges(steps, seed)):
        if ms <= end_ms or not has_end:
            changes.append((ms, levels))
            end_ms = max(end_ms, ms)
    return Scenario(program, seed, changes, end_ms, steps)


def _collision(step: Step, last: Step | None) -> str:
    """Return why `step` cannot follow `last`, the previous step of its contact; "" if it can."""
    texts = _COLLISIONS["switch" if step.contact == SWITCH else "button"]
    is_held = last is not None and last.verb == "press"
    if step.verb == "release":
        return "" if is_held else texts["open"].format(button=step.button)
    if last is None or not step.contact:
        return ""
    until = last.at + last.length
    if is_held:
        return texts["closed"].format(button=step.button, since=last.at)
    if step.at <= until:
        return texts["until"].format(button=step.button, until=until)
    return ""


def _read_do(value: object) -> Step:
    """Parse the "do" of a step, without its time."""
    words = " ".join(text(value).split())
    if words == "end":
        return Step(0, "end")
    if words in ("switch on", "switch off"):
        return Step(0, "press" if words == "switch on" else "release", SWITCH)
    found = _BUTTON_STEP.fullmatch(words)
    if not found or (found[1] == "hold") != (found[3] is not None):
        hint = did_you_mean(words, STEPS)
        raise ValueError(_('"{word}" is unknown{hint}').format(word=value, hint=hint))
    lengths = {"tap": TAP_MS, "hold": length(found[3]) if found[3] else 0}
    return Step(0, found[1], BUTTONS[found[2]], lengths.get(found[1], 0))


_Edge = tuple[int, int, bool]  # ms, contact, whether it is closed from then on


def _changes(edges: Iterable[_Edge], levels: int = 0) -> Iterator[Change]:
    """Yield the levels of all contacts whenever one of them changes; at first they are `levels`."""
    before = levels
    for ms, same in groupby(edges, key=lambda edge: edge[0]):
        for _ms, contact, is_closed in same:
            levels = levels | contact if is_closed else levels & ~contact
        if levels != before:
            yield ms, levels
        before = levels


def _edges(steps: Sequence[Step], seed: int) -> Iterator[_Edge]:
    """Yield each opening and closing of a contact, in order of time."""
    contacts = _Contacts(seed)
    for step in steps:
        yield from contacts.add(step)
    yield from contacts.coming


class _Contacts:
    """The edges of the contacts that may still change with the next step."""

    def __init__(self, seed: int) -> None:
        self.coming: list[_Edge] = []
        self._seed = seed
        self._steps = 0

    def add(self, step: Step) -> list[_Edge]:
        """Add the edges of a step; return those before it, which are final."""
        final = [edge for edge in self.coming if edge[0] < step.at]
        coming = [edge for edge in self.coming if edge[0] >= step.at]
        draws = Draws(self._seed * 1_000_003 + self._steps)
        self._steps += 1
        moves = [(step.at, step.verb != "release")] if step.contact else []
        if step.verb in ("tap", "hold"):
            moves.append((step.at + step.length, False))
        for ms, is_closed in moves:  # a move cuts short the previous chatter of its contact
            coming = [edge for edge in coming if edge[1] != step.contact or edge[0] < ms]
            times = [ms, *(ms + later_ms for later_ms in chatter(draws, step.bounce))]
            coming += [(at, step.contact, is_closed is (n % 2 == 0)) for n, at in enumerate(times)]
        self.coming = sorted(coming, key=lambda edge: edge[0])
        return final


def chatter(draws: Draws, bounce_ms: int) -> list[int]:
    """Return the times of the further changes after an edge, in ms; their number is even."""
    pairs = min(bounce_ms // 2, 6)
    if not pairs:
        return []
    times = list(range(1, bounce_ms + 1))
    chosen = []
    for _change in range(2 * (1 + draws.below(pairs))):
        chosen.append(times.pop(draws.below(len(times))))
    return sorted(chosen)


_PATIENCE_MS = 25 * 3_600_000  # a game clock runs for at most a day


class _Ahead:
    """A unit that has run up to the latest step; for each `when`, a copy of it runs on."""

    def __init__(self, program: Program, seed: int) -> None:
        unit = Scenario(program, seed, (), 0).unit()
        self._programs = {id(each): each for each in unit.settings.programs}  # need no copy
        self._contacts = _Contacts(seed)
        self._steps = 0
        self._kind, self._since_ms = "", 0
        self._found: list[int] = []

        def note(ms: int, what: str, _value: object, _why: object) -> None:
            if what == self._kind and ms > self._since_ms:
                self._found.append(ms)

        self._drive = Drive(unit, 0, Recorder(unit, 0, note).note)
        self._drive.go(0, 0)

    def time_of(self, kind: str, above: Sequence[Step]) -> int | None:
        """Return the time of the next event of a kind after these steps, None if there is none."""
        for step in above[self._steps :]:
            for ms, levels in _changes(self._contacts.add(step), self._drive.levels):
                self._drive.until(ms, levels)
        self._steps = len(above)
        self._kind, self._found = kind, []
        self._since_ms = above[-1].at if above else 0
        ahead = deepcopy(self._drive, dict(self._programs))
        for ms, levels in _changes(self._contacts.coming, ahead.levels):
            ahead.until(ms, levels)
            if self._found:
                return self._found[0]
        last_ms = max(self._since_ms, ahead.ms) + _PATIENCE_MS
        while not self._found:
            due = ahead.next_ms()
            if due is None or due > last_ms:
                return None
            ahead.go(max(due, ahead.ms))
        return self._found[0]
