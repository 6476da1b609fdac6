"""Runs a scenario, with its faults, and holds what the unit did against its expectations."""

from pathlib import Path
from typing import NamedTuple

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.ticks import add, diff
from city_unit.trace import Recorder, replay
from city_unit.unit import Unit
from sim import scenario, toml_reader
from sim.errors import UserError
from sim.lab import edges, expectations, faults, on_line
from sim.lab.expect_block import Check, Failure
from sim.lab.faults import Faults

PASSED, FAILED = 0, 1


class Case(NamedTuple):
    """A scenario that can be checked."""

    path: str
    told: scenario.Scenario
    faults: Faults
    checks: list[Check]

    @property
    def changes(self) -> tuple[tuple[int, int], ...]:
        """The contacts' levels at each time, those of a stuck one included."""
        return self.faults.closed(self.told.changes)

    @property
    def start(self) -> int:
        """What the unit's own clock shows at the start."""
        return 0 if self.faults.wrap_ms is None else add(0, -self.faults.wrap_ms)


class Result(NamedTuple):
    """What came of a scenario; `error` is why it could not be checked."""

    path: str
    failures: list[Failure]
    error: UserError | None = None

    @property
    def code(self) -> int:
        """The exit status, if it were the only one."""
        if self.error:
            return self.error.code
        return FAILED if self.failures else PASSED


def load(path: str, slack_ms: int = 0) -> Case:
    """Read a scenario with what it expects; raises UserError.

    slack_ms  the tolerance of times where the file gives none
    """
    table = toml_reader.load(path)
    told = scenario.read(table, folder=Path(path).parent)
    wrong = faults.read(table.table("faults"), told.end_ms)
    checks = expectations.read(table, told, slack_ms)
    table.finish()
    if not checks:
        raise table.error(None, "nothing is expected; write [[expect]] blocks")
    return Case(path, told, wrong, checks)


def judge(case: Case, shown: edges.Edges) -> list[Failure]:
    """Return which expectations were not kept."""
    results = (check(shown) for check in case.checks)
    return [failure for failure in results if failure]


def run(case: Case) -> edges.Edges:
    """Let the core live through a case in virtual time, and return what it did."""
    told = case.told
    unit = Unit(Settings(told.programs), Draws(told.seed).below)
    unit.settings.choose(told.program)
    lines: list[str] = []
    if case.faults.on_the_line:
        on_line.run(unit, told, case.faults, case.start, lines.append)
    elif case.faults.late_ms:
        _replay_late(unit, case, lines.append)
    else:
        replay(unit, case.changes, case.start, told.end_ms, lines.append)
    return edges.of_lines(lines, told.end_ms)


def _replay_late(unit: Unit, case: Case, write) -> None:
    """Run the unit as a body does that is busy elsewhere: it looks some time after it should."""
    draws = Draws(case.told.seed)
    start, changes, end_ms = case.start, case.changes, case.told.end_ms
    recorder = Recorder(unit, start, write)
    unit.step(start, 0)
    ms = levels = place = 0
    while ms < end_ms:
        goal = changes[place][0] if place < len(changes) else end_ms
        due = unit.next_due()
        hop = max(0, goal - ms)
        if due is not None:
            hop = max(0, min(hop, diff(due, add(start, ms))))
        ms = min(ms + hop + draws.below(case.faults.late_ms + 1), end_ms)
        while place < len(changes) and changes[place][0] <= ms:
            levels = changes[place][1]
            place += 1
        unit.step(add(start, ms), levels)
        recorder.note(add(start, ms))
