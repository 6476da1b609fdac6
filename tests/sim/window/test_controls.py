"""The effects of keys, clicks, fingers and files in the window."""

import sys

import pygame
import pytest

from city_unit.desktop import catalogue, language
from city_unit.facts import AUCTION, BUILD, SWITCH
from sim.play import own_programs
from sim.play.controls import tone_left
from sim.window import file_dialog
from tests.helpers.desk import Desk
from tests.helpers.patience import until

BY_KEY = {
    "auction": (pygame.K_a, "a"),
    "build": (pygame.K_b, "b"),
    "switch": (pygame.K_o, "o"),
    "faster": (pygame.K_PLUS, "+"),
    "slower": (pygame.K_MINUS, "-"),
    "help": (pygame.K_F1, ""),
    "program": (pygame.K_c, "c"),
}


def test_a_key_has_the_effect_of_a_click():
    for part in BY_KEY:
        keys, mouse = Desk(), Desk()
        keys.key(*BY_KEY["switch"])
        mouse.mouse("switch")
        before = keys.seen()
        keys.key(*BY_KEY[part])
        mouse.mouse(part)
        assert keys.seen() == mouse.seen() != before, part


def test_shift_and_the_right_button_latch_until_the_next_press(desk):
    desk.key(pygame.K_b, "B", shift=True)
    assert desk.runner.is_closed(BUILD)
    desk.mouse("switch")
    assert desk.runner.unit.state == "setup"
    desk.mouse("build", latching=True)
    assert not desk.runner.is_closed(BUILD)
    for lift in (lambda: desk.type("b"), lambda: desk.mouse("build")):
        desk.key(pygame.K_b, "B", shift=True)
        chosen = desk.runner.lamps
        lift()
        assert not desk.runner.is_closed(BUILD)
        assert desk.controls.held.latched() == 0
        assert desk.runner.lamps == chosen
    desk.mouse("build")
    assert desk.runner.lamps != chosen


def test_a_button_is_released_with_its_last_finger_or_when_the_window_loses_the_focus(desk):
    desk.controls.key_down(pygame.K_a, "a", False)
    desk.controls.click("auction", False)
    desk.controls.held.up(pygame.K_a)
    desk.wait(1)
    assert desk.runner.is_closed(AUCTION)
    desk.controls.held.up("mouse")
    desk.wait(1)
    assert not desk.runner.is_closed(AUCTION)
    desk.controls.click("build", True)
    desk.controls.key_down(pygame.K_SPACE, " ", False)
    desk.controls.held.lift_all()  # keeps the latches
    desk.wait(1)
    assert desk.controls.held.pressed() == BUILD


def test_the_length_of_a_tone_is_known_in_advance(desk):
    desk.mouse("switch")
    desk.wait(2)
    desk.controls.click("auction", False)
    desk.wait(0.016)
    runner = desk.runner
    assert runner.tone
    assert tone_left(runner.unit, runner.now, AUCTION | SWITCH) == 25
    assert runner.tone


def test_the_seconds_of_an_auction_are_hidden_until_requested(desk):
    desk.type("o", "a")
    secret = {"auction-ended", "auction-warning"}
    assert not secret & {mark.kind for mark in desk.view().marks}
    desk.type("s")
    assert secret <= {mark.kind for mark in desk.view().marks}
    assert desk.view().sign.big.isdecimal()


def test_the_ring_of_a_hold_grows_but_not_for_the_press_that_started_the_auction(desk):
    desk.type("o")
    for ring in (0, 0.5):
        desk.controls.key_down(pygame.K_a, "a", False)
        desk.wait(1)
        assert desk.view().look.hold == ring
        desk.controls.held.up(pygame.K_a)
        desk.wait(1)


