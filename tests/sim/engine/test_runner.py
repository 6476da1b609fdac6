"""The unit in real time, with a clock that the test moves."""

import json

import pytest

from city_unit.draws import Draws
from city_unit.facts import OUTPUTS, SWITCH
from city_unit.settings import Settings
from city_unit.ticks import diff
from city_unit.unit import Unit
from sim.engine.headless import Record
from sim.engine.runner import Runner
from tests.helpers.times import ENDED, PRESSED, WARNED, StandingClock

MIN = 60_000


@pytest.fixture
def clock():
    return StandingClock()


@pytest.fixture
def runner(clock):
    """A unit that was switched on a second ago."""
    runner = Runner(Unit(Settings(), Draws(1).below), clock)
    runner.switch(True)
    assert runner.seconds_to_due() == pytest.approx(0.016)  # the switch's window
    live(runner, clock, 1000)
    return runner


def live(runner, clock, ms):
    clock.move(ms)
    runner.advance()


def events(runner):
    return [(change.ms, change.what) for change in runner.changes if change.what not in OUTPUTS]


def test_what_comes_is_what_happens_and_a_late_pass_loses_and_shifts_nothing(runner, clock):
    runner.tap("auction")
    live(runner, clock, 100)
    coming = runner.upcoming(61 * MIN)
    live(runner, clock, 61 * MIN)
    assert [(mark.ms, mark.kind) for mark in coming] == events(runner)[2:]
    assert events(runner)[:4] == [
        (0, "switched-on"),
        (PRESSED, "auction-started"),
        (WARNED, "auction-warning"),
        (ENDED, "auction-ended"),
    ]
    lit = [change.ms for change in runner.changes if change.what == "auction" and change.value]
    assert lit[:3] == [1016, 2016, 3016]
    fast = lit.index(WARNED)
    assert lit[fast : fast + 3] == [WARNED, WARNED + 250, WARNED + 500]
    assert runner.upcoming(61 * MIN) == [] and not runner.single_step()
    assert runner.is_closed(SWITCH)
    runner.switch(False)
    assert events(runner)[-1][1] == "switched-off" and not runner.is_closed(SWITCH)


@pytest.mark.parametrize("since_ms", [-100, 100])
def test_the_game_ends_after_the_auction_that_runs_over_its_end(runner, clock, since_ms):
    live(runner, clock, 60 * MIN - 20_000 - runner.ms)
    runner.tap("auction")
    live(runner, clock, 20_000 + since_ms)
    coming = runner.upcoming(MIN)
    live(runner, clock, MIN)
    assert [mark.kind for mark in coming][-2:] == ["auction-ended", "hour-ended"]
    assert [(mark.ms, mark.kind) for mark in coming] == events(runner)[-len(coming) :]


def test_time_runs_at_the_chosen_speed_and_so_does_the_wait(runner, clock):
    due_ms = diff(runner.unit.next_due(), runner.now)
    assert runner.seconds_to_due() == pytest.approx(due_ms / 1000)
    runner.speed = 10
    assert runner.seconds_to_due() == pytest.approx(due_ms / 1000 / 10)
    ms = 1000.0
    for speed in (0.1, 0.5, 100.0, 1.0):
        runner.speed = speed
        live(runner, clock, 10_000)
        ms += 10_000 * speed
        assert runner.ms == ms
    runner.is_paused = True  # paused time is not caught up on
    live(runner, clock, 10_000)
    clock.move(10)
    assert (runner.ms, runner.now_us, runner.seconds_to_due()) == (ms, ms * 1000, None)
    runner.is_paused = False
    live(runner, clock, 250)
    assert runner.ms == ms + 250
    runner.speed = 1e9
    speeds = []
    for change in (runner.faster, runner.slower, runner.slower):
        change()
        speeds.append(runner.speed)
    assert speeds == [100, 50, 20]
    runner.speed = 0
    assert runner.speed == 0.1
    runner.slower()
    assert runner.speed == 0.1
    runner.faster()
    assert runner.speed == 0.2


@pytest.mark.parametrize("speed", [0.1, 100.0])
def test_a_click_is_a_click_at_any_speed(runner, clock, speed):
    runner.speed = speed
    for _ in range(2):  # a second press that lasted too long would cancel the auction
        runner.press("auction")
        live(runner, clock, 10)
        runner.release("auction")
        live(runner, clock, 1000)
    assert [kind for _, kind in events(runner)] == ["switched-on", "auction-started"]


def test_single_steps_go_from_change_to_change(runner, clock):
    runner.tap("auction")
    times = []
    while len(times) < 4:
        assert runner.single_step()
        times.append(runner.ms)
    assert runner.is_paused
    assert times == [1016, 1041, 1516, 2016]  # start; end of the tick; dark; lit


def test_a_record_has_the_lateness_of_each_change(runner, clock, tmp_path):
    record = Record(str(tmp_path / "record"), runner, 77)
    record.begin()
    runner.tap("auction")
    live(runner, clock, 31.25)
    record.note()
    record.close()
    begun, *lines = map(json.loads, (tmp_path / "record").read_text().splitlines())
    assert begun == {"ms": 1000, "boot": 77}
    late = {line["event"]: line["late_us"] for line in lines if "event" in line}
    assert late == {"switched-on": 1_031_250, "auction-started": 15_250}
