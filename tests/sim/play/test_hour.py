"""A mistake in an hour can be taken back, a killed game goes on, and its gap is reported."""

import re

import pytest

from city_unit.facts import SWITCH
from sim.play import autosave, hour, sign
from sim.play.hour import BACK_S
from sim.play.person import Person
from sim.play.preferences import Preferences
from sim.window import scene, snapshot
from sim.window.controls import Controls
from tests.helpers.hours import Table


def off_and_on(table, seconds=1.0):
    table.hour.switch(False)
    table.wait(seconds)
    table.hour.switch(True)


def shown(table):
    """Return the sign that the table reads."""
    return sign.with_offer(sign.read(table.unit, table.runner.now, False), table.hour.large())


def test_after_a_kill_the_game_goes_on_where_it_was(table):
    table.tap("auction")
    table.wait(30)
    left = table.left()
    after = table.again(away=20.0)
    assert re.fullmatch(r"Your game goes on: 58:3\d left. Press R", after.hour.sentence())
    assert after.unit.state == "off"
    assert after.hour.take()
    assert after.unit.state == "auction"
    assert 0 <= after.left() - left <= autosave.BEAT_S * 1000  # at most a beat is played twice
    after.wait(25)
    assert after.unit.state == "ready"


def test_the_players_choose_whether_the_time_away_counts(table):
    for away in (-90_000.0, 7 * 24 * 3600.0):  # the clock of the computer was set, or a week ago
        set_back = table.again(away=away)
        assert set_back.hour.take()
        assert set_back.left() == pytest.approx(table.left(), abs=3000)
        assert set_back.hour.sentence() == ""
    assert hour.span_words(3 * 3600) == "3 h"
    after = set_back.again(away=600.0)
    after.hour.take()
    left = after.left()
    assert "stood still while you were away (10 min)" in after.hour.sentence()
    assert after.hour.news() == "The clock stood still while the unit was not running (10 min)"
    after.hour.take()
    assert left - after.left() == pytest.approx(600_000, abs=3000)


def test_a_new_game_by_mistake_does_not_lose_the_one_that_waited(table):
    """The offer is the large thing until it is taken, or its time is over."""
    after = table.again()
    assert (shown(after).kind, shown(after).big) == ("offer", "Your game goes on")
    assert re.fullmatch(r"59:0\d left to play", shown(after).under)
    assert shown(after).press == ("R: go on with it", "O: begin a new game")
    after.wait(300)
    after.hour.switch(True)
    after.wait(3)
    assert after.left() > 3_590_000
    assert after.hour.sentence() == "Another game has begun. R takes it back (7 s)"
    assert (shown(after).big, shown(after).under) == ("A new game has begun", "7 s to take it back")
    assert shown(after).press == ("R: back to the game that ran",)
    after.hour.take()
    assert after.left() == pytest.approx(table.left(), abs=3000)
    after.hour.switch(False)
    after.wait(BACK_S + 0.25)
    assert after.hour.large() is None and after.hour.sentence() == ""
    assert not after.hour.take()
    assert after.unit.state == "off"


def test_a_new_hour_that_is_switched_off_again_leaves_the_game_waiting(table):
    after = table.again()
    after.hour.switch(True)
    after.wait(3)
    after.hour.switch(False)
    after.wait(60)
    assert after.hour.take()
    assert after.left() == pytest.approx(table.left(), abs=3000)


def test_off_and_on_and_another_program_can_be_taken_back_for_ten_seconds(table):
    left = table.left()
    off_and_on(table, 4)
    table.wait(8)
    assert table.hour.sentence() == "Another game has begun. R takes it back (2 s)"
    table.wait(1.75)
    assert table.hour.sentence() == "Another game has begun. R takes it back (1 s)"
    table.unit.settings.volume = 1  # which is the person's, and not the game's
    table.hour.take()
    assert table.left() == left - 13_750 and table.unit.settings.volume == 1
    person = Person(table.runner, Preferences(), table.hour)
    programs = table.unit.settings.programs
    for program in (programs[3], programs[3], programs[1]):  # the first is asked for twice
        person.begin(program)
        table.wait(1)
    assert table.hour.large() is not None
    table.hour.take()
    assert table.unit.settings.program.name == "city"  # the game before all of them
    assert table.left() == pytest.approx(left - 16_750, abs=1)


