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


def begun(tmp_path) -> tuple[save.Save, list[tuple]]:
    """Return a new save, and the actions that are to go into it."""
    game = random_game(4, STEPS)
    return save.create(tmp_path / "evening.city", Game(game.setup)), game.actions[:STEPS]


def play(growing: save.Save, actions: list[tuple]) -> None:
    for action in actions:
        growing.game.do(action)
        growing.append(action)


def on_disk(growing: save.Save) -> list[tuple]:
    return save.look(growing.path).actions


@pytest.mark.parametrize("room", range(0, 90, 7))
def test_what_a_full_disk_does_not_take_is_kept_and_written_when_there_is_room(
    disk, tmp_path, room
):
    growing, actions = begun(tmp_path)
    size = growing.path.stat().st_size
    disk.room = size + room
    play(growing, actions[:20])
    assert growing.trouble == "no space left on device"
    whole = on_disk(growing)
    assert whole == actions[: len(whole)] and growing.unsaved == 20 - len(whole)
    assert growing.path.read_bytes().endswith(b"\n")  # no torn line is left behind
    disk.room = None
    play(growing, actions[20:21])
    assert not growing.trouble and not growing.unsaved
    assert on_disk(growing) == actions[:21]
    play(growing, actions[21:])
    growing.close()
    resumed, repaired = save.load(growing.path)
    resumed.close()
    assert not repaired and resumed.game.actions == actions


@pytest.mark.parametrize("failing", [{"fsync"}, {"fsync", "truncate"}])
def test_what_did_not_surely_reach_the_disk_is_written_again(disk, tmp_path, failing):
    growing, actions = begun(tmp_path)
    play(growing, actions[:5])
    disk.failing = failing
    play(growing, actions[5:9])
    assert growing.trouble == "input/output error" and growing.unsaved == 4
    disk.failing = set()
    play(growing, actions[9:])
    growing.close()
    resumed, repaired = save.load(growing.path)
    resumed.close()
    assert not repaired and resumed.game.actions == actions


def test_a_step_taken_back_and_the_clock_are_kept_as_well(disk, tmp_path):
    growing, actions = begun(tmp_path)
    disk.room = 0
    play(growing, actions[:4])
    growing.note_clock(1234)
    assert growing.unsaved == 4  # steps, of which the clock is none
    disk.room = None
    growing.close()  # tries once more
    assert not growing.trouble
    resumed, repaired = save.load(growing.path)
    resumed.close()
    assert not repaired and resumed.clock_left == 1234 and resumed.game.actions == actions[:4]


def test_closing_on_a_full_disk_says_what_is_lost_and_lets_go(disk, tmp_path):
    growing, actions = begun(tmp_path)
    disk.room = 0
    play(growing, actions[:4])
    growing.close()
    assert growing.trouble and growing.unsaved == 4
    disk.room = None
    again, repaired = save.load(growing.path)
    again.close()
    assert not repaired and again.game.actions == []


# Saves that are mended, and new ones.


def torn(tmp_path) -> tuple[Path, bytes]:
    growing, actions = begun(tmp_path)
    play(growing, actions)
    growing.close()
    data = growing.path.read_bytes()[:-9]
    growing.path.write_bytes(data)
    return growing.path, data


def fill(monkeypatch, call: str) -> None:
    """Have no room for any file: known when it is opened, written through, or put in its place."""
    calls = {"open": Path.open, "replace": Path.replace, "fsync": os.fsync}

    def fail(*words, **more):
        if call == "open" and "wb" not in words:
            return calls["open"](*words, **more)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os if call == "fsync" else Path, call, fail)


@pytest.mark.parametrize("call", ["open", "fsync", "replace"])
def test_a_torn_save_on_a_full_disk_is_left_as_it_is(tmp_path, monkeypatch, call):
    path, data = torn(tmp_path)
    with monkeypatch.context() as full:
        fill(full, call)
        with pytest.raises(UserError, match="no space left on device") as told:
            save.load(path)
    assert "\n" not in str(told.value) and told.value.code == 1
    assert list(tmp_path.iterdir()) == [path] and path.read_bytes() == data
    resumed, repaired = save.load(path)
    resumed.close()
    assert "damaged-1" in repaired
    assert (tmp_path / "evening.city.damaged-1").read_bytes() == data


def test_a_save_that_cannot_be_begun_leaves_nothing_behind(tmp_path, monkeypatch):
    fill(monkeypatch, "fsync")
    with pytest.raises(UserError, match="no space left"):
        save.create(tmp_path / "evening.city", Game(random_game(4, 9).setup))
    assert list(tmp_path.iterdir()) == []


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


def test_an_export_on_a_full_disk_is_refused_in_one_line(tmp_path, monkeypatch, capsys):
    path, _ = torn(tmp_path)

    fill(monkeypatch, "fsync")
    assert cli.main(["export", str(path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]
