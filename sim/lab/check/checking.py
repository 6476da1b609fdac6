"""Runs a scenario, with its faults, and holds the unit's edges against its expectations."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError
from city_unit.desktop.toml_reader import Table
from city_unit.draws import Draws
from city_unit.drive import Drive, record
from city_unit.ticks import add
from city_unit.trace import Recorder
from sim.engine import edges, virtual
from sim.engine import scenario as scenarios
from sim.lab.check import expectations, faults, on_line
from sim.lab.check.expectations import Slack
from sim.lab.check.faults import Faults
from sim.lab.check.relations import Expectation, Failure, Measured
from sim.lab.instrument.digital import Signals


class Case(NamedTuple):
    """A scenario that can be checked."""

    path: str
    scenario: scenarios.Scenario
    faults: Faults
    expectations: list[Expectation]

    @property
    def changes(self) -> Sequence[edges.Change]:
        """The contacts' levels at each time, those of a stuck contact included."""
        return self.faults.closed(self.scenario.changes)

    @property
    def start(self) -> int:
        """The reading of the unit's own clock at the start, in ms."""
        return 0 if self.faults.wrap_ms is None else add(0, -self.faults.wrap_ms)


class Judged(NamedTuple):
    """An expectation, and how it was found; None if the instrument cannot see it."""

    expectation: Expectation
    found: Measured | None = None

    @property
    def failure(self) -> Failure | None:
        """How it was not kept, None if it was, or if nothing is known."""
        return self.found.failures[0] if self.found and self.found.failures else None

    @property
    def is_unseen(self) -> bool:
        return self.found is None or self.found.is_beyond

    def in_words(self, failure: Failure) -> list[str]:
        """Return the lines for people: the expectation with its place, and what happened."""
        line, what = self.expectation.line, self.expectation.words
        words = _("line {line}: expected {what}") if line else _("expected {what}")
        happened = _("happened {what}").format(what=failure.happened)
        return [words.format(line=line, what=what), happened]


Broken = tuple[Judged, Failure]


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
        return [(judged, judged.failure) for judged in self.judged if judged.failure]

    @property
    def code(self) -> int:
        """The exit status, if it were the only one."""
        if self.error:  # FAILURE is kept for an expectation that is not met
            return UNCHECKED if self.error.code == FAILURE else self.error.code
        if self.broken:
            return FAILURE
        is_cut = any(judged.found and judged.found.is_beyond for judged in self.judged)
        return UNCHECKED if self.is_unseen or is_cut else SUCCESS

    @property
    def is_unseen(self) -> bool:
        """Whether there is nothing that could be judged: that is no pass."""
        return bool(self.judged) and all(expected.is_unseen for expected in self.judged)


def load(path: str, slack: Slack = expectations.NO_SLACK) -> Case:
    """Read a scenario with its expectations; raises UserError.

    slack  the tolerance of times where the file gives none
    """
    table = toml_reader.load(path)
    case = of_table(table, path, slack)
    if not case.expectations:
        raise table.error(None, _("nothing is expected; write [[expect]] blocks"))
    return case


def of_table(table: Table, path: str, slack: Slack = expectations.NO_SLACK) -> Case:
    """Parse a scenario, which may expect nothing, from the table of a file; raises UserError."""
    scenario = scenarios.read(table, folder=Path(path).parent)
    wrong = faults.read(table.table("faults"), scenario.end_ms)
    expected = expectations.read(table, scenario, slack)
    table.finish()
    return Case(path, scenario, wrong, expected)


def judge(
    expected: Sequence[Expectation],
    shown: "edges.Edges | Signals",
    sees: frozenset[str] | None = None,
    begins_ms: float = 0,
    ends_ms: float = math.inf,
) -> list[Judged]:
    """Return the outcome of each expectation.

    sees       the signals that the instrument can see, as in `Expectation.sees`; None: all
    begins_ms  the time from which on it saw anything
    ends_ms    the time up to which it did: an expectation of later times that is not kept is
               beyond it
    """
    judged = []
    for expectation in expected:
        if sees is not None and not (expectation.sees <= sees and expectation.since >= begins_ms):
            judged.append(Judged(expectation))
            continue
        found = expectation.judge(shown)
        if found.failures and expectation.since > ends_ms:
            found = Measured(is_beyond=True)
        judged.append(Judged(expectation, found))
    return judged


def table(judged: Sequence[Judged]) -> list[str]:
    """Return the measurements with their limits, a line each, below a heading."""
    measured = [each.found.row() for each in judged if each.found and each.found.words]
    if not measured:
        return []
    head = [_("count"), _("least"), _("median"), _("most"), _("limits"), ""]
    rows = [head, *measured]
    widths = [max(len(row[place]) for row in rows) for place in range(5)]
    return [
        "  ".join([*(c.rjust(width) for c, width in zip(row, widths, strict=False)), row[5]])
        for row in rows
    ]


def broken(case: Case, shown: edges.Edges) -> list[Broken]:
    """Return which expectations were not kept."""
    return Result(case.path, judge(case.expectations, shown)).broken


def run(case: Case) -> edges.Edges:
    """Run a case on the core in virtual time, and return its edges."""
    scenario = case.scenario
    unit = virtual.unit_for(scenario)
    seen = edges.none_yet(scenario.end_ms)
    if case.faults.on_the_line:
        on_line.Line(unit, scenario, case.faults, case.start, seen).run()
    elif case.faults.late_ms:
        # As a body that is busy elsewhere: it looks some time after it should.
        draws, changes, end_ms = Draws(scenario.seed), case.changes, scenario.end_ms
        drive = Drive(unit, case.start, Recorder(unit, case.start, seen.add).note)
        drive.go(0, 0)
        place = levels = 0
        while drive.ms < end_ms:
            goal = changes[place][0] if place < len(changes) else end_ms
            due = drive.next_ms()
            goal = max(drive.ms, goal if due is None else min(goal, due))
            ms = min(goal + draws.below(case.faults.late_ms + 1), end_ms)
            while place < len(changes) and changes[place][0] <= ms:
                levels = changes[place][1]
                place += 1
            drive.go(ms, levels)
    else:
        record(unit, case.changes, case.start, scenario.end_ms, seen.add)
    return seen
