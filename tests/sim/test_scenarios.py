"""The repository's scenarios, and random evenings, give their traces and satisfy the rules.

The traces are stored in files. The invariants here restate the rules independently of the unit's
code, so that a wrong trace is not accepted when the files are regenerated.
"""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from city_unit.desktop.toml_reader import parse
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.programs import PROGRAMS
from city_unit.ticks import MASK
from sim.engine import virtual
from sim.engine.scenario import Scenario, read
from tests.helpers.times import ENDED, FAST_MS, HOLD_MS, LENGTH_MS, SLOW_MS
from tests.scenarios import FOLDER, NAMES, expected, scenario, traced

WRAP = MASK + 1

# Starts of the unit's clock. It wraps during the first debounce, the first auction, or the hour.
STARTS = (0, 1, WRAP - 1, WRAP - 36, WRAP - 1008, WRAP - 20_000, WRAP - 3_600_000)

# In these scenarios a contact changes faster than it could bounce.
SHORTER_THAN_A_BOUNCE = ("glitch", "glitch-in-hold", "slide-that-chatters")


# The invariants of every trace.

# Times of the warning and of the end, from the start of an auction, in ms.
LENGTHS = {
    program.name: (program.auction_ms[0] - program.warning_ms, program.auction_ms[0])
    for program in PROGRAMS
    if program.warning_ms
}
WORLD = next(program.auction_ms for program in PROGRAMS if program.name == "world")
LIGHT_RUNS_MS = 1200
PERMIT_SHOWN_MS = 20_000


def lines_stand_in_order_of_time(lines, _changes):
    assert all(earlier["ms"] <= later["ms"] for earlier, later in pairwise(lines))


def every_change_is_a_change(lines, _changes):
    shown = {}
    for line in lines:
        if "event" not in line:
            what, value = (line["lamp"], line["on"]) if "lamp" in line else ("tone", line["tone"])
            assert shown.get(what, 0) != value, line
            shown[what] = value


def an_auction_warns_and_ends_at_its_times_exactly(lines, _changes):
    program = ""
    started = warned = 0
    for line in lines:
        ms, kind = line["ms"], line.get("event")
        if kind == "switched-on":
            program = line["program"]
        elif kind == "auction-started":
            started = ms
        elif kind == "auction-warning":
            warned = ms
            assert ms - started == LENGTHS[program][0]
        elif kind == "auction-ended" and program == "world":
            assert WORLD[0] <= ms - started <= WORLD[1] and warned <= started
        elif kind == "auction-ended":
            assert ms - started == LENGTHS[program][1] and warned > started


def the_lamp_flashes_and_its_going_out_is_the_end(lines, _changes):
    started = warned = 0
    edges = {}
    lit = {}
    for line in lines:
        if line.get("lamp") == "auction":
            lit[line["ms"]] = line["on"]
    for line in lines:
        ms, kind = line["ms"], line.get("event")
        if kind == "auction-started":
            started = ms
        elif kind == "auction-warning":
            warned = ms
        elif kind == "auction-ended":
            edges = {at: on for at, on in lit.items() if started <= at <= ms}
            assert edges == flashes(started, warned if warned > started else ms, ms)


def flashes(started, warned, ended):
    """Return the changes of the auction lamp; the last flash lasts until the end."""
    if warned == ended:  # no warning
        last = ended - 500
        slow = {ms: (ms - started) % 1000 == 0 for ms in range(started, ended, 500)}
        return {
            **{ms: on for ms, on in slow.items() if on or ms < last},
            ended: False,
        }
    slow = {ms: (ms - started) % 1000 == 0 for ms in range(started, warned, 500)}
    fast = {ms: (ms - warned) % 250 == 0 for ms in range(warned, ended - 125, 125)}
    return {**slow, **fast, ended: False}


def off_is_dark_and_silent_at_once_until_on(lines, changes):
    for off in [line["ms"] for line in lines if line.get("event") == "switched-off"]:
        lit, tone = set(), 0
        for line in lines:
            if line["ms"] > off:
                break
            if "lamp" in line:
                (lit.add if line["on"] else lit.discard)(line["lamp"])
            tone = line.get("tone", tone)
        assert (lit, tone) == (set(), 0)
        on = min((ms for ms, levels in changes if ms > off and levels & SWITCH), default=1 << 62)
        assert not [line for line in lines if off < line["ms"] < on]


def a_permit_takes_its_time_and_is_shown_for_its_time(lines, _changes):
    started = 0
    granted = None
    for line in lines:
        ms, kind = line["ms"], line.get("event")
        if kind == "permit-started":
            started = ms
        elif kind == "permit-granted":
            assert ms - started == LIGHT_RUNS_MS
            granted = (ms, f"permit-{line['permit']}")
        elif granted and line.get("lamp") == granted[1] and not line["on"]:
            assert ms - granted[0] <= PERMIT_SHOWN_MS
            granted = None


def after_the_end_nothing_is_granted(lines, _changes):
    over = False
    for line in lines:
        kind = line.get("event")
        if kind in ("hour-ended", "time-called"):
            over = True
        elif kind == "switched-on":
            over = False
        assert not over or kind not in ("auction-started", "permit-started", "hour-beep")


