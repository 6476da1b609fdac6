"""The maker's page agrees with the code: commands, pins, parts, lengths, self-test checks."""

import csv
import re
from pathlib import Path

import pytest

import start
from city_unit.desktop import catalogue
from city_unit.facts import LAMP_COUNT
from city_unit.programs import PROGRAMS
from city_unit.settings import VOLUMES
from firmware.boards import BOARDS, describe
from firmware.maker.case.parameters import HOLDERS, SCREW_HEAD, Parameters
from firmware.maker.wiring.circuit import (
    BASE_OHMS,
    BUZZER_OHMS,
    LAMP_OHMS,
    MODULE_OHMS,
    PULL_DOWN_OHMS,
    PULL_UP_OHMS,
    SENSE_OHMS,
    STRIP_OHMS,
)
from firmware.maker.wiring.inside import wires
from firmware.tool.selftest import BAD, CHECKS
from sim.cli import PROGRAM
from tests.helpers import printed_board

PAGE = Path(__file__).parents[2] / "firmware" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
FRENCH = PAGE.with_name("README.fr.md").read_text(encoding="utf-8")
TABLE = TEXT.partition("## 1.")[2].partition("## 2.")[0]


def code(text: str) -> list[str]:
    """Return the settings in code blocks, without comments."""
    typed = [line.partition("#")[0].strip() for line in re.findall(r"^    .*= .*$", text, re.M)]
    return [line for line in typed if re.match(r"\w+ = \d|\w+ = [a-z]+$", line)]


def test_the_french_page_has_the_same_pins_and_addresses_and_french_drawings():
    assert code(FRENCH) == code(TEXT) != []
    assert re.findall(r"https://[^)\s]+", FRENCH) == re.findall(r"https://[^)\s]+", TEXT)
    drawings = re.findall(r"\]\((maker/wiring/[^)]+\.svg)\)", FRENCH)
    assert drawings and all("/fr/" in link for link in drawings)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_check_of_the_selftest_that_may_fail_has_its_row(language):
    text = FRENCH if language == "fr" else TEXT
    catalogue.speak(language)
    checks = [re.sub(r"{.*?}", "…", str(check)) for check in CHECKS]
    crashes, verdict = catalogue.of_file("its crash log is empty"), str(BAD)
    bad = [line for line in text.splitlines() if re.search(rf"`\u202f?: {verdict} ", line)]
    assert [check for check in checks if check not in " ".join(bad)] == []
    # Only the board page checks the crash log.
    assert [line for line in text.splitlines() if crashes in line and verdict in line]


def test_the_example_of_pins_is_right_and_every_board_has_its_drawing():
    assert [board for board in BOARDS if f"(maker/wiring/{board}.svg)" not in TEXT] == []
    example = re.search(r"^    # my unit\n(?:    .*\n)+", TEXT, re.MULTILINE)
    description = describe("pico", example.group())
    assert description["lamps"][:5] == (10, 11, 12, 13, 9)
    assert description["switch"] == 2


def test_each_command_exists_and_works_in_a_copy_of_the_repository():
    """None relies on a system-wide installation or on a path that Windows lacks."""
    commands = re.findall(r"python3 start\.py ([\w-]+)", TEXT)
    assert len(commands) > 15
    assert set(commands) <= {*start.COMMANDS, *PROGRAM.commands}
    lines = [line.strip() for line in TEXT.splitlines() if line.startswith("    ")]
    for bare in ("mpremote", "esptool", "pip", "python3 -m", ".venv"):
        assert not [line for line in lines if line.startswith(bare)]
    assert "erase_flash" not in TEXT and "write_flash" not in TEXT


def test_the_choices_are_those_of_the_setup():
    names = " | ".join(program.name for program in PROGRAMS)
    assert f"| program | auction lamp dark | {names} |" in TEXT
    for program in PROGRAMS:
        if program.clock_choices_ms:
            lengths = " | ".join(f"{ms // 60000} min" for ms in program.clock_choices_ms)
            assert f"auction lamp lit | {lengths} |" in TEXT
            assert f"only for *{program.name}*" in TEXT
    assert VOLUMES == (1, 2, 3, 0)
    assert "| soft | middle | loud | silent |" in TEXT


def parts() -> list[dict[str, str]]:
    with (PAGE.parent / "maker" / "parts.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_list_of_parts_has_what_the_case_has_room_for():
    sizes = {row["part"]: row["size or value"] for row in parts()}
    p = Parameters()
    for cells, (x, y, z) in HOLDERS.items():
        assert sizes[f"flat holder for {cells} AAA with wires"] == f"at most {x} x {y} x {z} mm"
    assert sizes["slide switch"] == "{} x {} x {} mm".format(*p.slide_body)
    side = f"{p.switch_side:g}"
    assert sizes["tactile switch"] == f"{side} x {side} mm, {p.switch_height} mm high"
    across, high = p.buzzer
    assert sizes["passive piezo buzzer"] == f"{across:g} mm across, at most {high} mm high"
    screws = {row["size or value"] for row in parts() if row["part"] == "countersunk screw"}
    head = f"head at most {2 * SCREW_HEAD:g} mm across"
    assert screws == {f"M3 x {length:g}, {head}" for length in (p.screw_length, p.door_screw)}
    metres = int(sizes["thin wire"].split()[0])
    assert sum(cut.length for cut in wires(p)) / 1000 < metres - 0.5
    assert f"{metres} m of thin wire" in TEXT and f"{metres} m de fil fin" in FRENCH


def test_the_list_of_parts_has_what_the_drawings_and_the_printed_board_have():
    ohms = {
        (row["for"], row["size or value"].split()[0]): int(row["count"])
        for row in parts()
        if row["part"] == "resistor"
    }
    assert ohms == {
        ("always", str(LAMP_OHMS)): LAMP_COUNT,
        ("always", str(BUZZER_OHMS)): 1,
        ("louder", str(BUZZER_OHMS)): 1,
        ("active buzzer", str(BASE_OHMS)): 1,
        ("strip", str(STRIP_OHMS)): 1,
        ("buzzer module", str(MODULE_OHMS)): 1,
        ("battery", str(SENSE_OHMS[0])): 1,
        ("battery", str(SENSE_OHMS[1])): 1,
        ("pull = outside with buttons at 3V3", str(PULL_DOWN_OHMS)): 3,
        ("pull = outside with buttons at ground", str(PULL_UP_OHMS)): 3,
    }
    for ohms_there in (MODULE_OHMS, *SENSE_OHMS, PULL_DOWN_OHMS, PULL_UP_OHMS):
        value = f"{ohms_there / 1000:g} kΩ"
        assert value in TABLE and value.replace(".", ",") in FRENCH
    examples = " ".join(row["example"] for row in parts())
    for name in ("1N5817", "1N4148", "1N4001", "BC547", "SS12D00G4"):
        assert name in examples and name in TEXT
    listed = {(row["for"], row["part"]): int(row["count"]) for row in parts()}
    assert listed["always", "red LED"] == LAMP_COUNT
    assert listed["strip", "addressable lamps of a strip"] == LAMP_COUNT
    for key in (("cells", "AAA cell"), ("buzzer module", "buzzer module")):
        assert key in listed
    assert listed["uart", "adapter from USB to serial"] == 1
    (pico,) = (piece for piece in printed_board.parts() if piece.key == "U1")
    assert 20 * listed["own board", "row of 20 pins"] == len(pico.legs)
