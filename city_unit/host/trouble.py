"""Why no unit answers at a port, in one line for a person."""

from city_unit.desktop.catalogue import lazy
from city_unit.host.core import Core
from city_unit.host.lines.errors import Busy, NoUnit
from city_unit.wire import PROTOCOL

BUSY = lazy(
    "another program has the unit at {port}; close that program, or choose another unit"
    " (`city-unit ports` lists them)"
)
LOCKED = lazy(
    "the unit at {port} wants its secret: use the whole address that it shows,"
    " socket://HOST:PORT/SECRET"
)
FOREIGN = lazy(
    "the unit at {port} speaks version {version} of the protocol, this program version {own};"
    " bring both up to date"
)
SILENT = lazy("no unit at {port}: nothing there answers as a unit (`city-unit selftest` looks why)")
UNREADABLE = lazy("the unit at {port} says what this program cannot read: {why}")
NO_UNIT = lazy("no unit at {port}: {why}")


def silent(port: str) -> NoUnit:
    """Return what there is to say if nothing is known."""
    return NoUnit(SILENT.format(port=port))


def trouble(core: Core, port: str, is_taken: bool, why_not: str) -> NoUnit | None:
    """Return why the unit cannot answer, as far as that is known.

    is_taken  whether another program has the port
    why_not   why the line could not be opened, or was lost; else ""
    """
    if is_taken or core.taken:
        return Busy(BUSY.format(port=port))
    if core.locked:
        return NoUnit(LOCKED.format(port=port))
    if core.foreign:
        return NoUnit(FOREIGN.format(port=port, version=core.foreign, own=PROTOCOL))
    if core.unreadable:
        return NoUnit(UNREADABLE.format(port=port, why=core.unreadable))
    return NoUnit(NO_UNIT.format(port=port, why=why_not)) if why_not else None
