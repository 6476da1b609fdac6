"""Which units can be reached from here."""

from dataclasses import dataclass

from city_unit.host import registry
from city_unit.host.errors import NoUnit

# USB identities under which boards with MicroPython appear.
BOARDS = {
    (0x2E8A, 0x0005): "board with an RP2040 or RP2350",
    (0x303A, 0x1001): "board with an ESP32 (USB serial)",
    (0x303A, 0x4001): "board with an ESP32-S2 or S3",
    (0x10C4, 0xEA60): "serial adapter CP210x",
    (0x1A86, 0x7523): "serial adapter CH340",
    (0x1A86, 0x55D4): "serial adapter CH9102",
    (0x0403, 0x6001): "serial adapter FT232",
}


@dataclass(frozen=True)
class Found:
    """A port at which there is, or may be, a unit."""

    port: str
    name: str  # of an emulated unit, or the serial number of a board
    kind: str


def find() -> list[Found]:
    """Return the running emulated units, then the boards, known by their USB identity."""
    return _emulated() + _boards()


def choose(wanted: str = "") -> str:
    """Return the port of the only unit there is, or of the one called `wanted`.

    Raises NoUnit if there is none, or if there are several to choose from.
    """
    found = [unit for unit in find() if wanted in ("", unit.name)]
    if not found:
        called = f" called {wanted!r}" if wanted else ""
        raise NoUnit(
            f"no unit{called} found; start one with `city-unit play --listen 127.0.0.1:0`, "
            "plug in a board, or name its port"
        )
    if len(found) > 1:
        choices = ", ".join(f"{unit.port} ({unit.name or unit.kind})" for unit in found)
        raise NoUnit(f"there are {len(found)} units; give one's port, or auto:NAME: {choices}")
    return found[0].port


def _emulated() -> list[Found]:
    return [Found(port, name, "emulated unit") for port, name in registry.running()]


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
