"""How long the present tone is going to last, so that its sound can end at the exact sample."""

import copy

from city_unit.ticks import diff
from city_unit.unit import Unit


def tone_left(unit: Unit, now: int, levels: int) -> int:
    """Return for how many ms more the tone sounds, if nobody touches the unit.

    A copy of the unit lives ahead until its tone changes.
    """
    twin = copy.deepcopy(unit, {id(unit.settings): unit.settings})
    due = now
    while twin.tone == unit.tone:
        next_due = twin.next_due()
        if next_due is None:
            break
        due = next_due
        twin.step(due, levels)
    return diff(due, now)
