"""MicroPython and the whole unit in one file for an ESP32, which a tool writes from one address on.

The table of partitions in MicroPython's file says where its file system begins and ends.
"""

import struct
from collections.abc import Mapping
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from firmware.tool import filesystem

MAGIC = 0xE9  # the first byte of a program
CHIPS = {0: "esp32", 5: "esp32c3", 9: "esp32s3"}  # by the number in the head of a program
_CHIP_AT = 12
FIRST = {"esp32": 0x1000}  # where the chip begins to read; others at 0
TABLE = 0x8000  # where the partitions stand, in flash memory
ENTRY = struct.Struct("<2sBBII16s4x")
MARK = b"\xaa\x50"
PROGRAMMED = 32  # bytes that MicroPython's file system writes at once


class BadFile(Exception):
    """Why a file is no MicroPython for an ESP32, in a few words."""


class Image(NamedTuple):
    """MicroPython for an ESP32.

    content  the file
    chip     as a board of ours calls it
    first    where the file goes in flash memory
    disk     where the file system begins there
    size     of the file system, in bytes
    """

    content: bytes
    chip: str
    first: int
    disk: int
    size: int


def read(content: bytes) -> Image:
    """Read a file as downloaded; raises BadFile."""
    chip = CHIPS.get(int.from_bytes(content[_CHIP_AT : _CHIP_AT + 2], "little"))
    if content[:1] != bytes([MAGIC]) or chip is None:
        raise BadFile(_("it is no program for an ESP32 that is known here"))
    first = FIRST.get(chip, 0)
    at = TABLE - first
    while content[at : at + 2] == MARK and at + ENTRY.size <= len(content):
        _mark, _kind, _subkind, disk, size, label = ENTRY.unpack_from(content, at)
        if label.rstrip(b"\0") == b"vfs":
            if not first + len(content) <= disk or not size or size % filesystem.BLOCK:
                raise BadFile(_("its file system lies where it cannot"))
            return Image(content, chip, first, disk, size)
        at += ENTRY.size
    raise BadFile(_("it is no MicroPython with a file system"))


def with_files(image: Image, files: Mapping[str, bytes]) -> bytes:
    """Return the file with these files in its file system."""
    made = bytearray(image.content.ljust(image.disk - image.first, b"\xff"))
    blocks = filesystem.make(files, image.size, PROGRAMMED)
    made += b"\xff" * (max(blocks) + 1) * filesystem.BLOCK
    for number, block in blocks.items():
        place = image.disk - image.first + number * filesystem.BLOCK
        made[place : place + filesystem.BLOCK] = block
    return bytes(made)
