"""What `city-game` opens: a new game, the latest unfinished one, or a finished one to look at."""

import argparse
from types import SimpleNamespace

import pytest

from city_game import cli, save
from city_game.errors import UserError
from city_game.game import Game
from city_game.saved_games import SavedGame
from city_game.table.command import Table, arguments, read_seats
from city_game.table.setup_screen import SetupScreen
from tests.city_game.play import random_game


def table(*words):
    parser = argparse.ArgumentParser()
    arguments(parser)
    return Table(parser.parse_args(words))


def saved(folder, name, game):
    path = folder / name
    save.create(path, game).close()
    return path


class Listener:
    """As much of a session as an export needs."""

    def __init__(self, game):
        self.game = game
        self.said = []

    def say(self, text):
        self.said.append(text)


def test_a_finished_game_is_looked_at_and_its_file_left_alone(tmp_path):
    path = saved(tmp_path, "done.city", random_game(4, 60))
    before = path.read_bytes()
    opened = table()
    game = opened._resume(path)
    assert game.state.winners and opened._save is None
    opened._export(Listener(game))
    assert path.read_bytes() == before
    assert (tmp_path / "done-log.txt").exists() and (tmp_path / "done-worth.svg").exists()


class Unit:
    """As much of a unit as is asked to begin an hour."""

    def __init__(self, mine):
        self.mine = mine
        self.asked = []

    def begin_hour(self, left_ms=0):
        self.asked.append(left_ms)


def session(game, unit):
    begin = unit.begin_hour
    return SimpleNamespace(
        game=game, unit=unit, begin_hour=begin, go_on_with_hour=begin, hint=str.upper
    )


@pytest.mark.parametrize(("mine", "asked"), [(True, [1234567]), (False, [])])
def test_a_resumed_game_has_the_time_it_had(tmp_path, mine, asked):
    """Of the unit beside the table; a real one has kept its own time."""
    done = random_game(4, 60)
    path = saved(tmp_path, "half.city", Game(done.setup, done.actions[:30]))
    growing, _ = save.load(path)
    growing.note_clock(1234567)
    growing.close()
    opened = table()
    game = opened._resume(path)
    unit = Unit(mine)
    opened._begin_hour(session(game, unit))
    opened.close()
    assert unit.asked == asked


def test_a_new_game_begins_its_hour():
    opened = table()
    game = Game(random_game(4, 60).setup)
    unit = Unit(mine=False)
    opened._begin_hour(session(game, unit))
    assert unit.asked == [0]


def test_there_may_be_nothing_to_go_on_with(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    saved(tmp_path, "done.city", random_game(4, 60))
    assert cli.main(["--resume"]) == 2
    assert "no unfinished game" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("--minutes=-5", "--minutes takes"),
        ("--pace=-1", "--pace takes"),
        ("--pace=nan", "--pace takes"),
    ],
)
def test_figures_that_make_no_sense(word, said, capsys):
    assert cli.main([word]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("seats", ["Ann,Ann", "Ann,Ann=planner", "planner,Planner"])
def test_two_of_one_name_are_refused(seats):
    with pytest.raises(UserError) as told:
        read_seats(seats)
    assert told.value.code == 2 and "\n" not in str(told.value)


def test_bots_without_a_name_get_names_of_their_own():
    assert read_seats("Ann,planner,planner")[0] == ("Ann", "Planner", "Planner'")


def test_a_save_that_cannot_be_opened_is_told_on_the_first_screen(tmp_path):
    (tmp_path / "gone.city").write_text("rubbish")
    opened = table()
    setup = SetupScreen((1280, 720))
    setup.resume(SavedGame(tmp_path / "gone.city"))
    with pytest.raises(UserError) as error:
        opened._asked_for(None, setup)
    setup.stay(str(error.value))
    assert not setup.done and "is not a save" in setup.message


def test_a_saved_game_keeps_its_rules(capsys):
    assert cli.main(["--resume", "--rule", "reshuffle"]) == 2
    assert "rules it began with" in capsys.readouterr().err


def test_a_name_for_the_save_is_for_the_first_game_of_the_evening(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    opened = table("--save", str(tmp_path / "mine.city"))
    names = [opened._save_name() for _ in range(2)]
    assert names[0].name == "mine.city" and names[1].name != "mine.city"
    assert names[1].parent == tmp_path
