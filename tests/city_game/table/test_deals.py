"""Deals at the table: those timed by the light, and the offers of bots."""

import pytest

from tests.helpers.virtual_table import BOARD, make_session, run_until


def offered(before=lambda session: None):
    """Return a session in which a person has just offered another a deal."""
    session, _ = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    before(session)
    proposer = session.state.turn
    session.do(("offer", proposer, 1 - proposer, (), (), 100, 0))
    return session


def under_the_light():
    session = offered()
    run_until(session, lambda: session.state.deal.started is not None)
    return session


def test_the_light_without_a_sale_times_a_deal():
    session = offered()
    assert session.state.phase == "deal"
    assert not session.do(("accept",))  # a deal is offered by pressing AUCTION
    run_until(session, lambda: session.unit.light_is_on)
    run_until(session, lambda: session.state.phase == "roll")
    assert any("before" in line and "no deal" in line for line in session.log)


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_an_answer_puts_the_light_of_a_deal_out(answer):
    session = under_the_light()
    assert session.do((answer,))
    run_until(session, lambda: not session.unit.light_is_on)
    for _ in range(100):
        session.step()
    assert not any("stopped" in line for line in session.log)


def test_a_deal_whose_light_was_stopped_is_put_under_the_light_again():
    session = under_the_light()
    started = session.state.deal.started
    session.unit.memory.client.send("stop")
    run_until(session, lambda: session.state.deal.started not in (None, started))
    assert session.do(("accept",))


def test_a_deal_waits_quietly_for_a_unit_that_is_gone(monkeypatch):
    session = offered(lambda one: monkeypatch.setattr(type(one.unit), "online", False))
    said = len(session.log)
    for _ in range(2000):
        session.step()
    assert len(session.log) == said and session.state.deal.started is None
    monkeypatch.undo()
    run_until(session, lambda: session.state.deal.started is not None)


def test_a_light_that_is_on_already_times_the_deal():
    """As at a table: first AUCTION is pressed, then the deal is proposed."""

    def press(session):
        session.tap("auction")
        run_until(session, lambda: session.unit.light_is_on)

    session = offered(press)
    session.step()
    assert session.state.deal.started is not None
    assert session.do(("accept",))


def at_the_bots_turn():
    """Return a session in which a planner has the dice, and lacks one deed of a person's."""
    session, _ = make_session(("human", "planner", "planner"))
    run_until(session, lambda: session.state.phase == "roll")
    state = session.state
    for key, owner in (("bell-court", 1), ("lantern-hill", 1), ("saltmarket", 0)):
        state.transfer(BOARD.keys[key], owner)
    state.phase, state.turn, state.decider = "manage", 1, 1
    run_until(session, lambda: state.phase == "deal", 2000)
    return session


def test_a_person_that_a_bot_asks_may_decline():
    session = at_the_bots_turn()
    deal = session.state.deal
    assert (deal.proposer, deal.partner, session.state.decider) == (1, 0, 0)
    assert deal.asks == (BOARD.keys["saltmarket"],) and deal.pays > 0
    for _ in range(500):
        session.step()
    assert session.state.deal is deal  # the game waits
    assert session.do(("decline",))
    run_until(session, lambda: session.state.turn != 1)
    offers = [event for event in session.state.events if event[0] == "offered"]
    assert len(offers) == 1


def test_what_a_bot_offered_and_a_person_accepted_changes_hands():
    session = at_the_bots_turn()
    state = session.state
    cash, pays = state.cash[0], state.deal.pays
    run_until(session, lambda: state.deal.started is not None, 2000)
    assert session.do(("accept",))
    assert state.owner[BOARD.keys["saltmarket"]] == 1
    assert state.cash[0] == cash + pays
