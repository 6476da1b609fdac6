"""Evenings of `city-game`: opening and leaving games, a full disk, and errors in drawing."""

import functools

import pygame
import pytest

from city_game import cli, editions, save
from city_game import evening as evening_module
from city_game.evening import read_players
from city_game.kernel import legal_actions
from city_game.save import SavedGame
from city_game.table import scene
from city_game.table import window as real
from city_game.table.session import SAVE_AGAIN_MS
from city_unit import host
from city_unit.desktop import append_file
from city_unit.desktop.errors import UserError
from tests.city_game.editions import toy
from tests.city_game.play import random_game
from tests.helpers.disk import Disk
from tests.helpers.sales import HOUR_MS
from tests.helpers.table_command import Window, evening, table
from tests.helpers.table_screen import wait
from tests.helpers.virtual_table import (
    VirtualUnit,
    at_the_dice,
    make_screen,
    run_until,
)

EVENING = "evening.city"


@pytest.fixture(autouse=True)
def games(tmp_path, monkeypatch):
    """Save new games in a folder of the test."""
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path / "games"))
    (tmp_path / "games").mkdir()
    return tmp_path / "games"


@pytest.fixture
def path(tmp_path):
    """Return the save of a game that has just started."""
    session = at_the_dice()
    begun = save.create(tmp_path / EVENING, session.game)
    begun.note_clock(1234567)
    begun.close()
    return tmp_path / EVENING


def test_a_finished_game_is_shown_and_its_file_left_unchanged(games, capsys):
    path = games / "done.city"
    save.create(path, random_game(4, 60)).close()
    before = path.read_bytes()

    def look(screen):
        assert screen.session.state.winners
        screen.export()

    evening("--resume", str(path), window=Window(look))
    assert path.read_bytes() == before
    assert (games / "done-log.txt").exists() and (games / "done-worth.svg").exists()
    assert cli.main(["--resume"]) == 2
    assert "no unfinished game" in capsys.readouterr().err


def left_a_moment_later(found):
    def look(screen):
        wait(screen, 1000)
        found.append(screen.session.unit.clock_left())

    return Window(look)


@pytest.mark.parametrize(
    ("mine", "left_ms", "words"),
    [(True, 1234567, "the hour is stopped"), (False, HOUR_MS, "its hour continues")],
)
def test_a_resumed_game_keeps_its_time_unless_a_real_unit_kept_its_own(path, mine, left_ms, words):
    left = []
    window = left_a_moment_later(left)
    evening("--resume", str(path), window=window, mine=mine)
    assert left_ms - 2000 < left[0] <= left_ms
    assert words in window.bye
    assert (save.load(path)[0].clock_left < 1234567) is mine


def test_a_new_game_starts_its_hour():
    memory = host.Memory()
    memory.advance(600_000)  # the unit has been on for ten minutes
    left = []
    unit = VirtualUnit(memory)
    opened = table("--players", "Ann,Bob", window=left_a_moment_later(left), unit=unit)
    opened.run()
    opened.close()
    assert HOUR_MS - 2000 < left[0] <= HOUR_MS


def test_invalid_arguments_are_refused_and_unnamed_bots_get_a_name(capsys):
    for words, said in (
        (["--minutes=-5"], "--minutes takes"),
        (["--pace=-1"], "--pace takes"),
        (["--pace=nan"], "--pace takes"),
        (["--resume", "--rule", "reshuffle"], "rules it began with"),
        (["--players", "Ann,Ann=planner"], "Two players are called Ann"),
        (["--players", "planner,Planner"], "Two players are called Planner"),
    ):
        assert cli.main(words) == 2
        error = capsys.readouterr().err
        assert said in error and error.count("\n") == 1
    assert read_players("Ann,planner,planner")[0] == ("Ann", "Planner", "Planner'")


def test_a_game_that_cannot_be_opened_is_reported_on_the_setup(games, monkeypatch):
    monkeypatch.setitem(editions.KNOWN, "toy", toy.EDITION)
    (games / "gone.city").write_text("rubbish")
    said = []

    def resume(setup):
        setup.resume(SavedGame(games / "gone.city"))
        return True

    def all_six(setup):
        said.append(setup.message)
        setup.kinds = ["planner"] * 6
        return True

    def read(setup):
        said.append(setup.message)
        return setup.is_done  # False: the window is closed

    evening("--edition", "toy", window=Window(asks=(resume, all_six, read)))
    assert "is not a save" in said[0] and said[1:] == ["the toy is for two or three"]
    assert [path.name for path in games.iterdir()] == ["gone.city"]
    with pytest.raises(UserError):
        evening("--edition", "toy", "--players", "Ann,Bob,Cleo,Dan", window=Window())


@pytest.mark.parametrize("preset", editions.names())
def test_a_game_of_the_chosen_edition_starts_and_its_save_is_resumed(preset):
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


def test_the_name_of_the_save_applies_to_the_first_game_only(tmp_path, games):
    paths = []

    def leave(screen):
        paths.append(screen.session.save.path)
        return "again"

    window = Window(leave, leave, asks=(lambda _setup: True,))
    evening("--players", "Ann,Bob", "--save", str(tmp_path / "mine.city"), window=window)
    assert paths[0] == tmp_path / "mine.city" and paths[1].parent == games


def test_a_stopped_evening_ends_even_if_python_drops_the_exception():
    """Python drops it while it clears a weak reference, and the program once never ended."""

    def drop(_screen):
        with pytest.raises(KeyboardInterrupt):
            opened.stop()

    opened = table("--players", "Ann,builder", window=Window(drop))
    with pytest.raises(KeyboardInterrupt):
        opened.run()
    opened.close()


