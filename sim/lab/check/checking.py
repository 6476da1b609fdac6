"""Runs a scenario on the core, with injected faults, and judges its expectations.

`load` parses a file into a `Case`. `run` produces the trace in virtual time. `judge` compares a
trace from here or from elsewhere with the expectations, and a `Result` holds the outcome.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError
from city_unit.desktop.toml_reader import Table, choice, time_ms, within
from city_unit.draws import Draws
from city_unit.drive import Drive, record
from city_unit.facts import BUTTONS
from city_unit.ticks import MASK, add
from city_unit.trace import Recorder
from sim.engine import scenario as scenarios
from sim.engine.trace import Change, Trace
from sim.lab.check import expectations
from sim.lab.check.expectations import Slack
from sim.lab.check.relations import Expectation, Failure, Measured
from sim.lab.instrument.digital import Signals


class Faults(NamedTuple):
    """The injected faults; 0 or None if absent.

    late_ms      largest delay of a pass
    wrap_ms      when the unit's clock wraps, from the start of the run
    stuck        the bit of a contact that stays closed
    stuck_ms     from this time
    """

    late_ms: int = 0
    wrap_ms: int | None = None
    stuck: int = 0
    stuck_ms: int = 0

    @property
    def names(self) -> list[str]:
        """The keys of the faults that are set."""
        there = {"late": self.late_ms, "wrap": self.wrap_ms is not None, "stuck": self.stuck}
        return [name for name, is_there in there.items() if is_there]

    def closed(self, changes: Sequence[Change]) -> Sequence[Change]:
        """Return the changes of the contacts with the stuck one closed."""
        if not self.stuck:
            return changes
        before = [change for change in changes if change[0] < self.stuck_ms]
        levels = next((last for ms, last in reversed(changes) if ms <= self.stuck_ms), 0)
        after = [(ms, levels | self.stuck) for ms, levels in changes if ms > self.stuck_ms]
        return (*before, (self.stuck_ms, levels | self.stuck), *after)


def read_faults(table: Table, end_ms: int) -> Faults:
    """Parse the table of faults of a run that ends at `end_ms`; raises UserError."""
    in_time = within(
        time_ms,
        0,
        max(0, end_ms - 1),
        _("before the end of the run at {end} ms").format(end=end_ms),
    )
    stuck = table.take("stuck", choice(BUTTONS), None)
    faults = Faults(
        late_ms=table.take("late", within(time_ms, 0, 1000, _("at most 1 s")), 0),
        wrap_ms=table.take("wrap", within(in_time, 0, MASK, _("at most 298 h")), None),
        stuck=BUTTONS.get(stuck, 0),
        stuck_ms=table.take("stuck_at", in_time, 0),
    )
    if "stuck_at" in table and not faults.stuck:
        raise table.error("stuck_at", _("stuck_at: needs stuck, the button"))
    table.finish()
    return faults


class Case(NamedTuple):
    """A scenario with its faults and expectations."""

    path: str
    scenario: scenarios.Scenario
    faults: Faults
    expectations: list[Expectation]

    @property
    def changes(self) -> Sequence[Change]:
        """The changes of the contacts, with a stuck one."""
        return self.faults.closed(self.scenario.changes)

    @property
    def start(self) -> int:
        """The time of the unit's clock at the start."""
        return 0 if self.faults.wrap_ms is None else add(0, -self.faults.wrap_ms)


class Judged(NamedTuple):
    """An expectation and its outcome, None if the instrument cannot see it."""

    expectation: Expectation
    found: Measured | None = None

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The first failures, none if it passed or is unknown."""
        return self.found.failures if self.found else ()

    @property
    def is_unseen(self) -> bool:
        return self.found is None or self.found.is_beyond

    def in_words(self) -> list[str]:
        """Describe the expectation, with its line in the file, and what happened instead."""
        line, what = self.expectation.line, self.expectation.words
        words = _("line {line}: expected {what}") if line else _("expected {what}")
        happened = _("happened {what}").format(what=self.failures[0].happened)
        return [words.format(line=line, what=what), happened]


class Result(NamedTuple):
    """The outcome of a scenario.

    error          why it could not be checked, if so
    seconds        the duration of the check
    allows_unseen  whether it passes if the instrument cannot see some of the expectations
    """

    path: str
    judged: list[Judged]
    error: UserError | None = None
    seconds: float = 0.0
    allows_unseen: bool = False

    @property
    def broken(self) -> list[Judged]:
        return [judged for judged in self.judged if judged.failures]

    @property
    def code(self) -> int:
        """The exit status for this scenario alone."""
        if self.error:  # FAILURE is reserved for expectations
            return UNCHECKED if self.error.code == FAILURE else self.error.code
        if self.broken:
            return FAILURE
        is_allowed = self.allows_unseen and not (self.is_unseen or self.is_cut)
        has_unseen = any(expected.is_unseen for expected in self.judged)
        return UNCHECKED if has_unseen and not is_allowed else SUCCESS

    @property
    def is_unseen(self) -> bool:
        """Whether no expectation could be judged, which does not count as a pass."""
        return bool(self.judged) and all(expected.is_unseen for expected in self.judged)

    @property
    def is_cut(self) -> bool:
        """Whether the observation ended too early for an expectation."""
        return any(expected.found and expected.found.is_beyond for expected in self.judged)


def load(path: str, slack: Slack = expectations.NO_SLACK) -> Case:
    """Read a scenario with its expectations; raises UserError.

    slack  the tolerances of expectations that give none
    """
    table = toml_reader.load(path)
    case = of_table(table, path, slack)
    if not case.expectations:
        raise table.error(None, _("nothing is expected; write [[expect]] blocks"))
    return case


def of_table(table: Table, path: str, slack: Slack = expectations.NO_SLACK) -> Case:
    """Parse a scenario, with or without expectations; raises UserError."""
    scenario = scenarios.read(table, folder=Path(path).parent)
    wrong = read_faults(table.table("faults"), scenario.end_ms)
    expected = expectations.read(table, scenario, slack)
    table.finish()
    return Case(path, scenario, wrong, expected)


def judge(
    expected: Sequence[Expectation],
    shown: "Trace | Signals",
    sees: frozenset[str] | None = None,
    begins_ms: float = 0,
    ends_ms: float = math.inf,
) -> list[Judged]:
    """Return the outcome of each expectation.

    sees       the signals that the instrument can see, as in `Expectation.sees`; None: all
    begins_ms  when the observation starts
    ends_ms    when it ends; an expectation of later times that fails is unknown instead
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
    """Return a table of the measurements and their limits, with a heading."""
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


def broken(case: Case, shown: Trace) -> list[Judged]:
    """Return the expectations that failed."""
    return Result(case.path, judge(case.expectations, shown)).broken


def run(case: Case) -> Trace:
    """Run a case on the core in virtual time, and return its trace."""
    scenario = case.scenario
    unit = scenario.unit()
    seen = Trace.empty(scenario.end_ms)
    if case.faults.late_ms:
        # A busy body: each pass is late by a random time.
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
