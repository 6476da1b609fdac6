"""Games that `city-game` opens: a new game, the latest unfinished one, or a finished one."""

import pytest

from city_game import cli, editions
from city_game.game import Game
from city_game.saves import save
from city_game.saves.saved_games import SavedGame
from city_game.table.evening import read_seats
from city_unit import host
from city_unit.desktop.errors import UserError
from tests.city_game.editions import toy
from tests.city_game.play import random_game
from tests.helpers.sales import HOUR_MS
from tests.helpers.table_command import Window, evening, table
from tests.helpers.table_screen import wait
from tests.helpers.virtual_table import VirtualUnit


def saved(folder, name, game):
    path = folder / name
    save.create(path, game).close()
    return path


def test_a_finished_game_is_looked_at_and_its_file_left_alone(tmp_path):
    path = saved(tmp_path, "done.city", random_game(4, 60))
    before = path.read_bytes()

    def look(screen):
        assert screen.session.state.winners
        screen.export()
        return "close"

    evening("--resume", str(path), window=Window(look))
    assert path.read_bytes() == before
    assert (tmp_path / "done-log.txt").exists() and (tmp_path / "done-worth.svg").exists()


@pytest.mark.parametrize(("mine", "left_ms"), [(True, 1234567), (False, HOUR_MS)])
def test_a_resumed_game_has_the_time_it_had(tmp_path, mine, left_ms):
    """Of the unit beside the table; a real one has kept its own time."""
    done = random_game(4, 60)
    path = saved(tmp_path, "half.city", Game(done.setup, done.actions[:30]))
    growing, _ = save.load(path)
    growing.note_clock(1234567)
    growing.close()
    left = []

    def look(screen):
        wait(screen, 1000)
        left.append(screen.session.unit.clock_left())
        return "close"

    evening("--resume", str(path), window=Window(look), mine=mine)
    assert left_ms - 2000 < left[0] <= left_ms


def test_a_new_game_begins_its_hour(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    memory = host.Memory()
    memory.advance(600_000)  # the unit was on for ten minutes before
    left = []

    def look(screen):
        wait(screen, 1000)
        left.append(screen.session.unit.clock_left())
        return "close"

    opened = table("--players", "Ann,Bob", window=Window(look), unit=VirtualUnit(memory))
    opened.run()
    opened.close()
    assert HOUR_MS - 2000 < left[0] <= HOUR_MS


def test_there_may_be_nothing_to_go_on_with(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    saved(tmp_path, "done.city", random_game(4, 60))
    assert cli.main(["--resume"]) == 2
    assert "no unfinished game" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--minutes=-5"], "--minutes takes"),
        (["--pace=-1"], "--pace takes"),
        (["--pace=nan"], "--pace takes"),
        (["--resume", "--rule", "reshuffle"], "rules it began with"),
    ],
)
def test_wishes_that_make_no_sense(words, said, capsys):
    assert cli.main(words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("seats", ["Ann,Ann", "Ann,Ann=planner", "planner,Planner"])
def test_two_of_one_name_are_refused_and_bots_without_a_name_get_their_own(seats):
    with pytest.raises(UserError) as told:
        read_seats(seats)
    assert told.value.code == 2 and "\n" not in str(told.value)
    assert read_seats("Ann,planner,planner")[0] == ("Ann", "Planner", "Planner'")


def test_a_save_that_cannot_be_opened_is_told_on_the_first_screen(tmp_path):
    (tmp_path / "gone.city").write_text("rubbish")
    said = []

    def resume(setup):
        setup.resume(SavedGame(tmp_path / "gone.city"))
        return True

    def read(setup):
        said.append(setup.message)
        return setup.is_done  # which it is not: the window is closed

    evening(window=Window(asks=(resume, read)))
    assert len(said) == 1 and "is not a save" in said[0]


@pytest.mark.parametrize("preset", editions.names())
def test_a_game_of_the_edition_that_was_chosen_begins_and_its_save_goes_on(
    preset, tmp_path, monkeypatch
):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    seen, offered = [], []

    def choose(setup):
        offered.append(setup.edition.name)
        setup.change_edition()
        return True

    def leave(screen):
        seen.append((screen.session.save.path, screen.session.state.edition.name))
        return "again"

    evening("--edition", preset, window=Window(leave, leave, asks=(choose, choose)))
    names = editions.names() * 2
    place = names.index(preset)
    assert offered == names[place : place + 2]
    assert [name for _, name in seen] == names[place + 1 : place + 3]
    for path, name in seen[:]:
        evening("--resume", str(path), window=Window(leave))
        assert seen[-1] == (path, name)


def test_an_edition_for_fewer_players_is_one_sentence_on_the_first_screen(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    monkeypatch.setitem(editions.KNOWN, "toy", toy.EDITION)
    said = []

    def all_six(setup):
        said.append(setup.message)
        setup.kinds = ["planner"] * 6
        return True

    def read(setup):
        said.append(setup.message)
        return False

    evening("--edition", "toy", window=Window(asks=(all_six, read)))
    assert said == ["", "the toy is for two or three"]
    assert not list(tmp_path.glob("*.city"))
    with pytest.raises(UserError):
        evening("--edition", "toy", "--players", "Ann,Bob,Cleo,Dan", window=Window())


def test_a_name_for_the_save_is_for_the_first_game_of_the_evening(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path / "games"))
    paths = []

    def leave(screen):
        paths.append(screen.session.save.path)
        return "again"

    window = Window(leave, leave, asks=(lambda _setup: True,))
    evening("--players", "Ann,Bob", "--save", str(tmp_path / "mine.city"), window=window)
    assert paths[0] == tmp_path / "mine.city"
    assert paths[1].parent == tmp_path / "games"


def test_an_evening_that_is_stopped_ends_even_if_python_drops_the_exception(tmp_path, monkeypatch):
    """As it does while a weak reference is cleared: whoever ended the program waited for ever."""
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))

    def drop(_screen):
        with pytest.raises(KeyboardInterrupt):
            opened.stop()
        return "close"

    opened = table("--players", "Ann,builder", window=Window(drop))
    with pytest.raises(KeyboardInterrupt):
        opened.run()
    opened.close()
