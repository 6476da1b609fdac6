"""The table's session: sales by the unit's light, bids by its clock, permits, steps."""

from dataclasses import replace

import pytest

from city_game.editions.city import EDITION
from city_game.game import Game
from city_game.kernel import legal_actions
from city_game.report.export import log_in_words
from city_game.report.reasons import REASONS
from city_game.report.words import CLOSE_MS, bids_in_words, in_words
from city_game.saves import save
from city_game.table.session import Session
from city_game.table.view import decide
from city_unit.host import Event
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import make_session, run_until


def test_a_light_that_was_on_for_no_sale_and_is_stopped_is_told():
    session, memory = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    steps = len(session.game.actions)
    session.press("auction")
    run_until(session, lambda: memory.unit.state == "ready")
    session.unit.lift()
    run_until(session, lambda: not session.unit.light_is_on)
    assert session.log[-1].lower() == "the light was stopped".lower() == session.message.lower()
    assert len(session.game.actions) == steps


def near_its_end(session):
    """Have the light on until 200 ms before its end; return that, and who has not bid yet."""
    _, ends = light(session)
    run_until(session, lambda: session.unit.now() >= ends - 200)
    session.unit.frame_ms = 1
    return ends, 1 - session.state.auction.opener


@pytest.mark.parametrize(
    ("before_end", "counts"), [(30, True), (1, True), (0, False), (-1, False), (-30, False)]
)
def test_a_bid_is_judged_by_the_unit_s_clock(before_end, counts):
    """At the instant at which the light goes out it is out."""
    session, _ = put_up()
    ends, other = near_its_end(session)
    run_until(session, lambda: session.unit.now() >= ends - before_end)
    session.auctioneer.bid(other, 500)
    run_until(session, lambda: session.state.phase not in ("bidding", "settling"))
    sold = next(event for event in session.state.events if event[0] == "sold")
    assert (sold[1] == other) is counts
    if counts:
        assert sold[3:] == (500, before_end, 0)
        assert any("before the light went out" in line for line in session.log)
    else:
        assert any("after the light went out" in line for line in session.log)


@pytest.mark.parametrize("after_end", [0, 12, 700])
def test_a_late_bid_is_in_the_save_the_resumed_log_and_the_export(tmp_path, after_end):
    session, _ = put_up()
    session.save = save.create(tmp_path / "evening.city", session.game)
    ends, other = near_its_end(session)
    run_until(session, lambda: session.unit.now() >= ends - 40)
    session.auctioneer.bid(other, 400)
    run_until(session, lambda: session.unit.now() >= ends + after_end)
    assert session.auctioneer.bid(other, 500) is False
    run_until(session, lambda: session.state.auction is None)
    when = f"{after_end / 1000:.3f} s " if after_end <= CLOSE_MS else ""
    late = f"B's bid of 5M came {when}after the light went out"
    assert sum(line.startswith(late) for line in session.log) == 1
    assert session.message.startswith(late)
    session.save.close()

    resumed, repaired = save.load(tmp_path / "evening.city")
    resumed.close()
    assert not repaired
    assert resumed.game.state.events == session.state.events
    assert any(line.startswith(late) for line in Session(resumed.game, session.unit).log)
    rows = [line.split() for line in log_in_words(resumed.game).splitlines()]
    in_time, too_late = (row for row in rows if row[:1] == ["B"] and row[1:2] in (["4M"], ["5M"]))
    assert in_time[4:] == ["0.040", "0.000", "counts"]
    assert too_late[4:6] == [f"{-after_end / 1000:.3f}", "0.000"]
    assert " ".join(too_late[6:]) == str(REASONS["too-late"])


def test_a_bid_too_close_to_be_sure_is_told_as_that_where_it_does_not_count():
    """By the house rule that doubtful bids do not count; the link's uncertainty is 2 ms."""
    game = Game(replace(put_up()[0].game.setup, rules=EDITION.rules(doubtful_bids_count=False)))
    state = game.state
    state.phase, state.turn = "auction space", 0
    for action in (("put up", 4, 10), ("light on", 1000), ("bid", 1, 50, 8999, 2)):
        game.do(action)
    game.do(("light out", 9000))
    assert in_words(state.events[-2], state.board, ["A", "B"]).startswith(
        "B's bid of 500k came 0.001 s before the light went out, give or take 0.002 s: too close"
    )
    game.do(("settle",))
    lines = bids_in_words(state.sales[-1], state.board, ["A", "B"])
    assert [line.split()[-1] for line in lines[2:]] == ["counts", "count"]


