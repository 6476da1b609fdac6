"""The unit is the clock: what its news do to the game, at the millisecond."""

from dataclasses import replace

import pytest

from city_game import save, texts_table
from city_game.bid_log import tell_bids
from city_game.export import log_in_words
from city_game.game import Game
from city_game.house_rules import HouseRules
from city_game.rules import legal_actions
from city_game.table.decisions import decide
from city_game.table.session import Session
from city_game.texts import REASONS
from city_game.words import tell
from tests.city_game.table.virtual import make_session, run_until

AUCTION_MS = 50000


def put_up(seats=("human", "human"), seed=1):
    """Return a session whose first person has just put the district they stand on up for sale."""
    session, memory = make_session(seats, seed=seed)
    for _ in range(50):
        run_until(session, lambda: session.state.phase in ("roll", "unsold", "manage", "planning"))
        state = session.state
        if state.phase == "unsold":
            district = state.board.standing[state.place[state.turn]]
            session.do(("put up", district, 1))
            return session, memory
        if state.phase == "roll":
            session.do(("roll",))
        elif state.phase == "planning":
            session.do(next(iter(legal_actions(state))))
        else:
            session.do(("end turn",))
        session.step()
    raise AssertionError("nobody came to an unsold district")


def light(session):
    """Press AUCTION; return when the light went on, and when it will go out."""
    session.tap("auction")
    run_until(session, lambda: session.state.phase == "bidding")
    started = session.state.auction.started
    return started, started + AUCTION_MS


def test_the_auction_button_starts_the_sale():
    session, memory = put_up()
    assert session.state.phase == "hammer"
    started, _ = light(session)
    assert memory.unit.state == "auction"
    assert session.unit.lamps & 1
    assert session.unit.ends == started + AUCTION_MS


def test_a_light_that_was_on_for_no_sale_and_is_stopped_is_told():
    session, memory = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    steps = len(session.game.actions)
    session.press("auction")
    run_until(session, lambda: memory.unit.state == "ready")
    session.release()
    run_until(session, lambda: not session.unit.light_is_on)
    assert session.log[-1].lower() == texts_table.STRAY_STOPPED.lower() == session.message.lower()
    assert len(session.game.actions) == steps


def test_nobody_else_starts_a_sale_that_a_person_has_called():
    session, memory = put_up()
    for _ in range(2000):
        session.step()
    assert session.state.phase == "hammer" and memory.unit.state == "ready"


@pytest.mark.parametrize(
    ("before_end", "counts"), [(30, True), (1, True), (0, False), (-1, False), (-30, False)]
)
def test_a_bid_is_judged_by_the_unit_s_clock(before_end, counts):
    """At the instant at which the light goes out it is out."""
    session, _ = put_up()
    _, ends = light(session)
    other = 1 - session.state.auction.opener
    run_until(session, lambda: session.unit.now() >= ends - 200)
    session.unit.frame_ms = 1
    run_until(session, lambda: session.unit.now() >= ends - before_end)
    session.bid(other, 500)
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
    _, ends = light(session)
    other = 1 - session.state.auction.opener
    run_until(session, lambda: session.unit.now() >= ends - 200)
    session.unit.frame_ms = 1
    run_until(session, lambda: session.unit.now() >= ends - 40)
    session.bid(other, 400)
    run_until(session, lambda: session.unit.now() >= ends + after_end)
    assert session.bid(other, 500) is False
    run_until(session, lambda: session.state.auction is None)
    late = f"B's bid of 5M came {after_end / 1000:.3f} s after the light went out"
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
    assert " ".join(too_late[6:]) == REASONS["too-late"]


def test_a_bid_too_close_to_be_sure_is_told_as_that_where_it_does_not_count():
    """By the house rule that doubtful bids do not count; the link's uncertainty is 2 ms."""
    game = Game(replace(put_up()[0].game.setup, rules=HouseRules(doubtful_bids_count=False)))
    state = game.state
    state.phase, state.turn = "auction space", 0
    for action in (("put up", 4, 10), ("light on", 1000), ("bid", 1, 50, 50999, 2)):
        game.do(action)
    game.do(("light out", 51000))
    assert tell(state.events[-2], state.board, ["A", "B"]).startswith(
        "B's bid of 500k came 0.001 s before the light went out, give or take 0.002 s: too close"
    )
    game.do(("settle",))
    lines = tell_bids(state.sales[-1], state.board, ["A", "B"])
    assert [line.split()[-1] for line in lines[2:]] == ["counts", "count"]


