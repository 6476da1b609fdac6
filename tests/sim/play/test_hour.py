"""A mistake in an hour can be taken back, and a killed game goes on."""

import re

import pytest

from city_unit.facts import SWITCH
from sim.play import kept, sign
from sim.play.hour import BACK_S
from sim.play.person import Person
from sim.play.preferences import Preferences
from sim.window import snapshot
from sim.window.controls import Controls
from sim.window.paint import scene


def test_after_a_kill_the_game_goes_on_where_it_was(table):
    table.tap("auction")
    table.wait(30)
    left = table.left()
    after = table.again(away=20.0)
    assert re.fullmatch(r"Your game goes on: 58:3\d left. Press R", after.hour.sentence())
    assert after.unit.state == "off"
    assert after.hour.take()
    assert after.unit.state == "auction"
    assert 0 <= after.left() - left <= kept.BEAT_S * 1000  # at most a beat is played twice
    after.wait(25)
    assert after.unit.state == "ready"


def test_the_players_choose_whether_the_time_away_counts(table):
    after = table.again(away=600.0)
    after.hour.take()
    left = after.left()
    assert "stood still while you were away (10 min)" in after.hour.sentence()
    assert after.hour.news() == "The clock stood still while the unit was not running (10 min)"
    after.hour.take()
    assert left - after.left() == pytest.approx(600_000, abs=3000)


def test_a_clock_that_was_set_back_while_the_program_was_away_costs_nothing(table):
    after = table.again(away=-90_000.0)
    assert after.hour.take()
    assert after.left() == pytest.approx(table.left(), abs=3000)
    assert after.hour.sentence() == ""


def test_a_new_game_by_mistake_does_not_lose_the_one_that_waited(table):
    """The offer is the large thing until it is taken, or its time is over."""
    after = table.again()

    def shown():
        read = sign.read(after.unit, after.runner.now, False)
        return sign.with_offer(read, after.hour.large())

    assert (shown().kind, shown().big) == ("offer", "Your game goes on")
    assert re.fullmatch(r"59:0\d left to play", shown().under)
    assert shown().press == ("R: go on with it", "O: begin a new game")
    after.wait(300)
    after.hour.switch(True)
    after.wait(3)
    assert after.left() > 3_590_000
    assert after.hour.sentence() == "Another game has begun. R takes it back (7 s)"
    assert (shown().big, shown().under) == ("A new game has begun", "7 s to take it back")
    assert shown().press == ("R: back to the game that ran",)
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


def test_off_and_on_again_can_be_taken_back_for_ten_seconds(table):
    left = table.left()
    table.hour.switch(False)
    table.wait(4)
    table.hour.switch(True)
    table.wait(8)
    assert table.hour.sentence() == "Another game has begun. R takes it back (2 s)"
    table.hour.take()
    assert table.left() == left - 12_000


def test_of_several_games_within_seconds_the_first_is_given_back(table):
    person = Person(table.runner, Preferences(), table.hour)
    for place in (3, 1):
        person.begin(table.unit.settings.programs[place])
        table.wait(2)
    assert table.hour.large() is not None
    table.hour.take()
    assert table.unit.settings.program.name == "city"


def test_an_offer_does_not_cover_an_auction(table):
    table.hour.switch(False)
    table.wait(1)
    table.hour.switch(True)
    table.wait(1)
    table.tap("auction")
    read = sign.read(table.unit, table.runner.now, False)
    assert read.kind == "auction"
    assert sign.with_offer(read, table.hour.large()) is read


def test_an_offer_stays_in_sight_whatever_else_is_said(table):
    controls = Controls(table.runner, hour=table.hour)
    table.tap("auction")
    controls.choose(3)
    table.hour.switch(False)
    controls.do("seconds")
    shown = snapshot.take(table.runner, controls, True, "")
    assert shown.sign.kind == "offer"
    assert scene.notice(shown) == shown.sentence == str(sign.SECONDS_SHOWN)
    table.hour.switch(True)
    table.wait(1)
    table.tap("auction")
    controls.do("seconds")
    shown = snapshot.take(table.runner, controls, True, "")
    assert scene.notice(shown) == "Another game has begun. R takes it back (9 s)"
    assert shown.sentence == str(sign.SECONDS_HIDDEN)  # which stands below it


def test_the_slide_can_be_taken_back_for_ten_seconds(table):
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


def test_what_was_taken_back_survives_a_kill_as_well(table):
    table.hour.switch(False)
    table.wait(4)
    table.hour.take()
    table.wait(4)
    after = table.again()
    assert after.hour.take()
    assert after.left() == pytest.approx(table.left(), abs=2500)


def test_another_program_by_mistake_can_be_taken_back(table):
    left = table.left()
    person = Person(table.runner, Preferences(), table.hour)
    world = table.unit.settings.programs[3]
    person.begin(world)
    person.begin(world)
    assert table.unit.settings.program is world
    table.wait(1)
    table.hour.take()
    assert table.unit.settings.program.name == "city"
    assert table.left() == pytest.approx(left - 1000, abs=1)
