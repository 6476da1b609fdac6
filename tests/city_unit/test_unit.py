"""The unit as its players know it, told as timelines, from starts around the wrap."""

from itertools import pairwise

import pytest

from city_unit.cues import CUES
from city_unit.facts import PERMITS
from tests.city_unit.timeline import STARTS, Timeline
from tests.helpers.times import ENDED, FAST_MS, HOLD_MS, LENGTH_MS, PRESSED, SLOW_MS, WARNED

MIN = 60_000
HOUR = 60 * MIN
ACCEPT = 16  # ms from the first contact to the accepted press

every_start = pytest.mark.parametrize("start", STARTS)


def on(start=0, **how):
    """Return a unit that was switched on at 0 ms."""
    return Timeline(start, **how).close(0, "switch")


def auction_lamp(unit):
    return bool(unit.lamps & 1)


def permit_lamps(unit):
    return unit.lamps >> 1 & (1 << len(PERMITS)) - 1


def edges(timeline, until, shown):
    """Return `(ms, shown(unit))` at each change of it up to `until`."""
    unit = timeline.unit
    found = [(timeline.ms, shown(unit))]
    while timeline.ms < until:
        timeline.until(timeline.ms + 1)
        if shown(unit) != found[-1][1]:
            found.append((timeline.ms, shown(unit)))
    return found[1:]


class TestPower:
    @every_start
    def test_a_sign_of_life_and_then_silence(self, start):
        timeline = on(start)
        assert timeline.events() == [(0, "switched-on", "city")]
        assert timeline.unit.tone > 0
        assert edges(timeline, 1000, lambda unit: unit.tone)[-1] == (160, 0)

    @every_start
    def test_off_is_silent_and_dark_at_once(self, start):
        timeline = on(start).tap(1000, "auction").until(WARNED + 10)
        assert timeline.unit.tone and timeline.unit.lamps
        timeline.open(WARNED + 14, "switch")
        assert (timeline.unit.tone, timeline.unit.lamps, timeline.unit.state) == (0, 0, "off")
        timeline.until(100_000)
        assert timeline.events()[-1] == (WARNED + 14, "switched-off")
        assert timeline.unit.next_due() is None

    @every_start
    def test_on_again_is_a_new_hour(self, start):
        timeline = on(start).open(10 * MIN, "switch").close(20 * MIN, "switch").until(81 * MIN)
        assert timeline.events("hour-ended") == [(80 * MIN, "hour-ended")]

    def test_a_unit_that_is_off_answers_no_button(self):
        timeline = Timeline().tap(1000, "auction").tap(2000, "build").until(5000)
        assert timeline.events() == []
        assert timeline.unit.lamps == 0

    def test_a_button_held_at_switch_on_was_pressed_by_nobody(self):
        timeline = Timeline().close(0, "auction", "switch").open(3000, "auction").until(4000)
        assert timeline.events() == [(0, "switched-on", "city")]


