"""Run a scenario in virtual time: the unit jumps from deadline to deadline."""

from collections.abc import Callable

from city_unit.drive import record, replay
from city_unit.ticks import MASK
from city_unit.unit import Unit
from sim.engine.scenario import Scenario
from sim.engine.trace import Trace


def used_transitions(scenario: Scenario) -> set[tuple[str, str]]:
    """Return each `(state, input)` that a run looks up in the transition table.

    Refused inputs are among them, although the table has no row for them.
    """
    used: set[tuple[str, str]] = set()

    class Observed(Unit):
        def _transition(self, now: int, what: str) -> str:
            used.add((self.state, what))
            return super()._transition(now, what)

    unit = scenario.unit(Observed)
    record(unit, scenario.changes, 0, scenario.end_ms, lambda *_change: None)
    return used


def write_trace(scenario: Scenario, start_ms: int, write: Callable[[str], object]) -> None:
    """Write the scenario's trace, line by line; the unit's own clock starts at `start_ms`."""
    start = start_ms & MASK
    replay(scenario.unit(), scenario.changes, start, scenario.end_ms, write)


def run(scenario: Scenario) -> Trace:
    """Run a scenario and return its trace."""
    trace = Trace.empty(scenario.end_ms)
    record(scenario.unit(), scenario.changes, 0, scenario.end_ms, trace.add)
    return trace
