"""The page for makers says what is so: its links, its example of pins, its sums."""

import re
from pathlib import Path

import pytest

from city_unit.programs import PROGRAMS
from city_unit.settings import VOLUMES
from firmware.boards import BOARDS, describe
from firmware.wiring.branches import BUZZER_OHMS, LAMP_OHMS
from sim.cli import COMMANDS
from tests.test_start import start

PAGE = Path(__file__).parents[2] / "firmware" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")


def anchors() -> set[str]:
    """Return the names under which the page's headings can be linked to."""
    heads = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links() -> list[str]:
    return [link for link in re.findall(r"\]\(([^)]+)\)", TEXT) if "://" not in link]


@pytest.mark.parametrize("link", links())
def test_each_link_leads_somewhere(link):
    if link.startswith("#"):
        assert link[1:] in anchors()
    else:
        assert (PAGE.parent / link).exists()


def test_every_board_has_its_drawing_on_the_page():
    for board in BOARDS:
        assert f"(wiring/{board}.svg)" in TEXT


def test_the_example_of_pins_is_right():
    example = re.search(r"^    # my unit\n(?:    .*\n)+", TEXT, re.MULTILINE)
    description = describe("pico", example.group())
    assert description["lamps"] == (10, 11, 12, 13, 9)
    assert description["switch"] == 2


def test_the_resistors_are_those_of_the_drawings():
    assert f"resistor, {LAMP_OHMS} Ω" in TEXT
    assert f"resistor, {BUZZER_OHMS} Ω" in TEXT


def commands() -> list[list[str]]:
    """Return the words after `start.py` of each command on the page."""
    found = re.findall(r"python3 start\.py ([^`#\n]*)", TEXT)
    return [words.split() for words in found]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_each_command_is_one_that_there_is(words):
    assert words[0] in start().PROGRAMS or words[0] in COMMANDS


def test_each_command_works_in_a_copy_of_the_repository():
    """None relies on what is installed for the whole system, or on a path that Windows lacks."""
    assert len(commands()) > 15
    lines = [line.strip() for line in TEXT.splitlines() if line.startswith("    ")]
    for bare in ("mpremote", "esptool", "pip", "python3 -m", ".venv"):
        assert not [line for line in lines if line.startswith(bare)]
    assert "erase_flash" not in TEXT and "write_flash" not in TEXT


def test_what_a_pin_would_give_to_a_buzzer():
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