def test_a_bid_of_money_that_is_lacking_is_noted_and_changes_nothing():
    session, _ = put_up()
    light(session)
    other = 1 - session.state.auction.opener
    bids = list(session.state.auction.bids)
    assert not session.bid(other, session.state.cash[other] + 1)
    assert session.state.auction.bids == bids
    assert session.game.actions[-1][0] == "refused bid"
    assert "not enough money" in session.log[-1]


def test_a_bid_before_the_light_is_refused_in_words():
    session, _ = put_up()
    assert not session.bid(0, 500)
    assert session.message.startswith("The light was not on")


def test_bots_race_against_the_light_too():
    session, _ = put_up(("human", "planner", "builder"), seed=4)
    if session.state.phase == "hammer":
        light(session)
    run_until(session, lambda: session.state.phase not in ("hammer", "bidding", "settling"))
    bids = [event for event in session.state.events if event[0] == "bid"]
    assert {event[1] for event in bids} & {1, 2}


def test_build_draws_the_permit_that_the_unit_grants():
    session, memory = put_up()
    light(session)
    session.bid(session.state.turn, 2)
    run_until(session, lambda: session.state.phase == "manage")
    assert session.build_refused() == ""
    session.tap("build")
    run_until(session, lambda: session.state.phase == "permit")
    run_until(session, lambda: session.state.phase in ("build", "station"))
    granted = next(event for event in session.state.events if event[0] == "granted")
    lamp = {"1": 2, "2": 4, "3": 8, "station": 16}[granted[2]]
    assert memory.unit.lamps & 30 == lamp


def test_build_is_refused_in_words_and_the_unit_left_alone():
    session, memory = put_up()
    session.tap("build")
    for _ in range(500):
        session.step()
    assert memory.unit.events.count == 1  # it was switched on, and nothing else
    assert "after the move" in session.message


def test_a_permit_drawn_on_the_unit_at_the_wrong_time_does_not_count():
    session, memory = make_session()
    run_until(session, lambda: session.state.phase in ("roll", "unsold"))
    memory.client.send("tap build")
    for _ in range(3000):
        session.step()
    assert any("does not count" in line for line in session.log)
    assert not any(event[0] == "granted" for event in session.state.events)


def test_the_light_without_a_sale_times_a_deal():
    session, _ = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    proposer = session.state.turn
    session.do(("offer", proposer, 1 - proposer, (), (), 100, 0))
    assert session.state.phase == "deal"
    session.tap("auction")
    run_until(session, lambda: session.state.phase == "roll")
    assert any("before" in line and "no deal" in line for line in session.log)


def test_the_hour_ends_the_game_after_the_running_turn():
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=20)
    run_until(session, lambda: session.state.phase == "roll")
    run_until(session, lambda: session.state.hour_over)
    assert session.state.phase == "roll"
    turns = session.state.turns
    for _ in range(200):
        state = session.state
        if state.phase == "over":
            break
        if not session.is_human(state.decider):
            session.step()
            continue
        actions = [one for one in legal_actions(state) if one[0] not in ("put up", "press")]
        session.do(actions[0])
        session.step()
    assert session.state.phase == "over" and session.state.turns == turns


def test_the_rest_of_an_hour_is_begun_and_then_a_whole_one():
    session, _ = make_session()
    session.begin_hour(600000)
    run_until(session, lambda: session.unit.clock_left() and session.unit.clock_left() < 600001)
    assert 0.16 < session.unit.left() < 0.17
    session.begin_hour()
    run_until(session, lambda: session.unit.clock_left() > 3500000)
    assert session.unit.left() > 0.99


@pytest.mark.parametrize("phase", ["roll", "over"])
def test_the_clock_is_told_until_the_game_is_over(phase):
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=100)
    run_until(session, lambda: session.state.phase == "roll")
    session.state.phase = phase
    told = len(session.log)
    run_until(session, lambda: session.unit.now() > 45000)
    assert any(line.startswith("The hour has") for line in session.log[told:]) is (phase == "roll")


def test_another_hour_is_not_begun_while_one_runs():
    session, _ = make_session()
    run_until(session, lambda: (session.unit.clock_left() or 3600000) < 3590000)
    session.another_hour()
    for _ in range(100):
        session.step()
    assert session.unit.clock_left() < 3590000
    assert session.message.startswith("The hour still runs")


def test_the_hour_is_as_long_as_the_players_chose():
    session, _ = make_session(minutes=30)
    session.begin_hour()
    run_until(session, lambda: (session.unit.clock_left() or 3600000) <= 1800000)
    assert session.unit.left() > 0.99


