"""Run a scenario in virtual time: the unit jumps from deadline to deadline."""

from collections.abc import Callable

from city_unit.draws import Draws
from city_unit.drive import record, replay
from city_unit.settings import Settings
from city_unit.ticks import MASK
from city_unit.unit import Unit
from sim.engine.scenario import Scenario
from sim.engine.trace import Trace


def unit_for(scenario: Scenario) -> Unit:
    """Return a unit with the scenario's program and seed."""
    unit = Unit(Settings(scenario.programs), Draws(scenario.seed).below)
    unit.settings.choose(scenario.program)
    return unit


class _Observed(Unit):
    """A unit that records each `(state, input)` it looks up in the transition table.

    Refused inputs are recorded too, although the table has no row for them.
    """

    def __init__(self, settings: Settings, below: Callable[[int], int]) -> None:
        super().__init__(settings, below)
        self.used: set[tuple[str, str]] = set()

    def _transition(self, now: int, what: str) -> str:
        self.used.add((self.state, what))
        return super()._transition(now, what)


def used_transitions(scenario: Scenario) -> set[tuple[str, str]]:
    """Return each `(state, input)` that a run looks up in the transition table."""
    unit = _Observed(Settings(scenario.programs), Draws(scenario.seed).below)
    unit.settings.choose(scenario.program)
    record(unit, scenario.changes, 0, scenario.end_ms, lambda *_change: None)
    return unit.used


def write_trace(scenario: Scenario, start_ms: int, write: Callable[[str], object]) -> None:
    """Write the scenario's trace, line by line; the unit's own clock starts at `start_ms`."""
    start = start_ms & MASK
    replay(unit_for(scenario), scenario.changes, start, scenario.end_ms, write)


def run(scenario: Scenario) -> Trace:
    """Run a scenario and return its trace."""
    trace = Trace.empty(scenario.end_ms)
    record(unit_for(scenario), scenario.changes, 0, scenario.end_ms, trace.add)
    return trace
