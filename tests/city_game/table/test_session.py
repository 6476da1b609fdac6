"""The session: permits, undo, stray lights, and a unit that disconnects."""

from itertools import count
from random import Random

import pygame
import pytest

from city_game import bots, editions
from city_game.game import HUMAN, Game, Setup
from city_game.kernel import legal_actions
from city_game.table.session import Session
from city_game.table.view import decide
from city_unit import host
from city_unit.facts import LAMPS, PERMIT_LAMPS
from tests.city_game.phones.desk import Desk
from tests.city_game.play import random_steps
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import (
    VirtualUnit,
    at_the_dice,
    make_screen,
    make_session,
    managing,
    pass_frames,
    press,
    run_until,
)
from tests.helpers.walks import boards


def test_the_stop_of_a_stray_light_is_reported():
    session = at_the_dice()
    memory = session.unit.memory
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    steps = len(session.game.actions)
    session.press("auction")
    run_until(session, lambda: memory.unit.state == "ready")
    session.unit.lift()
    run_until(session, lambda: not session.unit.light_is_on)
    assert session.log[-1] == session.message == "The light was stopped"
    assert len(session.game.actions) == steps


def test_a_snapshot_from_before_the_press_does_not_hide_the_light():
    session = at_the_dice()
    unit = session.unit
    unit.frame_ms = 100
    unit.ask("tap auction"), unit.ask("state")
    unit.poll()
    assert unit.state == "auction"


def test_the_table_does_not_press_auction_for_a_person_and_build_is_refused_then():
    session, memory = put_up()
    session.tap("build")
    assert "after the move" in session.message
    pass_frames(session, 1000)
    assert session.state.phase == "hammer" and memory.unit.state == "ready"
    assert memory.unit.events.count == 1  # only "switched on"


def test_a_permit_drawn_at_the_wrong_time_does_not_count():
    session, memory = make_session()
    run_until(session, lambda: session.state.phase in ("roll", "unsold"))
    memory.client.send("tap build")
    pass_frames(session, 3000)
    assert any("does not count" in line for line in session.log)
    assert not any(event[0] == "granted" for event in session.state.events)


def test_build_grants_the_unit_s_permit_and_an_own_step_is_undone():
    session, memory = put_up()
    light(session)
    session.auctioneer.bid(session.state.turn, 2)
    session.auctioneer.pass_on()
    run_until(session, lambda: session.state.phase == "manage")
    assert session.build_refused() == "" and not session.undo()
    session.tap("build")
    run_until(session, lambda: session.state.phase == "permit")
    assert session.pause_refused()
    run_until(session, lambda: session.state.phase in ("build", "station"))
    granted = next(event for event in session.state.events if event[0] == "granted")
    lamp = 1 << LAMPS.index(f"permit-{granted[2]}")
    assert memory.unit.lamps & PERMIT_LAMPS == lamp
    before = list(session.state.cash)
    session.do(next(legal for legal in legal_actions(session.state) if legal[0] != "done"))
    assert session.can_undo() and session.undo()
    assert session.state.cash == before
    assert session.log[-1].endswith("undoes the last step.")


# edition: seed of a random game that soon has a debtor who is not on turn
DEBTORS = {
    "city": 1448,
    "anti-monopoly": 1505,
    "championship": 1648,
    "classic": 41,
    "france98": 268,
}


def with_a_debtor(name):
    """Return a session in which a player owes money on another's turn, and can mortgage a deed."""
    _rich, poor = boards(name)
    for seed in count(DEBTORS.get(name, 1)):
        setup = Setup(poor, ("A", "B", "C"), (HUMAN,) * 3, poor.edition.rules(), seed)
        game = Game(setup)
        for state in random_steps(game, Random(seed), 100):
            can_mortgage = any(action[0] == "mortgage" for action in legal_actions(state))
            if state.phase == "debt" and state.decider != state.turn and can_mortgage:
                return Session(game, VirtualUnit(host.Memory(program=poor.edition.program)))
    raise AssertionError


