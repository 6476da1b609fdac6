"""Scenarios: what fingers do to a unit and when, read from a TOML file.

    program = "city"             # a program's name, or the path of a program file
    seed = 7
    [[steps]]
    at = "1 s"                   # since the start of the run; steps stand in order of time
    do = "tap auction"           # see STEPS
    bounce = "8 ms"              # optional: contacts chatter after each edge of the step

The chatter is drawn from the seed and the number of the step. It begins at the
edge, so that the first contact is made at the step's own time, and has settled
`bounce` later. More than 15 ms is more than the unit promises to bear: a fault.
Each tap and each hold is a finger of its own; a contact is closed while there
is any finger on it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from city_unit.draws import Draws
from city_unit.programs import PROGRAMS, Program
from city_unit.unit import AUCTION, BUILD, SWITCH
from sim import program_file, toml_reader
from sim.errors import UserError
from sim.toml_reader import Table, integer, nearest, text, time_ms, within

CONTACTS = {"auction": AUCTION, "build": BUILD}
STEPS = (
    *(f"{verb} {button}" for verb in ("press", "release", "tap") for button in CONTACTS),
    *(f"hold {button} for 2 s" for button in CONTACTS),
    "switch on",
    "switch off",
    "end",
)

TAP_MS = 80
LONGEST_MS = 1000 * 3_600_000
LONGEST_BOUNCE_MS = 1000
LARGEST_SEED = (1 << 63) - 1
DEFAULT_SEED = 1

_BUTTON_STEP = re.compile(r"(press|release|tap|hold) (auction|build)(?: for (.+))?")

length = within(time_ms, 0, LONGEST_MS, "between 0 ms and 1000 h")
bounce_length = within(time_ms, 0, LONGEST_BOUNCE_MS, "between 0 ms and 1 s")
seed_number = integer(0, LARGEST_SEED)


@dataclass(frozen=True)
class Scenario:
    """What to run.

    changes  `(ms, levels)`: the contacts' new levels at each time, in order
    end_ms   when the run ends: at the step "end", or else when the last step is done
    steps    what the changes are made of
    """

    program: Program
    seed: int
    changes: tuple[tuple[int, int], ...]
    end_ms: int
    steps: "tuple[Step, ...]" = ()

    @property
    def programs(self) -> tuple[Program, ...]:
        """What the unit offers in its setup: the built-in programs and the scenario's own."""
        return PROGRAMS if self.program in PROGRAMS else (*PROGRAMS, self.program)


@dataclass
class Step:
    """A step as it stands in the file; `do` is checked, times are ms."""

    at: int
    verb: str
    contact: int = 0
    length: int = 0
    bounce: int = 0

    @property
    def button(self) -> str:
        """The name of the button, "" for the switch and the end."""
        return next((name for name, bit in CONTACTS.items() if bit == self.contact), "")


def load(path: str, program: str | None = None, seed: int | None = None) -> Scenario:
    """Read a scenario file, or standard input for "-"; raises UserError."""
    table = toml_reader.load(path)
    scenario = read(table, program, seed, Path(path).parent)
    table.tables("expect")  # what the timing lab wants to see changes nothing in the run
    table.table("faults")  # only `city-unit check` makes a bad body
    table.finish()
    return scenario


def read(
    table: Table, program: str | None = None, seed: int | None = None, folder: Path = Path()
) -> Scenario:
    """Take a scenario from a file's table, without refusing what else is in it.

    program, seed  instead of the file's own
    folder         where the file lies: the path of a program file is meant from there
    """
    chosen = table.take("program", _program_reader(folder), PROGRAMS[0])
    if program is not None:
        chosen = program_file.find(program)
    own_seed = table.take("seed", seed_number, DEFAULT_SEED)
    seed = own_seed if seed is None else seed
    steps = _read_steps(table)
    if not steps:
        raise table.missing("steps")
    fingers = Fingers(seed)
    for number, step in enumerate(steps):
        fingers.do(number, step)
    changes = fingers.changes()
    end_ms = steps[-1].at
    if steps[-1].verb != "end" and changes:
        end_ms = max(end_ms, changes[-1][0])
    return Scenario(
        chosen,
        seed,
        tuple((ms, levels) for ms, levels in changes if ms <= end_ms),
        end_ms,
        tuple(steps),
    )