RULES = (
    lines_stand_in_order_of_time,
    every_change_is_a_change,
    an_auction_warns_and_ends_at_its_times_exactly,
    the_lamp_flashes_and_its_going_out_is_the_end,
    off_is_dark_and_silent_at_once_until_on,
    a_permit_takes_its_time_and_is_shown_for_its_time,
    after_the_end_nothing_is_granted,
)


def parsed(name):
    return [json.loads(line) for line in expected(name)]


def events(name):
    return [(line["ms"], line["event"]) for line in parsed(name) if "event" in line]


def lines_of(scenario, start):
    lines: list[str] = []
    virtual.write_trace(scenario, start, lines.append)
    return lines


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_gives_its_trace_wherever_the_units_clock_starts_and_keeps_the_rules(name):
    """Also if each contact chatters for 15 ms after each edge."""
    for start in STARTS:
        assert traced(name, start) == expected(name), start
    for rule in RULES:
        rule(parsed(name), scenario(name).changes)
    if name in SHORTER_THAN_A_BOUNCE:
        return
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    text = re.sub(r"bounce = .*", "", text)
    text = re.sub(r'do = "(?!end).*', r'\g<0>\nbounce = "15 ms"', text)
    for seed in (1, 2, 3):
        bounced = read(parse(text.encode(), name), seed=seed).changes
        assert len(bounced) > len(scenario(name).changes) or name == "bounce"
        assert lines_of(replace(scenario(name), changes=bounced), 0) == expected(name), seed


PAUSES_MS = (0, 1, 15, 16, 17, 80, 500, 1184, HOLD_MS, 19_984, FAST_MS, SLOW_MS, LENGTH_MS, 900_000)
LEVELS = (SWITCH, SWITCH, SWITCH | AUCTION, SWITCH | BUILD, SWITCH | AUCTION | BUILD, 0, BUILD)

pauses = st.sampled_from(PAUSES_MS) | st.integers(0, 3_700_000)
evenings = st.lists(st.tuples(pauses, st.sampled_from(LEVELS)), min_size=1, max_size=40)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(evenings, st.sampled_from(PROGRAMS), st.integers(0, 1000), st.integers(1, MASK))
@example([(0, SWITCH), (1000, SWITCH | AUCTION), (80, SWITCH)], PROGRAMS[0], 1, MASK - 20_000)
def test_any_evening_keeps_the_rules_and_notices_no_wrap(evening, program, seed, start):
    ms = 0
    changes: dict[int, int] = {}
    for pause, levels in evening:
        ms += pause
        changes[ms] = levels
    lived = Scenario(program, seed, tuple(changes.items()), ms + 100_000)
    lines = lines_of(lived, 0)
    assert lines_of(lived, start) == lines
    for rule in RULES:
        rule([json.loads(line) for line in lines], lived.changes)


def test_the_hour_beeps_each_quarter_then_each_minute_then_each_second():
    beeps = [
        *(minute * 60_000 for minute in (15, 30, 45, 50, 55, 56, 57, 58, 59)),
        *(3_600_000 - left * 1000 for left in (50, 40, 30, 20, *range(10, 0, -1))),
    ]
    assert events("hour") == [
        (0, "switched-on"),
        *((ms, "hour-beep") for ms in beeps),
        (3_600_000, "hour-ended"),
    ]


def test_the_hour_waits_for_whatever_runs():
    for name, ended in (
        ("hour-in-auction", 3_630_016),
        ("hour-in-warning", 3_602_016),
        ("hour-in-cancelled-auction", 3_607_000),
        ("hour-with-auction-end", 3_600_000),
        ("hour-in-permit-light", 3_600_716),
        ("hour-in-refusal", 3_600_216),
    ):
        assert events(name)[-1] == (ended, "hour-ended"), name
        assert events(name)[-2][0] == ended, name


def test_each_press_does_what_its_time_and_length_say():
    started, ended, cancelled = (
        (1016, "auction-started"),
        (ENDED, "auction-ended"),
        (12_000, "auction-cancelled"),
    )
    for name, wanted in (
        ("auction-cancelled", [started, cancelled]),
        ("auction-hold-too-short", [started, ended]),
        ("auction-start-held", [started, ended]),
        ("auction-second-press", [started, ended]),
        ("both-at-once", [started, (1016, "refused"), ended]),
        ("glitch", [(3016, "auction-started"), (ENDED + 2000, "auction-ended")]),
        ("glitch-in-hold", [started, cancelled]),
        ("held-at-power-up", [(6016, "auction-started"), (ENDED + 5000, "auction-ended")]),
        ("pressed-with-the-switch", []),
        ("off-ignores-buttons", []),
        ("off-in-permit-light", [(1016, "permit-started")]),
    ):  # fmt: skip
        power = ("switched-on", "switched-off", "auction-warning")
        assert [event for event in events(name) if event[1] not in power] == wanted, name


def test_a_refusal_has_its_reason():
    refused = [
        (line["ms"], line["what"], line["why"])
        for name in ("build-in-auction", "permit-light-runs", "hour-over", "world")
        for line in parsed(name)
        if line.get("event") == "refused"
    ]
    assert refused == [
        (10_016, "build", "auction"),
        (48_016, "build", "warning"),
        (1316, "build", "drawing"),
        (1816, "auction", "drawing"),
        (3_610_016, "auction", "over"),
        (3_620_016, "build", "over"),
        (3_630_016, "auction", "over"),
        (120_016, "build", "no-permits"),
    ]
