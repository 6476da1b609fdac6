"""The pages of a tournament, and the tables it watches, with hostile messages."""

import asyncio
import csv
import gc
import json
import random
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from city_game import editions, save
from city_game.export import score_sheet
from city_game.game import Game, Setup
from city_game.kernel.board import load
from city_game.kernel.flow import standing
from city_game.kernel.money import parse
from city_game.phones.client import PLAYER, REFEREE, ROLES, SPECTATOR
from city_game.phones.server import Server
from city_game.tournament import network, view
from city_unit.desktop.errors import UserError
from tests.city_game.phones.desk import Desk
from tests.city_game.play import random_steps
from tests.city_game.tournament.test_core import AT, drawn
from tests.helpers.patience import until
from tests.helpers.virtual_table import make_session

EDITION = editions.get("championship")
ADDRESS = "http://192.168.1.20:8737/code/"


class Browsers:
    """A tournament, and browsers connected in memory."""

    def __init__(self, tournament):
        self.tournament = tournament
        self.told = {}
        self.browsers = network.Browsers(self._do, self._look, self._send)

    def come(self, number, role, language="en"):
        self.told[number] = []
        self.browsers.opened(number, role)
        self.browsers.heard(number, 0.0, json.dumps({"n": 0, "say": "hello", "language": language}))
        return number

    def say(self, number, n, step, seen=None):
        seen = len(self.tournament.steps) if seen is None else seen
        message = {"n": n, "say": "do", "step": step, "seen": seen}
        self.browsers.heard(number, 0.0, json.dumps(message))
        return self.told[number][-1]["why"]

    def view(self, number):
        self.browsers.show()
        return self.told[number][-1]["view"]

    def _do(self, step, seen):
        self.tournament.refuse_stale(step, seen)
        self.tournament.do(AT, step)

    def _look(self, is_referee):
        return {**view.whole(self.tournament, AT, {}), "referee": is_referee}

    def _send(self, number, text):
        self.told[number].append(json.loads(text))


def test_a_referee_acts_and_all_see_it_each_in_their_language():
    browsers = Browsers(drawn(2))
    referee = browsers.come(1, REFEREE)
    wall = browsers.come(2, SPECTATOR, "fr")
    assert browsers.say(wall, 1, "result 1 5 6") and not browsers.tournament.tables[0].counts
    assert browsers.say(referee, 1, "result 1 5 6") == ""
    # A repeated request is answered, but not performed.
    assert browsers.say(referee, 1, "undo") == ""
    assert browsers.tournament.tables[0].counts
    assert browsers.say(referee, 2, "result 1 5") and browsers.say(referee, 3, "draw", 0)
    assert "unknown" in browsers.say(referee, 4, "")  # an empty field of the referee
    assert "300" in browsers.say(referee, 5, "call 1 " + 500 * "x")
    assert browsers.view(wall)["title"] == "Le tournoi est terminé"
    assert browsers.view(referee)["referee"] and not browsers.view(wall)["referee"]


def anything(*keys):
    """Return a strategy for arbitrary messages, with some known keys."""
    plain = some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=9)
    return some.recursive(
        plain,
        lambda part: (
            some.lists(part, max_size=4) | some.dictionaries(some.sampled_from(keys), part)
        ),
        max_leaves=9,
    )


@settings(max_examples=60)
@given(message=anything("n", "say", "step", "seen", "page", "language"))
def test_no_message_of_a_browser_breaks_anything(message):
    browsers = Browsers(drawn(2))
    browsers.come(1, REFEREE), browsers.come(2, SPECTATOR)
    before = view.whole(browsers.tournament, AT, {})
    for number in (1, 2, 3):
        browsers.browsers.heard(number, 0.0, json.dumps(message))
        browsers.browsers.heard(number, 0.0, repr(message)[:4000].encode("utf-8", "replace"))
    assert view.whole(browsers.tournament, AT, {}) == before