def test_a_bid_before_the_light_or_of_money_that_is_lacking_changes_nothing():
    session, _ = put_up()
    assert not session.auctioneer.bid(0, 500)
    assert session.message.startswith("That does not go: the light was not on")
    light(session)
    other = 1 - session.state.auction.opener
    bids = list(session.state.auction.bids)
    assert not session.auctioneer.bid(other, session.state.cash[other] + 1)
    assert session.state.auction.bids == bids
    assert session.game.actions[-1][0] == "refused bid"
    assert "not enough money" in session.log[-1]


def test_in_a_sale_that_a_person_has_called_nobody_else_presses_and_build_is_refused():
    session, memory = put_up()
    session.tap("build")
    assert "after the move" in session.message
    for _ in range(1000):
        session.step()
    assert session.state.phase == "hammer" and memory.unit.state == "ready"
    assert memory.unit.events.count == 1  # it was switched on, and nothing else


def test_a_permit_drawn_on_the_unit_at_the_wrong_time_does_not_count():
    session, memory = make_session()
    run_until(session, lambda: session.state.phase in ("roll", "unsold"))
    memory.client.send("tap build")
    for _ in range(3000):
        session.step()
    assert any("does not count" in line for line in session.log)
    assert not any(event[0] == "granted" for event in session.state.events)


def test_build_draws_the_permit_that_the_unit_grants_and_a_step_of_ones_own_is_taken_back():
    session, memory = put_up()
    light(session)
    session.auctioneer.bid(session.state.turn, 2)
    run_until(session, lambda: session.state.phase == "manage")
    assert session.build_refused() == "" and not session.undo()
    session.tap("build")
    run_until(session, lambda: session.state.phase == "permit")
    run_until(session, lambda: session.state.phase in ("build", "station"))
    granted = next(event for event in session.state.events if event[0] == "granted")
    lamp = {"1": 2, "2": 4, "3": 8, "station": 16}[granted[2]]
    assert memory.unit.lamps & 30 == lamp
    before = list(session.state.cash)
    session.do(next(legal for legal in legal_actions(session.state) if legal[0] != "done"))
    assert session.can_undo() and session.undo()
    assert session.state.cash == before
    assert session.log[-1].endswith("takes the last step back.")


def test_build_is_offered_without_a_deed_for_it_may_bring_a_station():
    session, _ = put_up()
    game = Game(session.game.setup)
    game.state.phase, game.state.turn, game.state.decider = "manage", 0, 0
    session = Session(game, session.unit)
    assert not session.state.owned[0] and session.build_refused() == ""
    decision = decide(session.table())
    assert any(option.key == "b" for option in decision.options), decision.options
    session.tap("build")
    run_until(session, lambda: session.state.phase in ("build", "station"))
    assert session.do(("done",)) and session.state.phase == "manage"


def test_a_light_that_goes_out_before_it_went_on_is_no_sale_and_it_is_held_again(monkeypatch):
    """A unit whose clock goes back, if there is one, does not hold up the game."""
    session, _ = put_up()
    started, _ = light(session)
    ended = Event(99, started - 1, "auction-ended")
    monkeypatch.setattr(session.unit, "poll", lambda: [ended])
    session.step()
    assert session.state.phase == "hammer"
    assert session.state.sales[-1].ended is None and session.state.auction.started is None


def test_when_all_people_have_passed_the_sale_ends_and_the_light_goes_out():
    session, memory = put_up()
    started, ends = light(session)
    leader = session.state.auction.leader()
    assert session.table().can_pass()
    session.auctioneer.pass_on()
    assert session.state.auction.passed == [1 - leader]
    assert not session.table().can_pass()
    run_until(session, lambda: session.state.auction is None)
    sale = session.state.sales[-1]
    assert started < sale.ended < started + 5000 < ends
    assert session.state.owner[sale.deed] == leader
    assert memory.unit.state == "ready"
    assert not session.unit.light_is_on


def test_bots_answer_each_other_at_once_when_the_people_have_passed():
    session, _ = put_up(("human", "planner", "planner"))
    started, _ = light(session)
    if session.table().can_pass():
        session.auctioneer.pass_on()
    run_until(session, lambda: session.state.auction is None)
    assert session.state.sales[-1].ended - started < 15000


def test_a_planner_that_waits_has_not_passed():
    session, _ = put_up(("human", "human", "planner"))
    started, _ = light(session)
    auction = session.state.auction
    run_until(session, lambda: session.unit.now() > started + 20000)
    assert session.state.auction is auction
    assert 2 not in auction.passed


def test_without_passing_the_light_burns_to_its_end():
    session, _ = put_up()
    session.state.rules = EDITION.rules(passes_end_auctions=False)
    _, ends = light(session)
    assert not session.table().can_pass()
    session.auctioneer.pass_on()
    run_until(session, lambda: session.state.auction is None)
    assert session.state.sales[-1].ended == ends
