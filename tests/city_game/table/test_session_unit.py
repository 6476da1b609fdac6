"""A unit that is not as a sale wants it: a light that is on already, a unit that is gone."""

import pytest

from city_game.game import Game
from city_game.table.session import Session
from city_game.table.view import decide
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import make_session, run_until


def stray_light(opener):
    """Return a session that waits for the light of a sale, while one is on from before it."""
    session, memory = put_up()
    session.state.phase = "roll"
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    session.state.phase = "hammer"
    if opener < 0:
        session.state.auction.opener = opener
    return session, memory


def test_a_bot_s_sale_stops_a_light_that_is_on_and_begins():
    session, memory = stray_light(-1)
    on = session.unit.now()
    run_until(session, lambda: session.state.phase == "bidding")
    assert session.state.auction.started - on < 15000
    assert memory.unit.state == "auction"


def test_a_bot_that_wants_to_build_waits_for_a_light_that_is_on():
    session, _ = make_session(("planner", "human"), seed=2)
    run_until(session, lambda: session.state.phase == "roll")
    state = session.state
    for deed in (0, 1, 2):
        state.transfer(deed, 0)
    state.turn = state.decider = 0
    state.phase, state.rolls = "manage", 1
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    assert decide(session.table()).title == "{name} waits for the light to go out".format(name="A")
    run_until(session, lambda: state.phase != "manage")
    assert state.phase == "permit" and not any("refuses" in line for line in session.log)


def test_a_person_is_told_of_a_light_that_is_on():
    session, _ = stray_light(0)
    decision = decide(session.table())
    assert decision.detail == "A light is still on from before the sale; it is put out first."
    assert [option.calls for option in decision.options] == ["auction"]
    stray = session.unit.ends
    session.call_auction()
    run_until(session, lambda: session.state.phase == "bidding")
    assert session.unit.now() < stray


def test_a_unit_that_vanishes_in_an_auction_is_believed_when_it_is_back():
    session, memory = put_up()
    _, ends = light(session)
    session.auctioneer.bid(1 - session.state.auction.opener, 700)
    memory.cut()
    run_until(session, lambda: session.unit.now() > ends + 5000)
    assert session.state.phase == "bidding"
    assert any(
        "The unit is gone in the middle; waiting for what it says when it is back"[1:] in line
        for line in session.log
    )
    memory.mend()
    run_until(session, lambda: session.state.phase not in ("bidding", "settling"))
    sold = next(event for event in session.state.events if event[0] == "sold")
    assert sold[3] == 700


def started_anew(session, memory):
    memory.cut()
    for _ in range(1000):
        session.step()
    memory.restart_unit()
    memory.mend()
    run_until(session, lambda: session.state.phase == "hammer")
    return session


def replaced(session, memory):
    memory.cut()
    for _ in range(100):
        session.step()
    session.use(make_session()[0].unit)
    return session


def left_and_gone_on_with(session, _memory):
    return Session(Game(session.game.setup, session.game.actions), make_session()[0].unit)


@pytest.mark.parametrize("happens", [started_anew, replaced, left_and_gone_on_with])
def test_an_auction_whose_unit_has_forgotten_it_is_held_again(happens):
    session, memory = put_up()
    light(session)
    session = happens(session, memory)
    assert session.state.phase == "hammer"
    started, _ = light(session)
    assert started <= session.unit.now()


def test_another_unit_beside_the_table_goes_on_with_the_hour():
    session, memory = make_session(("human", "human"), frame_ms=100)
    run_until(session, lambda: (session.unit.clock_left() or 3600000) < 3000000)
    memory.cut()
    for _ in range(100):
        session.step()
    other, _ = make_session()
    other.unit.is_mine = True
    session.use(other.unit)
    run_until(session, lambda: (session.unit.clock_left() or 3600000) < 3000000)
    assert session.unit.clock_left() > 2950000
    assert any("goes on with 49:" in line for line in session.log)


def test_a_clock_that_is_not_known_yet_stands_still(monkeypatch):
    session, _ = make_session()
    before = session.unit.now()

    def unknown():
        raise LookupError

    monkeypatch.setattr(session.unit.client, "now", unknown)
    assert session.unit.now() == before
