"""One file for an ESP32, on stand-ins for its MicroPython: nothing here runs as such a chip."""

import hashlib

import pytest

from firmware.tool import one_file, uf2
from firmware.tool.image import built
from release import __main__ as release
from tests.helpers.quick import some_quick

CHIPS = {chip: number for number, chip in one_file.CHIPS.items()}
DISK, SIZE = 0x310000, 0x0F0000
PARTITIONS = [(b"nvs", 0x9000, 0x6000), (b"factory", 0x10000, 0x300000), (b"vfs", DISK, SIZE)]


def micropython(chip: str, partitions=PARTITIONS) -> bytes:
    """Return a program for a chip, with a table of partitions where a chip has it."""
    memory = bytearray(b"\xff" * 0x20000)
    first = one_file.FIRST.get(chip, 0)
    memory[first : first + 16] = b"\xe9" + bytes(11) + bytes([CHIPS[chip]]) + bytes(3)
    for row, (label, place, size) in enumerate(partitions):
        at = one_file.TABLE + row * one_file.ENTRY.size
        entry = one_file.ENTRY.pack(one_file.MARK, 1, 0x81, place, size, label)
        memory[at : at + len(entry)] = entry
    return bytes(memory[first:])


@pytest.mark.parametrize("chip", some_quick(CHIPS, 1))
def test_the_files_of_the_unit_lie_in_the_file_system_of_its_micropython(chip):
    program = micropython(chip)
    made = one_file.with_files(one_file.read_esp32(program), built(chip))
    assert made.startswith(program)
    memory = (b"\xff" * one_file.FIRST.get(chip, 0) + made).ljust(DISK + SIZE, b"\xff")
    assert uf2.files_in(memory[DISK:], one_file.PROGRAMMED) == built(chip)


@pytest.mark.parametrize(
    "content, why",
    [
        (b"", "it is no program for an ESP32"),
        (b"\xe9" + bytes(40000), "it is no MicroPython with a file system"),
        (micropython("esp32")[:0x7010], "it is no MicroPython with a file system"),
        (micropython("esp32s3", PARTITIONS[:2]), "it is no MicroPython with a file system"),
        (micropython("esp32c3", [(b"vfs", 0x9000, SIZE)]), "its file system lies where it cannot"),
        (micropython("esp32c3", [(b"vfs", DISK, 5000)]), "its file system lies where it cannot"),
        (b"\xe9" + bytes(11) + b"\x02" + bytes(40000), "it is no program for an ESP32"),
    ],
)
def test_a_file_that_is_no_micropython_is_refused(content, why):
    with pytest.raises(uf2.BadFile, match=why):
        one_file.read_esp32(content)


def test_a_release_has_a_file_for_each_esp32_of_which_there_is_an_image(tmp_path, monkeypatch):
    folder = tmp_path / "images"
    folder.mkdir()
    rows = []
    for chip in CHIPS:
        program = micropython(chip)
        (folder / f"{chip}.bin").write_bytes(program)
        rows.append(f"{chip}.bin {hashlib.sha256(program).hexdigest()}\n")
    (tmp_path / "images.txt").write_text("".join(rows))
    monkeypatch.setattr(release, "IMAGES", tmp_path / "images.txt")
    monkeypatch.setattr(release, "_export", lambda folder: None)  # no source is needed here
    out = tmp_path / "out"
    assert release.main([str(out), "--only", "boards", "--strict", "--images", str(folder)]) == 0
    assert {path.name for path in out.glob("*.bin")} == {f"unit-{chip}.bin" for chip in CHIPS}
    assert "write-flash 0x1000 unit-esp32.bin" in (out / "index.html").read_text()
