"""The page for makers is true: its links, its example of pins, its sums."""

import csv
import math
import re
from pathlib import Path

import pytest

import start
from city_unit.desktop.catalogue import of_file
from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS
from city_unit.settings import VOLUMES, Settings
from firmware.board.parts import DUTIES
from firmware.board.pins import PinError
from firmware.boards import BOARDS, describe
from firmware.maker.case.parameters import HOLDERS, SCREW_HEAD, Parameters
from firmware.maker.wiring.__main__ import speaking
from firmware.maker.wiring.diagram import (
    BASE_OHMS,
    BUZZER_OHMS,
    LAMP_OHMS,
    MODULE_OHMS,
    PULL_DOWN_OHMS,
    PULL_UP_OHMS,
    SENSE_OHMS,
    STRIP_OHMS,
)
from firmware.maker.wiring.inside import SPARE_MM, opened, places, wires
from firmware.tool.selftest import BAD, CHECKS
from sim.cli import PROGRAM
from tests.helpers import printed_board

PAGE = Path(__file__).parents[2] / "firmware" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
FRENCH = PAGE.with_name("README.fr.md").read_text(encoding="utf-8")
TABLE = TEXT.partition("## 1.")[2].partition("## 2.")[0]


def anchors(text: str) -> set[str]:
    """Return the names under which a page's headings can be linked to."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links(text: str) -> list[str]:
    return [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]


@pytest.mark.parametrize("text", [TEXT, FRENCH], ids=["en", "fr"])
def test_each_link_leads_somewhere(text):
    lost = [
        link
        for link in links(text)
        if (
            link[1:] not in anchors(text)
            if link[0] == "#"
            else not (PAGE.parent / link.partition("#")[0]).exists()
        )
    ]
    assert lost == []


def code(text: str) -> list[str]:
    """Return all that is typed or written as it stands, without its comments."""
    typed = [line.partition("#")[0].strip() for line in re.findall(r"^    .*= .*$", text, re.M)]
    return [line for line in typed if re.match(r"\w+ = \d|\w+ = [a-z]+$", line)]


def test_the_french_page_has_the_same_pins_and_addresses_and_french_drawings():
    assert code(FRENCH) == code(TEXT) != []
    assert re.findall(r"https://[^)\s]+", FRENCH) == re.findall(r"https://[^)\s]+", TEXT)
    drawings = [link for link in links(FRENCH) if link.endswith(".svg") and "/pcb/" not in link]
    assert drawings and all("/fr/" in link for link in drawings)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_check_of_the_selftest_that_may_fail_has_its_row(language):
    text = FRENCH if language == "fr" else TEXT
    with speaking(language):
        checks = [re.sub(r"{.*?}", "…", str(check)) for check in CHECKS]
        crashes, verdict = of_file("its log of crashes is empty"), str(BAD)
    bad = [line for line in text.splitlines() if re.search(rf"`\u202f?: {verdict} ", line)]
    assert [check for check in checks if check not in " ".join(bad)] == []
    # The log of crashes is a check that only the page of the boards has.
    assert [line for line in text.splitlines() if crashes in line and verdict in line]


def test_the_example_of_pins_is_right_and_every_board_has_its_drawing():
    assert [board for board in BOARDS if f"(maker/wiring/{board}.svg)" not in TEXT] == []
    example = re.search(r"^    # my unit\n(?:    .*\n)+", TEXT, re.MULTILINE)
    description = describe("pico", example.group())
    assert description["lamps"][:5] == (10, 11, 12, 13, 9)
    assert description["switch"] == 2


def test_each_command_is_one_that_there_is_and_works_in_a_copy_of_the_repository():
    """None relies on a system-wide installation, or on a path that Windows lacks."""
    commands = re.findall(r"python3 start\.py ([\w-]+)", TEXT)
    assert len(commands) > 15
    assert set(commands) <= {*start.COMMANDS, *PROGRAM.commands}
    lines = [line.strip() for line in TEXT.splitlines() if line.startswith("    ")]
    for bare in ("mpremote", "esptool", "pip", "python3 -m", ".venv"):
        assert not [line for line in lines if line.startswith(bare)]
    assert "erase_flash" not in TEXT and "write_flash" not in TEXT


def test_the_resistors_and_what_a_pin_would_give_to_a_buzzer():
    assert f"resistor, {LAMP_OHMS} Ω" in TEXT and f"resistor, {BUZZER_OHMS} Ω" in TEXT
    assert "28 mA through 100 Ω" in TEXT and round(3300 / (BUZZER_OHMS + 16)) == 28
    assert "of 330 Ω,\n  as the lamps have: 10 mA" in TEXT
    assert round(3300 / (LAMP_OHMS + 16)) == 10


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


def test_the_sums_of_the_power_are_right():
    lamp = 4 * 3.3
    parts = (25 * 5, lamp * 0.5 * 1500 / 3600, lamp * 1200 / 3600)
    assert [round(part) for part in parts] == [125, 3, 4]
    together = round(sum(parts) + 1)
    assert f"{together} mW" in TEXT
    two = 2 * 1.2 * (1 - 0.3 / 2.4)
    three = 3 * 1.2 * (1 - 0.3 / 3.6)
    assert f"= {two:.1f} Wh" in TEXT and f"= {three:.1f} Wh" in TEXT
    left = round(two * 0.8, 1)
    assert f"{left} Wh / 0.{together} W = {int(left * 1000 / together)} hours" in TEXT
    cells = 2 * 1 * 0.8 * 0.875
    assert f"{cells:.1f} Wh / 0.{together} W = {int(cells * 1000 / together)} hours" in TEXT
    assert f"{three:.1f} Wh / 0.{together} W = {int(three * 1000 / together)} hours" in TEXT


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
    switch = f"{side} x {side} mm, {p.switch_height} mm high"
    assert sizes["tactile switch"] == switch
    across, high = p.buzzer
    screws = {row["size or value"] for row in parts() if row["part"] == "countersunk screw"}
    lengths = (p.screw_length, p.door_screw)
    head = f"head at most {2 * SCREW_HEAD:g} mm across"
    assert screws == {f"M3 x {length:g}, {head}" for length in lengths}
    assert sizes["passive piezo buzzer"] == f"{across:g} mm across, at most {high} mm high"


def test_the_prices_together_are_the_sums_of_the_table():
    rows = re.findall(r"^\|[^|]*\| ([^|]*)\| (?:([\d.]+) to )?([\d.]+) € \|$", TABLE, re.MULTILINE)
    prices = {what: (float(least or most), float(most)) for what, least, most in rows}
    always = [price for what, price in prices.items() if not re.match(r"\*\*|for |to keep", what)]
    (trial,) = (price for what, price in prices.items() if what.startswith("for a trial"))
    starts = ("to keep", "**with cells", "**with the case")
    kept = [price for what, price in prices.items() if what.startswith(starts)]
    assert len(always) == 7 and len(kept) == 3
    low, high = (f"{sum(column):.0f}" for column in zip(*always, trial, strict=True))
    least, most = (f"{sum(column):.0f}" for column in zip(*always, *kept, strict=True))
    said = f"Together {low} to {high} € for a trial on a breadboard, {least} to {most} € soldered,"
    assert said in TEXT


def test_the_page_says_at_which_side_the_lid_lies_and_lists_wire_enough():
    """`inside.opened` reckons with the right; that it is the free side is tested with the wires."""
    steps = (TEXT.partition("## 7.")[2], FRENCH.partition("## 7.")[2])
    for text, words in zip(steps, ("at the right", "à droite"), strict=True):
        for step in (4, 5):
            (line,) = re.findall(rf"^{step}\. .*", text, re.MULTILINE)[:1]
            assert words in line
    (wire,) = (row["size or value"] for row in parts() if row["part"] == "thin wire")
    metres = int(wire.split()[0])
    assert sum(cut.length for cut in wires(Parameters())) / 1000 < metres - 0.5
    assert f"{metres} m of thin wire" in TEXT and f"{metres} m de fil fin" in FRENCH


def test_every_part_that_is_drawn_or_prescribed_is_listed():
    listed = {(row["for"], row["part"]): row for row in parts()}
    for key, words in (
        (("cells", "AAA cell"), "AAA cells"),
        (("buzzer module", "buzzer module"), "buzzer module"),
        (("uart", "adapter from USB to serial"), "adapter from USB to serial"),
        (("own board", "row of 20 pins"), "two rows of 20 pins"),
    ):
        assert key in listed and words in TABLE
    assert int(listed["uart", "adapter from USB to serial"]["count"]) == 1
    (pico,) = (piece for piece in printed_board.parts() if piece.key == "U1")
    assert 20 * int(listed["own board", "row of 20 pins"]["count"]) == len(pico.legs)


def test_what_the_page_says_of_loudness():
    """A new unit is at the middle; how far below the loudest, by the duty at the pin."""
    assert ("soft", "middle", "loud", "silent")[VOLUMES.index(Settings().volume)] == "middle"
    middle, loud = (math.sin(math.pi * DUTIES[volume] / 65535) for volume in (2, 3))
    assert round(20 * math.log10(loud / middle)) == 10
    section = TEXT.partition("Too soft for your table")[2].partition("## 6.")[0]
    places_there = [section.index(words) for words in ("10 dB more", "6 dB more", "PS1240P02BT")]
    assert places_there == sorted(places_there)
    assert any("PS1240P02BT" in row["example"] for row in parts())


def test_what_the_page_says_of_an_esp32():
    with pytest.raises(PinError):
        describe("esp32", "battery = 34")
    used = "link = uart\ntx = 4\nrx = 5\n"
    with pytest.raises(PinError):
        describe("esp32-c3", used)
    with pytest.raises(PinError):
        describe("esp32-c3", "link = uart\nstrip = 3\n")  # its pins are to be named
    assert describe("esp32-c3", used + "strip = 3\n")["tx"] == 4
    assert "`battery` is refused on an ESP32" in TEXT and "`battery` est refusé" in FRENCH


def test_what_the_page_says_of_the_board_of_our_own():
    p, legs = Parameters(), {piece.key: piece.legs[0].at for piece in printed_board.parts()}
    high = p.ceiling - 1.7 - p.auction_seat  # as `contents` has a lamp sit
    assert f"rim {high:.1f} mm above the board" in TEXT
    far = math.dist(legs["J4"], opened(p, places(p)["auction-lamp"])) + SPARE_MM
    assert f"the auction lamp, {math.ceil(far / 10)} cm long" in TEXT
    warned = (PAGE.parent / "maker/pcb/made/electrical.txt").read_text(encoding="utf-8")
    (count,) = re.findall(r"Errors 0  Warnings (\d+)", warned)
    assert int(count) == len(printed_board.parts()) and f"warn {count} times" in TEXT
    assert f"avertissent {count} fois" in FRENCH


def test_every_part_number_says_where_it_was_seen():
    """Or plainly that any will do, and its trade name."""
    for row in parts():
        assert row["example"] and row["where the example was seen"], row
    assert [row for row in parts() if row["example"] != "any"]


def test_the_list_of_parts_has_what_the_drawings_have():
    ohms = {
        (row["for"], row["size or value"].split()[0]): int(row["count"])
        for row in parts()
        if row["part"] == "resistor"
    }
    assert ohms == {
        ("always", str(LAMP_OHMS)): len(LAMPS),
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
