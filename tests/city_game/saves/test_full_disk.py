"""A disk that fills up while a game is saved: nothing is lost, and no error is nobody's."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from city_game import cli
from city_game.game import Game
from city_game.saves import save
from city_unit.desktop import append_file
from city_unit.desktop.errors import UserError
from tests.city_game.play import random_game
from tests.helpers.disk import Disk
from tests.helpers.needs import needs

ROOT = Path(__file__).parents[3]
STEPS = 40


@pytest.fixture
def disk(monkeypatch):
    return Disk(monkeypatch, append_file)


@pytest.fixture
def begun(tmp_path):
    """Return a new save, and the actions that are to go into it."""
    game = random_game(4, STEPS)
    return save.create(tmp_path / "evening.city", Game(game.setup)), game.actions[:STEPS]


def play(growing: save.Save, actions: list[tuple]) -> None:
    for action in actions:
        growing.game.do(action)
        growing.append(action)


def is_whole(growing: save.Save, actions: list[tuple]) -> bool:
    growing.close()
    opened, repaired = save.load(growing.path)
    opened.close()
    return not repaired and opened.game.actions == actions


@pytest.mark.parametrize("room", range(0, 90, 15))
def test_what_a_full_disk_does_not_take_is_kept_and_written_when_there_is_room(disk, begun, room):
    growing, actions = begun
    disk.room = growing.path.stat().st_size + room
    play(growing, actions[:20])
    assert growing.trouble == "no space left on device"
    whole = save.look(growing.path).actions
    assert whole == actions[: len(whole)] and growing.unsaved == 20 - len(whole)
    assert growing.path.read_bytes().endswith(b"\n")  # no torn line is left behind
    disk.room = None
    play(growing, actions[20:21])
    assert not growing.trouble and not growing.unsaved
    assert save.look(growing.path).actions == actions[:21]
    play(growing, actions[21:])
    assert is_whole(growing, actions)


@pytest.mark.parametrize("failing", [{"fsync"}, {"fsync", "truncate"}])
def test_what_did_not_surely_reach_the_disk_is_written_again(disk, begun, failing):
    growing, actions = begun
    play(growing, actions[:5])
    disk.failing = failing
    play(growing, actions[5:9])
    growing.note_clock(1234)
    assert growing.trouble == "input/output error"
    assert growing.unsaved == 4  # steps, of which the clock is none
    disk.failing = set()
    assert is_whole(growing, actions[:9])  # closing tries once more


def test_closing_on_a_full_disk_says_what_is_lost_and_lets_go(disk, begun):
    growing, actions = begun
    disk.room = 0
    play(growing, actions[:4])
    growing.close()
    assert growing.trouble and growing.unsaved == 4
    disk.room = None
    assert is_whole(growing, [])


def test_a_file_that_a_full_disk_does_not_take_whole_leaves_all_as_it_was(
    begun, tmp_path, monkeypatch, capsys
):
    """That there is no room is known when it is opened, written through, or put in its place."""
    growing, actions = begun
    play(growing, actions)
    growing.close()
    path, torn = growing.path, growing.path.read_bytes()[:-9]
    path.write_bytes(torn)
    real_open = Path.open

    def fail(*_words, **_more):
        raise OSError(errno.ENOSPC, "No space left on device")

    def open_to_read(*words, **more):
        return fail() if "wb" in words else real_open(*words, **more)

    calls = ((Path, "open", open_to_read), (os, "fsync", fail), (Path, "replace", fail))
    for owner, call, failing in calls:
        with monkeypatch.context() as full:
            full.setattr(owner, call, failing)
            with pytest.raises(UserError, match="no space left on device") as told:
                save.load(path)
            assert "\n" not in str(told.value) and told.value.code == 1
            with pytest.raises(UserError, match="no space left"):
                save.create(tmp_path / "other.city", Game(growing.game.setup))
            assert cli.main(["export", str(path)]) == 1
            assert capsys.readouterr().err.count("\n") == 1
        assert list(tmp_path.iterdir()) == [path] and path.read_bytes() == torn
    opened, repaired = save.load(path)
    opened.close()
    assert "damaged-1" in repaired
    assert (tmp_path / "evening.city.damaged-1").read_bytes() == torn


# The system's own limit, in a program of its own.
LIMITED = """
import resource, sys
from pathlib import Path
from city_game.saves import save
from city_game.game import Game
from tests.city_game.play import random_game
path = Path(sys.argv[1])
game = random_game(4, 40)
growing = save.create(path, Game(game.setup))
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 333, hard))
for action in game.actions[:40]:
    growing.game.do(action)
    growing.append(action)
print(growing.trouble, growing.unsaved, len(save.look(path).actions), sep="; ")
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
growing.close()
print(growing.trouble, len(save.look(path).actions), sep="; ")
"""


def test_past_the_system_s_limit_of_a_file_nothing_is_lost(tmp_path):
    needs(os.name == "posix", "a limit of a file's size")
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "evening.city")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert not told.stderr
    full, free = told.stdout.splitlines()
    why, unsaved, saved = full.split("; ")
    assert why == "file too large" and int(saved) > 0 and int(unsaved) + int(saved) == 40
    assert free == "; 40"
