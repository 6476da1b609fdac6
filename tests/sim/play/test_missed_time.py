"""Time that was missed is told, and the hour has gone on meanwhile."""

import pytest

from sim.play import hour
from tests.helpers.hours import Table


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


def test_a_sleep_over_the_end_of_the_hour_does_not_cost_the_hour(table):
    table.leap(4000)
    assert table.unit.state == "over"
    assert table.hour.sentence().startswith("The hour ended 8 min ago")
    table.hour.take()
    assert table.unit.state == "ready"


def test_who_plays_on_has_chosen(table):
    table.leap(400)
    table.tap("auction")
    left = table.left()
    table.hour.take()
    assert table.left() == left


def test_a_clock_of_the_wall_that_leaps_moves_nothing(table):
    left = table.left()
    for leap in (3600.0, -7200.0):
        table.leap(0.25, wall=leap)
    assert table.hour.sentence() == ""
    assert table.left() == left - 500


def test_nothing_is_told_of_a_sleep_without_a_game(path):
    table = Table(path)
    table.leap(4000)
    assert table.hour.sentence() == ""


@pytest.mark.parametrize(
    ("platform", "asked"), [("linux", "boot"), ("darwin", "mono"), ("win32", "plain")]
)
def test_the_clock_goes_on_in_a_sleep_on_each_system(platform, asked):
    class Source:
        CLOCK_BOOTTIME = "boot"
        CLOCK_MONOTONIC = "mono"

        @staticmethod
        def clock_gettime(which):
            return which

        @staticmethod
        def monotonic():
            return "plain"

    assert hour.clock(platform, Source)() == asked
