"""Which units can be reached from here."""

from collections.abc import Callable
from dataclasses import dataclass

from city_unit.desktop.catalogue import lazy, nlazy
from city_unit.host.errors import Busy, NoUnit
from city_unit.host.lines import registry

NOT_FOUND = lazy(
    "no unit found; start one with `city-unit play --listen 127.0.0.1:0`, plug in a board, or"
    " name its port"
)
NOT_CALLED_SO = lazy(
    "no unit called {name} found; start one with `city-unit play --listen 127.0.0.1:0`, plug in"
    " a board, or name its port"
)
SILENT = lazy("{trouble}; these do not answer as a unit: {ports}")
SEVERAL = nlazy(
    "there is {count} unit; give its port, or auto:NAME: {choices}",
    "there are {count} units; give one's port, or auto:NAME: {choices}",
)

EMULATED = "emulated"

# The kinds of devices at ports: keys for files, and words for people.
KINDS = {
    EMULATED: lazy("emulated unit"),
    "rp2": lazy("board with an RP2040 or RP2350"),
    "esp32": lazy("board with an ESP32 (USB serial)"),
    "esp32-s2": lazy("board with an ESP32-S2 or S3"),
    "cp210x": lazy("serial adapter CP210x"),
    "ch340": lazy("serial adapter CH340"),
    "ch9102": lazy("serial adapter CH9102"),
    "ft232": lazy("serial adapter FT232"),
}

# USB identities under which boards with MicroPython appear.
BOARDS = {
    (0x2E8A, 0x0005): "rp2",
    (0x303A, 0x1001): "esp32",
    (0x303A, 0x4001): "esp32-s2",
    (0x10C4, 0xEA60): "cp210x",
    (0x1A86, 0x7523): "ch340",
    (0x1A86, 0x55D4): "ch9102",
    (0x0403, 0x6001): "ft232",
}


@dataclass(frozen=True)
class Found:
    """A port at which there is, or may be, a unit."""

    port: str
    name: str  # of an emulated unit, or the serial number of a board
    kind: str  # a key of `KINDS`

    def __str__(self) -> str:
        """Return the kind of device, for a person."""
        return str(KINDS[self.kind])


def find() -> list[Found]:
    """Return the running emulated units, then the boards, known by their USB identity."""
    return [Found(port, name, EMULATED) for port, name in registry.running()] + _boards()


def identity(port: str) -> str:
    """Return an identity by which to recognise a unit later: that of its USB, else its port."""
    return next((board.name for board in _boards() if board.port == port and board.name), port)


def choose(wanted: str = "", greet: Callable[[str], object] | None = None) -> str:
    """Return the port of the only unit there is, or of the one called `wanted`.

    If there are several ports, those count that answer when they are greeted: a USB
    adapter has the same identity with any device behind it. `greet` raises NoUnit if
    there is no unit.

    Raises NoUnit if there is none, or if there are several to choose from.
    """
    found = [unit for unit in find() if wanted in ("", unit.name)]
    silent = []  # boards that do not answer a greeting as a unit does
    if len(found) > 1 and greet is not None:
        for board in found:
            try:
                if board.kind != EMULATED:
                    greet(board.port)
            except Busy:
                pass  # another program has it, so it is one
            except NoUnit:
                silent.append(board)
    found = [unit for unit in found if unit not in silent]
    if not found:
        trouble = NOT_CALLED_SO.format(name=repr(wanted)) if wanted else str(NOT_FOUND)
        if silent:
            ports = ", ".join(f"{unit.port} ({unit})" for unit in silent)
            trouble = SILENT.format(trouble=trouble, ports=ports)
        raise NoUnit(trouble)
    if len(found) > 1:
        choices = ", ".join(f"{unit.port} ({unit.name or unit})" for unit in found)
        raise NoUnit(SEVERAL.format(count=len(found), choices=choices))
    return found[0].port


def _boards() -> list[Found]:
    try:
        from serial.tools import list_ports
    except ImportError:
        return []
    found = []
    for port in list_ports.comports():
        kind = BOARDS.get((port.vid, port.pid)) if port.vid is not None else None
        if kind:
            found.append(Found(port.device, port.serial_number or "", kind))
    return found
