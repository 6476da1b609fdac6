"""Messages of telephones are checked, and each gets its own news in its own language."""

import json
import random

import pytest

from city_game.kernel import legal_actions
from city_game.kernel.state import Debt
from city_game.phones import server
from city_game.report.words import in_words
from city_game.table.view import view
from city_game.tournament.door import OWN_PAGE
from city_unit.desktop import catalogue
from tests.city_game.phones.desk import Desk
from tests.city_game.phones.in_sale import in_sale, others
from tests.helpers.virtual_table import BOARD, make_session, run_until


def test_only_who_decides_decides(desk):
    session = desk.session
    decider = session.state.decider
    other = next(player for player in range(3) if player != decider)
    steps = len(session.game.actions)
    assert desk.seated(other).say("do", action=["roll"]) == f"{session.names[decider]} decides now."
    assert len(session.game.actions) == steps
    assert desk.seated(decider).say("do", action=["roll"]) == ""
    assert session.game.actions[-1] == ("roll",)


def test_what_is_done_once_is_not_done_twice(desk):
    decider = desk.session.state.decider
    phone = desk.seated(decider)
    phone.say("do", action=["roll"])
    run_until(desk.session, lambda: desk.session.state.phase in ("unsold", "manage", "planning"))
    steps = len(desk.session.game.actions)
    phone.raw({"n": phone.count, "say": "do", "action": ["roll"]})
    assert len(desk.session.game.actions) == steps
    assert phone.answers[phone.count] == ""


def test_a_step_meant_for_an_earlier_moment_is_not_done(desk):
    """As after a table was killed, which did the step and did not come to say so."""
    phone = desk.seated(desk.session.state.decider)
    step = phone.view["step"]
    assert phone.say("do", action=["roll"], step=step - 1) != ""
    assert phone.say("do", action=["roll"], step=step) == ""


def test_a_page_that_was_loaded_anew_counts_anew(desk):
    phone = desk.seated(desk.session.state.decider)
    phone.count = 40
    phone.say("do", action=["end turn"])
    again = desk.phone(token=phone.view["token"])
    assert again.say("do", action=["roll"]) == ""


CHANCE_S = [
    ["dice", 6, 6], ["start roll", 1, 1], ["card", 0], ["permit", "3"], ["press"],
    ["light on", 0], ["light out", 9], ["bid", 0, 100, 0, 0], ["pass", 1, 0], ["settle"],
    ["cancelled"], ["hour ended", 0], ["new hour", 0], ["timed out"], ["refused bid"],
    ["offer", 0, 1, [], [], 1, 0], ["nonsense"], [], None, "roll", [["roll"]], [{}], ["roll", {}],
    ["build", [], {}, None], ["roll"] * 100, {"roll": 1}, ["__class__"], ["roll", float("nan")],
]  # fmt: skip


def test_what_chance_and_the_unit_do_nobody_says(desk):
    phone = desk.seated(desk.session.state.decider)
    before = len(desk.session.game.actions)
    for action in CHANCE_S:
        assert phone.say("do", action=action) != "", action
    assert len(desk.session.game.actions) == before


