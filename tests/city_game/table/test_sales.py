"""Sales: bids judged by the unit's clock, passing, secret maximums, and a table killed in one."""

import pytest

from city_game import save
from city_game.editions.city import EDITION
from city_game.export import export, log_in_words
from city_game.game import Game
from city_game.kernel.money import show
from city_game.table.auctioneer import Claim, Limit
from city_game.table.session import Session
from city_game.table.view import decide
from city_game.words import CLOSE_MS, REASONS
from city_unit import host
from city_unit.host import Event
from tests.helpers.sales import AUCTION_MS, light, put_up
from tests.helpers.virtual_table import VirtualUnit, make_screen, pass_frames, run_until


@pytest.mark.parametrize("before_end", [30, 1, 0, -12, -700])
def test_a_bid_is_judged_by_the_unit_s_clock(before_end):
    """A bid at the very end of the light is late; late bids are recorded too."""
    session, _ = put_up()
    _, ends = light(session)
    other = 1 - session.state.auction.opener
    run_until(session, lambda: session.unit.now() >= ends - 200)
    session.unit.frame_ms = 1
    run_until(session, lambda: session.unit.now() >= ends - before_end)
    assert session.auctioneer.bid(other, 500) is (before_end > 0)
    run_until(session, lambda: session.state.auction is None)
    sold = next(event for event in session.state.events if event[0] == "sold")
    rows = [line.split() for line in log_in_words(session.game).splitlines()]
    (row,) = (row for row in rows if row[:2] == ["B", "5M"])
    assert row[4:6] == [f"{before_end / 1000:.3f}", "0.000"]
    if before_end > 0:
        assert sold[1:2] + sold[3:] == (other, 500, before_end, 0)
        assert any("before the light went out" in line for line in session.log)
        return
    assert sold[1] != other and " ".join(row[6:]) == str(REASONS["too-late"])
    when = f"{-before_end / 1000:.3f} s " if -before_end <= CLOSE_MS else ""
    late = f"B's bid of 5M came {when}after the light went out"
    assert sum(line.startswith(late) for line in session.log) == 1
    assert session.message.startswith(late)
    again = Session(Game(session.game.setup, session.game.actions), session.unit)
    assert any(line.startswith(late) for line in again.log)


def test_a_bid_before_the_light_or_beyond_the_player_s_money_is_refused():
    session, _ = put_up()
    assert not session.auctioneer.bid(0, 500)
    assert session.message.startswith("That is not possible: the light was not on")
    light(session)
    other = 1 - session.state.auction.opener
    bids = list(session.state.auction.bids)
    assert not session.auctioneer.bid(other, session.state.cash[other] + 1)
    assert session.state.auction.bids == bids
    assert session.game.actions[-1][0] == "refused bid"
    assert "not enough money" in session.log[-1]


def test_a_sale_whose_light_ends_before_it_started_is_repeated(monkeypatch):
    """A unit whose clock goes backwards does not block the game."""
    session, _ = put_up()
    started, _ = light(session)
    ended = Event(99, started - 1, "auction-ended")
    monkeypatch.setattr(session.unit, "poll", lambda: [ended])
    session.step()
    assert session.state.phase == "hammer"
    assert session.state.sales[-1].ended is None and session.state.auction.started is None


# The end of a sale by passing.


def test_once_all_people_have_passed_the_sale_ends_and_the_light_goes_out():
    session, memory = put_up()
    started, ends = light(session)
    leader = session.state.auction.leader()
    assert decide(session.table()).options
    session.auctioneer.pass_on()
    assert session.state.auction.passed == [1 - leader]
    assert not decide(session.table()).options
    run_until(session, lambda: session.state.auction is None)
    sale = session.state.sales[-1]
    assert started < sale.ended < started + 5000 < ends
    assert session.state.owner[sale.deed] == leader
    assert memory.unit.state == "ready" and not session.unit.light_is_on


