"""The boards that a unit can be built with, and what the desktop knows about them.

What lies on a board knows chips only (`firmware/board/boards.py`); the desktop
also knows the boards by name, and looks for mistakes that a board would only
meet when its pins are set up.
"""

from pathlib import Path
from typing import NamedTuple

from firmware import texts
from firmware.board import pins
from firmware.board.boards import is_pico
from firmware.board.pins import PinError

MARK = "\ufeff"  # with which some editors begin a text; no board reads over it
INPUT_ONLY = {"esp32": (34, 35, 36, 39)}  # these have no pull-ups either
UARTS = {"rp2040": (0, 1), "rp2350": (0, 1), "esp32": (1, 2), "esp32s3": (1, 2), "esp32c3": (1,)}


class Board(NamedTuple):
    """What people call it, what MicroPython calls it, its chip, and whether it has a radio."""

    title: str
    machine: str
    chip: str
    radio: bool = False


BOARDS = {
    "pico": Board("Raspberry Pi Pico", "Raspberry Pi Pico", "rp2040"),
    "pico-w": Board("Raspberry Pi Pico W", "Raspberry Pi Pico W", "rp2040", True),
    "pico-2": Board("Raspberry Pi Pico 2", "Raspberry Pi Pico2", "rp2350"),
    "pico-2-w": Board("Raspberry Pi Pico 2 W", "Raspberry Pi Pico 2 W", "rp2350", True),
    "esp32": Board("ESP32", "Generic ESP32 module", "esp32", True),
    "esp32-s3": Board("ESP32-S3", "Generic ESP32S3 module", "esp32s3", True),
    "esp32-c3": Board("ESP32-C3", "ESP32C3 module", "esp32c3", True),
}


def describe(board: str, text: str = "") -> dict:
    """Return every name with its value, for a board and the text of a pin file.

    Raises PinError at the first mistake.
    """
    description = pins.describe(BOARDS[board].chip, text)
    _check(BOARDS[board], description)
    return description


def read_pins(file: str | Path) -> str:
    """Return the text of a pin file, without the `MARK` of some editors.

    Raises PinError if it cannot be read.
    """
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or texts.NO_TEXT
        raise PinError(texts.UNREADABLE.format(file=file, reason=reason)) from None


def this_board(machine: str) -> str:
    """Return the name of the board that MicroPython calls `machine`, "NAME with CHIP".

    The name itself may say what the board comes with: "... module with SPIRAM".
    Raises PinError if there is none. A board that is not known by its name, but
    whose chip is, is taken for the first one with that chip.
    """
    name, _, chip = machine.rpartition(" with ")
    alike = [board for board in BOARDS if BOARDS[board].chip == chip.lower()]
    if not alike:
        raise PinError(texts.NOT_A_BOARD.format(machine=machine))
    return next((board for board in alike if BOARDS[board].machine == name), alike[0])


def _check(board: Board, description: dict) -> None:
    if not 1 <= description["brightness"] <= 255:
        _fail("brightness", description["brightness"], texts.BRIGHTNESS)
    if description["battery"] == 29 and board.radio:
        _fail("battery", 29, texts.RADIO)
    if board.chip == "rp2350":
        _check_latches(description)
    for name, pin in pins.uses(description):
        if pin in INPUT_ONLY.get(board.chip, ()):
            _check_input(name, pin, description["pull"])
    if description["link"] == "uart":
        _check_uart(board.chip, description)


def _check_latches(description: dict) -> None:
    """An input that was high may stay near 2 V against the chip's own pull-down: erratum E9."""
    if description["closed"] == "high" and description["pull"] == "inside":
        _fail("closed", "high", texts.LATCHES)


def _check_input(name: str, pin: int, pull: str) -> None:
    if name not in ("auction", "build", "switch", "rx"):
        _fail(name, pin, texts.INPUT_ONLY)
    if name != "rx" and pull == "inside":
        _fail(name, pin, texts.NO_PULL)


def _check_uart(chip: str, description: dict) -> None:
    uart = description["uart"]
    if uart not in UARTS[chip]:
        _fail("uart", uart, texts.NO_UART.format(uarts=" or ".join(map(str, UARTS[chip]))))
    if not is_pico(chip):
        return  # any pin can be the UART's there
    for place, name in enumerate(("tx", "rx")):
        pin = description[name]
        if pin % 4 != place or (pin + 4 >> 3 & 1) != uart:
            _fail(name, pin, texts.NOT_UART.format(name=name, uart=uart))


def _fail(name: str, value: int | str, why: str) -> None:
    raise PinError(f"{name} = {value}: {why}")
