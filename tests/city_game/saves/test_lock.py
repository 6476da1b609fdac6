"""A game is open in one window only, and in none once its process is gone, however it went."""

import subprocess
import sys
from pathlib import Path

import pytest

from city_game import cli
from city_game.game import Game
from city_game.saves import save
from city_game.saves.saved_games import describe, latest_to_go_on
from city_game.saves.steps_file import is_locked
from city_unit.desktop.errors import UserError
from tests.city_game.play import random_game

ROOT = Path(__file__).parents[3]
HOLDER = """
import sys
from city_game.saves import save
opened, _ = save.load(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""
OPEN = "this game is open in another window"


@pytest.fixture
def half(tmp_path, monkeypatch):
    """Return the save of an unfinished game, in the folder of games."""
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    done = random_game(4, 60)
    path = tmp_path / "half.city"
    save.create(path, Game(done.setup, done.actions[:30])).close()
    return path


def test_a_game_that_another_process_has_open_is_refused_marked_and_free_once_it_is_killed(
    half, capsys
):
    before = half.read_bytes()
    command = [sys.executable, "-c", HOLDER, str(half)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as other:
        assert other.stdout.readline() == "open\n"
        described = describe(half)
        assert described.names and described.trouble == OPEN and not described.can_go_on
        assert latest_to_go_on() is None
        for words in (("--resume", str(half)), ("--resume",)):
            assert cli.main([*words]) == 1
            (said,) = capsys.readouterr().err.splitlines()
            assert f"{half.name} is open in another window" in said
        assert half.read_bytes() == before
        other.kill()
    assert describe(half).can_go_on
    opened, repaired = save.load(half)
    opened.close()
    assert not repaired


def test_an_open_game_is_held_by_any_of_its_names_and_a_closed_one_leaves_nothing_behind(half):
    opened, _ = save.load(half)
    assert is_locked(half)
    (half.parent / "below").mkdir()
    with pytest.raises(UserError, match="open in another window"):
        save.load(half.parent / "below" / ".." / "half.city")
    opened.close()
    assert not is_locked(half)
    assert sorted(path.name for path in half.parent.iterdir()) == ["below", "half.city"]


def test_a_new_game_is_open_here_too(tmp_path):
    path = tmp_path / "new.city"
    opened = save.create(path, Game(random_game(4, 60).setup))
    with pytest.raises(UserError, match="open in another window"):
        save.load(path)
    opened.close()


def test_a_save_that_cannot_be_read_is_not_held(half):
    half.write_text("rubbish")
    with pytest.raises(UserError, match="is not a save"):
        save.load(half)
    assert not is_locked(half) and list(half.parent.iterdir()) == [half]