def test_the_page_keeps_its_port_and_codes_and_the_walls_does_not_open_the_referees(tmp_path):
    def opened(port=0):
        made = network.Door(
            tmp_path / "page", False, port, lambda _step, _seen: None, lambda _is: {}
        )
        made.stop()
        return made

    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(UserError, match=str(taken)):
            opened(taken)
        file = {"code": "abcdefghjk", "port": taken, "seats": {}}
        (tmp_path / "page").write_text(json.dumps(file))
        moved = opened()
    assert str(taken) in moved.moved  # named, since it was requested; the last port was remembered
    again = opened()  # when it is free again
    assert again.moved == "" and again.projector.startswith(f"http://127.0.0.1:{taken}/")
    (wall, *_), (secret, *_) = (
        address.split("/")[3:] for address in (again.projector, again.referee)
    )
    assert secret == "abcdefghjk" and secret not in wall and wall not in secret
    assert opened().projector == again.projector  # a bookmark stays good
    (tmp_path / "page").unlink()
    assert opened().projector == opened().projector  # also of a first start


@pytest.mark.real_time
def test_each_code_lets_in_its_own_role_from_its_own_page():
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    codes = {"wall": (SPECTATOR,), "secret": (REFEREE,)}
    server = Server("127.0.0.1", 0, codes, page="city_game.tournament")
    at = f"127.0.0.1:{server.port}"
    try:
        for path in ("wall/referee", "secret/player", "wal/spectator", "secret/spectator"):
            with pytest.raises(InvalidStatus), connect(f"ws://{at}/{path}"):
                pass
        elsewhere = "http://evil.example"
        for path in ("wall/spectator", "secret/referee"):
            with pytest.raises(InvalidStatus), connect(f"ws://{at}/{path}", origin=elsewhere):
                pass
            with connect(f"ws://{at}/{path}", origin=f"http://{at}"):
                pass
    finally:
        server.stop()


# Watched tables.


def over(names_and_worths, **more):
    players = [{"name": name, "worth": worth} for name, worth in names_and_worths.items()]
    message = {"view": {"phase": "over", "left": 61_500, "players": players, **more}}
    return network.read(json.dumps(message), AT)


def test_a_table_that_is_over_enters_its_result_once():
    tournament = drawn(2)
    table = tournament.tables[0]
    tournament.do(AT, f"live 1 {ADDRESS}")
    first, second = (tournament.teams[team] for team in table.teams)
    assert not network.questions(tournament, {})  # it has had no time to answer
    assert network.questions(tournament, {ADDRESS: None}).keys() == {1}
    strangers = over({"Zoé": 1, "Ken": 2})
    assert network.entered(tournament, {ADDRESS: strangers}) == []
    assert "Zoé" in network.questions(tournament, {ADDRESS: strangers})[1][0]
    worths = {first.junior: 900, first.adult: 100, second.name.upper(): 950}
    told = {ADDRESS: over(worths)}
    assert not network.questions(tournament, told)
    assert network.entered(tournament, told) == ["result 1 900+100 950"]
    tournament.do(AT, "result 1 900+100 950")
    assert network.entered(tournament, told) == []
    by_hand = drawn(2)
    for step in (f"live 1 {ADDRESS}", "result 1 950 900"):
        by_hand.do(AT, step)
    assert network.entered(by_hand, told) == ["result 1 900+100 950"]  # the score sheet differs
    by_hand.do(AT, "result 1 900+100 950")
    assert by_hand.champion() is None and len(view.waits(by_hand, AT, {})) == 1
    by_hand.do(AT, "correct 1 950 900")
    assert network.entered(by_hand, told) == []


