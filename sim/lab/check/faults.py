"""Faults on purpose: the table `[faults]` of a scenario's file, as `check --help` explains it."""

from collections.abc import Sequence
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.toml_reader import Table, choice, integer, time_ms, within
from city_unit.facts import BUTTONS
from city_unit.ticks import MASK
from sim.engine.edges import Change

BODY = ("late", "wrap", "stuck")
LINE = ("loss", "noise")


class Faults(NamedTuple):
    """The faults as numbers; 0 or None where there is none.

    late_ms   the latest that a pass comes
    wrap_ms   when the unit's own clock wraps, since the start of the run
    stuck     the bit of a contact, and
    stuck_ms  from when on it is closed
    loss, noise  how many of 100 lines are lost, and spoilt
    """

    late_ms: int = 0
    wrap_ms: int | None = None
    stuck: int = 0
    stuck_ms: int = 0
    loss: int = 0
    noise: int = 0

    @property
    def names(self) -> list[str]:
        """Return the faults that there are, by their keys in the file."""
        there = (self.late_ms, self.wrap_ms is not None, self.stuck, self.loss, self.noise)
        return [name for name, is_there in zip((*BODY, *LINE), there, strict=True) if is_there]

    @property
    def on_the_line(self) -> bool:
        return bool(self.loss or self.noise)

    def closed(self, changes: Sequence[Change]) -> Sequence[Change]:
        """Return the contacts' changes with the stuck contact closed."""
        if not self.stuck:
            return changes
        before = [change for change in changes if change[0] < self.stuck_ms]
        levels = next((last for ms, last in reversed(changes) if ms <= self.stuck_ms), 0)
        after = [(ms, levels | self.stuck) for ms, levels in changes if ms > self.stuck_ms]
        return (*before, (self.stuck_ms, levels | self.stuck), *after)


def read(table: Table, end_ms: int) -> Faults:
    """Parse the faults of a run that ends at `end_ms` from their table; raises UserError."""
    in_time = within(
        time_ms, 0, max(0, end_ms - 1), _("before the run's end, at {end} ms").format(end=end_ms)
    )
    stuck = table.take("stuck", choice(BUTTONS), None)
    faults = Faults(
        late_ms=table.take("late", within(time_ms, 0, 1000, _("at most 1 s")), 0),
        wrap_ms=table.take("wrap", within(in_time, 0, MASK, _("at most 298 h")), None),
        stuck=BUTTONS.get(stuck, 0),
        stuck_ms=table.take("stuck_at", in_time, 0),
        loss=table.take("loss", integer(0, 90), 0),
        noise=table.take("noise", integer(0, 90), 0),
    )
    if "stuck_at" in table and not faults.stuck:
        raise table.error("stuck_at", _("stuck_at: which button is stuck?"))
    if faults.on_the_line and faults.late_ms:
        words = _("late: a line with faults belongs to a body that is not late")
        raise table.error("late", words)
    table.finish()
    return faults
