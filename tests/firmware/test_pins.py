"""The boards' default pins, and the message for each error in a pin file."""

import json

import pytest

from city_unit.facts import LAMP_COUNT
from firmware.board.pins import FREE, PinError, uses
from firmware.boards import BOARDS, WHY_NOT, PinFileError, describe, this_board, why_not
from firmware.tool import for_page
from firmware.tool.image import ROOT
from firmware.virtual.launch import VirtualBoard, lay
from tests.helpers.interpreters import available
from tests.helpers.needs import needs
from tests.helpers.pin_files import lamps


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_can_be_built_as_it_is_described_and_is_known_by_its_name(board):
    for link in ("usb", "uart"):
        if link == "uart" and board == "esp32-c3":
            continue  # it has no spare pins
        description = describe(board, f"link = {link}")
        used, lit = uses(description), len(description["lamps"])
        assert lit == LAMP_COUNT or board == "esp32-c3"  # it has no free pin for another lamp
        assert len({pin for _, pin in used}) == len(used) == lit + (3 if link == "usb" else 5)
    machine, chip = BOARDS[board].machine, BOARDS[board].chip
    assert this_board(f"{machine} with {chip.upper()}") == board


def test_a_board_with_an_unknown_name_is_identified_by_its_chip():
    assert this_board("Generic ESP32 module with SPIRAM with ESP32") == "esp32"
    assert this_board("Generic ESP32S3 module with Octal-SPIRAM with ESP32S3") == "esp32-s3"
    assert this_board("Some Feather with RP2040") == "pico"
    with pytest.raises(PinError, match="PYBv1"):
        this_board("PYBv1.1 with STM32F405RG")


def test_a_pin_file_changes_what_it_names_and_nothing_else():
    wanted = tuple(range(2, 2 + LAMP_COUNT))
    listed = ", ".join(map(str, wanted))
    changed = describe("pico", f"# mine\nswitch = GP13  # a slide\nlamps = {listed}\n\n")
    assert changed["switch"] == 13
    assert changed["lamps"] == wanted
    same = {name for name in changed if changed[name] == describe("pico")[name]}
    assert set(changed) - same == {"switch", "lamps"}


# The messages, the board's own included.
MISTAKES = [
    ("pico", "auction 14", "auction 14: not 'name = value'"),
    ("pico", "auction =", "auction =: not 'name = value'"),
    ("pico", "\nauktion = 14", "auktion = 14: no such name"),
    ("pico", "build = 3\nbuild = 4", "build = 4: set twice"),
    ("pico", "build = none", "build = none: not a number"),
    ("pico", "build = -1", "build = -1: not a number"),
    ("pico", "build = ²", "build = ²: not a number"),
    ("pico", "build = " + "9" * 5000, "not a number"),
    ("pico", "build = 2 3", "build = 2 3: too many or too few"),
    ("pico", "link = wifi", "link = wifi: must be usb or uart"),
    ("pico", "lamps = 18 19 20", "lamps = 18 19 20: too many or too few"),
    ("pico", "build = 14", "build = 14: used by auction too"),
    ("pico", "opposite = 18", "opposite = 18: used by lamps too"),
    ("pico", "auction = 3\nbuild = 3", "build = 3: used by auction too"),
    ("pico", lamps(18, 18), "lamps = 18: used by lamps too"),
    ("esp32", "battery = 34", "battery = 34: cannot be used"),
    ("esp32-c3", "link = uart", "link = uart: name its pins: tx = , rx = "),
    ("esp32-c3", "link = uart\ntx = 21\nrx = 20", "tx = 21: cannot be used"),
]

# Pins that a chip lacks or that no board brings out, from the manufacturer's pin table.
NO_SUCH_PINS = {
    "rp2040": range(30, 50),
    "rp2350": range(30, 50),
    "esp32": (20, 24, 28, 29, 30, 31, 37, 38, *range(40, 50)),
    "esp32s3": (22, 23, 24, 25, 49),
    "esp32c3": range(22, 50),
}

# The reasons, which only the desktop has room for.
REASONS = [
    ("esp32-c3", "build = 21", "build = 21: cannot be used: it carries the console"),
    ("esp32", "build = 6", "build = 6: cannot be used: the flash memory uses it"),
    ("esp32", "build = 12", "its level decides how the chip starts"),
    ("esp32-s3", "build = 19", "USB uses it"),
    ("pico", "build = 25", "the board itself uses it"),
    ("pico", "build = 29", "build = 29: cannot be used: it measures the supply; it can only be"),
    ("pico", "build = 77", "the chip has no such pin"),
    ("pico", "battery = 25", "battery = 25: cannot be used: only a Pico can measure the supply"),
]

