"""The folder of games: whatever lies there, the first screen opens, and soon."""

import os
import random

import pytest

from city_game.saves import save, saved_games
from tests.city_game.play import random_game

JUNK = {
    "huge": lambda file: file.truncate(300 * 2**20),
    "as large as a save may be": lambda file: file.write(random.Random(1).randbytes(2**20) * 15),
    "line ends alone": lambda file: file.write(b"\n" * 2**20),
    "empty": lambda file: file.write(b""),
    "another file": lambda file: file.write(b"city-game save nine"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("junk", JUNK)
def test_junk_named_like_a_save_is_told_in_one_line_and_hides_nothing(folder, junk):
    game = random_game(1, 30)
    unfinished = type(game)(game.setup, game.actions[:20])
    save.create(folder / "evening.city", unfinished).close()
    with open(folder / "junk.city", "wb") as file:
        JUNK[junk](file)
    os.utime(folder / "evening.city", (1, 1))
    trouble = saved_games.describe(folder / "junk.city").trouble
    assert trouble and "\n" not in trouble
    found = saved_games.latest_to_go_on()
    assert found is not None and found.path.name == "evening.city"


@pytest.mark.skipif(os.name == "nt", reason="links want rights there")
def test_what_leads_nowhere_is_passed_over(folder):
    (folder / "elsewhere.city").symlink_to(folder / "unplugged" / "evening.city")
    (folder / "folder.city").mkdir()
    assert [path.name for path in saved_games.saves()] == ["folder.city"]
    assert saved_games.latest_to_go_on() is None


def test_of_many_old_games_only_the_latest_are_looked_into(folder, monkeypatch):
    finished = random_game(1, 30)
    for number in range(saved_games.SEARCHED + 10):
        save.create(folder / f"{number}.city", finished).close()
    looked = []
    look = save.look
    monkeypatch.setattr(save, "look", lambda path: looked.append(path) or look(path))
    assert saved_games.latest_to_go_on() is None
    assert len(looked) == saved_games.SEARCHED
