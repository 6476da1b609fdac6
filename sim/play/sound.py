"""When the unit will sound, and for how long: known ahead, so that its sound keeps to the time."""

from city_unit.ticks import diff
from city_unit.unit import Unit
from sim.engine.runner import Runner
from sim.play.confirm import is_busy

WITHIN_MS = 60_000  # a tone that is further off is none yet


def due_s(runner: Runner) -> float | None:
    """Return the seconds until a tone that is due; 0 amid an auction or a draw; None for none."""
    if runner.is_paused:
        return None
    if is_busy(runner.unit):
        return 0.0
    coming = runner.coming(WITHIN_MS)
    return (coming[0].ms - runner.ms) / 1000 / runner.speed if coming else None


def tone_left(unit: Unit, now: int, levels: int) -> int:
    """Return for how many ms more the tone sounds, if nobody touches the unit.

    A copy of the unit lives ahead until its tone changes.
    """
    twin = unit.copy(lambda n: 0)  # its tone changes before it draws
    due = now
    while twin.tone == unit.tone:
        next_due = twin.next_due()
        if next_due is None:
            break
        due = next_due
        twin.step(due, levels)
    return diff(due, now)
