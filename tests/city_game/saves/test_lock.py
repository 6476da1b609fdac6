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


@pytest.fixture
def other_window(half):
    """Return another process that has the game open."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(half)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    yield process
    process.kill()
    process.communicate()


def test_a_game_that_is_open_in_another_process_is_refused_in_one_line(half, other_window, capsys):
    before = half.read_bytes()
    assert cli.main(["--resume", str(half)]) == 1
    said = capsys.readouterr().err
    assert "half.city is open in another window" in said and said.count("\n") == 1
    assert half.read_bytes() == before


def test_it_is_marked_and_is_not_the_one_to_go_on_with(half, other_window, capsys):
    described = describe(half)
    assert described.names and described.trouble == OPEN and not described.can_go_on
    assert latest_to_go_on() is None
    assert cli.main(["--resume"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert f"{half.name} is open in another window" in said


def test_a_window_that_was_killed_holds_nobody_up(half, other_window):
    other_window.kill()
    other_window.wait()
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