def test_a_unit_that_lost_its_power_is_given_what_was_left_of_the_hour():
    session, memory = make_session(("human", "human"), frame_ms=100)
    run_until(session, lambda: (session.unit.clock_left() or 3600000) < 3000000)
    memory.restart_unit()
    run_until(
        session, lambda: any("goes on with 50:00" in line or "49:5" in line for line in session.log)
    )
    run_until(session, lambda: session.unit.clock_left() < 3000000)
    assert session.unit.clock_left() > 2980000


def test_the_clock_is_saved_with_each_turn(tmp_path):
    session, _ = put_up()
    session.save = save.create(tmp_path / "evening.city", session.game)
    light(session)
    run_until(session, lambda: session.state.phase == "manage")
    session.save.close()
    resumed, _ = save.load(tmp_path / "evening.city")
    resumed.close()
    assert 3600000 - 60000 < resumed.clock_left < 3600000 - 50000


def test_another_hour_goes_on():
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=20)
    run_until(session, lambda: session.state.hour_over)
    session.another_hour()
    run_until(session, lambda: not session.state.hour_over)
    run_until(session, lambda: session.unit.clock_left())
    assert session.unit.clock_left() > 59000


# A light that is on already when a sale is called.


def stray_light(opener):
    """Return a session that waits for the light of a sale, while one is on from before it."""
    session, memory = put_up()
    session.state.phase = "roll"
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    session.state.phase = "hammer"
    if opener < 0:
        session.state.auction.opener = opener
    return session, memory


def test_a_bot_s_sale_stops_a_light_that_is_on_and_begins():
    session, memory = stray_light(-1)
    on = session.unit.now()
    run_until(session, lambda: session.state.phase == "bidding")
    assert session.state.auction.started - on < 15000
    assert memory.unit.state == "auction"


def test_a_bot_that_wants_to_build_waits_for_a_light_that_is_on():
    session, _ = make_session(("planner", "human"), seed=2)
    run_until(session, lambda: session.state.phase == "roll")
    state = session.state
    for district in (0, 1, 2):
        state.transfer(district, 0)
    state.turn = state.decider = 0
    state.phase, state.rolls = "manage", 1
    session.tap("auction")
    run_until(session, lambda: session.unit.light_is_on)
    assert decide(session).title == texts_table.WAITING.format(name="A")
    run_until(session, lambda: state.phase != "manage")
    assert state.phase == "permit" and not any("refuses" in line for line in session.log)


def test_a_person_is_told_of_a_light_that_is_on():
    session, _ = stray_light(0)
    decision = decide(session)
    assert decision.detail == texts_table.STRAY_LIGHT
    assert [option.calls for option in decision.options] == ["stop"]
    session.unit.stop_light()
    run_until(session, lambda: not session.unit.light_is_on)
    light(session)
    assert session.state.phase == "bidding"


# The unit vanishes.


def test_a_unit_that_vanishes_in_an_auction_is_believed_when_it_is_back():
    session, memory = put_up()
    _, ends = light(session)
    session.bid(1 - session.state.auction.opener, 700)
    memory.cut()
    run_until(session, lambda: session.unit.now() > ends + 5000)
    assert session.state.phase == "bidding"
    assert any(texts_table.UNIT_LOST_RUNNING[1:] in line for line in session.log)
    memory.mend()
    run_until(session, lambda: session.state.phase not in ("bidding", "settling"))
    sold = next(event for event in session.state.events if event[0] == "sold")
    assert sold[3] == 700


def test_a_unit_that_was_started_anew_holds_the_auction_again():
    session, memory = put_up()
    light(session)
    memory.cut()
    for _ in range(1000):
        session.step()
    memory.restart_unit()
    memory.mend()
    run_until(session, lambda: session.state.phase == "hammer")
    light(session)
    assert session.state.phase == "bidding"


def test_players_can_go_on_with_another_unit():
    session, memory = put_up()
    light(session)
    memory.cut()
    for _ in range(100):
        session.step()
    other, _ = make_session()
    session.use(other.unit)
    assert session.state.phase == "hammer"
    started, _ = light(session)
    assert started <= other.unit.now()


def test_another_unit_beside_the_table_goes_on_with_the_hour():
    session, memory = make_session(("human", "human"), frame_ms=100)
    run_until(session, lambda: (session.unit.clock_left() or 3600000) < 3000000)
    memory.cut()
    for _ in range(100):
        session.step()
    other, _ = make_session()
    other.unit.mine = True
    session.use(other.unit)
    run_until(session, lambda: (session.unit.clock_left() or 3600000) < 3000000)
    assert session.unit.clock_left() > 2950000
    assert any("goes on with 49:" in line for line in session.log)


