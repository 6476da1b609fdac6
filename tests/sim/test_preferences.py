"""What is remembered, and what happens to a file that cannot be read."""

import pytest

from sim import preferences
from sim.preferences import Preferences


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "settings.json"
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(path))
    return path


def test_without_a_file_there_are_defaults(capsys):
    assert preferences.load() == Preferences()
    assert capsys.readouterr().err == ""


def test_what_was_kept_comes_back(path):
    kept = Preferences("timed", 1800000, 3, True, 400, 500)
    preferences.save(kept)
    assert preferences.load() == kept
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("text", ("", "{", "[]", '{"volume": 7}', '{"program": 3}', '{"muted": 1}'))
def test_a_broken_file_gets_one_line_and_is_kept_beside(path, text, capsys):
    path.parent.mkdir()
    path.write_text(text)
    assert preferences.load() == Preferences()
    assert capsys.readouterr().err.count("\n") == 1
    assert path.with_suffix(".broken").read_text() == text


def test_where_nothing_can_be_written_there_is_one_line(path, capsys):
    path.parent.write_text("a file where the folder should be")
    preferences.save(Preferences())
    assert capsys.readouterr().err.count("\n") == 1
