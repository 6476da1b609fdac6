"""A table of the championship: the calls of the unit's clock, the end, and the score sheet."""

import json
import random

import pytest

from city_game import editions, headless
from city_game.export import export
from city_game.game import Game, Setup
from city_game.kernel.board import load
from city_game.kernel.edition import fresh
from city_game.kernel.flow import standing
from city_game.table.inputs import Choice
from city_game.table.session import Session
from city_game.table.view import decide, target_detail
from city_unit import host
from tests.city_game.play import random_steps
from tests.helpers.virtual_table import VirtualUnit, draw, make_screen, run_until
from tests.helpers.walks import tell_all

EDITION = editions.get("championship")
BOARD = load(EDITION)
NAMES = ("Ann & Bob", "Cleo & Dan", "Eve & Finn")
MINUTE = 60000


def table(seats=("human",) * 3, minutes=0):
    setup = Setup(BOARD, NAMES, seats, EDITION.rules(), 1, minutes=minutes)
    return Session(Game(setup), VirtualUnit(host.Memory(program=EDITION.program), 200), pace=0)


def told(session, kind):
    return [event for event in session.state.events if event[0] == kind]


def to_the_deals(session):
    """Start the session, take all dealt deeds, and make no deals."""
    session.begin()
    run_until(session, lambda: session.state.phase == "dealt")
    while session.state.phase == "dealt":
        session.do(decide(session.table()).options[0].targets.popitem()[1])
    while session.state.phase == "deals":
        session.do(("ready",))


def test_play_and_the_last_round_are_called_in_time():
    state = headless.play(BOARD, ("planner", "builder", "visitor"), 3).state
    called = {event[0]: event[1] for event in state.events if event[0] in EDITION.words.fields}
    assert 5 * MINUTE <= called["play called"] < 6 * MINUTE
    assert 45 * MINUTE <= called["last round"] < 46 * MINUTE
    assert not state.hour_over and state.round == state.final_round and state.winners


def test_a_table_waits_for_the_call_of_play():
    session = table()
    to_the_deals(session)
    assert session.state.phase == "waiting" and not decide(session.table()).options
    run_until(session, lambda: session.state.phase == "roll")
    assert 44 * MINUTE < session.unit.clock_left() <= 45 * MINUTE
    run_until(session, lambda: told(session, "last round"))
    assert 4 * MINUTE < session.unit.clock_left() <= 5 * MINUTE


def test_a_clock_that_starts_within_play_calls_it_at_once():
    session = table(minutes=20)
    to_the_deals(session)
    run_until(session, lambda: session.state.phase == "roll", 20)


def test_the_clock_of_the_previous_game_calls_nothing():
    before = table()
    before.begin()
    run_until(before, lambda: before.state.phase == "dealt" and told(before, "play called"))
    session = Session(Game(before.game.setup), before.unit, pace=0)
    to_the_deals(session)
    session.hour.step()
    for _ in range(20):
        session.step()
    assert session.state.phase == "waiting" and not told(session, "play called")


def test_the_score_sheet_lists_the_standing(tmp_path):
    game = Game(Setup(BOARD, NAMES, ("planner",) * 3, EDITION.rules(), 1))
    list(random_steps(game, random.Random(5), 300))
    ranked = standing(game.state)
    assert game.state.phase == "over" and ranked[0].place == 1
    assert ranked[0].players[0] in game.state.winners
    assert [one.worth for one in ranked] == sorted((one.worth for one in ranked), reverse=True)
    sheet = export(game, tmp_path, "table-1")[1].read_text("utf-8").splitlines()
    assert sheet[0] == "place,name,cash,deeds,mortgaged deeds,houses and hotels,worth,signature"
    assert sheet[1].startswith(f"1,{NAMES[ranked[0].players[0]]},") and len(sheet) == 4


def test_numbers_of_seats_and_partners_who_win_together():
    """CH 7."""
    for apart, allowed in ((False, (2, 3)), (True, (4, 6))):
        rules = EDITION.rules(partners_play_apart=apart)
        refused = {seats for seats in range(2, 7) if EDITION.seats_refusal(seats, rules)}
        assert refused == {*range(2, 7)} - {*allowed}
    with pytest.raises(ValueError, match="four or six"):
        fresh(BOARD, 5, EDITION.rules(partners_play_apart=True))
    seats = ("planner", "visitor", "visitor", "visitor")
    state = headless.play(BOARD, seats, 2, EDITION.rules(partners_play_apart=True)).state
    assert state.winners in ([0, 2], [1, 3])
    assert standing(state)[0].players == tuple(state.winners)


def test_the_cost_of_hotels_is_announced():
    """CH 107. The one on the street that is short of a house also costs that house."""
    state = fresh(BOARD, 2, EDITION.rules())
    group = [BOARD.keys[name] for name in ("fern-walk", "cedar-walk", "magnolia-crescent")]
    for deed, houses in zip(group, (3, 4, 4), strict=True):
        state.transfer(deed, 0)
        state.houses[deed] = houses
    assert target_detail(state, ("build hotels", group[1])) == "costs 4M"


def test_a_jail_card_is_auctioned_at_the_table():
    """CH 174."""
    session = table()
    to_the_deals(session)
    run_until(session, lambda: session.state.phase == "roll")
    player = session.state.turn
    session.state.jail_cards[player].append(session.state.unseen.pop())
    (option,) = [each for each in decide(session.table()).options if "card" in each.label]
    state = session.state
    state.cash[player] = 30  # the buyer pays, not the seller
    (told,) = [each for each in tell_all(session)[2 + player]["options"] if each["amount"]]
    assert told["most"] == max(state.cash) > 30 and not told["binds"]
    choice = Choice()
    choice.begin(option)
    choice.add_to_opening(session.state, 30)
    assert choice.buttons(session.state, [])[0].label == "Open with 310k"
    session.do(choice.action())
    assert session.state.auction.thing == "jail card" and session.state.auction.opening == 31
    draw(make_screen(session))
    json.dumps(tell_all(session))
