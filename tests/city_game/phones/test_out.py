"""A player, even out, back or asked to judge a deal, has the figures on the telephone."""

from tests.city_game.phones.desk import Desk
from tests.helpers.virtual_table import BOARD, make_session, run_until


def test_who_is_out_bets_once_on_somebody_who_plays_and_all_see_it_at_the_end(desk):
    state = desk.session.state
    out, other, gone = 0, 1, 2
    phone, watcher = desk.seated(out), desk.seated(other)
    assert phone.say("bet", on=other) != ""  # a player does not bet
    state.alive[out] = state.alive[gone] = False
    for nobody in (gone, out, 9, -1, None, "1"):
        assert phone.say("bet", on=nobody) != ""
    assert phone.say("bet", on=other) == ""
    assert phone.view["hand"]["bet"] == other and not phone.view["players"][out]["alive"]
    assert "Your bet stands" in phone.say("bet", on=3)
    assert phone.view["hand"]["bet"] == other and watcher.view["bets"] == []
    state.phase, state.winners = "over", [3]
    desk.phone("spectator")  # that somebody comes has all told anew
    name, winner = desk.session.names[out], desk.session.names[other]
    assert watcher.view["bets"] == [f"{name} bet on {winner}, and was wrong."]
    state.winners = [other]
    desk.phone("spectator")  # that somebody comes has all told anew
    assert watcher.view["bets"] == [f"{name} bet on {winner}, and was right."]


def test_who_comes_back_is_told_what_happened_and_what_became_of_the_cash(desk):
    session = desk.session
    player = session.state.decider
    phone = desk.seated(player)
    token, cash = phone.view["token"], session.state.cash[player]
    assert phone.view["hand"]["missed"] is None
    desk.gone(phone)
    session.state.events += [("landed", player, 3), ("bought", player, 3, 120)]
    session.state.cash[player] -= 120
    back = desk.phone(token=token)
    deed, name = BOARD.deeds[3].name, session.names[player]
    missed = {"lines": [f"{name} buys {deed} for 1.2M."], "earlier": 0, "cash": cash}
    assert back.view["hand"]["missed"] == missed
    session.state.events.append(("bought", player, 4, 10))  # which is seen as it happens
    desk.phone("spectator")  # that somebody comes has all told anew
    assert back.view["hand"]["missed"] == missed


def test_a_short_break_in_which_nothing_happened_is_told_to_nobody(desk):
    phone = desk.seated(desk.session.state.decider)
    desk.gone(phone)
    assert desk.phone(token=phone.view["token"]).view["hand"]["missed"] is None


def test_a_deal_has_the_figures_of_each_deed_and_the_map_has_its_owner():
    session, _ = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    session.state.transfer(0, 1)
    phone = Desk(session).seated(0)
    (deed,) = phone.view["players"][1]["deeds"]
    group = BOARD.group_of[0]
    assert deed["price"] == BOARD.prices[0] and deed["rent"] == BOARD.rents[0][0]
    assert deed["group"] == BOARD.groups[group].name and deed["of"] == BOARD.sizes[group]
    track = phone.view["track"]
    assert len(track) == BOARD.size
    assert [place for place, (_, owner) in enumerate(track) if owner == 1] == [BOARD.space_of[0]]
    assert phone.view["players"][0]["place"] == session.state.place[0]