# A disk that fills up.


@pytest.fixture
def disk(monkeypatch):
    return Disk(monkeypatch, append_file)


def act(session):
    """Perform the first legal action of a person."""
    run_until(session, lambda: session.is_human(session.state.decider))
    assert session.do(legal_actions(session.state)[0])


def test_a_full_disk_is_reported_and_the_game_continues_and_is_saved_later(
    disk, tmp_path, monkeypatch
):
    session = at_the_dice()
    session.save = save.create(tmp_path / EVENING, session.game)
    screen = make_screen(session)
    disk.room = 0
    before = len(session.log)
    for _ in range(4):
        act(session)
    session.step()
    said = session.not_saved()
    assert f"{EVENING}: no space left on device" in said and str(session.save.unsaved) in said
    kept = [line for line in session.log[before:] if "no space left" in line]
    assert len(kept) == 1  # logged once for any number of steps
    tries = []
    with monkeypatch.context() as watched:  # retried at intervals, not every frame
        watched.setattr(session.save, "write", lambda: tries.append(session.unit.host_ms()))
        until = session.unit.host_ms() + 10 * SAVE_AGAIN_MS
        run_until(session, lambda: session.unit.host_ms() >= until)
    assert 9 <= len(tries) <= 11
    screen.update()
    assert screen.toast() == session.not_saved() != ""  # it stays visible
    session.hint("something else")
    assert screen.toast() == "something else"
    disk.room = None
    run_until(session, lambda: not session.not_saved())
    session.step()
    assert session.log[-1] == "All steps are saved again"
    assert save.look(session.save.path).actions == session.game.actions
    session.save.close()


def loses_steps(disk, wants):
    """Return a play whose step cannot be saved, and which then leaves."""

    def play(screen):
        disk.room = 0
        act(screen.session)
        return wants

    return play


@pytest.mark.parametrize("makes_room", [True, False])
def test_a_player_is_warned_of_unsaved_steps_and_can_leave_anyway(disk, path, makes_room):
    done = []

    def leave(screen):
        assert "leave again" in screen.session.log[-1]
        if makes_room:
            disk.room = None
        done.extend(screen.session.game.actions)

    window = Window(loses_steps(disk, "close"), leave)
    if makes_room:
        evening("--resume", str(path), window=window)
        assert save.look(path).actions == done != []
        return
    with pytest.raises(UserError, match=r"the last steps are lost \(\d+\)") as lost:
        evening("--resume", str(path), window=window)
    assert lost.value.code == 1


def test_the_next_game_reports_the_lost_steps(disk, path):
    said = []

    def ask(setup):
        disk.room = None
        return True

    def read(screen):
        said.append("\n".join(screen.session.log))

    plays = (loses_steps(disk, "again"), lambda _screen: "again", read)
    evening("--resume", str(path), window=Window(*plays, asks=(ask,)))
    assert "the last steps are lost" in said[0]


def test_a_signal_reports_the_lost_steps(disk, path, monkeypatch, capsys):
    def play(screen):
        loses_steps(disk, "")(screen)
        raise KeyboardInterrupt

    window, unit = Window(play), VirtualUnit(host.Memory())
    opening = functools.partial(evening_module.Evening, opens=lambda _options: window, unit=unit)
    monkeypatch.setattr(evening_module, "Evening", opening)
    assert cli.main(["--resume", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "the last steps are lost" in said


# An error in drawing a game or in its telephones does not end the evening.

FRAMES = 40


class Watched(real.Window):
    """A real window without a screen, closed after some frames."""

    frames = 0

    def play(self, screen, meanwhile):
        def frame():
            self.frames += 1
            self.screen = screen
            if self.frames == FRAMES:
                pygame.event.post(pygame.event.Event(pygame.QUIT))
            meanwhile()

        return super().play(screen, frame)


def fail(*_values):
    raise KeyError("human")


@pytest.mark.parametrize("what", ["a part", "the view", "the step", "telephones"])
def test_a_program_error_is_reported_once_and_the_game_continues_and_is_saved(
    monkeypatch, games, capsys, what
):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    if what == "a part":
        monkeypatch.setattr(scene, "PARTS", (*scene.PARTS[:4], fail, *scene.PARTS[5:]))
    else:
        of = {
            "the view": "table.motion.Motion.shown_dice",
            "the step": "table.motion.Motion.update",
            "telephones": "phones.telephones.Phones.step",
        }
        monkeypatch.setattr(f"city_game.{of[what]}", fail)
    window, unit = Watched(sound=False), VirtualUnit(host.Memory(), 200)
    unit.is_mine = True
    words = ("--players", "Ann=planner,Bob=builder", "--pace", "0", "--seed", "3")
    phones = ("--phones", "127.0.0.1:0") if what == "telephones" else ()
    opened = table(*words, *phones, window=window, unit=unit)
    try:
        assert opened.run() == 0
    finally:
        opened.close()
    assert window.frames == FRAMES
    (path,) = games.glob("*.city")
    assert len(save.look(path).actions) == len(window.screen.session.game.actions) > 20
    (report,) = games.glob("*.faults.txt")
    assert report.read_text().count("KeyError: 'human'") == 1
    assert "Traceback" in report.read_text()
    said = capsys.readouterr()
    assert said.err.count("KeyError") == 1
    assert said.out.count("Telephones join at http://") == len(phones) // 2
    assert sum("KeyError" in line for line in window.screen.session.log) == 1
