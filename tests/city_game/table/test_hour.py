"""The tables of the hour and of the light: whole, and right where no other source has a rule."""

from types import SimpleNamespace

import pytest

from city_game.editions.city import PHASES
from city_game.table import light
from tests.helpers.virtual_table import make_session


def test_each_row_leads_to_a_state_and_is_done_by_something():
    for rows in light.TRANSITIONS.values():
        for state, method in rows.values():
            assert state in light.TRANSITIONS and callable(getattr(light.Hour, method))
    assert set(light.MEANINGS) <= set(PHASES)
    for rows in (*light.MEANINGS.values(), light.ELSEWHERE):
        assert all(callable(getattr(light.Light, method)) for method in rows.values())


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
    light.Hour(SimpleNamespace(unit=unit, state=state), 0).begin()
    assert said == [asked]
