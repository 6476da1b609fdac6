"""The hour of a game, which the unit keeps: its end, its rest, another."""

from types import SimpleNamespace

import pytest

from city_game.editions.city import PHASES
from city_game.kernel import legal_actions
from city_game.saves import save
from city_game.table.light import ELSEWHERE, MEANINGS, TRANSITIONS, Hour, Light
from tests.helpers.sales import AUCTION_MS, HOUR_MS, light, put_up
from tests.helpers.virtual_table import make_session, run_until


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
        actions = [
            action for action in legal_actions(state) if action[0] not in ("put up", "press")
        ]
        session.do(actions[0])
        session.step()
    assert session.state.phase == "over" and session.state.turns == turns


def test_the_rest_of_an_hour_is_begun_then_a_whole_one_and_none_while_that_runs():
    session, _ = make_session()
    session.hour.begin(600000)
    run_until(session, lambda: session.unit.clock_left() and session.unit.clock_left() < 600001)
    assert 0.16 < session.unit.left() < 0.17
    session.hour.begin()
    run_until(session, lambda: session.unit.clock_left() > 3500000)
    assert session.unit.left() > 0.99
    run_until(session, lambda: session.unit.clock_left() < 3590000)
    session.hour.another()
    for _ in range(100):
        session.step()
    assert session.unit.clock_left() < 3590000
    assert session.message.startswith("The hour still runs")


@pytest.mark.parametrize("phase", ["roll", "over"])
def test_the_clock_is_told_until_the_game_is_over(phase):
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=100)
    run_until(session, lambda: session.state.phase == "roll")
    session.state.phase = phase
    told = len(session.log)
    run_until(session, lambda: session.unit.clock_left() < 15_000)
    assert any(line.startswith("The hour has") for line in session.log[told:]) is (phase == "roll")


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
    assert HOUR_MS - AUCTION_MS - 10_000 < resumed.clock_left < HOUR_MS - AUCTION_MS


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
    session.hour.go_on(60000)
    run_until(session, lambda: session.state.hour_over)
    session.unit.ask("switch off")
    run_until(session, lambda: session.unit.state == "off")
    session.unit.ask("switch on")
    run_until(session, lambda: not session.state.hour_over)
    run_until(session, lambda: (session.unit.clock_left() or 0) > 3590000)
    assert session.state.events[-1][0] == "new hour"


def test_a_unit_started_for_the_last_turn_begins_no_hour_and_f6_does():
    """Nor does a slip on its switch then; and nothing is counted down."""
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=20)
    assert session.hour.state == "running"
    run_until(session, lambda: session.state.hour_over and session.unit.state == "over")
    assert session.hour.state == "ended"
    told = len(session.log)
    session.tap("auction")
    assert session.hour.state == "overtime"
    run_until(session, lambda: session.unit.clock_left())
    assert session.hour.state == "ended"
    for word, state in (("off", "off"), ("on", "ready")):
        session.unit.ask(f"switch {word}")
        run_until(session, lambda wanted=state: session.unit.state == wanted)
    run_until(session, lambda: session.unit.state == "over")
    assert session.state.hour_over
    assert not any(line.startswith("The hour has") for line in session.log[told:])
    session.hour.another()
    run_until(session, lambda: not session.state.hour_over)
    run_until(session, lambda: session.unit.clock_left())
    assert session.unit.clock_left() > 59000


# The tables of the hour and of the light, where no other source has a rule.


def test_each_row_leads_to_a_state_and_is_done_by_something():
    for rows in TRANSITIONS.values():
        for state, method in rows.values():
            assert state in TRANSITIONS and callable(getattr(Hour, method))
    assert set(MEANINGS) <= set(PHASES)
    for rows in (*MEANINGS.values(), ELSEWHERE):
        assert all(callable(getattr(Light, method)) for method in rows.values())


def test_a_unit_that_was_over_before_the_game_heard_of_it_starts_for_the_last_turn():
    """The snapshot may overtake the event that the hour has ended."""
    session, _ = make_session(("human", "human"))
    evening = session.hour
    evening.meet("wanted when over")
    assert evening.state == "restarting"
    evening.meet("hour ended", 1000)
    assert evening.state == "overtime" and session.state.hour_over
    evening.meet("switched on", 2000)
    assert evening.state == "ended" and session.state.hour_over
    evening.meet("switched on", 3000)
    assert evening.state == "running" and not session.state.hour_over
    session.state.phase, actions = "over", len(session.game.actions)
    evening.meet("switched on", 4000)  # once the game is over, no start means anything
    assert len(session.game.actions) == actions


@pytest.mark.parametrize(
    ("program", "runs", "asked"),
    [
        ("city", "", "restart"), ("city", "city", "restart"), ("city", "timed", "program city"),
        ("timed", "", "program timed"), ("timed", "timed", "restart"),
    ],
)  # fmt: skip
def test_a_game_begins_with_its_own_program_also_before_the_unit_has_said_which_it_runs(
    program, runs, asked
):
    said = []
    unit = SimpleNamespace(program=runs, full_ms=0, ask=said.append, forget_clock=lambda: None)
    state = SimpleNamespace(edition=SimpleNamespace(program=program), hour_over=False)
    Hour(SimpleNamespace(unit=unit, state=state), 0).begin()
    assert said == [asked]
