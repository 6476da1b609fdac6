"""The marks of each program, at their times, from any start of the unit's clock."""

import pytest

from city_unit.clock import Clock
from city_unit.programs import PROGRAMS
from city_unit.ticks import add, diff
from tests.city_unit.timeline import STARTS

BY_NAME = {program.name: program for program in PROGRAMS}
MIN = 60_000


def marks(program, length, start):
    """Return `(ms, kind, label)` of each mark of a game of `length` ms."""
    clock = Clock()
    clock.start(start, length, BY_NAME[program].marks)
    found = []
    while clock.due is not None:
        due = clock.due
        found.append((diff(due, start), clock.kind, clock.label))
        if clock.fire(due) == "mark passed":
            clock.pass_mark()
    return found


@pytest.mark.parametrize(("length", "beeps"), [(30, [15, 20, 25, 29]), (7, [2, 6]), (1, [0])])
def test_marks_before_the_start_of_a_short_game_are_left_out(length, beeps):
    expected = [(minute * MIN, "hour-beep", "") for minute in beeps]
    expected.append((length * MIN, "time-called", ""))
    assert marks("timed", length * MIN, 0) == expected


@pytest.mark.parametrize("start", STARTS)
def test_what_remains_is_computed_from_the_end(start):
    clock = Clock()
    assert clock.left_at(start) == 0
    clock.start(start, 60 * MIN, BY_NAME["city"].marks)
    assert clock.left_at(add(start, 1234)) == 60 * MIN - 1234
    clock.stop()
    assert clock.left_at(add(start, 1234)) == 0
