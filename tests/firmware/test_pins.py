"""The boards' own pins, and what is said of a mistake in a user's pin file."""

import pytest

from firmware.board.boards import BOARDS
from firmware.board.pins import LAMPS, PinError, describe, this_board, uses


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_can_be_built_as_it_is_described(board):
    for link in ("usb", "uart"):
        used = uses(describe(board, f"link = {link}"))
        assert len({pin for _, pin, _ in used}) == len(used) == (8 if link == "usb" else 10)


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_is_known_by_what_micropython_calls_it(board):
    title, chip = BOARDS[board][1:3]
    assert this_board(f"{title} with {chip.upper()}") == board


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


MISTAKES = [
    ("pico", "auction 14", "line 1 is not 'name = value'"),
    ("pico", "\nauktion = 14", "line 2: there is no auktion; the names are auction, "),
    ("pico", "build = 3\nbuild = 4", "line 2: build is there twice"),
    ("pico", "build = four", "build = four is no pin number"),
    ("pico", "build = none", "build = none is no pin number"),
    ("pico", "build = -1", "build = -1 is no pin number"),
    ("pico", "build = ²", "build = ² is no pin number"),
    ("pico", "link = wifi", "link = wifi must be one of usb, uart"),
    ("pico", "brightness = 256", "brightness = 256 must be a number from 1 to 255"),
    ("pico", "lamps = 18 19 20", "lamps = 18 19 20 must be five pins: auction, 1, 2, 3, station"),
    ("pico", "build = 29", "build = 29: pin 29 cannot be used on this board"),
    ("pico", "build = 14", "build = 14: pin 14 is the AUCTION button already"),
    ("pico", "lamps = 18 19 20 21 21", f"lamps = 21: pin 21 is {LAMPS[3]} already"),
    ("pico", "lamps = 17 19 20 21 22", "pin 17 shares its PWM slice with the buzzer, pin 16"),
    ("pico", "buzzer = 8", None),
    ("pico", "buzzer = 3\nlamps = 2 19 20 21 22", "shares its PWM slice with the buzzer, pin 3"),
    ("pico", "link = uart\ntx = 4", "tx = 4: pin 4 is not the tx of UART 0"),
    ("pico", "link = uart\ntx = 12\nrx = 13", None),
    ("esp32", "buzzer = 34", "buzzer = 34: pin 34 can only be read"),
    ("esp32", "build = 35", "build = 35: pin 35 has no pull-up"),
    ("esp32", "build = 35\npull = outside", None),
    ("esp32", "build = 6", "build = 6: pin 6 cannot be used on this board"),
    ("esp32", "lamps = 16 19 21 22 23\nbuzzer = 17", None),
]


@pytest.mark.parametrize(("board", "text", "told"), MISTAKES)
def test_a_mistake_is_told_in_one_line(board, text, told):
    if told is None:
        describe(board, text)
        return
    with pytest.raises(PinError) as caught:
        describe(board, text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
