"""A live unit, reserved for the lab: not in the middle of something, and restored afterwards."""

import contextlib
from collections.abc import Iterator

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.facts import RESTING

IN_USE = {  # by the state in which the unit is
    "drawing": lazy("the unit at {port} is in the middle of a permit; {way_out}"),
    "setup": lazy("the unit at {port} is in the middle of its setup; {way_out}"),
}
_IN_AN_AUCTION = lazy("the unit at {port} is in the middle of an auction; {way_out}")
_PATIENCE_MS = 5000
_POLL_S = 0.02


class InUse(UserError):
    """The unit is in the middle of something; the message is for a person."""


@contextlib.contextmanager
def reserved(unit: host.Client, force: bool) -> Iterator[None]:
    """Reserve a live unit, and restore it afterwards; raises InUse unless `force`.

    Afterwards no auction that was begun on it goes on, it has the program that it
    had, and its switch is again where it stands. A unit that is gone by then is
    left alone.
    """
    before = unit.snapshot
    assert before is not None  # a client has one as soon as it is connected
    if before.state not in RESTING and not force:
        words = IN_USE.get(before.state, _IN_AN_AUCTION)
        way_out = _("wait until it is over, or say --force")
        raise InUse(words.format(port=unit.port, way_out=way_out), FAILURE)
    try:
        yield
    finally:
        with contextlib.suppress(host.LinkError):
            unit.send("watch off")
            with contextlib.suppress(host.Refused):  # no auction runs
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
