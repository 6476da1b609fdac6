"""Read and write UF2 files, and the littlefs file system in a board's flash memory.

A Pico's drive copies a UF2 file, Microsoft's format, block by block into flash memory. MicroPython
describes itself in Raspberry Pi's "binary info", which includes the place and size of its file
system. The library littlefs-python, an extra, reads and writes that file system.
"""

import struct
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from city_unit.desktop.catalogue import _

BLOCK = 512
PAGE = 256  # bytes of flash memory in a block
SECTOR = 4096  # bytes that flash memory erases at once; a block of the file system
FLASH = 0x10000000
LARGEST = 16 << 20  # bytes of flash memory
LEAST = 256 << 10  # bytes of its file system; the unit needs part of that

_HEAD = struct.Struct("<8I")
_MAGIC = 0x0A324655, 0x9E5D5157
_END = struct.pack("<I", 0x0AB16F30)
_HAS_FAMILY = 0x2000
_FAMILY = 0xE48BFF57  # of the extra block for erratum RP2350-E10

INFO_BEGINS, INFO_ENDS = 0x7188EBF2, 0xE71AA390
STRING, BLOCK_DEVICE = 6, 7  # kinds of entries
BOARD = 0xB63CFFBB  # the string with the board's name
VERSION = 0x11A9BC3A  # the string with the program's version


class BadFile(Exception):
    """The reason why a file is not MicroPython for a board, as text for people."""


class Block(NamedTuple):
    """A page of flash memory and its address; `family` is the kind of chip."""

    address: int
    data: bytes
    family: int
    flags: int = _HAS_FAMILY


class About(NamedTuple):
    """MicroPython's binary info.

    board    Raspberry Pi's name: pico, pico_w, pico2, pico2_w
    version  such as 1.28.0 or 1.29.0-preview
    address  of the file system
    size     of the file system, in bytes
    """

    board: str
    version: str
    address: int
    size: int


def blocks(content: bytes) -> list[Block]:
    """Return the blocks of a UF2 file; raises BadFile."""
    if not content or len(content) % BLOCK:
        raise BadFile(_("truncated") if content[:4] == b"UF2\n" else _("not a UF2 file"))
    found = []
    for at in range(0, len(content), BLOCK):
        *magic, flags, address, size, _number, _total, family = _HEAD.unpack_from(content, at)
        if tuple(magic) != _MAGIC or content[at + BLOCK - 4 : at + BLOCK] != _END or size > 476:
            raise BadFile(_("not a UF2 file"))
        begin = at + _HEAD.size
        found.append(Block(address, content[begin : begin + size], family, flags))
    return found


def write(content: list[Block]) -> bytes:
    """Return a UF2 file. Block numbers are counted separately for each family."""
    totals = Counter(block.family for block in content)
    written: Counter[int] = Counter()
    out = bytearray()
    for block in content:
        number = written[block.family]
        written[block.family] += 1
        # The single block for erratum E10 is numbered 0 of 2, so that the board does not restart.
        total = 2 if block.family == _FAMILY else totals[block.family]
        size = len(block.data)
        head = (*_MAGIC, block.flags, block.address, size, number, total, block.family)
        out += _HEAD.pack(*head) + block.data.ljust(BLOCK - _HEAD.size - 4, b"\0") + _END
    return bytes(out)


def flash(content: list[Block]) -> bytes:
    """Return the beginning of an empty flash memory after the blocks; raises BadFile."""
    pages = [block for block in content if block.family != _FAMILY]
    if not pages:
        raise BadFile(_("empty"))
    first = min(block.address for block in pages)
    last = max(block.address + len(block.data) for block in pages)
    if not FLASH <= first < last <= FLASH + LARGEST:
        raise BadFile(_("not for flash memory"))
    memory = bytearray(b"\xff" * (last - FLASH))
    drag(memory, content)
    return bytes(memory)


def drag(memory: bytearray, content: list[Block]) -> None:
    """Write blocks of whole sectors into flash memory, as the board's drive does."""
    for block in content:
        if block.family != _FAMILY:
            place = block.address - FLASH
            memory[place : place + len(block.data)] = block.data


