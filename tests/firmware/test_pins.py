"""The boards' own pins, and what is said of a mistake in a user's pin file."""

import pytest

from firmware.board.pins import PinError, uses
from firmware.boards import BOARDS, describe, this_board
from firmware.interpreters import available, run_unix
from firmware.tool.image import sources
from tests.needs import needs


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_can_be_built_as_it_is_described(board):
    for link in ("usb", "uart"):
        used = uses(describe(board, f"link = {link}"))
        assert len({pin for _, pin in used}) == len(used) == (8 if link == "usb" else 10)


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_is_known_by_what_micropython_calls_it(board):
    machine, chip = BOARDS[board].machine, BOARDS[board].chip
    assert this_board(f"{machine} with {chip.upper()}") == board


def test_a_board_whose_name_says_what_it_comes_with_is_known_by_its_chip():
    assert this_board("Generic ESP32 module with SPIRAM with ESP32") == "esp32"
    assert this_board("Generic ESP32S3 module with Octal-SPIRAM with ESP32S3") == "esp32-s3"


def test_a_board_of_another_maker_is_taken_for_the_plain_one_with_its_chip():
    assert this_board("Some Feather with RP2040") == "pico"
    with pytest.raises(PinError, match="PYBv1"):
        this_board("PYBv1.1 with STM32F405RG")


def test_a_pin_file_changes_what_it_names_and_nothing_else():
    changed = describe("pico", "# mine\nswitch = GP13  # a slide\nlamps = 2, 3, 4, 5, 6\n\n")
    assert changed["switch"] == 13
    assert changed["lamps"] == (2, 3, 4, 5, 6)
    same = {name for name in changed if changed[name] == describe("pico")[name]}
    assert set(changed) - same == {"switch", "lamps"}


def test_lamps_that_a_strip_replaces_need_no_pins():
    assert describe("pico", "strip = 2\nbuild = 18")["build"] == 18


# What is told, by the board itself as well.
MISTAKES = [
    ("pico", "auction 14", "auction 14: not 'name = value'"),
    ("pico", "auction =", "auction =: not 'name = value'"),
    ("pico", "\nauktion = 14", "auktion = 14: no such name"),
    ("pico", "build = 3\nbuild = 4", "build = 4: set twice"),
    ("pico", "build = four", "build = four: no number"),
    ("pico", "build = none", "build = none: no number"),
    ("pico", "build = -1", "build = -1: no number"),
    ("pico", "build = ²", "build = ²: no number"),
    ("pico", "build = " + "9" * 5000, "no number"),
    ("pico", "build = 2 3", "build = 2 3: too many or too few"),
    ("pico", "link = wifi", "link = wifi: must be usb or uart"),
    ("pico", "lamps = 18 19 20", "lamps = 18 19 20: too many or too few"),
    ("pico", "build = 29", "build = 29: cannot be used"),
    ("pico", "build = 14", "build = 14: used by auction too"),
    ("pico", "lamps = 18 19 20 21 21", "lamps = 21: used by lamps too"),
    ("pico", "lamps = 17 19 20 21 22", "lamps = 17: is on the buzzer's PWM slice"),
    ("pico", "strip = 17", "strip = 17: is on the buzzer's PWM slice"),
    ("pico", "buzzer = 3\nlamps = 2 19 20 21 22", "is on the buzzer's PWM slice"),
    ("pico", "battery = 25", "battery = 25: cannot be used"),
    ("esp32", "battery = 34", "battery = 34: cannot be used"),
    ("esp32", "build = 6", "build = 6: cannot be used"),
]

# What only the desktop knows: the board would meet it when it sets up the pin.
MORE_MISTAKES = [
    ("pico", "brightness = 256", "brightness = 256: must be from 1 to 255"),
    ("pico", "link = uart\nuart = 2", "uart = 2: must be 0 or 1"),
    ("pico", "link = uart\ntx = 4", "tx = 4: this pin is not the tx of UART 0"),
    ("pico-w", "battery = 29", "battery = 29: this board needs pin 29 for its radio"),
    ("esp32", "buzzer = 34", "buzzer = 34: this pin can only be read"),
    ("esp32", "build = 35", "build = 35: this pin has no pull-up"),
    ("pico-2", "closed = high", "closed = high: a Pico 2 may take an open contact"),
    ("pico-2-w", "closed = high\npull = inside", "and say pull = outside"),
]

SOUND = [
    ("pico", "buzzer = 8"),
    ("pico", "battery = 29"),
    ("pico-w", "battery = 28"),
    ("pico", "link = uart\ntx = 12\nrx = 13"),
    ("esp32", "build = 35\npull = outside"),
    ("pico-2", "closed = high\npull = outside"),
    ("pico", "closed = high"),
    ("esp32", "lamps = 16 19 21 22 23\nbuzzer = 17"),
]


@pytest.mark.parametrize(("board", "text", "told"), MISTAKES + MORE_MISTAKES)
def test_a_mistake_is_told_in_one_line(board, text, told):
    with pytest.raises(PinError) as caught:
        describe(board, text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("board", "text"), SOUND)
def test_what_is_unusual_but_right(board, text):
    describe(board, text)


def test_a_real_micropython_tells_the_same_mistakes():
    """Not only those that a test thought of for CPython: the two disagree about digits."""
    needs("unix" in available(), "the unix MicroPython")
    code = """
from firmware.board.pins import PinError, describe
for chip, text in {cases!r}:
    try:
        print(describe(chip, text))
    except PinError as error:
        print(error)
"""
    cases = [(BOARDS[board].chip, text) for board, text, _ in MISTAKES]
    told = run_unix(code.format(cases=cases), sources()).splitlines()
    assert len(told) == len(MISTAKES)
    for line, (_, _, wanted) in zip(told, MISTAKES, strict=True):
        assert wanted in line