class TestAuction:
    @every_start
    def test_warns_and_goes_out_when_its_program_says(self, start):
        timeline = on(start).tap(1000, "auction").until(60_000)
        began = 1000 + ACCEPT
        assert timeline.events()[1:] == [
            (began, "auction-started", LENGTH_MS),
            (began + SLOW_MS, "auction-warning", FAST_MS),
            (began + LENGTH_MS, "auction-ended"),
        ]

    @every_start
    def test_flashes_slowly_then_fast_and_is_lit_until_it_goes_out(self, start):
        timeline = on(start).tap(1000, "auction")
        began = 1000 + ACCEPT
        found = [(ms - began, lit) for ms, lit in edges(timeline, 70_000, auction_lamp)]
        slow = [(ms, ms % 1000 == 0) for ms in range(500, SLOW_MS, 500)]
        fast = [(SLOW_MS + ms, ms % 250 == 0) for ms in range(0, FAST_MS - 125, 125)]
        assert found == [*slow, *fast, (LENGTH_MS, False)]

    def test_the_warning_is_one_beep(self):
        timeline = on().tap(1000, "auction").until(WARNED - 16)
        assert edges(timeline, ENDED - 116, lambda unit: unit.tone) == [
            (WARNED, CUES["auction-warning"][1]),
            (WARNED + CUES["auction-warning"][2], 0),
        ]

    def test_a_second_press_does_nothing(self):
        plain = on().tap(1000, "auction").until(60_000)
        pressed = (
            on().tap(1000, "auction").tap(9000, "auction").tap(WARNED + 50, "auction").until(60_000)
        )
        assert pressed.events() == plain.events()

    @every_start
    def test_a_hold_of_two_seconds_cancels(self, start):
        timeline = on(start).tap(1000, "auction").close(9000, "auction").open(11_000, "auction")
        timeline.until(60_000)
        assert timeline.events()[2:] == [(11_000, "auction-cancelled")]
        assert not timeline.unit.lamps

    def test_a_shorter_hold_does_not_cancel(self):
        timeline = on().tap(1000, "auction").close(9000, "auction").open(10_970, "auction")
        assert timeline.until(60_000).events()[-1][1] == "auction-ended"

    def test_the_press_that_started_it_does_not_cancel_it(self):
        timeline = on().close(1000, "auction").until(60_000)
        assert [event[1] for event in timeline.events()[1:]] == [
            "auction-started",
            "auction-warning",
            "auction-ended",
        ]

    def test_a_hold_in_the_warning_cancels_and_one_across_the_end_does_not(self):
        held = WARNED + 1000
        cancelled = on().tap(1000, "auction").close(held, "auction").until(ENDED + MIN)
        assert cancelled.events()[-1] == (held + HOLD_MS, "auction-cancelled")
        ended = on().tap(1000, "auction").close(ENDED - 1000, "auction").until(ENDED + MIN)
        assert ended.events()[-1] == (ENDED, "auction-ended")

    def test_build_is_refused_with_a_low_blip(self):
        timeline = on().tap(1000, "auction").close(5000, "build").until(5016)
        assert timeline.unit.tone == CUES["refused"][1]
        assert timeline.events()[-1] == (5016, "refused", "build", "auction")
        timeline.until(60_000)
        assert timeline.events()[-1] == (ENDED, "auction-ended")

    def test_both_at_once_are_an_auction_and_a_refusal(self):
        timeline = on().close(1000, "auction", "build").until(2000)
        assert timeline.events()[1:] == [
            (PRESSED, "auction-started", LENGTH_MS),
            (PRESSED, "refused", "build", "auction"),
        ]

    def test_an_auction_of_known_length_draws_nothing(self):
        def no_draw(n):
            raise AssertionError("nothing is to be drawn")

        timeline = on(below=no_draw).tap(1000, "auction").until(2000)
        assert timeline.unit.state == "auction"

    def test_the_next_auction_is_as_long_as_the_first(self):
        timeline = on().tap(1000, "auction").tap(2 * MIN, "auction").until(5 * MIN)
        assert timeline.events("auction-ended") == [
            (ENDED, "auction-ended"),
            (2 * MIN + ACCEPT + LENGTH_MS, "auction-ended"),
        ]