def test_a_call_from_a_telephone_or_the_table_waits_for_the_referee_with_table_and_player():
    """Only if a referee watches; a second press withdraws the call."""
    session, _ = make_session(("human", "human"))
    desk = Desk(session)
    phone = desk.seated(0)
    assert not phone.view["refers"] and phone.say("referee", on=True) and not session.callers
    tournament = drawn(2)
    tournament.do(AT, f"live 1 {ADDRESS}")
    tournament.teams[tournament.tables[0].teams[1]].adult = "A"
    referee = desk.phone(REFEREE)

    def waits():
        desk.step()
        told = {ADDRESS: network.read(json.dumps({"view": referee.view}))}
        for step in network.entered(tournament, told):
            tournament.do(AT, step)
        assert network.entered(tournament, told) == []
        return view.waits(tournament, AT, told)

    assert phone.view["refers"] and waits() == []
    assert phone.say("referee", on=True) == "" and phone.view["called"]
    assert phone.say("referee", on=True) == ""  # a stale page does not withdraw a call
    team = tournament.teams[tournament.tables[0].teams[1]].name
    assert waits() == [f"Table 1: A ({team}) calls the referee"]
    assert phone.say("referee", on=False) == "" and waits() == []
    assert phone.say("referee", on=True) == "" and len(waits()) == 1
    (table,) = view.whole(tournament, AT, {})["rounds"][0]["tables"]
    assert table["callers"] == [f"A ({team}) calls the referee"]
    tournament.do(AT, "answer 1 no")
    assert phone.view["called"] and waits() == []  # answered, but not withdrawn yet
    assert phone.say("referee", on=False) == "" and waits() == []
    assert phone.say("referee", on=True) == "" and len(waits()) == 1  # a new call
    assert phone.say("referee", on=False) == "" and waits() == []
    desk.gone(phone)
    session.call_referee_by_key()  # the decider is at the keyboard, now
    assert len(waits()) == 1 and "The referee is called" in session.message
    session.call_referee_by_key()
    assert waits() == []


def test_the_clock_and_the_doubts_of_a_table():
    def bid(player, since, within=3):
        return {"player": player, "since": since, "within": within}

    bids = [bid(0, 900), bid(1, 890), bid(1, 889), bid(0, 500), bid(2, 470, 40)]
    told = over({}, phase="roll", referee={"bids": bids})
    assert (told.left_at(AT), told.left_at(AT + 60), told.left_at(AT + 99)) == (61, 1, 0)
    assert told.doubts == 2 and not told.is_over
    watched = drawn(2)
    watched.do(AT, f"live 1 {ADDRESS}")
    assert network.questions(watched, {ADDRESS: told})[1][0].startswith("2 pairs of bids are")
    watched.do(AT, "callers 1 ?")
    assert network.called(watched, watched.tables[0]) == ["The table calls the referee"]
    assert over({}, stands=True).left_at(AT + 99) == 61
    (table,) = drawn(2).tables
    table.started = AT - 10  # the table's own clock counts
    assert view.clock(table, AT, told) == ("last-round", 61)
    assert view.clock(table, AT, over({}, left=3_000_000)) == ("deeds", 300)


TABLE = ("phase", "left", "stands", "players", "referee")
PARTS = anything("name", "worth", "bids", "since", "within", "player", "calls")


@settings(max_examples=60)
@given(view=some.dictionaries(some.sampled_from(TABLE), PARTS))
def test_no_message_of_a_table_breaks_anything(view):
    told = network.read(json.dumps({"view": view}), AT)
    tournament = drawn(2)
    tournament.do(AT, f"live 1 {ADDRESS}")
    facts = {ADDRESS: told}
    for step in network.entered(tournament, facts):
        tournament.do(AT, step)
    assert all("\n" not in words for words in network.questions(tournament, facts).values())
    left = told.left_at(AT + 5) if told else None
    assert left is None or left >= 0
    for junk in (b"\xff", "[]", "{", '{"view": 1}', "1e999"):
        assert network.read(junk) is None


