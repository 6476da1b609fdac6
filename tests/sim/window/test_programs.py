"""Which game is played: the menu, its keys, a file of one's own."""

import sys

import pygame
import pytest

from sim.play import own_programs
from sim.window import loop
from tests.helpers.patience import until


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
    assert "auction" in desk.controls.said()


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
        assert "championship" in desk.controls.said()
        assert desk.controls.panel == "program"
        desk.key(pygame.K_RETURN, "\r")
        assert desk.program() == "championship"
        assert (desk.controls.panel, desk.controls.said()) == ("", "")

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

    def test_the_marker_goes_round_escape_closes_and_full_screen_works(self, desk):
        desk.key(pygame.K_UP)
        assert desk.controls.marker == 4  # the row that opens a file
        desk.key(pygame.K_DOWN)
        assert desk.controls.marker == 0
        desk.key(pygame.K_F11)
        assert desk.controls.fills_screen
        desk.key(pygame.K_ESCAPE)
        assert desk.controls.panel == ""


OWN = 'name = "quick"\nclock = "2 min"\n[[marks]]\ntell = "hour-ended"\nleft = "0 s"\n'


def test_a_program_that_is_dropped_on_the_window_is_taken_and_kept(desk, tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "kept" / "settings.json"))
    file = tmp_path / "mine.toml"
    file.write_text(OWN)
    desk.controls.take_file(str(file))
    assert desk.program() == "quick"
    desk.controls.take_file(str(file))  # once more is no second one
    assert [program.name for program in desk.runner.unit.settings.programs].count("quick") == 1
    file.unlink()
    assert [program.name for program in own_programs.load()] == ["quick"]


@pytest.mark.parametrize("content", ["", "name = 3", OWN.replace("quick", "city")])
def test_a_file_that_is_no_program_is_refused_in_one_line(desk, tmp_path, monkeypatch, content):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "kept" / "settings.json"))
    file = tmp_path / "mine.toml"
    file.write_text(content)
    desk.controls.take_file(str(file))
    assert desk.program() == "city"
    assert desk.controls.said()
    assert own_programs.load() == ()


def test_the_last_row_of_the_menu_asks_for_a_file(desk):
    desk.key(pygame.K_c, "c")
    desk.key(pygame.K_5, "5")
    assert desk.controls.asks_for_file
    assert desk.controls.panel == ""


class TestFileDialog:
    def choose(self, code):
        dialog = loop.FileDialog()
        dialog.open([sys.executable, "-c", code])
        paths = []

        def is_done():
            paths.append(dialog.chosen())
            return not dialog.is_open

        until(is_done)
        return paths[-1]

    def test_a_file_that_was_chosen_is_told(self):
        code = "import sys; sys.stdout.buffer.write('/home/é/вечер.toml'.encode())"
        assert self.choose(code) == "/home/é/вечер.toml"

    def test_no_choice_is_an_empty_one(self):
        assert self.choose("pass") == ""

    def test_a_dialog_that_cannot_be_opened_is_told(self):
        with pytest.raises(loop.NoDialog):
            self.choose("raise ImportError('tkinter')")
        with pytest.raises(loop.NoDialog):
            loop.FileDialog().open(["no-such-dialog"])

    @pytest.mark.parametrize(
        ("platform", "there", "first"),
        [
            ("darwin", "", "osascript"),
            ("win32", "", "powershell"),
            ("linux", "zenity", "zenity"),
            ("linux", "kdialog", "kdialog"),
            ("linux", "", sys.executable),
        ],
    )
    def test_each_desktop_has_its_own(self, platform, there, first):
        command = loop.command('"Choose" it\'s', platform, lambda name: name == there or None)
        assert command[0] == first
