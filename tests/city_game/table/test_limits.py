"""A secret limit: the table bids for a player, no more than it must."""

import pytest

from city_game.table.auctioneer import Claim, Judge, Limit
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import run_until


@pytest.fixture
def sale():
    session, _ = put_up(("human", "human", "human"))
    light(session)
    run_until(session, lambda: session.unit.now() > session.state.auction.started + 200)
    opener = session.state.auction.opener
    others = [player for player in range(3) if player != opener]
    return session, opener, others


def settle(session, frames=20):
    for _ in range(frames):
        session.step()
    return [(bid.player, bid.amount) for bid in session.state.auction.bids]


def test_it_bids_a_step_above_the_others_and_not_more(sale):
    session, opener, (one, other) = sale
    session.auctioneer.limits.set(session.state, one, Limit(500, 10))
    assert settle(session)[-1] == (one, 11)  # the opening was 10k
    session.auctioneer.bid(other, 100)
    assert settle(session)[-1] == (one, 110)
    session.auctioneer.bid(other, 495)
    assert settle(session)[-1] == (one, 500)
    session.auctioneer.bid(other, 501)
    assert settle(session)[-1] == (other, 501)
    session.auctioneer.limits.set(session.state, one, Limit(800, 10))
    session.auctioneer.limits.set(session.state, one, Limit(0, 10))  # which takes it back
    assert settle(session)[-1] == (other, 501)
    assert session.auctioneer.limits.of(session.state, opener) == 0


def test_a_sale_that_is_held_again_keeps_it_and_another_sale_begins_without_any(sale):
    session, _, (one, _other) = sale
    limits, state = session.auctioneer.limits, session.state
    limits.set(state, one, Limit(500, 10))
    session.do(("cancelled",))
    assert limits.of(state, one) == 500
    for action in (("light on", 100_000), ("light out", 100_001), ("settle",)):
        session.do(action)
    assert limits.of(state, one) == 0
    assert limits.next(state) is None


def told(found):
    return lambda claim, why: found.append((claim.player, why))


def test_who_pressed_first_is_first_whoever_s_bid_came_first(sale):
    session, _, (one, other) = sale
    session.auctioneer.slowest = lambda: 200.0
    now, found = int(session.unit.now()), []
    session.auctioneer.claim(Claim(one, 100, now - 20, 5, told(found)))
    session.auctioneer.claim(Claim(other, 100, now - 60, 5, told(found)))
    assert found == [] and session.auctioneer.judge.waits_for(one) == 100
    run_until(session, lambda: not session.auctioneer.judge.waits)
    assert found == [(other, ""), (one, "bid-too-low")]
    assert session.state.auction.leader() == other
    assert [bid.player for bid in session.state.auction.refused] == [one]


def test_a_sale_does_not_end_while_a_bid_is_on_its_way(sale):
    session, opener, (one, other) = sale
    session.auctioneer.slowest = lambda: 300.0
    session.auctioneer.pass_on()
    found = []
    session.auctioneer.claim(Claim(one, 100, int(session.unit.now()), 5, told(found)))
    run_until(session, lambda: found)
    assert found == [(one, "")] and session.state.phase == "bidding"
    assert other not in (opener, one)


def test_a_bid_for_a_sale_that_is_stopped_is_given_back(sale):
    session, _, (one, _other) = sale
    session.auctioneer.slowest = lambda: 300.0
    found = []
    session.auctioneer.claim(Claim(one, 100, int(session.unit.now()), 5, told(found)))
    session.do(("cancelled",))
    session.step()
    assert found == [(one, "no-auction")]


def test_what_is_close_is_known():
    judge = Judge()
    judge.take(Claim(0, 1, 1000, 10, told([])))
    claim = judge.take_due(1000)
    assert claim.is_close_to(1014, 5) and not claim.is_close_to(1015, 5)
    assert judge.take_due(1000) is None
