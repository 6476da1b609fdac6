"""Finds the boards that are connected, by their USB identity and never by a port's name."""

import os
import sys
from pathlib import Path

from serial.tools import list_ports

from firmware import texts
from firmware.tool.errors import BoardError

# Who makes the USB side of the boards: Raspberry Pi, Espressif, and the two usual
# bridges of ESP32 boards (CP210x, CH340).
VENDORS = (0x2E8A, 0x303A, 0x10C4, 0x1A86)


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
        raise BoardError(texts.NO_BOARD_FOUND)
    if len(found) == 1:
        return found[0]
    listed = ", ".join(found)
    if not sys.stdin.isatty():
        raise BoardError(texts.SEVERAL.format(ports=listed), code=2)
    answer = input(texts.WHICH_BOARD.format(ports=listed)).strip()
    if answer not in found:
        raise BoardError(texts.SEVERAL.format(ports=listed), code=2)
    return answer
