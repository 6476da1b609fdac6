"""A disk that fills up is told at the table, and the game goes on, and is saved later."""

import functools

import pytest

from city_game import cli
from city_game.kernel import legal_actions
from city_game.saves import save
from city_game.table import evening as evening_module
from city_game.table.session import SAVE_AGAIN_MS
from city_unit.desktop import append_file
from city_unit.desktop.errors import UserError
from city_unit.host import Memory
from tests.helpers.disk import Disk
from tests.helpers.table_command import Window, evening
from tests.helpers.virtual_table import VirtualUnit, make_screen, make_session, run_until


@pytest.fixture
def disk(monkeypatch):
    return Disk(monkeypatch, append_file)


@pytest.fixture
def session(disk, tmp_path):
    made, _ = make_session(("human", "human"))
    made.save = save.create(tmp_path / "evening.city", made.game)
    run_until(made, lambda: made.state.phase == "roll")
    yield made
    made.save.close()


def act(session) -> None:
    """Do anything that a person may do now."""
    run_until(session, lambda: session.is_human(session.state.decider))
    assert session.do(legal_actions(session.state)[0])


def test_a_full_disk_is_told_and_the_game_goes_on_and_is_saved_when_there_is_room(disk, session):
    disk.room = 0
    told = len(session.log)
    for _ in range(4):
        act(session)
    session.step()
    said = session.not_saved()
    assert "evening.city: no space left on device" in said and str(session.save.unsaved) in said
    kept = [line for line in session.log[told:] if "no space left" in line]
    assert len(kept) == 1  # once in the log, however many steps there are
    disk.room = None
    run_until(session, lambda: not session.not_saved())
    session.step()
    assert session.log[-1] == "All steps are saved again"
    assert save.look(session.save.path).actions == session.game.actions


def test_what_the_disk_did_not_take_is_tried_again_now_and_then_not_at_each_picture(
    disk, session, monkeypatch
):
    disk.room = 0
    act(session)
    tries = []
    monkeypatch.setattr(session.save, "write", lambda: tries.append(session.unit.host_ms()))
    until = session.unit.host_ms() + 10 * SAVE_AGAIN_MS
    run_until(session, lambda: session.unit.host_ms() >= until)
    assert 9 <= len(tries) <= 11


def test_that_steps_are_not_saved_stays_to_be_read(disk, session):
    screen = make_screen(session)
    disk.room = 0
    act(session)
    for _ in range(1000):
        screen.update()
    assert screen.toast() == session.not_saved() != ""
    session.hint("something else")
    assert screen.toast() == "something else"
    disk.room = None
    for _ in range(1000):
        screen.update()
    assert screen.toast() == ""


@pytest.fixture
def path(tmp_path):
    """Return the save of a game that has just begun."""
    made, _ = make_session(("human", "human"))
    save.create(tmp_path / "evening.city", made.game).close()
    return tmp_path / "evening.city"


def loses_steps(disk, wants):
    """Do something that the disk does not take, then want to leave."""

    def play(screen):
        disk.room = 0
        act(screen.session)
        return wants

    return play


@pytest.mark.parametrize("makes_room", [True, False])
def test_who_leaves_unsaved_steps_is_told_and_may_leave_all_the_same(disk, path, makes_room):
    done = []

    def leave(screen):
        assert "leave once more" in screen.session.log[-1]
        if makes_room:
            disk.room = None
        done.extend(screen.session.game.actions)
        return "close"

    window = Window(loses_steps(disk, "close"), leave)
    if makes_room:
        evening("--resume", str(path), window=window)
        assert save.look(path).actions == done != []
        return
    with pytest.raises(UserError, match=r"the last steps are lost \(\d+\)") as lost:
        evening("--resume", str(path), window=window)
    assert lost.value.code == 1


def test_another_game_begins_by_telling_what_was_lost(disk, path, tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path / "games"))
    said = []

    def ask(setup):
        disk.room = None
        return True

    def read(screen):
        said.append("\n".join(screen.session.log))
        return "close"

    plays = (loses_steps(disk, "again"), lambda _screen: "again", read)
    evening("--resume", str(path), window=Window(*plays, asks=(ask,)))
    assert "the last steps are lost" in said[0]


def test_stopped_from_outside_it_says_what_is_lost(disk, path, monkeypatch, capsys):
    def play(screen):
        disk.room = 0
        act(screen.session)
        raise KeyboardInterrupt

    unit = VirtualUnit(Memory())
    window = Window(play)
    opening = functools.partial(evening_module.Evening, opens=lambda _options: window, unit=unit)
    monkeypatch.setattr(evening_module, "Evening", opening)
    assert cli.main(["--resume", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "the last steps are lost" in said
