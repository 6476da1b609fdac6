"""What the page shows and sounds is true, after a sleep and without a sound as well."""

import re

import pytest

from tests.helpers.times import LENGTH_MS
from tests.sim.web.page.doing import asleep, log, press, switch_on, title, until

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


def test_after_a_sleep_the_time_is_right_and_it_is_told(unit):
    switch_on(unit)
    press(unit, "a")
    title(unit, "Auction")
    [(started, _)] = log(unit, "auction-started")
    asleep(unit, 56)
    title(unit, "Sold! (0:0")
    assert unit.get_by_text("The device slept for 0:56").count() == 1
    assert log(unit, "auction-ended") == [(started + LENGTH_MS, "auction-ended")]


def test_the_hour_that_ended_in_a_sleep(unit):
    switch_on(unit)
    asleep(unit, 3605)
    title(unit, "The hour is over!")
    assert re.fullmatch(r"0:\d\d ago", unit.inner_text("#detail"))
    assert unit.inner_text("#clock") == "0:00"


def test_a_blocked_sound_says_what_to_tap(unit):
    switch_on(unit)
    until(unit, "app.speaker.state === 'running'")
    unit.evaluate("noted.contexts.at(-1).suspend()")
    unit.get_by_role("button", name="Tap for sound").click()
    until(unit, "app.speaker.state === 'running'")
    unit.wait_for_selector("[data-notice=sound]", state="detached")


def test_a_lost_sound_is_made_anew_from_the_plan(unit):
    switch_on(unit)
    until(unit, "app.speaker.state === 'running'")
    unit.evaluate("noted.contexts.at(-1).close()")
    until(unit, "app.speaker.state === 'blocked'")
    unit.evaluate("noted.sounds = 0")
    press(unit, "a")
    until(unit, "app.speaker.state === 'running' && noted.sounds > 20")
    assert unit.evaluate("noted.contexts.length") == 2
