"""Deals between telephones, which nobody else sees."""

from tests.city_game.phones.desk import Desk
from tests.helpers.virtual_table import make_session, run_until


def two_with_deeds():
    session, _ = make_session(("human", "human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    session.state.transfer(3, 0)
    session.state.transfer(5, 1)
    return Desk(session)


def proposal(partner, **more):
    return {"partner": partner, "gives": [3], "asks": [5], "pays": 40, "cards": 0} | more


def test_a_deal_is_private_until_it_is_made():
    desk = two_with_deeds()
    one, two, three = (desk.seated(player) for player in range(3))
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
    desk = two_with_deeds()
    one, two = (desk.seated(player) for player in range(2))
    one.say("propose", **proposal(1))
    (seen,) = two.view["hand"]["proposals"]
    assert two.say("reply", number=seen["number"], agree=False) == ""
    assert one.view["hand"]["proposals"] == []
    one.say("propose", **proposal(1))
    (mine,) = one.view["hand"]["proposals"]
    assert mine["mine"]
    one.say("reply", number=mine["number"], agree=False)
    assert two.view["hand"]["proposals"] == []


def test_a_deal_that_has_become_impossible_is_not_made():
    desk = two_with_deeds()
    one, two = (desk.seated(player) for player in range(2))
    one.say("propose", **proposal(1))
    desk.session.state.transfer(3, 2)
    (seen,) = two.view["hand"]["proposals"]
    assert two.say("reply", number=seen["number"], agree=True) != ""
    assert desk.session.state.owner[3] == 2 and desk.session.state.owner[5] == 1


def test_a_deal_with_who_has_no_telephone_lies_on_the_table():
    desk = two_with_deeds()
    one = desk.seated(0)
    assert one.say("propose", **proposal(1)) == ""
    assert desk.session.state.phase == "deal" and desk.session.state.decider == 1


def test_jail_cards_are_dealt_as_well():
    desk = two_with_deeds()
    one, two = (desk.seated(player) for player in range(2))
    desk.session.state.jail_cards[1].append(desk.session.state.unseen.pop())
    assert one.say("propose", **proposal(1, asks=[], cards=2)) != ""
    assert one.say("propose", **proposal(1, asks=[], cards=1)) == ""
    (seen,) = two.view["hand"]["proposals"]
    assert two.say("reply", number=seen["number"], agree=True) == ""
    run_until(desk.session, lambda: not desk.step() and desk.session.state.owner[3] == 1)
    assert len(desk.session.state.jail_cards[0]) == 1


def test_there_are_never_many_proposals():
    desk = two_with_deeds()
    one, two = (desk.seated(player) for player in range(2))
    for pays in range(1, 9):
        one.say("propose", **proposal(1, pays=pays))
    assert len(two.view["hand"]["proposals"]) == 3
