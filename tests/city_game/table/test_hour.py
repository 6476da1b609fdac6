"""The hour of a game, kept by the unit: its end, resuming it, another hour, and a pause."""

from types import SimpleNamespace

import pytest

from city_game import save
from city_game.kernel import legal_actions
from city_game.table.unit import Hour
from tests.city_game.phones.desk import Desk
from tests.helpers.sales import AUCTION_MS, HOUR_MS, light, put_up
from tests.helpers.virtual_table import (
    at_the_dice,
    draw,
    make_screen,
    make_session,
    pass_frames,
    run_until,
    type_letter,
)


def left_is_below(session, ms):
    return lambda: (session.unit.clock_left() or HOUR_MS) < ms


def switch(session, word):
    session.unit.ask(f"switch {word}")
    run_until(session, lambda: session.unit.state == ("off" if word == "off" else "ready"))


def test_the_time_left_is_logged_and_the_hour_ends_the_game_after_the_current_turn():
    session = at_the_dice(clock_ms=60000, frame_ms=20)
    run_until(session, lambda: session.state.hour_over)
    assert any(line.startswith("The hour has") for line in session.log)
    assert session.state.phase == "roll"
    turns = session.state.turns
    for _ in range(200):
        state = session.state
        if state.phase == "over":
            break
        if session.is_human(state.decider):
            unwanted = ("put up", "press")
            session.do(next(one for one in legal_actions(state) if one[0] not in unwanted))
        session.step()
    assert session.state.phase == "over" and session.state.turns == turns


def test_an_hour_starts_with_a_rest_or_whole_and_another_is_refused_while_it_runs():
    session, _ = make_session()
    session.hour.begin(600000)
    run_until(session, left_is_below(session, 600001))
    assert 0.16 < session.unit.left() < 0.17
    session.hour.begin()
    run_until(session, lambda: session.unit.clock_left() > 3500000)
    assert session.unit.left() > 0.99
    run_until(session, left_is_below(session, 3590000))
    session.hour.begin_another()
    pass_frames(session, 100)
    assert session.unit.clock_left() < 3590000
    assert session.message.startswith("The hour is still running")


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_unit_that_restarted_or_is_replaced_resumes_the_rest_of_the_hour(is_replaced):
    session, memory = make_session(("human", "human"), frame_ms=100)
    run_until(session, left_is_below(session, 3000000))
    if is_replaced:
        memory.cut()
        session.step()
        other, _ = make_session(frame_ms=100)
        other.unit.is_mine = True
        session.replace_unit(other.unit)
    else:
        memory.restart_unit()
    run_until(session, lambda: any("continues with" in line for line in session.log))
    run_until(session, left_is_below(session, 3000000))
    assert session.unit.clock_left() > 2950000


def test_the_clock_is_saved_with_each_turn(tmp_path):
    session, _ = put_up()
    session.save = save.create(tmp_path / "evening.city", session.game)
    light(session)
    run_until(session, lambda: session.state.phase == "manage")
    session.save.close()
    resumed, _ = save.load(tmp_path / "evening.city")
    resumed.close()
    assert HOUR_MS - AUCTION_MS - 10_000 < resumed.clock_left < HOUR_MS - AUCTION_MS


def test_a_unit_that_was_switched_off_and_on_resumes_the_hour():
    """The small switch is easily touched, and the unit itself would start a whole hour."""
    session, memory = put_up()
    session.unit.frame_ms = 100
    run_until(session, left_is_below(session, 3360000))
    session.unit.frame_ms = 16
    light(session)
    left = session.unit.clock_left()
    switch(session, "off")
    pass_frames(session, 500)
    session.unit.ask("switch on")
    run_until(session, lambda: any("The hour continues with" in line for line in session.log))
    run_until(session, lambda: memory.unit.clock.due is not None and session.unit.clock_left())
    pass_frames(session, 20)
    assert left - 1500 < session.unit.clock_left() <= left
    assert session.state.phase == "hammer"
    assert 0.92 < session.unit.left() < 0.94


def test_the_switch_starts_a_whole_hour_after_the_last_one():
    """Even on a unit last started with the rest of an hour."""
    session, _ = make_session(("human", "human"), frame_ms=100)
    session.hour.go_on(60000)
    run_until(session, lambda: session.state.hour_over)
    switch(session, "off")
    session.unit.ask("switch on")
    run_until(session, lambda: not session.state.hour_over)
    run_until(session, lambda: (session.unit.clock_left() or 0) > 3590000)
    assert session.state.events[-1][0] == "new hour"


