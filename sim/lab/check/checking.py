"""Runs a scenario, with its faults, and holds the unit's edges against its expectations."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError
from city_unit.draws import Draws
from city_unit.drive import Drive, record
from city_unit.ticks import add
from city_unit.trace import Recorder
from city_unit.unit import Unit
from sim.engine import edges, virtual
from sim.engine import scenario as scenarios
from sim.lab.check import faults, on_line
from sim.lab.check.expect import expectations
from sim.lab.check.expect.expect_block import Expectation, Failure, Slack
from sim.lab.check.faults import Faults


class Case(NamedTuple):
    """A scenario that can be checked."""

    path: str
    scenario: scenarios.Scenario
    faults: Faults
    expectations: list[Expectation]

    @property
    def changes(self) -> tuple[tuple[int, int], ...]:
        """The contacts' levels at each time, those of a stuck contact included."""
        return self.faults.closed(self.scenario.changes)

    @property
    def start(self) -> int:
        """The reading of the unit's own clock at the start, in ms."""
        return 0 if self.faults.wrap_ms is None else add(0, -self.faults.wrap_ms)


class Judged(NamedTuple):
    """The outcome of an expectation: not kept if it has a failure, not judged if it is unseen."""

    expectation: Expectation
    failure: Failure | None = None
    is_unseen: bool = False


class Broken(NamedTuple):
    """An expectation that was not kept: how, and on which line of its file it begins, or 0."""

    failure: Failure
    line: int


class Result(NamedTuple):
    """The outcome of a scenario.

    error    why it could not be checked, None if it was
    seconds  that the check took
    """

    path: str
    judged: list[Judged]
    error: UserError | None = None
    seconds: float = 0.0

    @property
    def broken(self) -> list[Broken]:
        return _broken(self.judged)

    @property
    def code(self) -> int:
        """The exit status, if it were the only one."""
        if self.error:
            return self.error.code
        if self.is_unseen:
            return UNCHECKED
        return FAILURE if self.broken else SUCCESS

    @property
    def is_unseen(self) -> bool:
        """Whether there is nothing that could be judged: that is no pass."""
        return bool(self.judged) and all(expected.is_unseen for expected in self.judged)


def load(path: str, slack: Slack = expectations.NO_SLACK) -> Case:
    """Read a scenario with its expectations; raises UserError.

    slack  the tolerance of times where the file gives none
    """
    table = toml_reader.load(path)
    scenario = scenarios.read(table, folder=Path(path).parent)
    wrong = faults.read(table.table("faults"), scenario.end_ms)
    expected = expectations.read(table, scenario, slack)
    table.finish()
    if not expected:
        raise table.error(None, _("nothing is expected; write [[expect]] blocks"))
    return Case(path, scenario, wrong, expected)


def judge(
    case: Case, shown: edges.Edges, seen: frozenset[str] | None = None, begins_ms: float = 0
) -> list[Judged]:
    """Return the outcome of each expectation.

    seen       the signals that the instrument can see, as in `Expectation.sees`; None: all
    begins_ms  the time from which on it saw anything
    """
    return [
        Judged(expectation, expectation.check(shown))
        if seen is None or (expectation.sees <= seen and expectation.since >= begins_ms)
        else Judged(expectation, is_unseen=True)
        for expectation in case.expectations
    ]


def broken(case: Case, shown: edges.Edges) -> list[Broken]:
    """Return which expectations were not kept."""
    return _broken(judge(case, shown))


def _broken(judged: list[Judged]) -> list[Broken]:
    return [
        Broken(expected.failure, expected.expectation.line)
        for expected in judged
        if expected.failure
    ]


def run(case: Case) -> edges.Edges:
    """Let the core live through a case in virtual time, and return its edges."""
    scenario = case.scenario
    unit = virtual.unit_for(scenario)
    seen = edges.none_yet(scenario.end_ms)
    if case.faults.on_the_line:
        on_line.run(unit, scenario, case.faults, case.start, seen)
    elif case.faults.late_ms:
        _run_late(unit, case, seen.add)
    else:
        record(unit, case.changes, case.start, scenario.end_ms, seen.add)
    return seen


def _run_late(
    unit: Unit, case: Case, tell: Callable[[int, str, int | str | None, str | None], None]
) -> None:
    """Run the unit as a body does that is busy elsewhere: it looks some time after it should."""
    draws = Draws(case.scenario.seed)
    changes, end_ms = case.changes, case.scenario.end_ms
    drive = Drive(unit, case.start, Recorder(unit, case.start, tell).note)
    drive.go(0, 0)
    place = 0
    levels = 0
    while drive.ms < end_ms:
        goal = changes[place][0] if place < len(changes) else end_ms
        due = drive.next_ms()
        goal = max(drive.ms, goal if due is None else min(goal, due))
        ms = min(goal + draws.below(case.faults.late_ms + 1), end_ms)
        while place < len(changes) and changes[place][0] <= ms:
            levels = changes[place][1]
            place += 1
        drive.go(ms, levels)