@pytest.mark.real_time
def test_a_table_of_the_network_is_heard_and_left(caplog):
    session, _ = make_session(("human", "human"))
    desk = Desk(session)
    server = Server("127.0.0.1", 0, {"code": ROLES}, cross_origin=(SPECTATOR, REFEREE))
    desk.telephones._send = server.send  # noqa: SLF001
    tables = network.Tables()
    address = f"http://127.0.0.1:{server.port}/code/"

    def heard():
        while server.received:
            item = server.received.popleft()
            if item.what == "opened":
                assert item.value == REFEREE != PLAYER
                desk.telephones.opened(item.number, item.value)
            elif item.what == "heard":
                desk.telephones.heard(item.number, item.came, item.value)
        session.step()
        desk.telephones.step()
        tables.step([address])
        return tables.facts.get(address)

    try:
        assert set(until(heard).worths) == {"A", "B"}
        tables.step([])
        assert tables.facts == {}
        assert set(until(heard).worths) == {"A", "B"}
    finally:
        tables.stop()
        server.stop()
    gc.collect()
    assert caplog.records == []  # no task is left pending


# Saved games.


def test_a_table_whose_connection_fails_as_it_is_left_is_left(monkeypatch):
    tried = []

    async def fail(*_connection, **_timeout):
        tried.append([task for task in asyncio.all_tasks() if task.cancel()])
        raise OSError

    monkeypatch.setattr(asyncio, "to_thread", fail)
    tables = network.Tables()
    tables.step([ADDRESS])
    until(lambda: tried and (all(task.done() for task in tried[0]) or tried[1:]))
    assert len(tried) == 1
    tables.stop()


def finished(names, seed=1, rules=None):
    """Return a championship game, played at random until time was called."""
    board = load(EDITION)
    game = Game(Setup(board, names, ("human",) * len(names), rules or EDITION.rules(), seed))
    list(random_steps(game, random.Random(seed), 300))
    return game


@pytest.mark.parametrize(("seed", "apart"), [(0, False), (1, True), (2, True)])
def test_all_score_sheets_agree_on_the_order_and_the_wealth(seed, apart):
    """Those of the game and the tournament, also if partners play apart."""
    rules = EDITION.rules(partners_play_apart=apart)
    tournament = drawn(2 if apart else 3)
    table = tournament.tables[0]
    teams = [tournament.teams[team] for team in table.teams]
    names = tuple(team.name for team in teams)
    if apart:
        names = tuple(team.junior for team in teams) + tuple(team.adult for team in teams)
    game = finished(names, seed, rules)
    tournament.do(AT, network.result_of(tournament, table, "1", network.worths(game)))
    sheet = list(csv.DictReader(score_sheet(game).splitlines()))
    ranked = standing(game.state)
    for place, one in zip(table.teams, sorted(ranked, key=lambda one: one.players), strict=True):
        mine = [row for row in sheet if row["name"] in {names[player] for player in one.players}]
        assert [int(row["place"]) for row in mine] == [one.place] * len(one.players)
        assert (
            tournament.wealth(table, place) == one.worth == max(parse(row["worth"]) for row in mine)
        )
    first = [table.teams[min(one.players)] for one in ranked if one.place == 1]
    assert tournament.leaders(table) == sorted(first, key=table.teams.index)


def test_a_saved_game_that_is_over_is_a_result(tmp_path):
    tournament = drawn(3)
    table = tournament.tables[0]
    game = finished(tuple(tournament.teams[team].name for team in table.teams))
    over, open_ = tmp_path / "table 1.city", tmp_path / "open.city"
    save.create(over, game).close()
    save.create(open_, Game(game.setup, game.actions[:9])).close()
    tournament.do(AT, network.result_of_save(tournament, f"1 {over}"))
    assert table.counts
    with pytest.raises(UserError, match="is not over"):
        network.result_of_save(tournament, f"1 {open_}")
    other = drawn(3)
    other.teams[0].name = "Somebody else"
    for words_ in (f"1 {over}", "1 nowhere.city", f"9 {over}", f"1 {open_}"):
        with pytest.raises(UserError):
            network.result_of_save(other, words_)
