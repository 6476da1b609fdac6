"""A sale by telephone: bids, passes and secret maximums."""

import json

from city_game.table.view import decide
from city_unit.desktop import catalogue
from tests.city_game.phones.desk import in_sale, others
from tests.helpers.sales import AUCTION_MS, light
from tests.helpers.virtual_table import run_until


def two_in_sale():
    """Return a desk at a sale, and the telephones of two bidders."""
    desk = in_sale()
    return desk, *(desk.seated(player) for player in others(desk.session)[:2])


def test_a_sale_from_the_first_press_until_all_know_the_buyer():
    desk, one, other = two_in_sale()
    opener = desk.seated(desk.session.state.auction.opener)
    number = one.view["sale"]["number"]
    assert one.view["sale"]["highest"] == 1 and one.view["hand"]["bidding"]["can_pass"]
    assert one.bid(100) == ""
    desk.pass_time()
    assert desk.session.state.auction.bids[-1][:2] == (one.view["you"], 100)
    assert one.view["verdict"] == {"amount": 100, "counts": True, "words": ""}
    assert one.view["hand"]["bidding"]["leads"]
    other.bid(200)
    desk.pass_time()
    assert one.view["verdict"] is None and other.view["verdict"]["counts"]
    assert one.view["sold"] is None
    for phone in (one, opener):
        assert phone.say("pass", sale=number) == ""
    run_until(desk.session, lambda: desk.session.state.auction is None)
    assert desk.session.unit.now() < desk.session.state.sales[-1].started + 20000  # all passed
    desk.step()
    assert other.view["verdict"] is None
    sold = one.view["sold"]
    assert (sold["number"], sold["player"], sold["amount"]) == (number, other.view["you"], 200)


def test_of_two_presses_the_earlier_counts_and_the_other_is_told_by_how_much():
    for trip, ago, words in ((20, 90, "earlier, give or take"), (200, 15, "too close to be sure")):
        desk, one, other = two_in_sale()
        referee = desk.phone(role="referee")
        one.measure(trip), other.measure(trip)
        assert one.bid(100, ago=5) == "" and other.bid(100, ago=ago) == ""
        desk.pass_time()
        assert desk.session.state.auction.leader() == other.view["you"]
        assert words in one.view["verdict"]["words"]
        assert not one.view["verdict"]["counts"] and other.view["verdict"]["counts"]
        assert one.view["sale"]["bids"][0]["why"] == "bid-too-low"
        assert [bid["amount"] for bid in referee.view["referee"]["bids"]] == [100, 100, 1]


def test_a_press_of_another_sale_is_no_bid_in_this_one():
    desk = in_sale()
    phone = desk.seated(others(desk.session)[0])
    desk.session.unit.ask("stop")
    run_until(desk.session, lambda: desk.session.state.phase == "hammer")
    run_until(desk.session, lambda: not desk.session.unit.light_is_on)
    light(desk.session)
    assert phone.say("bid", amount=500, at=phone.ahead, sale=0) != ""
    desk.pass_time()
    assert desk.session.state.auction.highest() == 1


def test_a_maximum_bids_in_secret_and_is_refused_where_it_can_bid_nothing():
    desk, one, other = two_in_sale()
    watcher = desk.phone(role="spectator")
    sale = len(desk.session.state.sales)
    assert one.say("limit", amount=777, step=10, sale=sale) == ""
    desk.pass_time()
    assert one.view["hand"]["bidding"]["limit"] == 777
    for view in (other.view, watcher.view):
        assert "777" not in json.dumps(view)
    assert desk.session.state.auction.bids[-1][:2] == (one.view["you"], 11)
    assert one.say("limit", amount=0, step=10, sale=sale) == ""
    other.bid(100)
    desk.pass_time()
    assert "1M" in one.say("limit", amount=100, step=10, sale=sale)
    assert one.view["hand"]["bidding"]["limit"] == 0
    assert one.say("limit", amount=150, step=10, sale=sale) == ""
    desk.pass_time()
    assert one.view["hand"]["bidding"]["leads"] and not one.view["hand"]["bidding"]["overtaken"]
    other.bid(200)
    desk.pass_time()
    assert one.view["hand"]["bidding"]["overtaken"]
    assert one.say("limit", amount=0, step=10, sale=sale) == ""
    assert not one.view["hand"]["bidding"]["overtaken"]
    one.say("pass", sale=sale)
    assert one.say("limit", amount=300, step=10, sale=sale) != ""


def test_the_table_passes_only_for_those_at_its_keyboard_and_waits_for_nobody_who_is_gone():
    desk = in_sale()
    session = desk.session
    away, here = others(session)
    phone = desk.seated(away)
    assert 0 < desk.telephones.slowest() < 600
    session.auctioneer.pass_on()
    assert list(session.state.auction.passed) == [here]
    assert not decide(session.table()).options
    desk.gone(phone)
    assert decide(session.table()).options and desk.telephones.slowest() == 0


def test_the_last_player_who_has_neither_bid_nor_passed_is_told_that_all_wait():
    desk, one, two = two_in_sale()
    watcher = desk.phone(role="referee")
    assert not two.view["hand"]["bidding"]["awaited"]
    assert one.view["title"] == "The light is on: bid!"
    one.say("pass", sale=len(desk.session.state.sales))
    assert two.view["hand"]["bidding"]["awaited"] and not one.view["hand"]["bidding"]["awaited"]
    name = desk.session.names[two.view["you"]]
    assert decide(desk.session.table()).title == f"Waiting for {name}: bid or pass"
    assert watcher.view["title"] == "The light is on: the players bid."
    desk.session.state.owner[desk.session.state.auction.deed] = two.view["you"]
    desk.show()
    assert two.view["hand"]["bidding"] is None  # a seller does not bid


def test_a_latecomer_sees_how_long_the_light_is_in_all_and_a_pause_is_refused_in_words():
    desk = in_sale()
    session = desk.session
    run_until(session, lambda: session.unit.now() > session.state.auction.started + 9000)
    french = desk.seated(others(session)[0], language="fr")
    sale, before = french.view["sale"], session.message
    assert sale["whole"] == AUCTION_MS and sale["left"] <= AUCTION_MS - 9000
    with catalogue.spoken("fr"):
        words = session.pause_refused()
    assert french.say("pause") == words != ""
    assert session.message == before and not session.is_paused
