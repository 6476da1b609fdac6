"""Reserves an idle live unit for a measurement, and restores it afterwards."""

import contextlib
from collections.abc import Iterator

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.facts import RESTING

_IN_USE = {  # by the state of the unit
    "drawing": lazy("the unit at {port} is in the middle of a permit; {way_out}"),
    "setup": lazy("the unit at {port} is in the middle of its setup; {way_out}"),
}
_IN_AN_AUCTION = lazy("the unit at {port} is in the middle of an auction; {way_out}")
_PATIENCE_MS = 5000
_POLL_S = 0.02


class InUse(UserError):
    """The unit is not idle."""


@contextlib.contextmanager
def reserved(unit: host.Client, force: bool) -> Iterator[None]:
    """Reserve a live unit, and restore it afterwards; raises InUse unless it is idle or `force`.

    Restoring stops any auction, selects the former program, and returns control to the physical
    switch. A unit that was lost meanwhile is left alone.
    """
    before = unit.snapshot
    assert before is not None  # a connected client has one
    if before.state not in RESTING and not force:
        words = _IN_USE.get(before.state, _IN_AN_AUCTION)
        way_out = _("wait until it is over, or use --force")
        raise InUse(words.format(port=unit.port, way_out=way_out), FAILURE)
    try:
        yield
    finally:
        with contextlib.suppress(host.LinkError):
            unit.send("watch off")
            with contextlib.suppress(host.Refused):  # no auction is running
                unit.send("stop")
            unit.send("state")
            now = unit.snapshot
            if now and (now.program, now.clock_ms) != (before.program, before.clock_ms):
                switch_off(unit)
                unit.send(f"program {before.program} {before.clock_ms}")
            unit.send("switch free")


def switch_off(unit: host.Client) -> None:
    """Switch a unit off and wait until it is; raises host.LinkError."""
    unit.send("switch off")
    until = unit.host_ms() + _PATIENCE_MS
    while unit.host_ms() < until:
        unit.send("state")
        unit.poll(_POLL_S)
        if unit.snapshot is not None and not unit.snapshot.switched_on:
            return
    raise host.LinkError(_("the unit does not switch off"))
