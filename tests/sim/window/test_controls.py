"""Keys and the mouse do the same; what is held stays held until its last finger lifts."""

import pytest

pygame = pytest.importorskip("pygame")

from city_unit.draws import Draws  # noqa: E402
from city_unit.settings import Settings  # noqa: E402
from city_unit.unit import AUCTION, BUILD, SWITCH, Unit  # noqa: E402
from sim.runner import Runner  # noqa: E402
from sim.window.ahead import tone_left  # noqa: E402
from sim.window.controls import Controls  # noqa: E402


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
    assert desk.runner.unit.settings.program.name == "championship"
    assert desk.runner.unit.clock.left_at(desk.runner.now) > 2_999_000
    assert desk.controls.panel == ""


def test_no_program_is_chosen_while_an_auction_runs(desk):
    desk.mouse("switch")
    desk.mouse("auction")
    desk.controls.choose(1)
    assert desk.runner.unit.settings.program.name == "city"
    assert desk.runner.unit.state == "auction"


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
