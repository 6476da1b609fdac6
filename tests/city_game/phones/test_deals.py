"""Private deals between telephones."""

from tests.city_game.phones.desk import Desk, in_sale, others
from tests.helpers.virtual_table import BOARD, managing, run_until


def with_deeds(count=2):
    """Return a desk and `count` telephones; A owns deed 3, B owns deed 5."""
    desk = Desk(managing(("human",) * 3, ((3,), (5,))))
    return desk, *(desk.seated(player) for player in range(count))


def propose(phone, partner=1, **more):
    deal = {"partner": partner, "gives": [3], "asks": [5], "pays": 40, "cards": 0}
    return phone.say("propose", **deal | more)


def proposals(phone):
    return phone.view["hand"]["proposals"]


def goes_through(desk):
    run_until(desk.session, lambda: not desk.step() and desk.session.state.owner[3] == 1)


def test_a_deal_is_private_until_it_is_made():
    desk, one, two, three = with_deeds(3)
    state, log = desk.session.state, desk.session.log
    watcher = desk.phone(role="spectator")
    before, cash = len(log), list(state.cash)
    state.jail_cards[1].append(state.unseen.pop())
    assert propose(one, cards=2) != ""  # there is one jail card
    assert propose(one, cards=1) == ""
    (seen,) = proposals(two)
    assert not seen["mine"] and "400k" in seen["you_get"]
    assert proposals(three) == [] and "proposals" not in watcher.view and len(log) == before
    assert three.say("reply", number=seen["number"], agree=True) != ""
    # One cannot accept one's own proposal.
    assert one.say("reply", number=seen["number"], agree=True) != ""
    assert two.say("reply", number=seen["number"], agree=True) == ""
    goes_through(desk)
    assert state.owner[5] == 0 and state.cash[1] == cash[1] + 40 and len(state.jail_cards[0]) == 1
    assert len(log) > before  # all see that it was made
    assert proposals(two) == [] == proposals(one)


def test_a_deal_is_declined_taken_back_or_pushed_out_by_later_ones():
    _, one, two = with_deeds()
    propose(one)
    assert two.say("reply", number=proposals(two)[0]["number"], agree=False) == ""
    assert proposals(one) == []
    assert one.view["hand"]["fallen"] == "B declines A's deal." and not two.view["hand"]["fallen"]
    propose(one)
    (mine,) = proposals(one)
    assert mine["mine"]
    one.say("reply", number=mine["number"], agree=False)
    assert proposals(two) == []
    for pays in range(1, 9):
        propose(one, pays=pays)
    assert len(proposals(two)) == 3


def test_a_deal_with_a_player_without_a_telephone_lies_on_the_table():
    desk, one = with_deeds(1)
    assert propose(one) == ""
    assert desk.session.state.phase == "deal" and desk.session.state.decider == 1


def test_under_a_light_a_proposal_is_not_shown_to_a_player_who_may_bid():
    desk = in_sale()
    one, two = (desk.seated(player) for player in others(desk.session)[:2])
    assert propose(one, two.view["you"], gives=[], asks=[], pays=10) == ""
    assert proposals(two) == [] and [seen["mine"] for seen in proposals(one)] == [True]
    cash = list(desk.session.state.cash)
    assert two.say("reply", number=1, agree=True) != ""  # and it cannot be accepted
    for player in (one, two):
        player.say("pass", sale=len(desk.session.state.sales))
    run_until(desk.session, lambda: desk.session.state.auction is None)
    desk.step()
    assert [seen["number"] for seen in proposals(two)] == [1]
    for phone in (one, two):
        assert desk.session.state.cash[phone.view["you"]] == cash[phone.view["you"]]


def test_a_player_who_gives_much_for_nothing_is_asked_again_on_either_side():
    desk, one, two = with_deeds()
    state = desk.session.state
    cash = list(state.cash)
    propose(one, gives=[], asks=[], pays=-3000)
    for _twice in range(2):  # a double tap
        assert "30M" in two.say("reply", number=1, agree=True)
    assert state.deal is None and state.cash == cash
    desk.pass_time(70)
    assert two.say("reply", number=1, agree=True) == ""
    run_until(desk.session, lambda: not desk.step() and state.cash[0] > cash[0])
    assert "30M" in propose(one, gives=[], pays=3000)
    assert proposals(two) == []
    desk.pass_time(70)
    assert propose(one, gives=[], pays=3000) == ""
    assert propose(one) == ""  # a fair one
    assert len(proposals(two)) == 2
    asks = [5, 6, 7, 8]
    for deed in asks:
        state.transfer(deed, 1)
    double = 2 * sum(BOARD.prices[deed] for deed in asks)
    state.cash[0] = 2 * double
    assert propose(one, gives=[], asks=asks, pays=double) == ""
    assert propose(one, gives=[], asks=asks, pays=double + 1) != ""


def test_both_are_told_why_a_proposal_falls():
    desk, one, _two, three = with_deeds(3)
    french = desk.phone(language="fr")
    french.sit(1, over=True)
    propose(one)
    desk.session.state.cash[0] = 30
    desk.step()
    assert len(proposals(one)) == 1  # a lack of money may be temporary
    assert "A" in french.say("reply", number=1, agree=True)
    assert one.view["hand"]["fallen"] == "The deal with B is off: A no longer has the money."
    assert french.view["hand"]["fallen"].startswith("L’échange avec A est annulé")
    assert proposals(one) == [] == proposals(french)
    desk.pass_time(2000)
    assert one.view["hand"]["fallen"] == "" == french.view["hand"]["fallen"]
    desk.session.state.cash[0] = 3000
    propose(one)
    desk.session.state.transfer(3, 2)
    desk.pass_time(2)
    assert proposals(one) == [] == proposals(french)
    assert "part of it is no longer available" in one.view["hand"]["fallen"]
    assert french.view["hand"]["fallen"] != "" == three.view["hand"]["fallen"]