class TestPermit:
    @every_start
    def test_a_light_runs_and_stops_on_the_draw(self, start):
        timeline = on(start, below=lambda n: 9 % n).tap(1000, "build")
        lamps = edges(timeline, 1016 + 1200, permit_lamps)
        assert lamps[-1] == (1016 + 1200, 0b1000)
        assert all(lamp in (1, 2, 4, 8) for _, lamp in lamps)
        turns = [lamp.bit_length() for _, lamp in lamps]
        assert all((b - a) % 4 == 1 for a, b in pairwise(turns))
        assert timeline.events()[1:] == [
            (1016, "permit-started"),
            (1016 + 1200, "permit-granted", "station"),
        ]

    @pytest.mark.parametrize(
        ("draw", "permit", "lamp"),
        [(0, "1", 1), (2, "1", 1), (3, "2", 2), (6, "3", 4), (8, "3", 4), (9, "station", 8)],
    )
    def test_each_draw_has_its_lamp(self, draw, permit, lamp):
        timeline = on(below=lambda n: draw % n).tap(1000, "build").until(3000)
        assert timeline.events("permit-granted")[0][2] == permit
        assert permit_lamps(timeline.unit) == lamp

    @every_start
    def test_stays_lit_for_20_s(self, start):
        timeline = on(start).tap(1000, "build").until(2216)
        assert edges(timeline, 40_000, permit_lamps) == [(2216 + 20_000, 0)]

    def test_a_press_ends_it(self):
        timeline = on().tap(1000, "build").tap(5000, "auction").until(5100)
        assert permit_lamps(timeline.unit) == 0
        again = on().tap(1000, "build").tap(5000, "build").until(5100)
        assert again.events()[-1] == (5016, "permit-started")

    @pytest.mark.parametrize("draw", range(10))
    @pytest.mark.parametrize("again", range(10))
    def test_the_next_press_is_seen_at_once_whatever_lamp_is_lit(self, draw, again):
        """Where the light would begin on that lamp, the lamp goes out for the first hop."""
        draws = iter((draw, again))
        timeline = on(below=lambda n: next(draws) % n).tap(1000, "build").until(5000)
        lit = permit_lamps(timeline.unit)
        lamps = edges(timeline.close(5000, "build"), 5016 + 1200, permit_lamps)
        assert lamps[0][0] == 5016 and lamps[0][1] != lit
        assert lamps[-1] == (5016 + 1200, 1 << (0, 0, 0, 1, 1, 1, 2, 2, 2, 3)[again])

    def test_buttons_are_refused_while_the_light_runs(self):
        timeline = on().tap(1000, "build").tap(1300, "auction").tap(1500, "build").until(9000)
        assert timeline.events()[2:] == [
            (1316, "refused", "auction", "drawing"),
            (1516, "refused", "build", "drawing"),
            timeline.events("permit-granted")[0],
        ]

    @pytest.mark.parametrize("program", ["championship", "timed", "world"])
    def test_a_program_without_permits_refuses(self, program):
        timeline = on(program=program).tap(1000, "build").until(2000)
        assert timeline.events()[-1] == (1016, "refused", "build", "no-permits")


class TestHour:
    @every_start
    def test_ends_the_game_at_60_min(self, start):
        timeline = on(start).until(HOUR)
        assert timeline.events()[-1] == (HOUR, "hour-ended")
        assert timeline.unit.tone == CUES["hour-ended"][1]
        timeline.tap(HOUR + 1000, "auction").tap(HOUR + 2000, "build").until(2 * HOUR)
        assert timeline.events()[-2:] == [
            (HOUR + 1016, "refused", "auction", "over"),
            (HOUR + 2016, "refused", "build", "over"),
        ]
        timeline.open(2 * HOUR, "switch").close(2 * HOUR + 1000, "switch").tap(3 * HOUR, "auction")
        timeline.until(3 * HOUR + 100)
        assert timeline.unit.state == "auction"

    @every_start
    def test_waits_for_an_auction(self, start):
        timeline = on(start).tap(HOUR - 10_000, "auction").until(HOUR + MIN)
        ended = HOUR - 10_000 + ACCEPT + LENGTH_MS
        assert timeline.events("auction-ended", "hour-ended") == [
            (ended, "auction-ended"),
            (ended, "hour-ended"),
        ]
        assert timeline.unit.state == "over"

    def test_waits_for_an_auction_that_is_cancelled(self):
        timeline = on().tap(HOUR - 10_000, "auction").close(HOUR + 1000, "auction")
        timeline.until(HOUR + MIN)
        assert timeline.events("auction-cancelled", "hour-ended") == [
            (HOUR + 3000, "auction-cancelled"),
            (HOUR + 3000, "hour-ended"),
        ]

    def test_waits_for_the_running_light_and_leaves_the_permit_lit(self):
        timeline = on().tap(HOUR - 1000, "build").until(HOUR + MIN)
        granted = HOUR - 1000 + ACCEPT + 1200
        assert timeline.events("hour-ended") == [(granted, "hour-ended")]
        shown = on().tap(HOUR - 5000, "build").until(HOUR)
        assert shown.events()[-1] == (HOUR, "hour-ended")
        assert edges(shown, HOUR + MIN, permit_lamps) == [(HOUR - 5000 + ACCEPT + 21_200, 0)]

    def test_cuts_in_on_a_refusal(self):
        timeline = on(program="timed").close(HOUR - 40, "build").until(HOUR - 23)
        assert timeline.unit.tone == CUES["refused"][1]
        assert timeline.until(HOUR).unit.tone == CUES["time-called"][1]
        assert timeline.events()[-1] == (HOUR, "time-called")

    def test_waits_for_the_running_light_in_which_a_press_is_refused(self):
        timeline = on().tap(HOUR - 600, "build").tap(HOUR - 30, "auction").until(HOUR + 1000)
        assert timeline.events("refused", "hour-ended") == [
            (HOUR - 14, "refused", "auction", "drawing"),
            (HOUR - 600 + ACCEPT + 1200, "hour-ended"),
        ]

    def test_off_forgets_an_hour_that_waits(self):
        timeline = on().tap(HOUR - 10_000, "auction").open(HOUR + 1000, "switch")
        timeline.close(HOUR + 2000, "switch").tap(HOUR + 3000, "auction").until(HOUR + MIN)
        assert timeline.events("hour-ended") == []
        assert timeline.unit.state == "ready"


