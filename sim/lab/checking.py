"""Runs a scenario, with its faults, and holds the trace against its expectations."""

from pathlib import Path
from typing import NamedTuple

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.ticks import MASK, add, diff
from city_unit.trace import Recorder, replay
from city_unit.unit import Unit
from sim import scenario, toml_reader
from sim.lab import edges, expectations
from sim.lab.expectations import Check, Failure
from sim.toml_reader import Table, time_ms, within


class Faults(NamedTuple):
    """What is wrong with the body, from the table `[faults]` of a scenario's file.

    late_ms  each pass comes late by a random time up to this
    wrap_ms  when the unit's own clock wraps, since the start of the run; None for not at all
    """

    late_ms: int
    wrap_ms: int | None


class Case(NamedTuple):
    """A scenario that can be checked."""

    path: str
    told: scenario.Scenario
    faults: Faults
    checks: list[Check]


def load(path: str) -> Case:
    """Read a scenario with what it expects; raises UserError."""
    table = toml_reader.load(path)
    told = scenario.read(table, folder=Path(path).parent)
    faults = _faults(table.table("faults"))
    checks = expectations.read(table, told.end_ms)
    table.finish()
    if not checks:
        raise table.error(None, "nothing is expected; write [[expect]] blocks")
    return Case(path, told, faults, checks)


def _faults(table: Table) -> Faults:
    late = table.take("late", within(time_ms, 0, 1000, "at most 1 s"), 0)
    wrap = table.take("wrap", within(time_ms, 0, MASK, "at most 298 h"), None)
    table.finish()
    return Faults(late, wrap)


def run(case: Case) -> tuple[edges.Edges, list[Failure]]:
    """Run a case and return what the unit did, and which expectations it failed."""
    told = case.told
    unit = Unit(Settings(told.programs), Draws(told.seed).below)
    unit.settings.choose(told.program)
    start = 0 if case.faults.wrap_ms is None else add(0, -case.faults.wrap_ms)
    lines: list[str] = []
    if case.faults.late_ms:
        _replay_late(unit, told, start, case.faults.late_ms, lines.append)
    else:
        replay(unit, told.changes, start, told.end_ms, lines.append)
    shown = edges.of_lines(lines, told.end_ms)
    results = (check(shown) for check in case.checks)
    return shown, [failure for failure in results if failure]


def _replay_late(unit: Unit, told: scenario.Scenario, start: int, late_ms: int, write) -> None:
    """Run the unit as a body does that is busy elsewhere: it looks some time after it should."""
    draws = Draws(told.seed)
    recorder = Recorder(unit, start, write)
    unit.step(start, 0)
    ms = levels = place = 0
    changes = told.changes
    while ms < told.end_ms:
        goal = changes[place][0] if place < len(changes) else told.end_ms
        due = unit.next_due()
        hop = max(0, goal - ms)
        if due is not None:
            hop = max(0, min(hop, diff(due, add(start, ms))))
        ms = min(ms + hop + draws.below(late_ms + 1), told.end_ms)
        while place < len(changes) and changes[place][0] <= ms:
            levels = changes[place][1]
            place += 1
        unit.step(add(start, ms), levels)
        recorder.note(add(start, ms))