def about(content: list[Block]) -> About:
    """Return MicroPython's binary info; raises BadFile if there is none."""
    memory = flash(content)
    texts: dict[int, str] = {}
    place: list[int] = []
    ends = FLASH + len(memory)
    entries: tuple[int, ...] = ()
    at = -1
    while not entries and (at := memory.find(struct.pack("<I", INFO_BEGINS), at + 1)) >= 0:
        if at + 20 > len(memory):
            break
        begin, end, _unused, mark = struct.unpack_from("<4I", memory, at + 4)
        if mark == INFO_ENDS and FLASH <= begin <= end <= ends:
            entries = struct.unpack_from(f"<{(end - begin) // 4}I", memory, begin - FLASH)
    for at in (entry - FLASH for entry in entries if FLASH <= entry <= ends - 24):
        kind, _tag = struct.unpack_from("<HH", memory, at)
        if kind == BLOCK_DEVICE:
            _name, *place = struct.unpack_from("<3I", memory, at + 4)
        elif kind == STRING:
            name, text = struct.unpack_from("<2I", memory, at + 4)
            if FLASH <= text < ends:
                end = memory.find(b"\0", text - FLASH)
                texts[name] = memory[text - FLASH : end].decode("ascii", "replace")
    if not place:
        raise BadFile(_("not MicroPython with a file system"))
    address, size = place
    in_sectors = not (address % SECTOR or size % SECTOR)
    if not (in_sectors and FLASH < address < address + size <= FLASH + LARGEST and size >= LEAST):
        raise BadFile(_("its file system has an impossible position"))
    return About(texts.get(BOARD, ""), texts.get(VERSION, "").removeprefix("v"), *place)


PROGRAMMED = 256  # bytes that MicroPython programs at once on an RP2


def layout(programmed: int = PROGRAMMED) -> dict[str, Any]:
    """Return the parameters of MicroPython's `vfs.VfsLfs2.mkfs(..., progsize=programmed)`."""
    return {
        "block_size": SECTOR,
        "read_size": 32,
        "prog_size": programmed,
        "cache_size": 4 * programmed,
        "lookahead_size": 32,
    }


class Damaged(Exception):
    """The file system cannot be read."""


def file_system(
    files: Mapping[str, bytes], size: int, programmed: int = PROGRAMMED
) -> dict[int, bytes]:
    """Create a file system of `size` bytes with these files; return its used blocks by number.

    Only these blocks are ever read, including the spare blocks of its pairs, so old contents of the
    others do no harm.
    """
    from littlefs import LittleFS

    disk = LittleFS(block_count=size // SECTOR, **layout(programmed))
    for name, content in sorted(files.items()):
        folder = name.rpartition("/")[0]
        if folder:
            disk.makedirs(folder, exist_ok=True)
        with disk.open(name, "wb") as file:
            file.write(content)
    disk.unmount()
    image = bytes(disk.context.buffer)
    _, used = _read(image, programmed)
    return {block: image[block * SECTOR : (block + 1) * SECTOR] for block in sorted(used)}


def with_files(image: list[Block], files: Mapping[str, bytes]) -> list[Block]:
    """Return the blocks of a MicroPython image with these files in its file system, in order.

    Every touched sector is complete. The drive of an RP2040 tracks erased sectors by counting
    blocks, not by address, so each run of sixteen blocks must be one sector.
    """
    disk, family = about(image), image[-1].family
    pages = {block.address: block for block in image if block.family != _FAMILY}
    for number, content in file_system(files, disk.size).items():
        for place in range(0, SECTOR, PAGE):
            address = disk.address + number * SECTOR + place
            pages[address] = Block(address, content[place : place + PAGE], family)
    sectors = sorted({address - address % SECTOR for address in pages})
    empty = b"\xff" * PAGE
    return [block for block in image if block.family == _FAMILY] + [
        pages.get(address, Block(address, empty, family))
        for sector in sectors
        for address in range(sector, sector + SECTOR, PAGE)
    ]


def files_in(image: bytes, programmed: int = PROGRAMMED) -> dict[str, bytes]:
    """Return the files of a file system by path; raises Damaged."""
    return _read(image, programmed)[0]


def _read(image: bytes, programmed: int) -> tuple[dict[str, bytes], set[int]]:
    """Return the files of a file system, and the numbers of the blocks that were read."""
    from littlefs import LittleFS, LittleFSError, UserContext

    blocks_read: set[int] = set()

    class RecordingContext(UserContext):
        def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
            blocks_read.add(block)
            return super().read(cfg, block, off, size)

    context = RecordingContext(buffer=bytearray(image))
    disk = LittleFS(
        context=context, mount=False, block_count=len(image) // SECTOR, **layout(programmed)
    )
    files = {}
    try:
        disk.mount()
        for folder, _, names in disk.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}"
                with disk.open(path, "rb") as file:
                    files[path.lstrip("/")] = file.read()
    except LittleFSError as error:
        raise Damaged(str(error)) from None
    return files, blocks_read
