"""Remembered preferences, and the fate of a file that cannot be read."""

import pytest

from sim.cli import main
from sim.play import preferences
from sim.play.preferences import Preferences
from sim.terminal import session


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "settings.json"
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(path))
    return path


def test_what_was_kept_comes_back_and_of_two_windows_each_change(path, capsys):
    assert preferences.load() == Preferences()
    assert capsys.readouterr().err == ""  # the first time there is no file
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
def test_a_broken_file_gets_one_line_and_is_kept_beside(path, content, capsys):
    path.parent.mkdir()
    path.write_bytes(content)
    assert preferences.load() == Preferences()
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and str(path) in said
    assert not any(jargon in said.lower() for jargon in ("errno", "utf", "delimiter"))
    assert path.with_suffix(".broken").read_bytes() == content


def test_a_device_that_never_ends_is_no_file_of_settings(path, monkeypatch, capsys):
    path.parent.mkdir()
    path.write_text("{}" + " " * 1000)
    assert preferences.load() == Preferences() and capsys.readouterr().err == ""
    monkeypatch.setattr(preferences, "_LARGEST", 1)
    assert preferences.load() == Preferences()
    assert capsys.readouterr().err.count("not a settings file") == 1


def test_one_bad_value_is_named_and_costs_no_other(path, capsys):
    path.parent.mkdir()
    path.write_text('{"volume": true, "muted": true, "width": "wide", "program": "world"}')
    loaded = preferences.load()
    assert loaded == Preferences(program="world", muted=True)
    assert loaded.warning == "volume must be 0, 1, 2 or 3; width must be a whole number of points"
    assert loaded.warning in capsys.readouterr().err


def test_where_nothing_can_be_written_there_is_one_line_and_nothing_is_lost(path, capsys):
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
def test_the_game_of_the_last_time_is_played_or_that_it_is_not_there_is_told(
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
    assert main(["play", "--terminal", *words]) == 0
    assert seen == [chosen]