def _program_reader(folder: Path) -> Callable[[object], Program]:
    def read_program(value: object) -> Program:
        word = text(value)
        try:
            return program_file.find(str(folder / word) if word.endswith(".toml") else word)
        except UserError as error:
            raise ValueError(str(error)) from None

    return read_program


def _read_steps(table: Table) -> list[Step]:
    steps: list[Step] = []
    for one in table.tables("steps"):
        at = one.take("at", length)
        step = one.take("do", _read_do)
        step.at = at
        if step.contact:
            step.bounce = one.take("bounce", bounce_length, 0)
        elif "bounce" in one:
            raise one.error("bounce", 'bounce: nothing bounces in the step "end"')
        one.finish()
        if steps and steps[-1].verb == "end":
            raise one.error("do", "do: there is a step after the end")
        if steps and at < steps[-1].at:
            raise one.error("at", f"at: {at} ms is before the step above it, {steps[-1].at} ms")
        steps.append(step)
    return steps


def _read_do(value: object) -> Step:
    """Read the "do" of a step; its time is not known here."""
    words = " ".join(text(value).split())
    if words == "end":
        return Step(0, "end")
    if words in ("switch on", "switch off"):
        return Step(0, "press" if words == "switch on" else "release", SWITCH)
    found = _BUTTON_STEP.fullmatch(words)
    if not found or (found[1] == "hold") != (found[3] is not None):
        raise ValueError(f'"{value}" is unknown{nearest(words, STEPS)}')
    held = length(found[3]) if found[3] else TAP_MS
    return Step(0, found[1], CONTACTS[found[2]], held)


class Fingers:
    """Fingers on contacts, as the steps put them there and take them away."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._edges: list[tuple[int, int, str, bool]] = []  # ms, contact, finger, down

    def do(self, number: int, step: Step) -> None:
        """Do the step that is the file's `number`th, from 0 on."""
        draws = Draws(self._seed * 1_000_003 + number)
        if step.verb in ("press", "release"):
            self._edge(step.at, step, "hand", step.verb == "press", draws)
        elif step.verb != "end":
            finger = f"step {number}"
            self._edge(step.at, step, finger, True, draws)
            self._edge(step.at + step.length, step, finger, False, draws)

    def changes(self) -> list[tuple[int, int]]:
        """Return the levels of the contacts at each time when one of them changes."""
        down: set[tuple[int, str]] = set()
        changes: list[tuple[int, int]] = []
        levels = 0
        for ms, contact, finger, is_down in sorted(self._edges, key=lambda edge: edge[0]):
            (down.add if is_down else down.discard)((contact, finger))
            levels = 0
            for closed, _ in down:
                levels |= closed
            if changes and changes[-1][0] == ms:
                changes.pop()
            if levels != (changes[-1][1] if changes else 0):
                changes.append((ms, levels))
        return changes

    def _edge(self, ms: int, step: Step, finger: str, down: bool, draws: Draws) -> None:
        """Move a finger; what it still had to chatter is cut short."""
        self._edges = [
            edge
            for edge in self._edges
            if edge[0] < ms or (edge[1], edge[2]) != (step.contact, finger)
        ]
        self._edges.append((ms, step.contact, finger, down))
        for at in chatter(draws, step.bounce):
            down = not down
            self._edges.append((ms + at, step.contact, finger, down))


def chatter(draws: Draws, bounce_ms: int) -> list[int]:
    """Return when a contact changes again after an edge, in ms: an even number of times."""
    pairs = min(bounce_ms // 2, 6)
    if not pairs:
        return []
    times = list(range(1, bounce_ms + 1))
    chosen = []
    for _ in range(2 * (1 + draws.below(pairs))):
        chosen.append(times.pop(draws.below(len(times))))
    return sorted(chosen)
