"""A disk that fills up while a game is saved: nothing is lost, and no error is nobody's."""

import errno
import os
from pathlib import Path

import pytest

from city_game import cli, save
from city_game.game import Game
from city_unit.desktop import append_file
from city_unit.desktop.errors import UserError
from tests.city_game.play import random_game
from tests.helpers.disk import Disk


@pytest.fixture
def disk(monkeypatch):
    return Disk(monkeypatch, append_file)


@pytest.fixture
def begun(tmp_path):
    """Return a new save, and the actions that are to go into it."""
    game = random_game(4, 40)
    return save.create(tmp_path / "evening.city", Game(game.setup)), game.actions[:40]


def play(growing: save.Save, actions: list[tuple]) -> None:
    for action in actions:
        growing.game.do(action)
        growing.append(action)


def is_whole(growing: save.Save, actions: list[tuple]) -> bool:
    growing.close()
    opened, repaired = save.load(growing.path)
    opened.close()
    return not repaired and opened.game.actions == actions


FULL = "no space left on device"
# Free bytes of the disk, None for enough; the calls that fail; the reported trouble.
DISKS = [(room, set(), FULL) for room in range(0, 90, 15)]
DISKS += [(None, failing, "input/output error") for failing in ({"fsync"}, {"fsync", "truncate"})]


def test_what_a_disk_does_not_take_is_kept_told_and_written_when_it_can(disk, begun, tmp_path):
    first, actions = begun
    for number, (room, failing, trouble) in enumerate(DISKS):
        growing = save.create(tmp_path / f"{number}.city", Game(first.game.setup))
        play(growing, actions[:5])
        disk.room = room if room is None else growing.path.stat().st_size + room
        disk.failing = failing
        play(growing, actions[5:20])
        growing.note_clock(1234)
        assert growing.error == trouble
        whole = save.look(growing.path).actions
        if "truncate" not in failing:  # no torn line is left behind, nor one that may be lost
            assert growing.path.read_bytes().endswith(b"\n") and whole == actions[: len(whole)]
            assert growing.unsaved == 20 - len(whole)  # the clock is no step
        disk.room, disk.failing = None, set()
        if number % 2:  # the next step tries again, as closing does
            play(growing, actions[20:21])
            assert not growing.error and not growing.unsaved
            assert save.look(growing.path).actions == actions[:21]
        assert is_whole(growing, actions[: 20 + number % 2]), (room, failing)


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
            with pytest.raises(UserError, match=FULL) as told:
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
