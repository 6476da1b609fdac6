"""Remembered preferences, and the fate of a file that cannot be read."""

import os

import pytest

from city_unit.desktop.errors import UserError
from sim.cli import main
from sim.play import preferences
from sim.play.preferences import Preferences
from sim.terminal import session
from tests.helpers.needs import needs_posix


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "settings.json"
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(path))
    return path


def test_settings_are_restored_and_two_windows_keep_their_changes(path, capsys):
    assert preferences.load() == Preferences()
    assert capsys.readouterr().err == ""  # a missing file is not an error
    kept = Preferences("timed", 1800000, 3, True, 400, 500, warning="volume must be 0 to 3")
    preferences.save(kept)
    assert preferences.load() == kept and preferences.load().warning == ""
    assert list(path.parent.iterdir()) == [path]
    first, second = preferences.load(), preferences.load()
    first.volume, second.muted = 1, False
    preferences.save(first, kept)
    preferences.save(second, kept)
    assert (preferences.load().volume, preferences.load().muted) == (1, False)


BROKEN = (b"", b"{", b"[]", b"\xff\xfe", b'{"volume": 7}', b"[" * 100_000, b"9" * 5000)


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_file_gets_one_line_and_is_renamed(path, content, capsys):
    path.parent.mkdir()
    path.write_bytes(content)
    assert preferences.load() == Preferences()
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and str(path) in said
    assert not any(jargon in said.lower() for jargon in ("errno", "utf", "delimiter"))
    assert path.with_suffix(".broken").read_bytes() == content


def test_a_file_without_end_is_rejected(path, monkeypatch, capsys):
    path.parent.mkdir()
    path.write_text("{}" + " " * 1000)
    assert preferences.load() == Preferences() and capsys.readouterr().err == ""
    monkeypatch.setattr(preferences, "_LARGEST", 1)
    assert preferences.load() == Preferences()
    assert capsys.readouterr().err.count("not a settings file") == 1


def test_a_pipe_is_rejected_since_it_would_wait_forever(path):
    needs_posix()
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(UserError, match="a pipe, not a file"):
        preferences.load()


def test_a_bad_value_is_named_and_affects_no_other(path, capsys):
    path.parent.mkdir()
    path.write_text('{"volume": true, "muted": true, "width": "wide", "program": "world"}')
    loaded = preferences.load()
    assert loaded == Preferences(program="world", muted=True)
    assert loaded.warning == "volume must be 0, 1, 2 or 3; width must be a whole number of points"
    assert loaded.warning in capsys.readouterr().err


def test_an_unwritable_file_gets_one_line_and_nothing_is_lost(path, capsys):
    path.mkdir(parents=True)
    assert "is a directory" in preferences.load().warning
    preferences.save(Preferences())
    said = capsys.readouterr().err
    assert "Errno" not in said and said.count("\n") == 2
    assert list(path.parent.iterdir()) == [path] and path.is_dir()
    path.rmdir()
    path.parent.rmdir()
    path.parent.write_text("a file where the folder should be")
    preferences.save(Preferences())
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "file exists" in said


@pytest.mark.parametrize(
    ("remembered", "words", "chosen", "warning"),
    [
        (Preferences("soiree"), (), ("city", 3_600_000, 2), '"soiree"'),
        (Preferences("soiree"), ("--program", "timed"), ("timed", 3_600_000, 2), ""),
        (Preferences("timed", 1_800_000, 1), (), ("timed", 1_800_000, 1), ""),
    ],
)
def test_the_game_of_last_time_is_played_or_a_warning_says_that_it_is_gone(
    monkeypatch, remembered, words, chosen, warning
):
    preferences.save(remembered)
    seen = []

    def run(runner, loaded, *_more):
        settings = runner.unit.settings
        seen.append((settings.program.name, settings.clock_ms, settings.volume))
        assert warning in loaded.warning and bool(warning) == bool(loaded.warning)
        return 0

    monkeypatch.setattr(session, "run", run)
    monkeypatch.setattr(session, "require_terminal", lambda: None)
    assert main(["play", "--terminal", *words]) == 0
    assert seen == [chosen]