HOSTILE = [
    b"\xff\xfe", "", "null", "[]", "1", '"bid"', "{", "{" * 3000, "[" * 4000, '{"n": 1}',
    '{"n": "1", "say": "bid"}', '{"n": 1, "say": ["bid"]}', '{"n": NaN, "say": "bid"}',
    '{"n": 1e999, "say": "do"}', '{"n": -5, "say": "leave"}', '{"n": true, "say": "leave"}',
    '{"n": 7, "say": "bid", "amount": NaN, "at": NaN, "sale": 0}',
    '{"n": 8, "say": "bid", "amount": 100, "at": Infinity, "sale": 0}',
    '{"n": 9, "say": "bid", "amount": -100, "at": 1e14, "sale": 0}',
    '{"n": 10, "say": "bid", "amount": 1e9, "at": "now", "sale": 0}',
    '{"n": 11, "say": "limit", "amount": -1, "step": 0, "sale": 0}',
    '{"n": 12, "say": "limit", "amount": 99999999999999, "step": 5, "sale": 0}',
    '{"n": 13, "say": "propose", "partner": -1, "gives": [0], "asks": [-1], "pays": 0, "cards": 0}',
    '{"n": 14, "say": "propose", "partner": 1, "gives": "all", "asks": {}, "pays": 1, "cards": 0}',
    '{"n": 15, "say": "propose", "partner": 1, "gives": [[0]], "asks": [], "pays": 1, "cards": 0}',
    '{"n": 16, "say": "reply", "number": 1, "agree": true}',
    '{"n": 17, "say": "reply", "number": null, "agree": true}',
    '{"n": 18, "say": "call", "calls": "__init__"}', '{"n": 19, "say": "call", "calls": "hour"}',
    '{"n": 20, "say": "language", "language": "../../etc/passwd"}',
    '{"n": 21, "say": "_do"}', '{"n": 22, "say": "hello", "token": 5, "page": {}}',
]  # fmt: skip


def test_whatever_is_said_changes_nothing_and_breaks_nothing():
    desk, _ = in_sale()
    player = others(desk.session)[0]
    phone = desk.seated(player)
    before = len(desk.session.game.actions)
    for text in HOSTILE:
        phone.raw(text)
        desk.pass_time(1)
    assert len(desk.session.game.actions) == before or all(
        action[0] == "refused bid" for action in desk.session.game.actions[before:]
    )
    assert desk.phone().hello().welcome["table"] == "The kitchen table"


@pytest.mark.parametrize("seed", [1, 2])
def test_junk_made_of_true_messages_moves_no_money(seed):
    """Random messages with the words of true ones, from a player without a decision."""
    chance = random.Random(seed)
    desk, _ = in_sale()
    session = desk.session
    phone = desk.seated(others(session)[0])
    cash, owner = list(session.state.cash), list(session.state.owner)
    values = [None, True, 0, -1, 1, 3, 10**8, 10**30, 0.5, "x", "roll", [], [0], {}, ["roll"],
              "a" * 99]  # fmt: skip
    names = ["amount", "at", "sale", "step", "partner", "gives", "asks", "pays", "cards", "action",
             "calls", "player", "over", "number", "agree", "language"]  # fmt: skip
    for _ in range(600):
        message = {name: chance.choice(values) for name in names if chance.random() < 0.7}
        what = chance.choice([*desk.talk.does, "seat", "language"])
        if what not in ("leave", "pass"):
            phone.say(what, **message)
        if chance.random() < 0.1:
            session.step()
    assert session.state.cash == cash and session.state.owner == owner


def test_before_it_says_hello_a_telephone_is_nobody(desk):
    desk.talk.opened(99, "player")
    desk.talk.heard(99, 0.0, json.dumps({"n": 1, "say": "seat", "player": 0}))
    assert not desk.talk.seats.is_taken("A")
    desk.talk.heard(98, 0.0, json.dumps({"n": 1, "say": "hello"}))  # of a line that is not there


def test_each_telephone_is_told_in_its_own_language_and_the_table_keeps_its_own(desk):
    french, english = desk.phone(language="fr-FR"), desk.phone(language="en")
    assert french.welcome["language"] == "fr" and english.welcome["language"] == "en"
    assert french.welcome["texts"]["All players"] != "All players"
    assert len(french.welcome["how"]) == len(english.welcome["how"])
    assert not {*french.welcome["how"]} & {*english.welcome["how"]}
    before = len(desk.session.log)
    assert french.sit(0) == "" and french.sit(3) != english.sit(3)
    with catalogue.spoken("fr"):
        title = view(desk.session.table()).title
    assert french.view["title"] == title != english.view["title"]
    assert catalogue.speaking() == "en"
    assert "telephone" in desk.session.log[before]


