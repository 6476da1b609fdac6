"""The game starts when all telephones are connected, or when somebody starts it."""

import pygame
import pytest

from city_game.phones import telephones
from city_game.table.view import decide
from tests.city_game.phones.desk import Desk
from tests.helpers.table_command import Window, evening
from tests.helpers.virtual_table import click, draw, make_screen, make_session, press

ENTER = pygame.K_RETURN


def gathering(seats=("human", "human", "builder"), **more):
    session, _ = make_session(seats, minutes=30, **more)
    session.gathers = True
    return Desk(session)


def test_nothing_happens_until_all_people_have_a_telephone():
    desk = gathering()
    session = desk.session
    # Not an error: only the start of the game sets the program.
    session.unit.memory.client.send("program world")
    desk.pass_time(300)
    assert session.game.actions == [] and session.table().problem() is None
    assert decide(session.table()).title == "No telephone yet: A and B"
    one = desk.seated(0)
    desk.pass_time(300)
    assert session.game.actions == []
    assert one.view["title"] == "No telephone yet: B" and one.view["left"] is None
    desk.seated(1)
    desk.pass_time(300)
    assert session.game.actions != [] and session.table().problem() is None
    assert session.unit.program == "city"
    left = session.unit.clock_left()
    assert 1_800_000 - 60_000 < left <= 1_800_000  # the hour started with the last telephone


def test_an_hour_of_the_unit_that_ends_before_the_game_begins_is_not_the_game_s():
    desk = gathering(("human", "builder"), clock_ms=5000)
    session = desk.session
    desk.pass_time(1000)
    assert session.unit.state == "over" and session.game.actions == []
    desk.seated(0)
    desk.pass_time(1000)
    assert session.game.actions and not session.state.hour_over


def test_a_player_with_a_seat_may_begin_without_the_others_and_nobody_else():
    desk = gathering()
    stranger, one = desk.phone(), desk.seated(0)
    assert [option["label"] for option in one.view["hand"]["options"]] == ["Start anyway"]
    assert stranger.say("call", calls="begin") != ""
    assert desk.session.gathers
    assert one.say("call", calls="begin", step=one.view["step"]) == ""
    desk.pass_time(100)
    assert not desk.session.gathers and desk.session.game.actions != []
    assert one.say("call", calls="begin") != ""  # once


def test_a_click_at_the_table_begins_it():
    desk = gathering()
    screen = make_screen(desk.session)
    screen.update()
    assert screen.game.title == "No telephone yet: A and B"
    draw(screen)
    spot = next(spot for spot in screen.spots if spot.command.name == "option")
    click(screen, spot.box.middle)
    assert not desk.session.gathers


PHONES = ("--phones", "127.0.0.1:0", "--pace", "0")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))


@pytest.mark.parametrize(
    ("words", "waits"),
    [
        (("Ann,Bob,builder", *PHONES), True),
        (("builder,planner", *PHONES), False),
        (("Ann,builder",), False),
    ],
)
def test_an_evening_of_people_with_telephones_shows_the_code_and_waits_for_a_key(words, waits):
    def look(screen):
        assert screen.session.gathers is waits
        if waits:
            for _ in range(3000):
                screen.update()
            assert (screen.session.game.actions, screen.card) == ([], "phones")
            press(screen, ENTER)
            screen.update()
            assert (screen.session.gathers, screen.card) == (False, "")

    window = Window(look)
    evening("--players", *words, window=window)
    assert not window.plays


def test_another_game_does_not_wipe_the_result_before_it_begins(monkeypatch):
    doors = []

    class Door(telephones.Phones):
        def __init__(self, *words):
            super().__init__(*words)
            doors.append(self)

    def end(screen):
        screen.session.state.phase = "over"
        assert doors[0].telephones.session is screen.session
        return "again"

    def ask(_setup):
        assert doors[0].telephones.session.state.phase == "over"  # the telephones still show it
        return True

    def look(screen):
        assert doors[0].telephones.session is screen.session
        assert screen.session.state.phase != "over"
        server = doors[0]._server  # noqa: SLF001
        for phase, often in (("settling", True), ("over", False)):  # clocks are measured often
            screen.session.state.phase = phase
            doors[0].step()
            assert server.is_in_sale is often

    monkeypatch.setattr(telephones, "Phones", Door)
    window = Window(end, look, asks=(ask,))
    evening("--players", "Ann,Bob", *PHONES, window=window)
    assert len(doors) == 1 and not window.plays
