"""A telephone is a hand of the seat it takes, and keeps it."""

import pytest

from city_game.phones.server import Seats
from tests.city_game.phones.desk import Desk
from tests.helpers.virtual_table import make_session


def test_a_telephone_is_a_hand_of_the_seat_it_takes(desk):
    phone = desk.phone()
    assert "hand" not in phone.view and phone.view["you"] == -1
    assert phone.sit(1) == ""
    assert phone.view["you"] == 1 and phone.view["token"]
    assert phone.view["players"][1]["online"] and phone.view["taken"] == [False, True, False, False]
    assert phone.view["hand"]["deeds"] == []


def test_a_seat_is_kept_by_its_token_whatever_happens_to_the_telephone(desk):
    phone = desk.seated(1)
    token = phone.view["token"]
    desk.gone(phone)
    again = desk.phone(token=token)
    assert again.view["you"] == 1 and "hand" in again.view


def test_another_telephone_takes_a_seat_over_only_when_asked_to(desk):
    first, second = desk.seated(1), desk.phone()
    token = first.view["token"]
    assert second.sit(1) != "" and second.view["you"] == -1
    assert second.sit(1, over=True) == ""
    assert first.view["you"] == -1 and first.view["lost_seat"] and "hand" not in first.view
    assert second.view["you"] == 1
    assert desk.phone(token=token).view["you"] == -1  # the old token is worth nothing
    assert any("over" in line for line in desk.session.log)


@pytest.mark.parametrize("player", [-1, 3, 4, 99, None, "1", True, 1.0, [1]])
def test_there_is_no_such_seat(desk, player):
    phone = desk.phone()
    assert phone.sit(player) != ""
    assert phone.view["you"] == -1


@pytest.mark.parametrize("role", ["spectator", "referee"])
def test_who_looks_on_takes_no_seat_and_sees_no_hand(desk, role):
    desk.seated(0)
    phone = desk.phone(role=role)
    assert phone.sit(1) != "" and "hand" not in phone.view
    assert ("referee" in phone.view) is (role == "referee")
    assert phone.say("do", action=["roll"]) != ""


def test_a_telephone_before_the_game_waits(desk):
    waiting = Desk(None)
    phone = waiting.phone()
    assert "players" not in phone.view and phone.sit(0) != ""
    waiting.session = desk.session
    waiting.talk.use(desk.session)
    waiting.step()
    assert phone.sit(0) == ""


def test_another_game_with_the_same_names_has_the_same_seats(desk):
    phone = desk.seated(1)
    session, _ = make_session(("human", "human"))
    desk.session = session
    desk.talk.use(session)
    desk.step()
    assert phone.view["you"] == 1
    other, _ = make_session(("builder", "builder"))
    desk.talk.use(other)
    desk.step()
    assert phone.view["you"] == -1


def test_the_code_and_the_seats_outlive_the_table(tmp_path):
    file = tmp_path / "telephones.json"
    seats = Seats(file)
    seats.port = 8737
    token = seats.take("Ann")
    again = Seats(file)
    assert (again.code, again.port, again.name_of(token)) == (seats.code, 8737, "Ann")
    assert oct(file.stat().st_mode)[-3:] == "600"
    assert again.take("Ann") != token and again.name_of(token) == ""


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '"x"', '{"code": 1}', '{"code": "short", "port": 1, "seats": {}}',
     '{"code": "../../etcx", "port": 1, "seats": {}}',
     '{"code":"abcdefghjk","port":"1","seats":{}}'],
)  # fmt: skip
def test_a_spoiled_file_of_seats_is_begun_anew(tmp_path, text):
    file = tmp_path / "telephones.json"
    file.write_text(text)
    assert len(Seats(file).code) == 10 and Seats(file).port == 0