def test_the_slide_can_be_taken_back_for_ten_seconds_also_after_a_kill(table):
    table.tap("auction")
    table.wait(10)
    left, auction = table.left(), table.unit.auction_left(table.runner.now)
    table.hour.switch(False)
    table.wait(4)
    assert (table.unit.state, table.unit.lamps) == ("off", 0)
    assert table.hour.sentence() == "Switched off: in 6 s this game has ended. R takes it back"
    table.hour.take()
    assert table.unit.state == "auction"
    assert table.left() == left - 4000  # the hour went on, as if nobody had touched it
    assert table.unit.auction_left(table.runner.now) == auction - 4000
    assert table.runner.is_closed(SWITCH)
    assert [edge[1:] for edge in table.runner.edges] == [("auction", 1)]  # for the live trace
    table.wait(4)
    after = table.again()
    assert after.hour.take()
    assert after.left() == pytest.approx(table.left(), abs=2500)


def test_an_offer_stays_in_sight_whatever_else_is_said_but_covers_no_auction(table):
    controls = Controls(table.runner, hour=table.hour)

    def view():
        return snapshot.take(table.runner, controls, True, "")

    table.tap("auction")
    table.hour.switch(False)
    controls.do("seconds")
    assert view().sign.kind == "offer"
    assert scene.notice(view()) == view().sentence == str(sign.SECONDS_SHOWN)
    table.hour.switch(True)
    table.wait(1)
    table.tap("auction")
    assert shown(table).kind == "auction"
    controls.do("seconds")
    assert scene.notice(view()) == "Another game has begun. R takes it back (9 s)"
    assert view().sentence == str(sign.SECONDS_HIDDEN)  # which stands below it
    controls.fingers.down("build", "key")
    controls.do("take offer")
    assert controls.fingers.pressed() == 0  # of the game that is back


def test_a_sleep_is_told_and_the_hour_has_gone_on(table):
    table.tap("auction")
    table.leap(400)
    assert table.unit.state == "ready"
    said = table.hour.sentence()
    assert said.startswith("An auction ended 6 min ago, while this computer slept or was busy")
    assert "hour went on" in said
    assert said == f"{table.hour.news()}. R: give that time back to the game"
    left = table.left()
    table.hour.take()
    assert table.unit.state == "auction"
    assert table.left() - left == pytest.approx(400_000, abs=500)
    table.leap(4000)
    assert table.unit.state == "over"
    assert table.hour.sentence().startswith("The hour ended 8 min ago")
    table.hour.take()
    assert table.unit.state == "auction"


def test_missed_time_is_no_offer_to_players_who_play_on_or_have_not_begun(table, path):
    for leap in (3600.0, -7200.0):  # of the clock on the wall alone
        left = table.left()
        table.leap(0.25, wall=leap)
        assert (table.hour.sentence(), table.left()) == ("", left - 250)
        table.wait(2)
        assert table.runner.now - table.autosave.history.until <= 1000  # it is noted on and on
    table.leap(400)
    table.tap("auction")
    left = table.left()
    table.hour.take()
    assert table.left() == left
    idle = Table(path)
    idle.leap(4000)
    assert idle.hour.sentence() == ""


def test_the_clock_goes_on_in_a_sleep_on_each_system():
    class Source:
        CLOCK_BOOTTIME = "boot"
        CLOCK_MONOTONIC = "mono"

        @staticmethod
        def clock_gettime(which):
            return which

        @staticmethod
        def monotonic():
            return "plain"

    for platform, asked in (("linux", "boot"), ("darwin", "mono"), ("win32", "plain")):
        assert hour.clock(platform, Source)() == asked
