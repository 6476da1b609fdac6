"""The scenarios of the repository: each gives its trace, and each trace keeps the rules."""

import json

import pytest

from city_unit.ticks import MASK
from tests.scenarios import NAMES, expected, scenario, traced

WRAP = MASK + 1

# Where the unit's clock starts: so that it wraps in the debounce of the first press, in the
# first auction, and in the hour.
STARTS = (0, 1, WRAP - 1, WRAP - 36, WRAP - 1008, WRAP - 20_000, WRAP - 3_600_000)

every_scenario = pytest.mark.parametrize("name", NAMES)

LENGTHS = {"city": (45_000, 50_000), "timed": (45_000, 50_000), "championship": (50_000, 60_000)}
TERMINATED = ("auction-ended", "auction-cancelled", "switched-off")
SWITCH = 4


def parsed(name):
    return [json.loads(line) for line in expected(name)]


def events(name, *kinds):
    """Return the events of those kinds, or all of them, as `(ms, kind)`."""
    told = [(line["ms"], line["event"]) for line in parsed(name) if "event" in line]
    return [event for event in told if not kinds or event[1] in kinds]


@every_scenario
@pytest.mark.parametrize("start", STARTS)
def test_a_scenario_gives_its_trace_wherever_the_units_clock_starts(name, start):
    assert traced(name, start) == expected(name)


class TestRules:
    """What holds in every trace, whatever the core made of it."""

    @every_scenario
    def test_lines_stand_in_order_of_time(self, name):
        times = [line["ms"] for line in parsed(name)]
        assert times == sorted(times)

    @every_scenario
    def test_every_change_is_a_change(self, name):
        shown = {"tone": 0}
        for line in parsed(name):
            for what in ("lamp", "tone"):
                if what in line:
                    key = line.get("lamp", "tone")
                    value = line["tone"] if what == "tone" else line["on"]
                    assert shown.get(key, False) != value, line
                    shown[key] = value

    @every_scenario
    def test_an_auction_warns_and_ends_at_its_times_exactly(self, name):
        program = "city"
        started = warned = None
        for line in parsed(name):
            ms, kind = line["ms"], line.get("event")
            if kind == "switched-on":
                program = line["program"]
            elif kind == "auction-started":
                started, warned = ms, None
            elif kind == "auction-warning":
                assert ms - started == LENGTHS[program][0]
                warned = ms
            elif kind == "auction-ended" and program == "world":
                assert 13_000 <= ms - started <= 30_000 and warned is None
            elif kind == "auction-ended":
                assert ms - started == LENGTHS[program][1] and warned is not None

    @every_scenario
    def test_the_lamp_flashes_slowly_then_fast_and_its_going_out_is_the_end(self, name):
        started = warned = 0
        edges = {}
        for line in parsed(name):
            kind = line.get("event")
            if kind == "auction-started":
                started, edges = line["ms"], {}
            elif kind == "auction-warning":
                warned = line["ms"]
            elif line.get("lamp") == "auction":
                edges[line["ms"]] = line["on"]
            elif kind == "auction-ended" and warned > started:
                edges[line["ms"]] = False  # told after the event, of the same millisecond
                assert edges == flashes(started, warned, line["ms"])

    @every_scenario
    def test_off_is_dark_and_silent_at_once_until_on(self, name):
        on, lit, tone = False, set(), 0
        lines = parsed(name)
        for place, line in enumerate(lines):
            if line.get("event") == "switched-off":
                on = False
            elif line.get("event") == "switched-on":
                on = True
            elif "lamp" in line:
                (lit.add if line["on"] else lit.discard)(line["lamp"])
            elif "tone" in line:
                tone = line["tone"]
            over = place + 1 == len(lines) or lines[place + 1]["ms"] > line["ms"]
            if over and not on and not in_setup(name, line["ms"]):
                assert (lit, tone) == (set(), 0), line

    @every_scenario
    def test_a_permit_takes_1200_ms_and_stays_20_s_at_most(self, name):
        started = granted = None
        for line in parsed(name):
            ms, kind = line["ms"], line.get("event")
            if kind == "permit-started":
                started = ms
            elif kind == "permit-granted":
                assert ms - started == 1200
                granted = (ms, f"permit-{line['permit']}")
            elif granted and line.get("lamp") == granted[1] and not line["on"]:
                assert ms - granted[0] <= 20_000
                granted = None

    @every_scenario
    def test_no_event_was_lost_or_made_up_by_a_bounce(self, name):
        ons = [levels & SWITCH for _, levels in scenario(name).changes]
        assert len(events(name, "switched-off")) <= ons.count(0)


