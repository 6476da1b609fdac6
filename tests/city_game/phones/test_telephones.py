"""Requests of telephones are validated; each gets its own view in its own language."""

import json
import random

import pytest

from city_game.kernel import legal_actions
from city_game.kernel.state import Debt
from city_game.phones import requests, server
from city_game.table.view import view
from city_game.tournament.network import OWN_PAGE
from city_game.words import in_words
from city_unit.desktop import catalogue
from tests.city_game.phones.desk import Desk, in_sale, others
from tests.helpers.virtual_table import BOARD, make_session, run_until

CHANCE_S = [
    ["dice", 6, 6], ["start roll", 1, 1], ["card", 0], ["permit", "3"], ["press"],
    ["light on", 0], ["light out", 9], ["bid", 0, 100, 0, 0], ["pass", 1, 0], ["settle"],
    ["cancelled"], ["hour ended", 0], ["new hour", 0], ["timed out"], ["refused bid"],
    ["offer", 0, 1, [], [], 1, 0], ["nonsense"], [], None, "roll", [["roll"]], [{}], ["roll", {}],
    ["build", [], {}, None], ["roll"] * 100, {"roll": 1}, ["__class__"], ["roll", float("nan")],
]  # fmt: skip


def test_a_step_is_done_once_by_the_one_who_decides_and_for_its_moment(desk):
    session = desk.session
    actions, decider = session.game.actions, session.state.decider
    other = desk.seated(next(player for player in range(3) if player != decider))
    phone = desk.seated(decider)
    step, before = phone.view["step"], len(actions)
    assert other.say("do", action=["roll"]) == f"{session.names[decider]} decides now."
    # As after a table was killed between a step and its response.
    assert phone.say("do", action=["roll"], step=step - 1) != ""
    for action in CHANCE_S:  # only chance and the unit make these
        assert phone.say("do", action=action) != "", action
    assert len(actions) == before
    again = desk.phone(token=phone.view["token"])  # a reloaded page restarts its numbers
    assert again.say("do", action=["roll"], step=step) == ""
    assert actions[-1] == ("roll",)
    run_until(session, lambda: session.state.phase in ("unsold", "manage", "planning"))
    before = len(actions)
    again.raw({"n": again.count, "say": "do", "action": ["roll"]})
    assert len(actions) == before and again.answers[again.count] == ""


BROKEN = [
    b"\xff\xfe", "", "null", "[]", "1", '"bid"', "{", "{" * 3000, "[" * 4000, '{"n": 1}',
    '{"n": "1", "say": "bid"}', '{"n": 1, "say": ["bid"]}', '{"n": NaN, "say": "bid"}',
    '{"n": 1e999, "say": "do"}', '{"n": -5, "say": "leave"}', '{"n": true, "say": "leave"}',
    '{"n": 21, "say": "_do"}', '{"n": 22, "say": "hello", "token": 5, "page": {}}',
]  # fmt: skip
FIELDS = ["amount", "at", "sale", "step", "partner", "gives", "asks", "pays", "cards", "action",
          "calls", "player", "over", "number", "agree", "language"]  # fmt: skip
VALUES = [None, True, 0, -1, 1, 3, 10**8, 10**30, 1e14, float("nan"), float("inf"), 0.5, "x",
          "roll", "now", "__init__", "hour", "../../etc/passwd", [], [0], [-1], [[0]], {},
          ["roll"], "a" * 99]  # fmt: skip


def test_hostile_messages_move_no_money_and_break_nothing():
    """Malformed messages, and random mixtures of valid ones, from a player who does not decide."""
    chance, desk = random.Random(1), in_sale()
    session = desk.session
    phone = desk.seated(others(session)[0])
    cash, owner, before = (
        list(session.state.cash),
        list(session.state.owner),
        len(session.game.actions),
    )
    for text in BROKEN:
        phone.raw(text)
        desk.pass_time(1)
    assert {action[0] for action in session.game.actions[before:]} <= {"refused bid"}
    for _ in range(600):
        message = {name: chance.choice(VALUES) for name in FIELDS if chance.random() < 0.7}
        what = chance.choice([*desk.telephones.handlers, "seat", "language"])
        if what not in ("leave", "pass"):
            phone.say(what, **message)
        if chance.random() < 0.1:
            session.step()
    assert session.state.cash == cash and session.state.owner == owner
    assert desk.phone().welcome["role"] == "player"
    # Messages before a greeting, or from an unknown connection, are ignored.
    desk.telephones.opened(99, "player")
    free = session.state.auction.opener
    desk.telephones.heard(99, 0.0, json.dumps({"n": 1, "say": "seat", "player": free}))
    desk.telephones.heard(98, 0.0, json.dumps({"n": 1, "say": "hello"}))
    assert not desk.telephones.seats.is_taken(session.names[free])


