"""A fault in drawing a game, or in telling it to telephones, ends no evening."""

import pygame
import pytest

from city_game.saves import save
from city_game.table import scene
from city_game.table.window import Window
from city_unit import host
from tests.helpers.table_command import table
from tests.helpers.virtual_table import VirtualUnit

FRAMES = 40


class Watched(Window):
    """A real window on no screen, which is closed after some pictures."""

    frames = 0

    def play(self, screen, meanwhile):
        def frame():
            self.frames += 1
            self.screen = screen
            if self.frames == FRAMES:
                pygame.event.post(pygame.event.Event(pygame.QUIT))
            meanwhile()

        return super().play(screen, frame)


def fail(*_values):
    raise KeyError("human")


@pytest.fixture
def unseen(monkeypatch, tmp_path):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))


def an_evening(*words):
    window = Watched(sound=False)
    unit = VirtualUnit(host.Memory(), 200)
    unit.is_mine = True
    words = ("--players", "Ann=planner,Bob=builder", "--pace", "0", "--seed", "3", *words)
    opened = table(*words, window=window, unit=unit)
    try:
        assert opened.run() == 0
    finally:
        opened.close()
    return window


@pytest.mark.parametrize("what", ["a part", "the view", "the step"])
def test_what_cannot_be_drawn_is_reported_once_and_the_game_goes_on_and_is_saved(
    unseen, monkeypatch, tmp_path, capsys, what
):
    if what == "a part":
        monkeypatch.setattr(scene, "PARTS", (*scene.PARTS[:4], fail, *scene.PARTS[5:]))
    elif what == "the view":
        monkeypatch.setattr("city_game.table.motion.Motion.shown_dice", fail)
    else:
        monkeypatch.setattr("city_game.table.choice.Bidding.look", fail)
    window = an_evening()
    assert window.frames == FRAMES
    (path,) = tmp_path.glob("*.city")
    assert len(save.look(path).actions) == len(window.screen.session.game.actions) > 20
    (report,) = tmp_path.glob("*.faults.txt")
    assert report.read_text().count("KeyError: 'human'") == 1
    assert "Traceback" in report.read_text()
    assert capsys.readouterr().err.count("KeyError") == 1
    assert sum("KeyError" in line for line in window.screen.session.log) == 1


def test_what_cannot_be_told_to_telephones_is_reported_and_the_game_goes_on(
    unseen, monkeypatch, tmp_path
):
    monkeypatch.setattr("city_game.phones.talk.Phones.step", fail)
    window = an_evening("--phones", "127.0.0.1:0")
    assert window.frames == FRAMES
    assert len(list(tmp_path.glob("*.faults.txt"))) == 1
