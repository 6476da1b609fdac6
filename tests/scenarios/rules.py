"""Invariants of every trace, whatever was done to the unit: the rules, told without its code."""

from itertools import pairwise

from city_unit.facts import SWITCH
from city_unit.programs import PROGRAMS

# From the start of an auction: when it warns and when it ends, ms.
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
    """Return the edges of an auction's lamp; the last flash stays lit until the end."""
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
