"""The unit as its players know it, told as timelines: the facts that no scenario shows.

The scenarios (`tests/sim/test_scenarios.py`) show the rest to the millisecond, from starts around
the wrap.
"""

from itertools import product

import pytest

from city_unit.cues import CUES
from city_unit.facts import BUTTONS, PERMITS
from city_unit.programs import PROGRAMS
from tests.city_unit.timeline import STARTS, Timeline
from tests.helpers.times import ENDED, FAST_MS, HOLD_MS, WARNED

MIN = 60_000
HOUR = 60 * MIN

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
    def test_off_is_silent_and_dark_at_once(self, start):
        timeline = on(start).tap(1000, "auction").until(WARNED + 10)
        assert timeline.unit.tone and timeline.unit.lamps
        timeline.open(WARNED + 14, "switch")
        assert (timeline.unit.tone, timeline.unit.lamps, timeline.unit.state) == (0, 0, "off")
        timeline.until(100_000)
        assert timeline.events()[-1] == (WARNED + 14, "switched-off")
        assert timeline.unit.next_due() is None


class TestAuction:
    def test_a_hold_in_the_warning_cancels_and_one_across_the_end_does_not(self):
        held = WARNED + 1000
        cancelled = on().tap(1000, "auction").close(held, "auction").until(ENDED + MIN)
        assert cancelled.events()[-1] == (held + HOLD_MS, "auction-cancelled")
        ended = on().tap(1000, "auction").close(ENDED - 1000, "auction").until(ENDED + MIN)
        assert ended.events()[-1] == (ENDED, "auction-ended")

    def test_an_auction_of_known_length_draws_nothing(self):
        def no_draw(n):
            raise AssertionError("nothing is to be drawn")

        timeline = on(below=no_draw).tap(1000, "auction").until(2000)
        assert timeline.unit.state == "auction"


class TestPermit:
    def test_a_press_ends_it(self):
        timeline = on().tap(1000, "build").tap(5000, "auction").until(5100)
        assert permit_lamps(timeline.unit) == 0
        again = on().tap(1000, "build").tap(5000, "build").until(5100)
        assert again.events()[-1] == (5016, "permit-started")

    def test_the_next_press_is_seen_at_once_whatever_lamp_is_lit(self):
        """Where the light would begin on that lamp, the lamp goes out for the first hop."""
        for draw, again in product(range(10), repeat=2):
            draws = iter((draw, again))
            timeline = on(below=lambda n, d=draws: next(d) % n).tap(1000, "build").until(5000)
            lit = permit_lamps(timeline.unit)
            lamps = edges(timeline.close(5000, "build"), 5016 + 1200, permit_lamps)
            assert lamps[0][0] == 5016 and lamps[0][1] != lit
            assert lamps[-1] == (5016 + 1200, 1 << (0, 0, 0, 1, 1, 1, 2, 2, 2, 3)[again])

    @pytest.mark.parametrize("program", ["championship", "timed", "world"])
    def test_a_program_without_permits_refuses(self, program):
        timeline = on(program=program).tap(1000, "build").until(2000)
        assert timeline.events()[-1] == (1016, "refused", "build", "no-permits")


@pytest.mark.parametrize("program", [program.name for program in PROGRAMS])
def test_each_lamp_goes_out_by_itself(program):
    """A board on batteries relies on it; only the choice of a program stays lit."""
    for first, second in product((*BUTTONS, "switch"), repeat=2):
        for gap in (900, 3000, 60_000):
            timeline = on(program=program).tap(1000, first).tap(1000 + gap, second)
            timeline.close(130_000, "switch")
            unit = timeline.until(timeline.ms + 10 * MIN).unit
            assert (unit.state == "setup") or (unit.lamps, unit.tone) == (0, 0)


class TestHour:
    def test_cuts_in_on_a_refusal(self):
        timeline = on(program="timed").close(HOUR - 40, "build").until(HOUR - 23)
        assert timeline.unit.tone == CUES["refused"][1]
        assert timeline.until(HOUR).unit.tone == CUES["time-called"][1]
        assert timeline.events()[-1] == (HOUR, "time-called")

    def test_off_forgets_an_hour_that_waits(self):
        timeline = on().tap(HOUR - 10_000, "auction").open(HOUR + 1000, "switch")
        timeline.close(HOUR + 2000, "switch").tap(HOUR + 3000, "auction").until(HOUR + MIN)
        assert timeline.events("hour-ended") == []
        assert timeline.unit.state == "ready"


class TestPrograms:
    def test_world_goes_out_without_telling_when(self):
        timeline = on(program="world").tap(1000, "auction").until(2000)
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