def test_bots_decide_at_once_when_the_people_have_passed_but_not_before():
    session, _ = put_up(("human", "planner", "planner"))
    started, _ = light(session)
    auction = session.state.auction
    run_until(session, lambda: session.unit.now() > started + 10000)
    assert session.state.auction is auction and not {1, 2} <= set(auction.passed)
    passed_at = session.unit.now()
    session.auctioneer.pass_on()
    run_until(session, lambda: session.state.auction is None)
    assert session.state.sales[-1].ended - passed_at < 15000


def test_without_the_rule_of_passing_the_light_burns_to_its_end():
    session, _ = put_up()
    session.state.rules = EDITION.rules(passes_end_auctions=False)
    session.unit.frame_ms = 100
    _, ends = light(session)
    assert not decide(session.table()).options
    session.auctioneer.pass_on()
    run_until(session, lambda: session.state.auction is None)
    assert session.state.sales[-1].ended == ends


# Three players: the opener, whose opening of 10k was the first bid, and two others.


@pytest.fixture
def sale():
    session, _ = put_up(("human", "human", "human"))
    light(session)
    run_until(session, lambda: session.unit.now() > session.state.auction.started + 200)
    one, other = (player for player in range(3) if player != session.state.auction.opener)
    return session, one, other


def test_the_table_bids_for_a_maximum_which_survives_a_restart_of_the_sale(sale):
    session, one, other = sale
    limits, state = session.auctioneer.limits, session.state

    def latest():
        pass_frames(session, 20)
        return state.auction.bids[-1][:2]

    limits.set(state, one, Limit(500, 10))
    assert latest() == (one, 11)
    for bid, answer in ((100, (one, 110)), (495, (one, 500)), (501, (other, 501))):
        session.auctioneer.bid(other, bid)
        assert latest() == answer
    limits.set(state, one, Limit(800, 10))
    limits.set(state, one, Limit(0, 10))  # removes it
    assert latest() == (other, 501) and limits.of(state, state.auction.opener) == 0
    limits.set(state, one, Limit(900, 10))
    session.do(("cancelled",))
    assert limits.of(state, one) == 900
    for action in (("light on", 100_000), ("light out", 100_001), ("settle",)):
        session.do(action)
    assert (
        limits.of(state, one) == 0 and limits.next(state) is None
    )  # the next sale starts without one


def test_delayed_bids_are_judged_in_the_order_of_presses_and_delay_the_end(sale):
    session, one, other = sale
    now, found = int(session.unit.now()), []

    def claim(player, at):
        made = Claim(player, 100, at, 5, lambda claim, why: found.append((claim.player, why)))
        session.auctioneer.claim(made)
        return made

    session.auctioneer.slowest = lambda: 200.0
    second, first = claim(one, now - 20), claim(other, now - 60)
    assert found == [] and session.auctioneer.judge.waits_for(one) == 100
    assert not first.is_close_to(second.at, 5) and first.is_close_to(first.at + 9, 5)
    session.auctioneer.pass_on()  # everybody has passed, but these bids still count
    run_until(session, lambda: not session.auctioneer.judge.waits)
    assert found == [(other, ""), (one, "bid-too-low")]
    assert session.state.phase == "bidding" and session.state.auction.leader() == other
    assert [bid.player for bid in session.state.auction.refused] == [one]
    found.clear()
    claim(one, int(session.unit.now()))
    session.do(("cancelled",))  # the claim is then refused
    session.step()
    assert found == [(one, "no-auction")]


# A table that is killed in a sale.

MOST = 739  # notes


def run_ms(session, ms):
    until = session.unit.now() + ms
    run_until(session, lambda: session.unit.now() >= until)


