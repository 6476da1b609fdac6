"""A table that is killed in a sale: the bids, the time that was left and the secret maxima."""

import pytest

from city_game.editions.city import EDITION
from city_game.game import Game, Setup
from city_game.kernel import legal_actions
from city_game.kernel.money import show
from city_game.report.export import export
from city_game.saves import save
from city_game.table.auctioneer import Limit
from city_game.table.session import Session
from city_unit import host
from tests.helpers.sales import AUCTION_MS
from tests.helpers.virtual_table import BOARD, VirtualUnit, make_screen, run_until

MOST = 739  # notes


def a_table(made, path):
    return Session(made.game, VirtualUnit(host.Memory(seed=9)), save=made)


def run_ms(session, ms):
    until = session.unit.now() + ms
    run_until(session, lambda: session.unit.now() >= until)


def killed_in_a_sale(path, **rules):
    """Return a session whose sale ran for 30 s when the table was killed; one of three led."""
    game = Game(Setup(BOARD, ("Ann", "Bob", "Cleo"), ("human",) * 3, EDITION.rules(**rules), 6))
    session = a_table(save.create(path, game), path)
    run_until(session, lambda: session.state.phase == "roll")
    state = session.state
    while state.auction is None:
        before = state.turn
        run_until(session, lambda: state.decider >= 0)
        if state.phase == "unsold":
            session.do(("put up", state.board.deed_on[state.place[before]], 1))
        else:
            usual = {"roll": ("roll",), "manage": ("end turn",)}
            session.do(usual.get(state.phase) or legal_actions(state)[0])
    session.call_auction()
    run_until(session, lambda: state.phase == "bidding")
    opener = state.auction.opener
    one, other = (player for player in range(3) if player != opener)
    run_ms(session, 10_000)
    session.do(("pass", other, int(session.unit.now())))
    session.auctioneer.limits.set(state, one, Limit(MOST, 10))
    run_ms(session, 2_000)
    session.auctioneer.limits.set(state, one, Limit(700, 10))
    session.auctioneer.limits.set(state, opener, Limit(0, 10))
    run_ms(session, 18_000)
    left = path.read_bytes()  # by a kill
    session.save.close()
    path.write_bytes(left)
    return session, one, other


def resumed(path):
    made, repaired = save.load(path)
    assert repaired == ""
    return a_table(made, path)


def test_the_sale_goes_on_with_its_bids_its_passes_its_maxima_and_the_time_left(tmp_path):
    path = tmp_path / "a.city"
    before, one, other = killed_in_a_sale(path)
    bids = [(bid.player, bid.amount) for bid in before.state.auction.bids]
    assert bids[-1][0] == one
    session = resumed(path)
    state = session.state
    assert state.phase == "hammer"
    assert state.auction.elapsed == pytest.approx(30_000, abs=1_500)
    make_screen(session)
    run_ms(session, 1_000)
    assert state.phase == "hammer"  # nobody is hurried: a person presses AUCTION
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
    session.save.close()
    again, repaired = save.load(path)
    assert (repaired, again.limits) == ("", {})
    assert again.game.actions == session.game.actions
    again.close()


def test_a_house_rule_has_the_sale_held_again_with_the_maxima(tmp_path):
    path = tmp_path / "a.city"
    _, one, _other = killed_in_a_sale(path, sales_go_on=False)
    session = resumed(path)
    assert session.state.phase == "hammer"
    assert (session.state.auction.elapsed, session.state.auction.bids) == (0, [])
    session.call_auction()
    run_until(session, lambda: session.state.phase == "bidding")
    assert session.auctioneer.limits.of(session.state, one) == 700
    session.save.close()


def test_a_maximum_is_read_by_nobody(tmp_path):
    """Not in the file, nor in an export of it; and no line tells how high it is."""
    path = tmp_path / "a.city"
    killed_in_a_sale(path)
    session = resumed(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    secrets = [line.split()[1] for line in lines if line.startswith("secret ")]
    assert len({len(digits) for digits in secrets}) == 1 and len(set(secrets)) == 3
    for most in (MOST, 700):
        forms = (str(most), f"{most:x}", show(most))
        assert not any(form in digits for form in forms for digits in secrets)
    for written in export(session.game, tmp_path, "a"):
        assert "secret" not in written.read_text(encoding="utf-8")
    assert not any(show(700) in line for line in session.log)
    session.save.close()
