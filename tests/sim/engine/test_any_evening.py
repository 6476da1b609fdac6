"""Whatever fingers do, the rules hold, and the wrap of the unit's clock is not noticed."""

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.programs import PROGRAMS
from city_unit.ticks import MASK
from sim.engine import virtual
from sim.engine.scenario import Scenario
from tests.helpers.times import FAST_MS, HOLD_MS, LENGTH_MS, SLOW_MS
from tests.scenarios.rules import RULES

PAUSES_MS = (0, 1, 15, 16, 17, 80, 500, 1184, HOLD_MS, 19_984, FAST_MS, SLOW_MS, LENGTH_MS, 900_000)
LEVELS = (SWITCH, SWITCH, SWITCH | AUCTION, SWITCH | BUILD, SWITCH | AUCTION | BUILD, 0, BUILD)

pauses = st.sampled_from(PAUSES_MS) | st.integers(0, 3_700_000)
evenings = st.lists(st.tuples(pauses, st.sampled_from(LEVELS)), min_size=1, max_size=40)


def traced(scenario, start):
    lines: list[str] = []
    virtual.trace(scenario, start, lines.append)
    return lines


@settings(max_examples=60, deadline=None, derandomize=True)
@given(evenings, st.sampled_from(PROGRAMS), st.integers(0, 1000), st.integers(1, MASK))
@example([(0, SWITCH), (1000, SWITCH | AUCTION), (80, SWITCH)], PROGRAMS[0], 1, MASK - 20_000)
def test_any_evening(evening, program, seed, start):
    ms = 0
    changes: dict[int, int] = {}
    for pause, levels in evening:
        ms += pause
        changes[ms] = levels
    scenario = Scenario(program, seed, tuple(changes.items()), ms + 100_000)
    lines = traced(scenario, 0)
    assert traced(scenario, start) == lines
    parsed = [json.loads(line) for line in lines]
    for rule in RULES:
        rule(parsed, scenario.changes)