class TestPrograms:
    @every_start
    def test_championship(self, start):
        timeline = on(start, program="championship").tap(10 * MIN, "auction").until(51 * MIN)
        assert timeline.events() == [
            (0, "switched-on", "championship"),
            (0, "phase-started", "deeds"),
            (5 * MIN, "phase-started", "play"),
            (10 * MIN + 16, "auction-started", 60_000),
            (10 * MIN + 50_016, "auction-warning", 10_000),
            (11 * MIN + 16, "auction-ended"),
            (45 * MIN, "last-round", 5 * MIN),
            (50 * MIN, "time-called"),
        ]

    def test_the_first_phase_is_heard_after_the_sign_of_life(self):
        timeline = on(program="championship")
        tones = edges(timeline, 3000, lambda unit: unit.tone)
        assert (160 + 200, CUES["phase-started"][1]) in tones

    @pytest.mark.parametrize("seed", range(20))
    def test_world_goes_out_after_13_to_30_s_without_telling_when(self, seed):
        timeline = on(program="world", seed=seed).tap(1000, "auction").until(2000)
        assert timeline.events()[-1] == (1016, "auction-started")
        assert timeline.unit.auction_left(0) == 0
        timeline.until(40_000)
        (ended,) = timeline.events("auction-ended", "auction-warning")
        assert 13_000 <= ended[0] - 1016 <= 30_000

    def test_world_can_last_13_s_and_30_s(self):
        for draw, length in ((0, 13_000), (17_000, 30_000)):
            timeline = on(program="world", below=lambda n, d=draw: min(d, n - 1))
            timeline.tap(1000, "auction").until(40_000)
            assert timeline.events("auction-ended")[0][0] == 1016 + length

    def test_world_has_no_hour(self):
        timeline = on(program="world").until(1000)
        assert timeline.unit.next_due() is None
        assert timeline.until(3 * HOUR).events() == [(0, "switched-on", "world")]