def test_a_game_that_was_left_in_an_auction_holds_it_again():
    session, _ = put_up()
    light(session)
    resumed = Session(Game(session.game.setup, session.game.actions), make_session()[0].unit)
    assert resumed.state.phase == "hammer"
    light(resumed)
    assert resumed.state.phase == "bidding"


def test_a_clock_that_is_not_known_yet_stands_still(monkeypatch):
    session, _ = make_session()
    before = session.unit.now()

    def unknown():
        raise LookupError

    monkeypatch.setattr(session.unit.client, "now", unknown)
    assert session.unit.now() == before


# Steps taken back.


def test_a_player_s_own_step_can_be_taken_back():
    session, _ = put_up()
    light(session)
    session.bid(session.state.turn, 2)
    run_until(session, lambda: session.state.phase == "manage")
    assert not session.can_undo() and not session.undo()
    for _ in range(200):
        if session.state.phase in ("build", "station"):
            break
        session.tap("build")
        run_until(session, lambda: session.state.phase in ("build", "station"))
    before = list(session.state.cash)
    action = next(one for one in legal_actions(session.state) if one[0] in ("build", "station"))
    session.do(action)
    assert session.can_undo() and session.undo()
    assert session.state.cash == before
    assert session.log[-1].endswith("takes the last step back.")


def test_build_is_offered_without_a_deed_where_stations_may_stand_anywhere():
    rules = HouseRules(stations_anywhere=True)
    session, _ = put_up()
    game = Game(replace(session.game.setup, rules=rules))
    game.state.phase, game.state.turn, game.state.decider = "manage", 0, 0
    session = Session(game, session.unit)
    assert not session.state.owned[0] and session.build_refused() == ""
    decision = decide(session)
    assert any(option.key == "b" for option in decision.options), decision.options
    session.tap("build")
    run_until(session, lambda: session.state.phase in ("build", "station"))
    assert session.do(("done",)) and session.state.phase == "manage"


def test_a_unit_that_was_switched_off_and_on_goes_on_with_the_hour():
    """The disc's small switch is soon touched; the unit itself would begin a whole hour."""
    session, memory = put_up()
    session.unit.frame_ms = 100
    run_until(session, lambda: (session.unit.clock_left() or 3600000) < 3360000)
    session.unit.frame_ms = 16
    light(session)
    left = session.unit.clock_left()
    session.unit.ask("switch off")
    run_until(session, lambda: session.unit.state == "off")
    for _ in range(500):
        session.step()
    session.unit.ask("switch on")
    run_until(session, lambda: any("The hour goes on with" in line for line in session.log))
    run_until(session, lambda: memory.unit.clock.due is not None and session.unit.clock_left())
    for _ in range(20):
        session.step()
    assert left - 1500 < session.unit.clock_left() <= left
    assert session.state.phase == "hammer"
    assert 0.92 < session.unit.left() < 0.94


def test_an_hour_begun_by_the_switch_when_the_last_is_over_is_a_whole_one():
    """Also on a unit that was last given the rest of one."""
    session, _ = make_session(("human", "human"), frame_ms=100)
    session.go_on_with_hour(60000)
    run_until(session, lambda: session.state.hour_over)
    session.unit.ask("switch off")
    run_until(session, lambda: session.unit.state == "off")
    session.unit.ask("switch on")
    run_until(session, lambda: not session.state.hour_over)
    run_until(session, lambda: (session.unit.clock_left() or 0) > 3590000)
    assert session.state.events[-1][0] == "new hour"


def test_no_hour_is_counted_down_while_the_unit_runs_for_the_last_turn():
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=20)
    run_until(session, lambda: session.state.hour_over and session.unit.state == "over")
    told = len(session.log)
    session.tap("auction")
    run_until(session, lambda: session.unit.state != "over")
    run_until(session, lambda: session.unit.state == "over")
    assert not any(line.startswith("The hour has") for line in session.log[told:])


def test_a_slip_on_the_switch_in_the_last_turn_begins_no_hour_and_f6_does():
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=20)
    run_until(session, lambda: session.state.hour_over and session.unit.state == "over")
    session.tap("auction")
    run_until(session, lambda: session.unit.clock_left())
    session.unit.ask("switch off")
    run_until(session, lambda: session.unit.state == "off")
    session.unit.ask("switch on")
    run_until(session, lambda: session.unit.clock_left())
    for _ in range(20):
        session.step()
    assert session.state.hour_over
    session.another_hour()
    run_until(session, lambda: not session.state.hour_over)
