"""Finds the boards that are connected, by their USB identity and never by a port's name."""

import argparse
import os
import sys
from pathlib import Path

from serial.tools import list_ports

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError

NO_BOARD_FOUND = lazy(
    "no board found; connect it with a USB cable that carries data, or name its port with --port"
)
SEVERAL = lazy("several boards: {ports}; choose one with --port")

# The makers of the USB side of the boards: Raspberry Pi, Espressif, and those of the two
# usual bridges of ESP32 boards (CP210x, CH340).
VENDORS = (0x2E8A, 0x303A, 0x10C4, 0x1A86)


def add_board(parser: argparse.ArgumentParser) -> None:
    """Add where the board is, and the pin file that it is to have."""
    port = _("where the board is; found by itself if it is the only one")
    pins = _("put this pin file on the board as well")
    parser.add_argument("--port", metavar=_("PORT"), help=port)
    parser.add_argument("--pins", metavar=_("FILE"), help=pins)


def boards() -> list[str]:
    """Return the ports at which a board may be."""
    return sorted(port.device for port in list_ports.comports() if port.vid in VENDORS)


def is_there(port: str) -> bool:
    """Return whether the system has a serial port of this name."""
    if os.name == "posix":
        return Path(port).exists()
    return port.upper() in (found.device.upper() for found in list_ports.comports())


def may_open(port: str) -> bool:
    """Return whether this user may open a port that is there."""
    return os.name != "posix" or os.access(port, os.R_OK | os.W_OK)


def choose() -> str:
    """Return the only board's port; if there are several, ask."""
    found = boards()
    if not found:
        raise UserError(str(NO_BOARD_FOUND), FAILURE)
    if len(found) == 1:
        return found[0]
    listed = ", ".join(found)
    if not sys.stdin.isatty():
        raise UserError(SEVERAL.format(ports=listed))
    answer = input(_("Which board? {ports}\nPort: ").format(ports=listed)).strip()
    if answer not in found:
        raise UserError(SEVERAL.format(ports=listed))
    return answer