@pytest.mark.parametrize("edition", editions.names())
def test_a_debtor_undoes_a_mortgage_on_the_turn_of_a_bot(edition):
    session = with_a_debtor(edition)
    state, before = session.state, list(session.state.cash)
    debtor = state.decider
    session.bots[state.turn] = bots.make(state.edition, "builder", state.turn, 1)
    action = next(action for action in legal_actions(state) if action[0] == "mortgage")
    desk = Desk(session)
    phone = desk.phone()
    assert phone.sit(debtor) == ""
    assert session.do(action)
    desk.step()
    assert "undo" in [option["calls"] for option in phone.view["hand"]["options"]]
    assert phone.say("call", calls="undo") == ""
    assert session.state.cash == before and session.log[-1].startswith("ABC"[debtor])
    assert session.do(action)
    screen = make_screen(session)
    press(screen, pygame.K_u, "u")
    assert session.state.cash == before


def test_nobody_undoes_a_step_of_a_bot():
    session = with_a_debtor("classic")
    state = session.state
    session.bots[state.decider] = bots.make(state.edition, "builder", state.decider, 1)
    assert session.do(next(legal for legal in legal_actions(state) if legal[0] == "mortgage"))
    assert not session.can_undo() and not session.undo()


def test_build_is_offered_without_a_deed_because_it_may_grant_a_station():
    session = managing()
    state = session.state
    assert not state.owned[0] and session.build_refused() == ""
    assert any(option.calls == "build" for option in decide(session.table()).options)
    session.tap("build")
    run_until(session, lambda: state.phase in ("build", "station"))
    assert session.do(("done",)) and state.phase == "manage"


# Stray lights.


@pytest.mark.parametrize("is_bot_s", [True, False])
def test_a_light_from_before_a_sale_is_stopped_and_the_sale_starts(is_bot_s):
    session, memory = put_up()
    state = session.state
    state.phase = "roll"
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    state.phase = "hammer"
    if is_bot_s:
        state.auction.opener = -1
    else:
        decision = decide(session.table())
        assert "A light from before the sale is still on" in decision.detail
        assert [option.calls for option in decision.options] == ["auction"]
        session.call_auction()
    on = session.unit.now()
    run_until(session, lambda: state.phase == "bidding")
    assert state.auction.started - on < 15000
    assert memory.unit.state == "auction"


def test_a_bot_waits_for_a_stray_light_before_it_builds():
    session = managing(("planner", "human"), ((0, 1, 2),), seed=2)
    state = session.state
    state.rolls = 1
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    assert decide(session.table()).title == "A waits for the light to go out"
    run_until(session, lambda: state.phase != "manage")
    assert state.phase == "permit" and not any("refuses" in line for line in session.log)


# A unit that disconnects.


def test_the_result_of_an_auction_is_accepted_from_a_unit_that_returns():
    session, memory = put_up()
    _, ends = light(session)
    session.auctioneer.bid(1 - session.state.auction.opener, 700)
    memory.cut()
    run_until(session, lambda: session.unit.now() > ends + 5000)
    assert session.state.phase == "bidding"
    assert any("The unit disconnected in the middle" in line for line in session.log)
    memory.mend()
    run_until(session, lambda: session.state.phase not in ("bidding", "settling"))
    sold = next(event for event in session.state.events if event[0] == "sold")
    assert sold[3] == 700


def restarted(session, memory):
    memory.cut()
    pass_frames(session, 1000)
    memory.restart_unit()
    memory.mend()
    run_until(session, lambda: session.state.phase == "hammer")
    return session


def replaced(session, memory):
    memory.cut()
    pass_frames(session, 100)
    session.replace_unit(make_session()[0].unit)
    assert not any("continues with" in line for line in session.log)  # a real one keeps its hour
    return session


def reopened(session, _memory):
    return Session(Game(session.game.setup, session.game.actions), make_session()[0].unit)


@pytest.mark.parametrize("happens", [restarted, replaced, reopened])
def test_an_auction_that_the_unit_lost_is_repeated(happens):
    session, memory = put_up()
    light(session)
    session = happens(session, memory)
    assert session.state.phase == "hammer"
    started, _ = light(session)
    assert started <= session.unit.now()


def test_lamps_and_tone_follow_each_edge(monkeypatch):
    unit, seen = make_session()[0].unit, []
    unit.poll()
    lamps = (("auction", 1), ("permit-2", 1), ("auction", 0), ("laser", 1))
    for what, value in (("tone", 2700), *lamps):
        edges = [host.Edge(number=1, what=what, value=value, due_ms=0, done_us=0)]
        monkeypatch.setattr(unit, "receive", lambda edges=edges: edges)
        unit.poll()
        seen.append((unit.lamps & (PERMIT_LAMPS | 1), unit.tone))
    assert seen == [(0, 2700), (1, 2700), (5, 2700), (4, 2700), (4, 2700)]