def test_the_language_is_chosen_in_the_window_and_stays(desk, tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    language.choose()
    seen = {}
    for _ in catalogue.languages():
        desk.type("l")
        seen[catalogue.speaking()] = desk.view().sign.big
        assert (language.saved("unit") or "fr") == catalogue.speaking()
    assert [*seen] == [*(code for code in catalogue.languages() if code != "fr"), "fr"]
    assert (seen["fr"], seen["en"]) == ("ÉTEINT", "OFF")


def test_no_program_can_be_chosen_during_an_auction(desk):
    desk.type("o", "a", "c", "2")
    assert desk.program() == "city"
    assert desk.runner.unit.state == "auction"
    assert desk.controls.panel == ""
    assert "auction" in desk.controls.message()


def test_a_program_is_chosen_by_a_marker_or_by_its_number(desk):
    desk.type("o")
    desk.wait(60)
    desk.type("c")
    desk.key(pygame.K_UP)
    assert desk.controls.marker == 4  # the row that opens a file
    desk.key(pygame.K_DOWN)
    assert desk.controls.marker == 0
    desk.key(pygame.K_F11)
    assert desk.controls.fills_screen and desk.controls.panel
    desk.key(pygame.K_ESCAPE)
    assert desk.controls.panel == ""
    desk.type("c")
    left = desk.runner.unit.clock.left_at(desk.runner.now)
    desk.key(pygame.K_RETURN, "\r")  # the current program continues
    assert desk.controls.panel == ""
    assert left - 1000 < desk.runner.unit.clock.left_at(desk.runner.now) < left
    desk.type("c")
    desk.key(pygame.K_DOWN)
    assert desk.runner.unit.settings.volume == 2
    desk.key(pygame.K_RETURN, "\r")
    assert desk.program() == "championship"
    assert (desk.controls.panel, desk.controls.message()) == ("", "")
    desk.type("c", "5")
    assert desk.controls.asks_for_file and desk.controls.panel == ""
    desk.type("c", "3")
    assert desk.program() == "timed" and desk.controls.panel == ""
    assert desk.runner.unit.clock.left_at(desk.runner.now) > 3_599_000


OWN = 'name = "quick"\nclock = "2 min"\n[[marks]]\ntell = "hour-ended"\nleft = "0 s"\n'


def test_a_program_dropped_on_the_window_is_started_and_saved(desk, tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "kept" / "settings.json"))
    file = tmp_path / "mine.toml"
    for refused in ("", "name = 3", OWN.replace("quick", "city")):
        file.write_text(refused)
        desk.controls.say("")
        desk.controls.add_program(str(file))
        assert desk.program() == "city" and desk.controls.message()
        assert own_programs.load() == ()
    file.write_text(OWN)
    desk.controls.add_program(str(file))
    assert desk.program() == "quick"
    desk.controls.add_program(str(file))  # the same again
    assert [program.name for program in desk.runner.unit.settings.programs].count("quick") == 1
    assert [program.name for program in own_programs.load()] == ["quick"]
    for number in range(6):  # one more than the lamps can indicate
        file.write_text(OWN.replace("quick", f"quick-{number}"))
        desk.controls.add_program(str(file))
    assert str(own_programs.folder()) in desk.controls.message() and desk.program() == "quick-4"
    file.replace(own_programs.folder() / "extra.toml")
    assert len(own_programs.load()) == 6


def test_the_file_dialog_returns_the_choice_or_raises_if_there_is_no_dialog():
    def choose(code):
        dialog = file_dialog.FileDialog()
        dialog.open([sys.executable, "-c", code])
        paths = []
        until(lambda: paths.append(dialog.chosen()) or paths[-1] is not None)
        return paths[-1]

    code = "import sys; sys.stdout.buffer.write('/home/é/вечер.toml'.encode())"
    assert choose(code) == "/home/é/вечер.toml"
    assert choose("pass") == ""
    with pytest.raises(file_dialog.NoDialog):
        choose("raise ImportError('tkinter')")
    with pytest.raises(file_dialog.NoDialog):
        file_dialog.FileDialog().open(["no-such-dialog"])
    for platform, there, first in (
        ("darwin", "", "osascript"),
        ("win32", "", "powershell"),
        ("linux", "zenity", "zenity"),
        ("linux", "kdialog", "kdialog"),
        ("linux", "", sys.executable),
    ):
        named = file_dialog.command('"Choose" it\'s', platform, {there: there}.get)
        assert named[0] == first