class TestSetup:
    def setup(self, *buttons):
        """Switch on with BUILD held, let go, tap the buttons a second apart."""
        timeline = Timeline().close(0, "build").close(1000, "switch").open(2000, "build")
        for place, button in enumerate(buttons):
            timeline.tap(3000 + 1000 * place, button)
        return timeline.until(3000 + 1000 * len(buttons))

    def test_opens_on_the_program_that_is_set(self):
        timeline = self.setup()
        assert timeline.unit.state == "setup"
        assert timeline.unit.lamps == 0b00010
        assert timeline.events() == []

    def test_two_presses_take_what_is_set(self):
        timeline = self.setup("auction", "auction")
        assert timeline.events() == [(4016, "switched-on", "city")]
        assert timeline.unit.clock.left_at(0) > 0

    @pytest.mark.parametrize(
        ("steps", "name"), [(0, "city"), (1, "championship"), (3, "world"), (4, "city")]
    )
    def test_build_goes_round_the_programs(self, steps, name):
        timeline = self.setup(*["build"] * steps, "auction", "auction")
        assert timeline.events()[0][2] == name

    @pytest.mark.parametrize(("steps", "minutes"), [(0, 60), (1, 90), (2, 120), (3, 30)])
    def test_timed_asks_for_its_length(self, steps, minutes):
        timeline = self.setup("build", "build", "auction", *["build"] * steps, "auction", "auction")
        began = timeline.events()[0][0]
        assert timeline.until(began + minutes * MIN).events()[-1][:2] == (
            began + minutes * MIN,
            "time-called",
        )

    def test_the_pages_look_different(self):
        assert auction_lamp(self.setup().unit) is False
        length = self.setup("build", "build", "auction")
        assert edges(length, 8000, auction_lamp) == []
        assert auction_lamp(length.unit) is True
        volume = self.setup("auction")
        assert len(edges(volume, 8000, auction_lamp)) == 8

    @pytest.mark.parametrize(("steps", "volume"), [(0, 2), (1, 3), (2, 0), (3, 1)])
    def test_the_volume_is_the_last_page(self, steps, volume):
        timeline = self.setup("auction", *["build"] * steps, "auction")
        assert timeline.unit.settings.volume == volume
        assert timeline.unit.state == "ready"

    def test_a_power_cycle_keeps_what_was_chosen(self):
        timeline = self.setup("build", "auction", "build", "auction").open(9000, "switch")
        timeline.close(10_000, "switch").until(11_000)
        assert timeline.events("switched-on")[-1] == (10_000, "switched-on", "championship")
        assert timeline.unit.settings.volume == 3

    def test_off_in_the_middle_keeps_the_program_that_was_set(self):
        timeline = self.setup("build").open(9000, "switch").close(10_000, "switch").until(11_000)
        assert timeline.events()[-1] == (10_000, "switched-on", "city")


class TestCommands:
    def test_an_auction_of_a_given_length(self):
        timeline = on()
        assert timeline.command(1000, "start auction", 20_000) == ""
        assert timeline.until(30_000).events()[1:] == [
            (1000, "auction-started", 20_000),
            (21_000 - FAST_MS, "auction-warning", FAST_MS),
            (21_000, "auction-ended"),
        ]

    def test_a_given_length_is_no_secret(self):
        timeline = on(program="world")
        timeline.command(1000, "start auction", 20_000)
        assert timeline.events()[-1] == (1000, "auction-started", 20_000)

    def test_a_short_auction_has_no_warning(self):
        timeline = on()
        timeline.command(1000, "start auction", 5000)
        assert timeline.until(9000).events()[-2:] == [
            (1000, "auction-started", 5000),
            (6000, "auction-ended"),
        ]

    def test_what_is_refused_says_why_and_is_silent(self):
        timeline = on().until(1000)
        assert timeline.command(1000, "stop auction") == "ready"
        timeline.command(2000, "start auction")
        assert timeline.command(3000, "start auction") == "auction"
        assert timeline.command(3500, "restart") == "auction"
        assert timeline.unit.tone == 0
        assert timeline.command(4000, "stop auction") == ""
        assert timeline.events()[-1] == (4000, "auction-cancelled")

    def test_restart_begins_a_game_with_the_settings_as_they_are(self):
        timeline = on().until(5000)
        settings = timeline.unit.settings
        settings.choose(settings.programs[2], 30 * MIN)
        assert timeline.command(5000, "restart") == ""
        assert timeline.until(HOUR).events()[-1] == (5000 + 30 * MIN, "time-called")