# Errors that only the desktop finds; a board would notice them while it sets up the pin.
MORE_MISTAKES = [
    ("pico", "brightness = 256", "brightness = 256: must be from 1 to 255"),
    ("pico", "link = uart\nuart = 2", "uart = 2: must be 0 or 1"),
    ("pico", "link = uart\ntx = 4", "tx = 4: this pin is not the tx of UART 0"),
    ("pico-w", "battery = 29", "battery = 29: this board needs pin 29 for its radio"),
    ("esp32", "buzzer = 34", "buzzer = 34: this pin is input-only"),
    ("esp32", "build = 35", "build = 35: this pin has no pull-up"),
    ("pico-2", "closed = high", "closed = high: a Pico 2 may read an open contact"),
    ("pico-2-w", "closed = high\npull = inside", "and set pull = outside"),
    ("pico", "opposite = 18\n" + lamps(2), "opposite = 18: must be 17"),
    ("pico", "opposite = 17\nbuzzer_kind = active", "opposite = 17: needs buzzer_kind = passive"),
    ("pico", "opposite = 17\nbuzzer_on = low", "opposite = 17: needs buzzer_kind = passive"),
    ("esp32", "opposite = 26", "opposite = 26: only a Pico can drive a buzzer between two pins"),
]

SOUND = [
    ("pico", "strip = 2\nbuild = 18"),  # with a strip the lamps need no pins
    ("pico", "buzzer = 8"),
    ("pico", "battery = 29"),
    ("pico-w", "battery = 28"),
    ("pico", "link = uart\ntx = 12\nrx = 13"),
    ("esp32", "build = 35\npull = outside"),
    ("pico-2", "closed = high\npull = outside"),
    ("pico", "closed = high"),
    ("esp32", lamps(16, 18, 19, 21) + "\nbuzzer = 17"),
    ("pico", lamps(17, 18)),  # a lamp uses no PWM, so it may share the buzzer's
    ("pico", "strip = 17"),
    ("pico-2", "opposite = 17"),
    ("pico-w", "buzzer = 11\nopposite = 10"),
    ("pico", "lamps =" + " 5" * LAMP_COUNT + "\nstrip = 3"),
    ("esp32-c3", "strip = 3\nlink = uart\ntx = 6\nrx = 7"),
]


def test_an_error_is_reported_in_one_line():
    for board, text, message in MISTAKES + MORE_MISTAKES + REASONS:
        with pytest.raises(PinError) as caught:
            describe(board, text)
        assert message in str(caught.value), text
        assert "\n" not in str(caught.value)


def test_the_page_judges_pins_by_the_rules_of_the_desktop():
    """The page runs them in MicroPython, where the messages are the keys of its translations."""
    needs("32-bit" in available(), "the 32-bit MicroPython")
    files = {name: ROOT / name for name in for_page.RULES}
    cases = [(board, text) for board, text, _ in MISTAKES + MORE_MISTAKES + REASONS]
    right = [(board, text) for board, text in SOUND]
    code = f"{for_page.JUDGE}\nfor case in {cases + right!r}:\n    print(judge(*case))\n"
    judged = [json.loads(line) for line in available()["32-bit"](code, files).splitlines()]
    used = [[list(pair) for pair in uses(describe(board, text))] for board, text in right]
    assert judged[len(cases) :] == [{"uses": pairs} for pairs in used]
    mistakes = [answer["error"] for answer in judged[: len(cases)]]
    for (board, text), (what, reasons) in zip(cases, mistakes, strict=True):
        with pytest.raises(PinFileError) as caught:
            describe(board, text)
        ours = [[getattr(why, "key", why), fields] for why, fields in caught.value.reasons]
        assert [what, reasons] == [caught.value.what, ours]


@pytest.mark.parametrize("compile_it", [False, True], ids=["many files", "three files"])
def test_a_board_judges_pins_for_the_page(tmp_path, folder, compile_it):
    lay(folder, compile_it)
    for text, wanted in (("", None), ("auction = 15", "auction = 15: used by build too")):
        script = for_page.CHECK.replace("CHIP", '"rp2040"').replace("TEXT", repr(text))
        assert json.loads(VirtualBoard(folder).run(tmp_path / "world", "-c", script)) == wanted


def test_every_pin_of_every_chip_is_free_or_has_its_reason():
    for chip, free in FREE.items():
        reasons = {pin: str(why_not(chip, pin)) for pin in range(50) if pin not in free}
        assert all(reasons.values())
        given = [pin for pins in WHY_NOT[chip].values() for pin in pins]
        assert len(given) == len(set(given)) and not set(given) & set(free)
        without = [pin for pin in reasons if pin not in given]
        assert without == list(NO_SUCH_PINS[chip])
