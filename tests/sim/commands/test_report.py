"""The report of a problem: shown, asked for, written whole, without a path of its person."""

from pathlib import Path

import pytest

from city_unit.facts import VERSION
from sim import cli


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.jsonl").write_text(f'{{"step": 1, "file": "{tmp_path}/a.toml"}}\n')
    return tmp_path


def test_a_report_is_shown_and_holds_the_game_but_no_path(home, capsys):
    assert cli.main(["report", "--yes", "--lang", "en"]) == 0
    shown = capsys.readouterr().out
    written = (home / "city-unit-report.txt").read_text()
    assert shown.startswith(written)
    assert written.startswith(f"City Unit {VERSION}\n")
    assert '{"step": 1, "file": "~/a.toml"}' in written
    assert str(home) not in written
    assert "(no such file or directory)" in written  # no settings yet


def test_without_a_yes_nothing_is_written(home, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: "")
    assert cli.main(["report"]) == 0
    assert not (home / "city-unit-report.txt").exists()
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    assert cli.main(["report"]) == 2


def test_a_report_that_cannot_be_written_is_one_line(home, capsys):
    assert cli.main(["report", str(home / "none" / "report.txt"), "--yes"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
