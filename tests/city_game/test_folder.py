"""The folder of games: junk in it, locks on open games, and the export of saves."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from city_game import cli, save
from city_game.editions.city.board import worth
from city_game.export import log_in_words, worth_over_time, worths
from city_game.game import Game
from city_game.save import describe, latest_unfinished
from city_game.steps_file import is_locked
from city_unit.desktop.errors import UserError
from tests.city_game.play import random_game

ROOT = Path(__file__).parents[2]

JUNK = {
    "huge": lambda file: file.truncate(300 * 2**20),
    "as large as a save may be": lambda file: file.write(random.Random(1).randbytes(2**20) * 15),
    "line ends alone": lambda file: file.write(b"\n" * 2**20),
    "another file": lambda file: file.write(b"city-game save nine"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def half(folder):
    """Return the save of an unfinished game, the oldest in the folder of games."""
    done = random_game(4, 60)
    path = folder / "half.city"
    save.create(path, Game(done.setup, done.actions[:30])).close()
    os.utime(path, (1, 1))
    return path


def test_junk_named_like_a_save_is_reported_and_hides_no_game(folder, half):
    for name, fill in JUNK.items():
        with open(folder / "junk.city", "wb") as file:
            fill(file)
        trouble = describe(folder / "junk.city").error
        assert trouble and "\n" not in trouble, name
        assert latest_unfinished().path == half
    (folder / "junk.city").unlink()
    if os.name != "nt":  # links want rights there
        (folder / "elsewhere.city").symlink_to(folder / "unplugged" / "evening.city")
    (folder / "folder.city").mkdir()
    assert [path.name for path in save.saves()] == ["folder.city", "half.city"]
    assert latest_unfinished().path == half


HOLDER = """
import sys
from city_game import save
opened, _ = save.load(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""
OPEN = "this game is open in another window"


def test_a_game_open_in_another_process_is_refused_until_that_ends(half, capsys):
    before = half.read_bytes()
    command = [sys.executable, "-c", HOLDER, str(half)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as other:
        try:
            assert other.stdout.readline() == "open\n"
            described = describe(half)
            assert described.names and described.error == OPEN and not described.can_resume
            assert latest_unfinished() is None
            for words in (("--resume", str(half)), ("--resume",)):
                assert cli.main([*words]) == 1
                (said,) = capsys.readouterr().err.splitlines()
                assert f"{half.name} is open in another window" in said
            assert half.read_bytes() == before
        finally:
            other.kill()
    assert describe(half).can_resume
    opened, repaired = save.load(half)
    opened.close()
    assert not repaired


def test_a_lock_holds_for_all_names_of_a_file_and_is_removed(half):
    (half.parent / "below").mkdir()
    for opened in (save.load(half)[0], save.create(half.parent / "new", random_game(1, 30))):
        assert is_locked(opened.path)
        with pytest.raises(UserError, match="open in another window"):
            save.load(half.parent / "below" / ".." / opened.path.name)
        opened.close()
        assert not is_locked(opened.path)
    assert sorted(path.name for path in half.parent.iterdir()) == ["below", "half.city", "new"]


# The record of a game.


def test_a_finished_game_has_a_log_and_a_chart():
    game = random_game(7, 400)
    words = log_in_words(game)
    bids = sum(len(sale.bids) for sale in game.state.sales)
    assert words.count("\n") == len(game.state.events) + bids + 2 * len(game.state.sales)
    assert words.rstrip().endswith("wins.")
    assert "{" not in words
    picture = worth_over_time(game)
    assert picture.count("<polyline") == 2 * len(game.setup.names)  # each with its edge
    assert all(f">{name} " in picture for name in game.setup.names)


def test_worth_is_recorded_once_per_turn_until_the_end_or_a_bankruptcy():
    """The changes of the last turn appear after the state before it, not at the same turn."""
    game = random_game(18, 1500)  # in which the others play on for some turns after a bankruptcy
    kinds = [event[0] for event in game.state.events]
    assert kinds[kinds.index("bankrupt") :].count("turn") > 5
    out = next(event[1] for event in game.state.events if event[0] == "bankrupt")
    points = worths(game)
    for series in points:
        turns = [turn for turn, _ in series]
        assert turns == sorted(set(turns))
    assert points[out][-1][1] == 0 and all(notes for _, notes in points[out][:-1])
    assert points[out][-1][0] < max(turn for series in points for turn, _ in series)
    winner = game.state.winners[0]
    assert points[winner][-1] == (game.state.turns + 1, worth(game.state, winner))


def test_export_takes_the_latest_game_by_default(folder, capsys):
    assert cli.main(["export"]) == 2
    assert f"there is no saved game in {folder}" in capsys.readouterr().err
    path, game = folder / "evening.city", random_game(4, 60)
    save.create(path, game).close()
    save.create(folder / "older.city", random_game(1, 30)).close()
    os.utime(folder / "older.city", (1, 1))
    before = path.read_bytes()
    assert cli.main(["export", "--folder", str(folder / "new")]) == 0
    names = ("log.txt", "score.csv", "worth.svg")
    log, sheet, picture = (folder / "new" / f"evening-{what}" for what in names)
    assert capsys.readouterr().out.split() == [str(log), str(sheet), str(picture)]
    assert log.read_text(encoding="utf-8") == log_in_words(game)
    assert "<svg" in picture.read_text(encoding="utf-8") and path.read_bytes() == before
    assert cli.main(["export", str(path), "--folder", str(path / "nowhere")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_export_of_a_torn_save_reports_the_damage(half, capsys):
    whole = half.read_bytes()
    log_of = half.with_name("half-log.txt")
    for torn in (whole[:-5], whole[: whole.rindex(b"\n", 0, -300) + 9]):
        half.write_bytes(torn)
        game = save.look(half)
        assert cli.main(["export", str(half), "--force"]) == 2  # as a save with a damaged header
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "damaged after line" in said
        log = log_of.read_text(encoding="utf-8")
        assert log.startswith(log_in_words(game)) and log.count("damaged") == 1
        assert half.with_name("half-score.csv").exists() and half.read_bytes() == torn
    half.write_bytes(whole)
    assert cli.main(["export", str(half), "--force"]) == 0
    assert "damaged" not in log_of.read_text(encoding="utf-8")
