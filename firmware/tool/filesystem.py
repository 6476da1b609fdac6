"""The file system of a board's flash memory, as MicroPython makes it: made and read here.

It is littlefs, by the library of that name, which is an extra: `littlefs-python`.
"""

from collections.abc import Mapping
from typing import Any

BLOCK = 4096  # bytes that flash memory erases at once
PROGRAMMED = 256  # bytes that MicroPython writes at once on an RP2


def layout(programmed: int = PROGRAMMED) -> dict[str, Any]:
    """Return the form that `vfs.VfsLfs2.mkfs(..., progsize=programmed)` of MicroPython makes."""
    return {
        "block_size": BLOCK,
        "read_size": 32,
        "prog_size": programmed,
        "cache_size": 4 * programmed,
        "lookahead_size": 32,
    }


class Damaged(Exception):
    """There is no file system that could be read."""


def make(files: Mapping[str, bytes], size: int, programmed: int = PROGRAMMED) -> dict[int, bytes]:
    """Return a file system of `size` bytes with these files: the blocks that matter, by number.

    They are all that is ever read of it, the spare halves of its pairs of blocks included:
    what lay in the others before does no harm.
    """
    from littlefs import LittleFS

    disk = LittleFS(block_count=size // BLOCK, **layout(programmed))
    for name, content in sorted(files.items()):
        folder = name.rpartition("/")[0]
        if folder:
            disk.makedirs(folder, exist_ok=True)
        with disk.open(name, "wb") as file:
            file.write(content)
    disk.unmount()
    image = bytes(disk.context.buffer)
    _, used = _read(image, programmed)
    return {block: image[block * BLOCK : (block + 1) * BLOCK] for block in sorted(used)}


def read(image: bytes, programmed: int = PROGRAMMED) -> dict[str, bytes]:
    """Return the files in a file system, by their paths; raises Damaged."""
    return _read(image, programmed)[0]


def _read(image: bytes, programmed: int) -> tuple[dict[str, bytes], set[int]]:
    """Return the files of a file system, and the blocks that reading them takes."""
    from littlefs import LittleFS, LittleFSError, UserContext

    looked_at: set[int] = set()

    class Watched(UserContext):
        def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
            looked_at.add(block)
            return super().read(cfg, block, off, size)

    context = Watched(buffer=bytearray(image))
    disk = LittleFS(
        context=context, mount=False, block_count=len(image) // BLOCK, **layout(programmed)
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
    return files, looked_at