def flashes(started, warned, ended):
    """Return the edges of an auction's lamp; the last flash stays lit until the end."""
    slow = {ms: (ms - started) % 1000 == 0 for ms in range(started, warned, 500)}
    fast = {ms: (ms - warned) % 250 == 0 for ms in range(warned, ended - 125, 125)}
    return {**slow, **fast, ended: False}


@every_scenario
def test_the_lamp_is_dark_from_the_end_of_an_auction(name):
    lines = parsed(name)
    ends = {line["ms"] for line in lines if line.get("event") in TERMINATED[:2]}
    out = {line["ms"] for line in lines if line.get("lamp") == "auction" and not line["on"]}
    assert ends <= out | {ms for ms in ends if {"ms": ms, "event": "auction-cancelled"} in lines}


def in_setup(name, ms):
    """Return whether the scenario is in a setup at `ms`, which tells no event."""
    return name.startswith(("setup", "timed")) and 1000 <= ms <= 11_016


HOUR_BEEPS = [
    *(minute * 60_000 for minute in (15, 30, 45, 50, 55, 56, 57, 58, 59)),
    *(3_600_000 - left * 1000 for left in (50, 40, 30, 20, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)),
]


def test_the_hour():
    assert events("hour") == [
        (0, "switched-on"),
        *((ms, "hour-beep") for ms in HOUR_BEEPS),
        (3_600_000, "hour-ended"),
    ]


@pytest.mark.parametrize(
    ("name", "ended"),
    [
        ("hour-in-auction", 3_630_016),
        ("hour-in-warning", 3_602_016),
        ("hour-in-cancelled-auction", 3_607_000),
        ("hour-with-auction-end", 3_600_000),
        ("hour-in-permit-light", 3_600_716),
        ("hour-in-refusal", 3_600_216),
    ],
)
def test_the_hour_waits_for_what_runs(name, ended):
    assert events(name)[-1] == (ended, "hour-ended")
    assert events(name)[-2][0] == ended


def test_both_sounds_are_heard_where_an_auction_ends_with_the_hour():
    lines = parsed("hour-with-auction-end")
    tones = [(line["ms"], line["tone"]) for line in lines if "tone" in line]
    assert [tone for tone in tones if tone[0] >= 3_600_000][:5] == [
        (3_600_000, 2000),
        (3_600_150, 0),
        (3_600_225, 2000),
        (3_600_825, 0),
        (3_601_025, 2700),
    ]


@pytest.mark.parametrize("permit", ["1", "2", "3", "station"])
def test_every_permit(permit):
    lines = parsed(f"permit-{permit}")
    assert {"ms": 2216, "event": "permit-granted", "permit": permit} in lines
    assert lines[-1] == {"ms": 22_216, "lamp": f"permit-{permit}", "on": False}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("auction-cancelled", [(1016, "auction-started"), (12_000, "auction-cancelled")]),
        ("auction-hold-too-short", [(1016, "auction-started"), (51_016, "auction-ended")]),
        ("auction-start-held", [(1016, "auction-started"), (51_016, "auction-ended")]),
        ("auction-second-press", [(1016, "auction-started"), (51_016, "auction-ended")]),
        ("both-at-once", [(1016, "auction-started"), (1016, "refused"), (51_016, "auction-ended")]),
        ("glitch", [(3016, "auction-started"), (53_016, "auction-ended")]),
        ("glitch-in-hold", [(1016, "auction-started"), (12_000, "auction-cancelled")]),
        ("held-at-power-up", [(6016, "auction-started"), (56_016, "auction-ended")]),
        ("pressed-with-the-switch", []),
        ("off-ignores-buttons", []),
        ("off-in-permit-light", [(1016, "permit-started")]),
        (
            "bounce",
            [
                (1016, "auction-started"),
                (12_000, "auction-cancelled"),
                (20_016, "permit-started"),
                (21_216, "permit-granted"),
            ],
        ),
    ],
)
def test_what_the_buttons_did(name, told):
    power = ("switched-on", "switched-off", "auction-warning")
    assert [event for event in events(name) if event[1] not in power] == told


def test_refusals_say_what_and_why():
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


def test_the_championship():
    kinds = ("phase-started", "last-round", "time-called")
    assert events("championship", *kinds) == [
        (0, "phase-started"),
        (5 * 60_000, "phase-started"),
        (45 * 60_000, "last-round"),
        (50 * 60_000 + 30_016, "time-called"),  # after the auction that ran across it
    ]


@pytest.mark.parametrize("minutes", [30, 60, 90, 120])
def test_the_agreed_time_is_chosen_on_the_unit_itself(minutes):
    name = f"timed-{minutes}-min"
    assert events(name, "switched-on", "time-called") == [
        (11_016, "switched-on"),
        (11_016 + minutes * 60_000, "time-called"),
    ]
