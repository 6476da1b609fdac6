"""The classic rules that no vector shows: how deeds are dealt, and how the short game ends."""

import pytest

from city_game.editions.classic import EDITION
from city_game.kernel import apply, legal_actions
from city_game.kernel.board_file import load
from city_game.kernel.edition import fresh

BOARD = load(EDITION)


@pytest.mark.parametrize("rules", [{}, {"short_game": True, "until_one_is_left": True}])
def test_two_deeds_are_dealt_to_each_and_paid_for(rules):
    """TC 197, F98 373; in the game against the clock TC 221, F98 409."""
    state = fresh(BOARD, 3, EDITION.rules(**rules))
    for _ in range(6):
        assert state.phase == "dealing"
        apply(state, legal_actions(state)[0])
    assert state.phase == "start roll"
    for player in range(3):
        paid = sum(BOARD.prices[each] for each in state.owned[player])
        assert len(state.owned[player]) == 2 and state.cash[player] == BOARD.money.start - paid


@pytest.mark.parametrize("rules", [{"deeds_are_dealt": False}, {"until_one_is_left": True}])
def test_none_are_dealt_by_a_switch_or_in_a_game_without_a_clock(rules):
    assert fresh(BOARD, 3, EDITION.rules(**rules)).phase == "start roll"


def test_the_short_game_ends_with_the_second_bankruptcy():
    """TC 203, F98 387."""
    state = fresh(BOARD, 4, EDITION.rules(short_game=True))
    state.alive[3] = False
    assert not EDITION.is_over(state)
    state.alive[2] = False
    assert EDITION.is_over(state)
