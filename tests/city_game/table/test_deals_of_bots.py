"""A bot's offer at the table: a person is asked, and the game waits for the answer."""

from tests.helpers.virtual_table import BOARD, make_session, run_until


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


def test_a_person_is_asked_and_may_decline():
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


def test_what_is_accepted_changes_hands():
    session = at_the_bots_turn()
    state = session.state
    cash, pays = state.cash[0], state.deal.pays
    run_until(session, lambda: state.deal.started is not None, 2000)
    assert session.do(("accept",))
    assert state.owner[BOARD.keys["saltmarket"]] == 1
    assert state.cash[0] == cash + pays
