"""The body of the page: events happen as planned, on every interpreter."""

import json
from pathlib import Path

import pytest

from city_unit.ticks import MASK
from sim.web.bundle import MODULES
from tests.helpers import interpreters
from tests.helpers.needs import needs
from tests.helpers.times import ENDED, PRESSED, WARNED
from tests.sim.web import foretold

ROOT = Path(__file__).parents[3]
INPUTS = 800
STARTS = (0, MASK + 1 - 700)
MOST_AT_ONCE = 12  # lines at the same moment


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_what_happened_is_what_the_plan_foretold(start):
    counted = foretold.count(INPUTS, 5, start)
    print(f"{counted[0]} inputs, {counted[1]} foretold changes, {counted[2]} wrong")
    assert counted[1] > INPUTS
    assert counted[2:] == (0, "")


@pytest.mark.slow
def test_the_same_in_the_micropython_of_the_page():
    found = interpreters.available().get("32-bit")
    needs(found, "the MicroPython of the page")
    files = {**{there: ROOT / there for there in MODULES}}
    files["tests/sim/web/foretold.py"] = ROOT / "tests/sim/web/foretold.py"
    code = (
        "from tests.sim.web import foretold\n"
        f"for start in {STARTS}:\n"
        f"    print(foretold.count({INPUTS // 8}, 5, start))\n"
    )
    here = [f"{foretold.count(INPUTS // 8, 5, start)}" for start in STARTS]
    assert found(code, files, 8 << 20).splitlines() == here


@pytest.mark.parametrize("seed", range(3))
def test_a_body_made_of_its_journal_goes_on_as_the_one_that_lived_it(seed):
    lived, again = foretold.ended(200, seed, MASK - 5000)
    assert lived == '"plan"' + again


@pytest.mark.parametrize(("seed", "lines"), [(0, 1), (1, 7)])
def test_a_plan_made_in_parts_is_the_plan_made_at_once(seed, lines):
    """Whatever the size of the parts, and after any inputs."""
    whole, parted = foretold.body(seed, MASK - 5000), foretold.body(seed, MASK - 5000)
    for ms, *deed in foretold.inputs(seed, 40):
        wanted = json.loads(whole.do(json.dumps([ms, *deed, 4_000_000])))
        plan = json.loads(parted.do(json.dumps([ms, *deed, 2500])))
        ends = wanted["until"] or wanted["ms"] + 4_000_000
        while plan["until"] is not None and plan["until"] < ends:
            more = json.loads(parted.further(json.dumps([ends, lines])))
            assert len(more["plan"]) <= lines + MOST_AT_ONCE
            plan = {**plan, **more, "plan": plan["plan"] + more["plan"]}
        assert plan == wanted


def body(program="city"):
    made = foretold.body(7, 0, program=program)

    def do(ms, what, value=None, more=None, ahead_ms=4_000_000):
        return json.loads(made.do(json.dumps([ms, what, value, more, ahead_ms])))

    return do


def events(lines):
    return [(line["ms"], line["event"]) for line in lines if "event" in line]


def test_an_auction_is_foretold_to_the_millisecond():
    do = body()
    do(0, "switch", 1)
    done = do(1000, "tap", 1)
    assert events(done["plan"])[:3] == [
        (PRESSED, "auction-started"),
        (WARNED, "auction-warning"),
        (ENDED, "auction-ended"),
    ]
    assert done["until"] is None
    assert done["unit"]["hour_ends"] == 3_600_000


def test_an_input_that_comes_late_counts_at_its_own_time():
    do = body()
    do(0, "switch", 1)
    do(1000, "press", 1)
    assert events(do(1050, "release", 1)["plan"])[-1] == (3_600_000, "hour-ended")
    # The page slept for more than an hour; the planned events have happened.
    done = do(4_000_000, "live")
    assert (ENDED, "auction-ended") in events(done["log"])
    assert done["unit"]["state"] == "over"


def test_setting_up_takes_one_finger():
    do = body()
    done = do(0, "set up")
    assert done["unit"]["choice"] == ["program", "city"]
    assert do(200, "live")["levels"] == 4
    chosen = [line["unit"]["choice"] for line in do(1000, "tap", 2)["plan"] if "unit" in line]
    assert chosen == [["program", "championship"]]
    do(1990, "tap", 2)  # its release must not lift BUILD too soon
    done = do(2000, "set up")  # while it is on: switches off and on
    assert done["unit"]["state"] == "off"
    assert [line["unit"]["state"] for line in done["plan"] if "unit" in line] == ["setup"]
    assert do(1500, "live")["ms"] == 2000  # never back in time


def test_another_program_begins_at_once_but_in_no_auction():
    do = body()
    assert do(0, "program", "no-such")["why"] == "unknown"
    do(0, "switch", 1)
    do(1000, "press", 1)
    do(1003, "release", 1)  # a press so short outlasts the debounce
    assert do(2000, "program", "timed", 1_800_000)["why"] == "auction"
    for ms in (60_000, 80_000):
        done = do(ms, "program", "timed", 1_800_000)
        assert (done["why"], done["unit"]["state"]) == ("", "ready")
        assert done["unit"]["hour_ends"] == ms + 1_800_000
        do(ms + 10_000, "set up")  # also from the setup


def test_what_was_lit_before_the_last_input_is_told_of_a_life_that_is_lived_again():
    journal = [[0, "switch", 1, None], [1000, "tap", 2, None], [6000, "volume", 3, None]]
    done = json.loads(foretold.body(7, 0, journal).do(json.dumps([6000, "live", None, None, 0])))
    assert [kind for _, kind in events(done["log"])][-1] == "permit-granted"
    assert any("lamp" in line for line in done["log"])


def test_a_program_of_ones_own():
    do = body("mine")
    do(0, "switch", 1)
    done = do(100, "tap", 1)
    assert 2116 <= {kind: ms for ms, kind in events(done["plan"])}["auction-ended"] <= 4116


def test_a_plan_without_end_says_how_far_it_reaches_and_nothing_is_left_of_a_unit_that_is_off():
    do = body()
    do(0, "set up")
    do(1000, "tap", 1)  # chooses the program; the lamp of the volume flashes without end
    done = do(2000, "live", None, None, 10_000)
    assert done["until"] == 12_000
    assert done["plan"][-1]["ms"] > 11_000
    do(3000, "switch", 0)
    assert not do(3005, "live")["at_rest"]
    assert do(3100, "live")["at_rest"]