def test_the_groups_of_our_own_boards_are_named_in_the_language_of_the_telephone(desk):
    state = desk.session.state
    names = [deed.name for deed in state.board.deeds]
    state.owned[1].append(names.index("Flax Mill"))
    named = {}
    for language in ("fr", "en"):
        phone = desk.phone(language=language)
        assert phone.sit(1, over=True) == ""
        named[language] = phone.view["hand"]["deeds"][0]["group"]
    assert named == {"fr": "Moulins", "en": "Mills"}


@pytest.mark.slow
def test_a_whole_evening_can_be_played_by_telephones_alone():
    session, _ = make_session(("human", "human"), clock_ms=3 * 60000, frame_ms=40, seed=3)
    desk = Desk(session)
    phones = [desk.seated(player) for player in range(2)]
    for _ in range(60000):
        session.step()
        desk.step()
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


@pytest.mark.parametrize("package", [server.OWN_PAGE, OWN_PAGE])
def test_the_page_s_texts_come_with_it_in_the_telephone_s_language(package):
    with catalogue.spoken("fr"):
        texts, money = server.page_words(package), server.money_words()
    assert texts["Who are you?"] != "Who are you?" and money["mark"] == ","


def test_the_hour_that_goes_on_after_a_pause_is_told_at_once():
    session, _ = make_session(("human", "human"), minutes=30)
    session.hour.begin()
    run_until(session, lambda: (session.unit.clock_left() or 1e9) < 1_700_000)
    desk = Desk(session)
    phone = desk.seated(0)
    for _ in range(2):
        session.pause()
        for _ in range(400):
            desk.pass_time(1)
    assert not session.is_paused and session.unit.clock_left() < 1_700_000
    assert phone.view["left"] < 1_700_000


def test_the_turn_of_a_bot_is_told_in_the_language_of_the_telephone():
    session, _ = make_session(("builder", "builder"))
    desk = Desk(session)
    french = desk.phone(language="fr")
    run_until(session, lambda: session.state.phase == "manage")
    desk.step()
    with catalogue.spoken("fr"):
        detail = view(session.table()).detail
    assert french.view["detail"] == detail != "\n".join(session.log[-2:])


def test_who_asks_for_a_pause_in_a_sale_is_told_why_not():
    desk, _ = in_sale()
    french = desk.seated(others(desk.session)[0], language="fr")
    before = desk.session.message
    with catalogue.spoken("fr"):
        words = desk.session.pause_refused()
    assert french.say("pause") == words != ""
    assert desk.session.message == before and not desk.session.is_paused


def test_a_refusal_gives_the_reason_without_its_source(desk):
    phone = desk.seated(0)
    why = phone.say("propose", partner=1, gives=[], asks=[], pays=9999, cards=0)
    assert "money" in why and "assumption" not in why


def test_at_the_end_a_telephone_says_who_has_won(desk):
    phone = desk.seated(0)
    state = desk.session.state
    state.events += [("worth", 0, 500), ("won", 0)]
    state.phase, state.winners = "over", [0]
    desk.phone(role="spectator")  # at whose coming all are shown what there is
    assert phone.view["detail"] == f"{desk.session.names[0]} wins."


def test_what_a_debt_is_for_is_said_in_the_language_of_the_telephone(desk):
    state = desk.session.state
    french = desk.seated(1, language="fr")
    state.debts.append(Debt(1, 0, 75, "rent", -1))
    state.phase, state.decider = "debt", 1
    desk.phone(role="spectator")  # at whose coming all are shown what there is
    assert "(loyer)" in french.view["detail"] and "rent" not in french.view["detail"]


@pytest.mark.parametrize("notes", [75, 150])
def test_a_sum_at_the_end_of_a_german_sentence_has_one_full_stop(notes):
    with catalogue.spoken("de"):
        said = in_words(("worth", 0, notes), BOARD, ["Ann"])
        assert said.endswith(".") and not said.endswith("..")
        assert not server.money_words()["thousands"].endswith(".")  # as the page writes it