def killed_in_a_sale(path):
    """Return a sale killed after 30 s, the player with a maximum, and one who passed."""
    session, _ = put_up(("human",) * 3)
    session.save = save.create(path, session.game)
    session.auctioneer.limits.save_limit = session.save.note_limit
    light(session)
    auction, limits, state = session.state.auction, session.auctioneer.limits, session.state
    one, other = (player for player in range(3) if player != auction.opener)
    run_ms(session, 10_000)
    session.do(("pass", other, int(session.unit.now())))
    limits.set(state, one, Limit(MOST, 10))
    run_ms(session, 2_000)
    limits.set(state, one, Limit(700, 10))
    limits.set(state, auction.opener, Limit(900, 10))
    limits.set(state, auction.opener, Limit(0, 10))  # removes it
    run_ms(session, 18_000)
    left = path.read_bytes()  # by a kill
    session.save.close()
    path.write_bytes(left)
    return auction, one, other


def resumed(path, **rules):
    made, repaired = save.load(path)
    assert repaired == ""
    vars(made.game.state.rules).update(rules)
    return Session(made.game, VirtualUnit(host.Memory(seed=9)), save=made)


def test_the_sale_resumes_with_its_bids_passes_maximums_and_time_left(tmp_path):
    path = tmp_path / "a.city"
    before, one, other = killed_in_a_sale(path)
    bids = [(bid.player, bid.amount) for bid in before.bids]
    assert bids[-1][0] == one
    lines = path.read_text(encoding="utf-8").splitlines()  # the maximums are unreadable there
    secrets = [line.split()[1] for line in lines if line.startswith("secret ")]
    assert len({len(digits) for digits in secrets}) == 1 and len(set(secrets)) == 4
    for form in (form for most in (MOST, 700) for form in (str(most), f"{most:x}", show(most))):
        assert not any(form in digits for digits in secrets)
    session = resumed(path)
    state = session.state
    assert state.phase == "hammer"
    assert state.auction.elapsed == pytest.approx(30_000, abs=1_500)
    make_screen(session)
    run_ms(session, 1_000)
    assert state.phase == "hammer"  # it waits until a person presses AUCTION
    session.call_auction()
    run_until(session, lambda: state.phase == "bidding")
    auction, on_at = state.auction, session.unit.now()
    assert [(bid.player, bid.amount) for bid in auction.bids] == bids
    assert auction.passed == [other]
    assert session.auctioneer.limits.of(state, one) == 700
    session.auctioneer.bid(auction.opener, 300)
    session.step()
    assert (auction.leader(), auction.highest()) == (one, 310)
    run_until(session, lambda: state.phase == "settling")
    assert session.unit.now() - on_at == pytest.approx(AUCTION_MS - 30_000, abs=1_500)
    assert sum("seconds left" in line for line in session.log) == 1
    run_until(session, lambda: state.owner[auction.deed] == one)
    assert session.auctioneer.limits.of(state, one) == 0
    assert not any(show(700) in line for line in session.log)
    for written in export(session.game, tmp_path, "a"):
        assert "secret" not in written.read_text(encoding="utf-8")
    session.save.close()
    again, repaired = save.load(path)
    again.close()
    assert (repaired, again.limits) == ("", {})
    assert again.game.actions == session.game.actions


def test_no_maximum_bids_any_more_once_a_resumed_sale_has_ended(tmp_path):
    path = tmp_path / "a.city"
    killed_in_a_sale(path)
    session = resumed(path)
    session.call_auction()
    run_until(session, lambda: session.state.phase == "bidding")
    unit, auction = session.unit, session.state.auction
    run_until(session, lambda: session.light.ends - unit.now() <= unit.frame_ms)
    bids = len(auction.bids)
    session.auctioneer.limits.set(session.state, auction.opener, Limit(650, 10))
    session.step()
    assert (session.state.phase, len(auction.bids)) == ("settling", bids)
    session.save.close()


def test_by_a_house_rule_the_sale_is_repeated_with_the_maximums(tmp_path):
    path = tmp_path / "a.city"
    _, one, _other = killed_in_a_sale(path)
    session = resumed(path, sales_go_on=False)
    assert session.state.phase == "hammer"
    assert (session.state.auction.elapsed, session.state.auction.bids) == (0, [])
    session.call_auction()
    run_until(session, lambda: session.state.phase == "bidding")
    assert session.auctioneer.limits.of(session.state, one) == 700
    session.save.close()
