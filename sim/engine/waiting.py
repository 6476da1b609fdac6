"""When an event comes in a scenario, for a step that waits for it.

So that a scenario is the same on every body, the core lives through the steps above, and the time
at which it tells the event is the step's. A live unit that draws its own lengths is waited for
(`sim/lab/check/on_port.py`).
"""

from collections.abc import Sequence

from city_unit.draws import Draws
from city_unit.drive import Drive
from city_unit.programs import Program
from city_unit.settings import Settings
from city_unit.trace import Recorder
from city_unit.unit import Unit

_PATIENCE_MS = 25 * 3_600_000  # no clock is longer than a day


def time_of(
    kind: str,
    since_ms: int,
    changes: Sequence[tuple[int, int]],
    program: Program,
    programs: Sequence[Program],
    seed: int,
) -> int | None:
    """Return when the first event of a kind comes after `since_ms`, None if it never does.

    changes  of the contacts, by the steps above
    """
    unit = Unit(Settings(tuple(programs)), Draws(seed).below)
    unit.settings.choose(program)
    found: list[int] = []

    def tell(ms: int, what: str, _value: object, _why: object) -> None:
        if what == kind and ms > since_ms:
            found.append(ms)

    drive = Drive(unit, 0, Recorder(unit, 0, tell).note)
    drive.go(0, 0)
    for ms, levels in changes:
        drive.until(ms, levels)
        if found:
            return found[0]
    last_ms = max(since_ms, changes[-1][0] if changes else 0) + _PATIENCE_MS
    while not found:
        due = drive.next_ms()
        if due is None or due > last_ms:
            return None
        drive.go(max(due, drive.ms))
    return found[0]