def test_numbers_and_texts_of_a_message_have_an_end():
    """A browser can send numbers and strings of any size."""
    assert [requests.whole(value) for value in (10**9 - 1, 1 - 10**9)] == [10**9 - 1, 1 - 10**9]
    assert [requests.whole(value) for value in (10**9, -(10**9), 1.0, True)] == [None] * 4
    assert [requests.word(value) for value in ("a" * 64, "a" * 65, 5)] == ["a" * 64, "", ""]


@pytest.mark.slow
def test_a_whole_evening_can_be_played_by_telephones_alone():
    session, _ = make_session(("human", "human"), clock_ms=3 * 60000, frame_ms=40, seed=3)
    desk = Desk(session)
    phones = [desk.seated(player) for player in range(2)]
    for _ in range(60000):
        desk.pass_time(1)
        if session.state.phase == "over":
            break
        for phone in phones:
            play(phone)
    assert session.state.phase == "over"
    assert phones[0].view["winners"] == session.state.winners
    assert not legal_actions(session.state)


def play(phone):
    view = phone.view
    if view["phase"] == "bidding":
        if view["hand"]["bidding"]["can_pass"] and not view["hand"]["bidding"]["passed"]:
            phone.say("pass", sale=view["sale"]["number"])
        return
    if view["unit"] or not view["hand"]["options"]:
        return
    option = view["hand"]["options"][0]
    if option["calls"]:
        phone.say("call", calls=option["calls"])
    else:
        action = option["action"] or option["targets"][0]["action"]
        assert phone.say("do", action=action) == ""


def test_the_hour_that_goes_on_after_a_pause_is_told_at_once():
    session, _ = make_session(("human", "human"), minutes=30)
    session.hour.begin()
    run_until(session, lambda: (session.unit.clock_left() or 1e9) < 1_700_000)
    desk = Desk(session)
    phone = desk.seated(0)
    for _ in range(2):
        session.pause()
        desk.pass_time(400)
    assert not session.is_paused and session.unit.clock_left() < 1_700_000
    assert phone.view["left"] < 1_700_000


# Languages.


def test_each_telephone_is_told_in_its_own_language_and_the_table_keeps_its_own(desk):
    session, state = desk.session, desk.session.state
    french, english = desk.phone(language="fr-FR"), desk.phone(language="en")
    assert french.welcome["language"] == "fr" and english.welcome["language"] == "en"
    assert french.welcome["texts"]["All players"] != "All players"
    assert len(french.welcome["how"]) == len(english.welcome["how"])
    assert not {*french.welcome["how"]} & {*english.welcome["how"]}
    before = len(session.log)
    assert french.sit(0) == "" and french.sit(3) != english.sit(3)
    with catalogue.spoken("fr"):
        title = view(session.table()).title
    assert french.view["title"] == title != english.view["title"]
    assert catalogue.speaking() == "en"
    assert "telephone" in session.log[before]
    state.owned[0].append([deed.name for deed in state.board.deeds].index("Flax Mill"))
    desk.show()
    assert french.view["hand"]["deeds"][0]["group"] == "Moulins"  # from a built-in board
    assert english.sit(1) == ""
    why = english.say("propose", partner=0, gives=[], asks=[], pays=9999, cards=0)
    assert "money" in why and "assumption" not in why  # the reason without its source
    state.debts.append(Debt(0, 1, 75, "rent", -1))
    state.phase, state.decider = "debt", 0
    desk.show()
    assert "(loyer)" in french.view["detail"] and "rent" not in french.view["detail"]
    state.events += [("worth", 0, 500), ("won", 0)]
    state.phase, state.winners = "over", [0]
    desk.show()
    assert english.view["detail"] == f"{session.names[0]} wins."


def test_the_turn_of_a_bot_is_told_in_the_language_of_the_telephone():
    session, _ = make_session(("builder", "builder"))
    desk = Desk(session)
    french = desk.phone(language="fr")
    run_until(session, lambda: session.state.phase == "manage")
    desk.step()
    with catalogue.spoken("fr"):
        detail = view(session.table()).detail
    assert french.view["detail"] == detail != "\n".join(session.log[-2:])


def test_the_texts_and_the_sums_of_a_page_are_in_its_language():
    for package in (server.OWN_PAGE, OWN_PAGE):
        with catalogue.spoken("fr"):
            texts, money = server.page_words(package), server.money_words()
        assert texts["Who are you?"] != "Who are you?" and money["mark"] == ","
    with catalogue.spoken("de"):
        for notes in (75, 150):  # a sentence ends with a single full stop
            said = in_words(("worth", 0, notes), BOARD, ["Ann"])
            assert said.endswith(".") and not said.endswith("..")
        assert not server.money_words()["thousands"].endswith(".")  # as the page formats it
