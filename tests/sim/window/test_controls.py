"""Keys and the mouse do the same; what is held stays held until its last finger lifts."""

import pygame
import pytest

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import AUCTION, BUILD, SWITCH, Unit
from sim.runner import Runner
from sim.window import snapshot, strip, tools
from sim.window.ahead import tone_left
from sim.window.controls import Controls


class Desk:
    """A unit, its controls, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.runner = Runner(Unit(Settings(), Draws(1).below), lambda: self.seconds)
        self.controls = Controls(self.runner)

    def wait(self, seconds: float) -> None:
        self.seconds += seconds
        self.runner.advance()

    def key(self, key: int, typed: str = "", shift: bool = False) -> None:
        self.controls.key_down(key, typed, shift)
        self.wait(0.1)
        self.controls.key_up(key)
        self.wait(0.1)

    def mouse(self, part: str, latching: bool = False) -> None:
        self.controls.click(part, latching)
        self.wait(0.1)
        self.controls.fingers.up("mouse")
        self.wait(0.1)

    def program(self) -> str:
        return self.runner.unit.settings.program.name

    def seen(self):
        settings = self.runner.unit.settings
        return list(self.runner.changes), self.runner.speed, settings.volume, self.controls.panel


@pytest.fixture
def desk():
    return Desk()


BY_KEY = {
    "auction": (pygame.K_a, "a"),
    "build": (pygame.K_b, "b"),
    "switch": (pygame.K_o, "o"),
    "faster": (pygame.K_PLUS, "+"),
    "slower": (pygame.K_MINUS, "-"),
    "help": (pygame.K_F1, ""),
    "program": (pygame.K_c, "c"),
}


@pytest.mark.parametrize("part", BY_KEY)
def test_a_key_does_what_a_click_does(part):
    keys, mouse = Desk(), Desk()
    keys.key(*BY_KEY["switch"])
    mouse.mouse("switch")
    before = keys.seen()
    keys.key(*BY_KEY[part])
    mouse.mouse(part)
    assert keys.seen() == mouse.seen()
    assert keys.seen() != before


def test_shift_and_the_right_button_latch(desk):
    desk.key(pygame.K_b, "B", shift=True)
    assert desk.runner.is_closed(BUILD)
    desk.mouse("switch")
    assert desk.runner.unit.state == "setup"
    desk.mouse("build", latching=True)
    assert not desk.runner.is_closed(BUILD)


@pytest.mark.parametrize("lift", ("key", "mouse"))
def test_a_plain_press_lets_a_latched_button_go_and_presses_nothing(desk, lift):
    desk.key(pygame.K_b, "B", shift=True)
    desk.mouse("switch")
    chosen = desk.runner.lamps
    if lift == "key":
        desk.key(pygame.K_b, "b")
    else:
        desk.mouse("build")
    assert not desk.runner.is_closed(BUILD)
    assert desk.controls.fingers.latched() == 0
    assert desk.runner.lamps == chosen
    desk.mouse("build")
    assert desk.runner.lamps != chosen


def test_a_button_is_released_with_its_last_finger(desk):
    desk.controls.key_down(pygame.K_a, "a", False)
    desk.controls.click("auction", False)
    desk.controls.key_up(pygame.K_a)
    desk.wait(1)
    assert desk.runner.is_closed(AUCTION)
    desk.controls.fingers.up("mouse")
    desk.wait(1)
    assert not desk.runner.is_closed(AUCTION)


def test_another_window_in_front_lifts_all_fingers_but_the_latches(desk):
    desk.controls.click("build", True)
    desk.controls.key_down(pygame.K_SPACE, " ", False)
    desk.controls.fingers.lift_all()
    desk.wait(1)
    assert desk.controls.fingers.pressed() == BUILD


def test_a_program_is_chosen_by_its_number_and_the_game_begins_anew(desk):
    desk.mouse("switch")
    desk.wait(60)
    desk.key(pygame.K_c, "c")
    desk.key(pygame.K_2, "2")
    desk.key(pygame.K_2, "2")
    assert desk.runner.unit.settings.program.name == "championship"
    assert desk.runner.unit.clock.left_at(desk.runner.now) > 2_999_000
    assert desk.controls.panel == ""


def test_no_program_is_chosen_while_an_auction_runs_and_it_is_said_why(desk):
    desk.mouse("switch")
    desk.mouse("auction")
    desk.key(pygame.K_c, "c")
    desk.key(pygame.K_2, "2")
    assert desk.program() == "city"
    assert desk.runner.unit.state == "auction"
    assert desk.controls.panel == ""
    assert "auction" in desk.controls.saying.now()


class TestMenu:
    @pytest.fixture(autouse=True)
    def menu(self, desk):
        desk.mouse("switch")
        desk.wait(60)
        desk.key(pygame.K_c, "c")

    def test_arrows_move_a_marker_and_return_takes_when_asked_again(self, desk):
        desk.key(pygame.K_DOWN)
        assert desk.controls.marker == 1
        assert desk.runner.unit.settings.volume == 2
        desk.key(pygame.K_RETURN, "\r")
        assert desk.program() == "city"
        assert "championship" in desk.controls.saying.now()
        assert desk.controls.panel == "program"
        desk.key(pygame.K_RETURN, "\r")
        assert desk.program() == "championship"
        assert (desk.controls.panel, desk.controls.saying.now()) == ("", "")

    def test_a_question_stands_for_three_seconds_and_for_one_program(self, desk):
        desk.key(pygame.K_2, "2")
        desk.wait(3)
        desk.key(pygame.K_2, "2")
        desk.key(pygame.K_3, "3")
        assert desk.program() == "city"
        desk.key(pygame.K_3, "3")
        assert desk.program() == "timed"

    def test_the_program_that_runs_goes_on(self, desk):
        left = desk.runner.unit.clock.left_at(desk.runner.now)
        desk.key(pygame.K_RETURN, "\r")
        assert desk.controls.panel == ""
        assert left - 1000 < desk.runner.unit.clock.left_at(desk.runner.now) < left

    def test_escape_closes_and_full_screen_works(self, desk):
        desk.key(pygame.K_F11)
        assert desk.controls.full
        desk.key(pygame.K_ESCAPE)
        assert desk.controls.panel == ""

    def test_the_marker_goes_round(self, desk):
        desk.key(pygame.K_UP)
        assert desk.controls.marker == 3
        desk.key(pygame.K_DOWN)
        assert desk.controls.marker == 0


def test_the_arrows_leave_the_volume_alone_while_the_help_is_open(desk):
    desk.key(pygame.K_h, "h")
    desk.key(pygame.K_UP)
    assert desk.runner.unit.settings.volume == 2


def test_quitting_is_asked_once_while_a_game_runs(desk):
    desk.mouse("switch")
    desk.key(pygame.K_q, "q")
    assert desk.controls.running
    assert "Q" in desk.controls.saying.now()
    desk.key(pygame.K_q, "q")
    assert not desk.controls.running


def test_quitting_is_not_asked_when_no_game_runs(desk):
    desk.key(pygame.K_q, "q")
    assert not desk.controls.running


class TestHint:
    def hint(self, desk):
        return tools.notice(snapshot.take(desk.runner, desk.controls, True, ""))

    def open_setup(self, desk):
        desk.key(pygame.K_b, "B", shift=True)
        desk.mouse("switch")

    def test_the_setup_tells_its_pages_and_what_is_chosen(self, desk):
        self.open_setup(desk)
        assert "program: city" in self.hint(desk)
        assert "Let BUILD go" in self.hint(desk)
        desk.mouse("build")
        hints = []
        for part in ("build", "build", "auction", "auction"):
            desk.mouse(part)
            hints.append(self.hint(desk).split(".")[0])
        assert hints == [
            "Choose the program: championship",
            "Choose the program: timed",
            "Choose the length: 60 min",
            "Choose the volume: 2 of 3",
        ]

    def test_after_the_hour_it_shows_no_time_left_and_how_to_go_on(self, desk):
        desk.mouse("switch")
        desk.wait(3601)
        view = snapshot.take(desk.runner, desk.controls, True, "")
        assert view.over
        assert tools.caption(view) == "city  0:00"
        assert tools.notice(view).startswith("The hour is over")

    def test_after_the_hour_the_hint_stands_beside_the_pace_and_before_a_warning(self, desk):
        desk.mouse("switch")
        desk.wait(3601)
        desk.controls.saying.say("Settings: volume must be 0, 1, 2 or 3", 15)
        desk.controls.do("faster")
        assert self.hint(desk).startswith("Not real time: 2 x.  The hour is over")

    def test_a_coming_phase_has_its_name(self, desk):
        desk.controls.choose(1)
        desk.mouse("switch")
        view = snapshot.take(desk.runner, desk.controls, True, "")
        assert "phase play 5:00" in [strip.label(mark) for mark in view.marks]

    def test_a_refusal_says_why_on_the_time_line_for_a_while(self, desk):
        desk.mouse("switch")
        desk.mouse("auction")
        desk.mouse("build")
        assert self.refused(desk) == "BUILD refused: an auction runs"
        desk.wait(10)
        assert self.refused(desk) == "refused"

    def refused(self, desk):
        view = snapshot.take(desk.runner, desk.controls, True, "")
        return next(strip.label(mark) for mark in view.marks if mark.kind == "refused")


def test_the_volume_has_an_end_at_each_side(desk):
    volumes = []
    for _ in range(3):
        desk.controls.do("louder")
        volumes.append(desk.runner.unit.settings.volume)
    for _ in range(4):
        desk.controls.do("softer")
    assert volumes == [3, 3, 3]
    assert desk.runner.unit.settings.volume == 0


def test_it_is_known_how_long_a_tone_will_sound(desk):
    desk.mouse("switch")
    desk.wait(2)
    desk.controls.click("auction", False)
    desk.wait(0.016)
    runner = desk.runner
    assert runner.tone
    assert tone_left(runner.unit, runner.now, AUCTION | SWITCH) == 25
    assert runner.tone
