"""Deals between telephones, which nobody else sees."""

from tests.city_game.phones.desk import Desk
from tests.city_game.phones.in_sale import in_sale, others
from tests.helpers.virtual_table import make_session, run_until


def with_deeds(count=2):
    """Return a desk and `count` telephones; A owns the deed 3, B the deed 5."""
    session, _ = make_session(("human", "human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    session.state.transfer(3, 0)
    session.state.transfer(5, 1)
    desk = Desk(session)
    return desk, *(desk.seated(player) for player in range(count))


def proposal(partner, **more):
    return {"partner": partner, "gives": [3], "asks": [5], "pays": 40, "cards": 0} | more


def test_a_deal_is_private_until_it_is_made():
    desk, one, two, three = with_deeds(3)
    watcher = desk.phone(role="spectator")
    before = len(desk.session.log)
    assert one.say("propose", **proposal(1)) == ""
    assert len(desk.session.log) == before
    (seen,) = two.view["hand"]["proposals"]
    assert not seen["mine"] and "400k" in seen["you_get"]
    assert three.view["hand"]["proposals"] == [] and "proposals" not in watcher.view
    cash = list(desk.session.state.cash)
    assert three.say("reply", number=seen["number"], agree=True) != ""
    assert one.say("reply", number=seen["number"], agree=True) != ""  # nobody agrees with oneself
    assert two.say("reply", number=seen["number"], agree=True) == ""
    run_until(desk.session, lambda: not desk.step() and desk.session.state.owner[3] == 1)
    assert desk.session.state.owner[5] == 0
    assert desk.session.state.cash[1] == cash[1] + 40
    assert len(desk.session.log) > before  # all see that it was made
    assert two.view["hand"]["proposals"] == [] == one.view["hand"]["proposals"]


def test_a_deal_is_turned_down_or_taken_back():
    _, one, two = with_deeds()
    one.say("propose", **proposal(1))
    (seen,) = two.view["hand"]["proposals"]
    assert two.say("reply", number=seen["number"], agree=False) == ""
    assert one.view["hand"]["proposals"] == []
    assert one.view["hand"]["fallen"] == "B declines A's deal."
    assert two.view["hand"]["fallen"] == ""
    one.say("propose", **proposal(1))
    (mine,) = one.view["hand"]["proposals"]
    assert mine["mine"]
    one.say("reply", number=mine["number"], agree=False)
    assert two.view["hand"]["proposals"] == []


def test_a_deal_with_who_has_no_telephone_lies_on_the_table():
    desk, one = with_deeds(1)
    assert one.say("propose", **proposal(1)) == ""
    assert desk.session.state.phase == "deal" and desk.session.state.decider == 1


def test_jail_cards_are_dealt_as_well():
    desk, one, two = with_deeds()
    desk.session.state.jail_cards[1].append(desk.session.state.unseen.pop())
    assert one.say("propose", **proposal(1, asks=[], cards=2)) != ""
    assert one.say("propose", **proposal(1, asks=[], cards=1)) == ""
    (seen,) = two.view["hand"]["proposals"]
    assert two.say("reply", number=seen["number"], agree=True) == ""
    run_until(desk.session, lambda: not desk.step() and desk.session.state.owner[3] == 1)
    assert len(desk.session.state.jail_cards[0]) == 1


def test_there_are_never_many_proposals():
    _, one, two = with_deeds()
    for pays in range(1, 9):
        one.say("propose", **proposal(1, pays=pays))
    assert len(two.view["hand"]["proposals"]) == 3


def test_under_a_light_a_proposal_is_not_shown_to_whoever_may_bid():
    desk, _ = in_sale(("human", "human", "human"))
    one, two = (desk.seated(player) for player in others(desk.session)[:2])
    assert one.say("propose", partner=two.view["you"], gives=[], asks=[], pays=10, cards=0) == ""
    assert two.view["hand"]["proposals"] == []
    assert [seen["mine"] for seen in one.view["hand"]["proposals"]] == [True]
    cash = list(desk.session.state.cash)
    assert two.say("reply", number=1, agree=True) != ""  # nor can it be agreed to
    for player in (one, two):
        player.say("pass", sale=len(desk.session.state.sales))
    run_until(desk.session, lambda: desk.session.state.auction is None)
    desk.step()
    assert [seen["number"] for seen in two.view["hand"]["proposals"]] == [1]
    assert all(
        desk.session.state.cash[phone.view["you"]] == cash[phone.view["you"]]
        for phone in (one, two)
    )


def test_who_gives_much_for_nothing_is_asked_again():
    desk, one, two = with_deeds()
    cash = list(desk.session.state.cash)
    one.say("propose", partner=1, gives=[], asks=[], pays=-3000, cards=0)
    for _twice in range(2):  # as a finger that taps twice does
        assert "30M" in two.say("reply", number=1, agree=True)
    assert desk.session.state.deal is None and desk.session.state.cash == cash
    desk.pass_time(70)
    assert two.say("reply", number=1, agree=True) == ""
    run_until(desk.session, lambda: not desk.step() and desk.session.state.cash[0] > cash[0])


def test_who_proposes_much_for_nothing_is_asked_again_but_not_for_a_fair_deal():
    desk, one, two = with_deeds()
    much = {"partner": 1, "gives": [], "asks": [5], "pays": 3000, "cards": 0}
    assert "30M" in one.say("propose", **much)
    assert two.view["hand"]["proposals"] == []
    desk.pass_time(70)
    assert one.say("propose", **much) == ""
    assert one.say("propose", **proposal(1)) == ""
    assert len(two.view["hand"]["proposals"]) == 2


def test_both_are_told_when_the_money_for_a_deal_is_gone():
    desk, one = with_deeds(1)
    two = desk.seated(1, language="fr")
    one.say("propose", **proposal(1))
    desk.session.state.cash[0] = 30
    assert "A" in two.say("reply", number=1, agree=True)
    assert one.view["hand"]["fallen"] == "The deal with B falls: A no longer has the money."
    assert two.view["hand"]["fallen"].startswith("L’échange avec A tombe")
    assert one.view["hand"]["proposals"] == [] == two.view["hand"]["proposals"]
    desk.pass_time(2000)
    assert one.view["hand"]["fallen"] == "" == two.view["hand"]["fallen"]


def test_a_proposal_that_falls_by_another_deal_says_so():
    desk, one, two, three = with_deeds(3)
    one.say("propose", **proposal(1))
    desk.session.state.transfer(3, 2)
    desk.pass_time(2)
    for phone in (one, two):
        assert phone.view["hand"]["proposals"] == []
        assert "not all of it is there any more" in phone.view["hand"]["fallen"]
    assert three.view["hand"]["fallen"] == ""
