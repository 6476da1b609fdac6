"""The scenarios of the repository: each gives its trace, and each trace keeps the rules."""

import json
import re
from dataclasses import replace

import pytest

from city_unit.desktop.toml_reader import parse
from city_unit.ticks import MASK
from sim.engine import virtual
from sim.engine.scenario import read
from tests.helpers.times import ENDED
from tests.scenarios import FOLDER, NAMES, expected, scenario, traced
from tests.scenarios.rules import RULES

WRAP = MASK + 1

# Where the unit's clock starts: so that it wraps in the debounce of the first press, in the
# first auction, and in the hour.
STARTS = (0, 1, WRAP - 1, WRAP - 36, WRAP - 1008, WRAP - 20_000, WRAP - 3_600_000)

# In these a contact moves faster than it could bounce.
SHORTER_THAN_A_BOUNCE = ("glitch", "glitch-in-hold", "slide-that-chatters")


def parsed(name):
    return [json.loads(line) for line in expected(name)]


def events(name, *kinds):
    """Return the events of those kinds, or all of them, as `(ms, kind)`."""
    happened = [(line["ms"], line["event"]) for line in parsed(name) if "event" in line]
    return [event for event in happened if not kinds or event[1] in kinds]


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_gives_its_trace_wherever_the_units_clock_starts_and_keeps_the_rules(name):
    """Also where every contact chatters for 15 ms on every edge."""
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
        lines = []
        virtual.trace(replace(scenario(name), changes=bounced), 0, lines.append)
        assert len(bounced) > len(scenario(name).changes) or name == "bounce"
        assert lines == expected(name), seed


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
    ("name", "wanted"),
    [
        ("auction-cancelled", [(1016, "auction-started"), (12_000, "auction-cancelled")]),
        ("auction-hold-too-short", [(1016, "auction-started"), (ENDED, "auction-ended")]),
        ("auction-start-held", [(1016, "auction-started"), (ENDED, "auction-ended")]),
        ("auction-second-press", [(1016, "auction-started"), (ENDED, "auction-ended")]),
        ("both-at-once", [(1016, "auction-started"), (1016, "refused"), (ENDED, "auction-ended")]),
        ("glitch", [(3016, "auction-started"), (ENDED + 2000, "auction-ended")]),
        ("glitch-in-hold", [(1016, "auction-started"), (12_000, "auction-cancelled")]),
        ("held-at-power-up", [(6016, "auction-started"), (ENDED + 5000, "auction-ended")]),
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
def test_what_the_buttons_did(name, wanted):
    power = ("switched-on", "switched-off", "auction-warning")
    assert [event for event in events(name) if event[1] not in power] == wanted


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