def test_a_restart_for_the_last_turn_starts_no_hour_but_f6_does():
    """Neither does touching the switch, and no time left is logged."""
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=20)
    run_until(session, lambda: session.state.hour_over and session.unit.state == "over")
    before = len(session.log)
    session.tap("auction")
    assert session.hour.is_over and session.hour.is_restarting
    run_until(session, lambda: session.unit.clock_left())
    assert session.hour.is_over and not session.hour.is_restarting
    switch(session, "off")
    switch(session, "on")
    run_until(session, lambda: session.unit.state == "over")
    assert session.state.hour_over
    assert not any(line.startswith("The hour has") for line in session.log[before:])
    session.hour.begin_another()
    run_until(session, lambda: not session.state.hour_over)
    run_until(session, lambda: session.unit.clock_left())
    assert session.unit.clock_left() > 59000


def test_a_unit_whose_hour_ended_before_the_game_knew_restarts_for_the_last_turn():
    """A snapshot may arrive before the event of the hour's end."""
    session, _ = make_session(("human", "human"))
    hour, state = session.hour, session.state
    state.phase, session.unit.state = "manage", "over"
    hour.prepare_press()
    for event, is_restarting, is_over in (
        (hour.ended, True, True),
        (hour.switched_on, False, True),
        (hour.switched_on, False, False),
    ):
        event(1000)
        assert (hour.is_restarting, hour.is_over, state.hour_over) == (
            is_restarting,
            is_over,
            is_over,
        )
    state.phase, before = "over", (len(session.game.actions), list(session.log))
    for event in (hour.ended, hour.switched_on, hour.beeped):  # ignored by now
        event(4000)
    session.pause()
    assert (len(session.game.actions), session.log) == before and not session.is_paused


def test_a_game_sets_its_own_program_even_before_the_unit_reports_the_one_it_runs():
    for program, runs, asked in (
        ("city", "", "restart"),
        ("city", "city", "restart"),
        ("city", "timed", "program city"),
        ("timed", "", "program timed"),
    ):
        requests = []
        unit = SimpleNamespace(program=runs, full_ms=0, ask=requests.append, forget_clock=str)
        state = SimpleNamespace(edition=SimpleNamespace(program=program), hour_over=False)
        Hour(SimpleNamespace(unit=unit, state=state), 0).begin()
        assert requests == [asked], (program, runs)


# A pause.


@pytest.fixture
def session():
    session = at_the_dice(minutes=30, frame_ms=100)
    session.hour.begin()
    return session


def test_a_pause_stops_the_hour_and_later_resumes_it(session):
    run_until(session, left_is_below(session, 1_700_000))
    left = session.unit.clock_left()
    screen = make_screen(session)
    type_letter(screen, "p")
    run_until(session, lambda: session.unit.state == "off")
    screen.update()
    assert session.is_paused and screen.game.title == "Paused: the hour is stopped."
    pass_frames(session, 300)
    draw(screen)
    assert screen.view().seconds == -(-session.hour.kept_ms // 1000) > 1000
    (button,) = screen.buttons()
    screen.perform(button.command)
    run_until(session, lambda: session.unit.state == "ready" and session.unit.clock_left())
    run_until(session, lambda: session.unit.clock_left() <= left)
    assert not session.is_paused
    assert left - 15_000 < session.unit.clock_left() <= left


def test_a_pause_requested_while_the_hour_starts_takes_effect():
    """The event of that start arrives after the request and must not end the pause."""
    session, _ = make_session(("human", "human"))
    session.gathers = True
    pass_frames(session, 40)
    session.begin()
    session.pause()
    run_until(session, lambda: session.unit.state == "off")
    assert session.is_paused
    session.pause()
    run_until(session, lambda: not session.is_paused)


def test_in_a_pause_no_bot_acts_and_a_telephone_can_only_resume():
    session = at_the_dice(("human", "builder", "human"), pace=0, minutes=30)
    session.state.turn = session.state.decider = 1
    desk = Desk(session)
    ann, cleo = desk.seated(0), desk.seated(2)
    assert cleo.say("pause") == ""
    run_until(session, lambda: session.unit.state == "off")
    before = len(session.game.actions)
    pass_frames(session, 1000)
    assert len(session.game.actions) == before
    desk.step()
    assert ann.view["title"] == "C has paused: the hour is stopped." == session.log[-1]
    assert ann.view["stands"] and ann.view["left"] == session.hour.kept_ms > 1_000_000
    assert ann.view["hand"]["options"] == []
    assert ann.say("do", action=["roll"]) != ""
    assert ann.say("pause") == ""
    run_until(session, lambda: session.unit.state != "off" and not session.is_paused)
    desk.step()
    assert not ann.view["stands"]


def test_p_does_not_pause_during_a_sale_nor_where_it_pays(sale, session):
    type_letter(sale, "p")
    assert sale.session.message == sale.session.pause_refused() != ""
    pass_frames(sale.session, 100)
    assert sale.state.phase == "bidding" and not sale.session.is_paused
    state = session.state
    state.jailed[state.turn], state.phase = 1, "jail"
    screen = make_screen(session)
    screen.update()
    type_letter(screen, "p")
    assert not session.is_paused and session.game.actions[-1] == ("pay fine",)
