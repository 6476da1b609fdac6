"""A sale by telephone: presses, passes, secret maxima."""

import json

from city_game.table.view import decide
from tests.city_game.phones.in_sale import in_sale, others
from tests.helpers.sales import AUCTION_MS, light
from tests.helpers.virtual_table import run_until


def two_in_sale():
    """Return a desk at a sale, and the telephones of two bidders."""
    desk, _ = in_sale()
    return desk, *(desk.seated(player) for player in others(desk.session)[:2])


def test_a_press_bids_what_the_button_said():
    desk, _ = in_sale()
    player = others(desk.session)[0]
    phone = desk.seated(player)
    assert phone.view["sale"]["highest"] == 1 and phone.view["hand"]["bidding"]["can_pass"]
    assert phone.bid(100) == ""
    desk.pass_time()
    assert desk.session.state.auction.bids[-1][:2] == (player, 100)
    assert phone.view["verdict"] == {"amount": 100, "counts": True, "words": ""}
    assert phone.view["hand"]["bidding"]["leads"]


def test_of_two_presses_the_first_counts_and_the_other_is_told_by_how_much():
    desk, one, other = two_in_sale()
    one.measure(20), other.measure(20)
    assert one.bid(100, ago=5) == "" and other.bid(100, ago=90) == ""
    desk.pass_time()
    assert desk.session.state.auction.leader() == other.view["you"]
    assert "earlier, give or take" in one.view["verdict"]["words"]
    assert one.view["verdict"]["counts"] is False and other.view["verdict"]["counts"]
    assert one.view["sale"]["bids"][0]["why"] == "bid-too-low"


def test_what_is_too_close_is_told_as_that():
    desk, one, other = two_in_sale()
    one.measure(200), other.measure(200)
    one.bid(100, ago=5), other.bid(100, ago=15)
    desk.pass_time()
    assert "too close to be sure" in one.view["verdict"]["words"]


def test_a_press_of_another_sale_is_no_bid_in_this_one():
    desk, _ = in_sale()
    phone = desk.seated(others(desk.session)[0])
    desk.session.unit.ask("stop")
    run_until(desk.session, lambda: desk.session.state.phase == "hammer")
    run_until(desk.session, lambda: not desk.session.unit.light_is_on)
    light(desk.session)
    assert phone.say("bid", amount=500, at=phone.ahead, sale=0) != ""
    desk.pass_time()
    assert desk.session.state.auction.highest() == 1


def test_a_limit_is_seen_by_nobody_else():
    desk, one, other = two_in_sale()
    watcher = desk.phone(role="spectator")
    assert one.say("limit", amount=777, step=10, sale=len(desk.session.state.sales)) == ""
    desk.pass_time()
    assert one.view["hand"]["bidding"]["limit"] == 777
    for view in (other.view, watcher.view):
        assert "777" not in json.dumps(view)
    assert desk.session.state.auction.bids[-1][:2] == (one.view["you"], 11)


def test_a_telephone_that_is_gone_holds_no_bid_up():
    desk, _ = in_sale()
    phone = desk.seated(others(desk.session)[0])
    assert 0 < desk.talk.slowest() < 600
    desk.gone(phone)
    assert desk.talk.slowest() == 0


def test_the_answer_to_a_press_goes_with_the_next_bid_and_with_the_sale():
    desk, one, other = two_in_sale()
    one.bid(100)
    desk.pass_time()
    assert one.view["verdict"]["counts"]
    other.bid(200)
    desk.pass_time()
    assert one.view["verdict"] is None and other.view["verdict"]["counts"]
    for player in (one, desk.seated(desk.session.state.auction.opener)):
        player.say("pass", sale=len(desk.session.state.sales))
    run_until(desk.session, lambda: desk.session.state.auction is None)
    desk.step()
    assert other.view["verdict"] is None


def test_the_table_passes_only_for_those_who_play_at_its_keyboard():
    desk, _ = in_sale()
    session = desk.session
    away, here = others(session)
    phone = desk.seated(away)
    session.auctioneer.pass_on()
    assert list(session.state.auction.passed) == [here]
    assert not session.table().can_pass()
    desk.gone(phone)
    assert session.table().can_pass()


def test_who_comes_late_is_told_how_long_the_light_is_in_all():
    desk, _ = in_sale()
    session = desk.session
    run_until(session, lambda: session.unit.now() > session.state.auction.started + 9000)
    sale = desk.phone().view["sale"]
    assert sale["whole"] == AUCTION_MS and sale["left"] <= AUCTION_MS - 9000


def test_a_maximum_that_can_bid_nothing_is_refused_with_the_reason():
    desk, one, other = two_in_sale()
    other.bid(100)
    desk.pass_time()
    sale = len(desk.session.state.sales)
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


def test_who_alone_has_neither_bid_nor_passed_is_told_that_all_wait():
    desk, _ = in_sale(("human", "human", "human"))
    one, two = (desk.seated(player) for player in others(desk.session)[:2])
    watcher = desk.phone(role="referee")
    assert not two.view["hand"]["bidding"]["awaited"]
    assert one.view["title"] == "The light is on: bid!"
    assert watcher.view["title"] == "The light is on: the players bid."
    one.say("pass", sale=len(desk.session.state.sales))
    assert two.view["hand"]["bidding"]["awaited"]
    assert not one.view["hand"]["bidding"]["awaited"]
    name = desk.session.names[two.view["you"]]
    assert decide(desk.session.table()).title == f"All wait for {name}: bid or pass"
    assert watcher.view["title"] == "The light is on: the players bid."


def test_all_are_told_to_whom_it_is_sold_until_the_next_sale():
    desk, one, two = two_in_sale()
    opener = desk.seated(desk.session.state.auction.opener)
    number = one.view["sale"]["number"]
    one.bid(100)
    desk.pass_time()
    assert one.view["sold"] is None
    for phone in (two, opener):
        assert phone.say("pass", sale=number) == ""
    run_until(desk.session, lambda: desk.session.state.auction is None)
    assert desk.session.unit.now() < desk.session.state.sales[-1].started + 20000  # all passed
    desk.step()
    sold = two.view["sold"]
    assert (sold["number"], sold["player"], sold["amount"]) == (number, one.view["you"], 100)
