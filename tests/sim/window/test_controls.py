"""Effects of keys, clicks and fingers on the unit in its window."""

import pygame
import pytest

from city_unit.desktop import catalogue, language
from city_unit.facts import AUCTION, BUILD, SWITCH
from sim.play.person import tone_left
from sim.window import snapshot
from tests.helpers.desk import Desk

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


def test_it_is_known_how_long_a_tone_will_sound(desk):
    desk.mouse("switch")
    desk.wait(2)
    desk.controls.click("auction", False)
    desk.wait(0.016)
    runner = desk.runner
    assert runner.tone
    assert tone_left(runner.unit, runner.now, AUCTION | SWITCH) == 25
    assert runner.tone


def test_with_one_finger_the_setup_is_reached(desk):
    desk.mouse("build")
    assert desk.runner.is_closed(BUILD)
    desk.mouse("switch")
    assert desk.runner.unit.state == "setup"
    desk.mouse("build")
    assert not desk.runner.is_closed(BUILD)
    desk.mouse("build")
    assert desk.runner.unit.setup.choice == 1


def test_the_seconds_of_an_auction_are_a_secret_until_asked_for(desk):
    desk.key(pygame.K_o, "o")
    desk.key(pygame.K_a, "a")
    kinds = {mark.kind for mark in snapshot.take(desk.runner, desk.controls, True, "").marks}
    assert not kinds & {"auction-ended", "auction-warning"}
    desk.key(pygame.K_s, "s")
    shown = snapshot.take(desk.runner, desk.controls, True, "")
    assert {"auction-ended", "auction-warning"} <= {mark.kind for mark in shown.marks}
    assert shown.sign.big.isdecimal()


def test_the_ring_of_a_hold_closes_and_the_press_that_began_it_has_none(desk):
    desk.key(pygame.K_o, "o")
    desk.controls.key_down(pygame.K_a, "a", False)
    desk.wait(1)
    assert snapshot.take(desk.runner, desk.controls, True, "").look.hold == 0
    desk.controls.key_up(pygame.K_a)
    desk.wait(1)
    desk.controls.key_down(pygame.K_a, "a", False)
    desk.wait(1)
    assert snapshot.take(desk.runner, desk.controls, True, "").look.hold == 0.5


def test_the_language_is_chosen_in_the_window_and_stays(desk, tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    language.choose()
    order = []
    seen = {}
    for _ in catalogue.languages():
        desk.key(pygame.K_l, "l")
        big = snapshot.take(desk.runner, desk.controls, True, "").sign.big
        order.append(catalogue.speaking())
        seen[catalogue.speaking()] = big
        remembered = language.saved("unit")
        language.choose()
        assert catalogue.speaking() == "fr"  # all that is no window keeps to the system's
        language.choose_for("unit")
        assert catalogue.speaking() == order[-1]
        assert remembered == ("" if order[-1] == "fr" else order[-1])
    assert order == [*(code for code in catalogue.languages() if code != "fr"), "fr"]
    assert (seen["fr"], seen["en"]) == ("ÉTEINT", "OFF")
