"""Seats of telephones: taken, kept, handed over; a bankrupt player bets."""

import pytest

from city_game.phones.server import Seats
from tests.city_game.phones.desk import Desk
from tests.helpers.virtual_table import BOARD, make_session


def test_a_seat_is_taken_kept_by_its_token_and_handed_over_only_when_asked(desk):
    phone, other = desk.phone(), desk.phone()
    for nobody in (-1, 3, 4, 99, None, "1", True, 1.0, [1]):
        assert phone.sit(nobody) != "", nobody
    assert "hand" not in phone.view and phone.view["you"] == -1
    assert phone.sit(1) == ""
    token = phone.view["token"]
    assert phone.view["you"] == 1 and phone.view["hand"]["deeds"] == []
    assert phone.view["players"][1]["online"] and phone.view["taken"] == [False, True, False, False]
    desk.gone(phone)
    again = desk.phone(token=token)
    assert again.view["you"] == 1 and "hand" in again.view
    twin = desk.phone(token=token)  # another tab of the same browser
    assert twin.view["you"] == 1 and again.view["you"] == -1 and again.view["lost_seat"]
    again.hello(token=token)
    assert again.view["you"] == 1 and not again.view["lost_seat"] and twin.view["lost_seat"]
    assert other.sit(1) != "" and other.view["you"] == -1
    assert other.sit(1, over=True) == "" and other.view["you"] == 1
    assert again.view["you"] == -1 and again.view["lost_seat"] and "hand" not in again.view
    assert desk.phone(token=token).view["you"] == -1  # the old token is invalid
    assert any("over" in line for line in desk.session.log)
    assert other.sit(0) == "" and other.view["taken"] == [True, False, False, False]


@pytest.mark.parametrize("role", ["spectator", "referee"])
def test_a_telephone_that_only_looks_on_takes_no_seat_and_sees_no_hand(desk, role):
    desk.seated(0)
    phone = desk.phone(role=role)
    assert phone.sit(1) != "" and "hand" not in phone.view
    assert ("referee" in phone.view) is (role == "referee")
    assert phone.say("do", action=["roll"]) != ""


def test_a_seat_is_a_name_in_whatever_game_is_played(desk):
    waiting = Desk()
    phone = waiting.phone()
    assert "players" not in phone.view and phone.sit(0) != ""
    waiting.play(desk.session)
    assert phone.sit(0) == ""
    waiting.play(make_session(("human", "human"))[0])
    assert phone.view["you"] == 0
    waiting.play(make_session(("builder", "builder"))[0])
    assert phone.view["you"] == -1


def test_the_code_and_the_seats_outlive_the_table_but_not_a_spoiled_file(tmp_path):
    file = tmp_path / "telephones.json"
    seats = Seats(file)
    seats.port = 8737
    token = seats.take("Ann")
    again = Seats(file)
    assert (again.code, again.port, again.name_of(token)) == (seats.code, 8737, "Ann")
    assert oct(file.stat().st_mode)[-3:] == "600"
    assert again.take("Ann") != token and again.name_of(token) == ""
    again.leave("Ann")
    assert not Seats(file).is_taken("Ann")
    for spoiled in (
        *("", "{", "[]", '"x"', '{"code": 1}', '{"code": "short", "port": 1, "seats": {}}'),
        '{"code": "../../etcx", "port": 1, "seats": {}}',
        '{"code":"abcdefghjk","port":"1","seats":{}}',
        "[" * 100_000,
    ):
        file.write_text(spoiled)
        assert len(Seats(file).code) == 10 and Seats(file).port == 0, spoiled


def test_a_player_who_is_out_bets_once_on_one_who_plays_and_all_see_it_at_the_end(desk):
    state = desk.session.state
    out, other, gone = 0, 1, 2
    phone, watcher = desk.seated(out), desk.seated(other)
    assert phone.say("bet", on=other) != ""  # only bankrupt players bet
    state.alive[out] = state.alive[gone] = False
    for nobody in (gone, out, 9, -1, None, "1"):
        assert phone.say("bet", on=nobody) != "", nobody
    assert phone.say("bet", on=other) == ""
    assert phone.view["hand"]["bet"] == other and not phone.view["players"][out]["alive"]
    assert "Your bet is final" in phone.say("bet", on=3)
    assert phone.view["hand"]["bet"] == other and watcher.view["bets"] == []
    name, winner = desk.session.names[out], desk.session.names[other]
    for winners, was in (([3], "wrong"), ([other], "right")):
        state.phase, state.winners = "over", winners
        desk.show()
        assert watcher.view["bets"] == [f"{name} bet on {winner}, and was {was}."]
    desk.play(make_session(("human",) * 4)[0])
    desk.session.state.phase = "over"
    desk.show()
    assert watcher.view["bets"] == []


def test_a_player_who_comes_back_reads_what_happened_and_what_became_of_the_cash(desk):
    session = desk.session
    player = session.state.decider
    phone = desk.seated(player)
    desk.gone(phone)
    phone = desk.phone(token=phone.view["token"])
    assert phone.view["hand"]["missed"] is None  # nothing happened
    cash = session.state.cash[player]
    desk.gone(phone)
    bought = [("bought", player, deed, 120) for deed in range(10)]
    session.state.events += [("landed", player, 3), *bought]
    session.state.cash[player] -= 120
    back = desk.phone(token=phone.view["token"])
    name = session.names[player]
    lines = [f"{name} buys {deed.name} for 1.2M." for deed in BOARD.deeds[2:10]]
    missed = {"lines": lines, "earlier": 2, "cash": cash}
    assert back.view["hand"]["missed"] == missed
    session.state.events.append(("bought", player, 4, 10))  # seen live, so not missed
    desk.show()
    assert back.view["hand"]["missed"] == missed
    desk.gone(back)
    desk.play(make_session(("human",) * 4)[0])  # nothing was missed in a new game
    desk.session.state.events += bought * 9
    assert desk.phone(token=back.view["token"]).view["hand"]["missed"] is None


def test_all_see_the_figures_of_each_deed_and_on_the_map_its_owner(desk):
    state = desk.session.state
    state.transfer(0, 1)
    phone = desk.seated(0)
    (deed,) = phone.view["players"][1]["deeds"]
    group = BOARD.group_of[0]
    assert deed["price"] == BOARD.prices[0] and deed["rent"] == BOARD.rents[0][0]
    assert deed["group"] == BOARD.groups[group].name and deed["of"] == BOARD.sizes[group]
    track = phone.view["track"]
    assert len(track) == BOARD.size
    assert [place for place, (_, owner) in enumerate(track) if owner == 1] == [BOARD.space_of[0]]
    assert phone.view["players"][0]["place"] == state.place[0]
