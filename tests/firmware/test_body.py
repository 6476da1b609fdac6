"""Needs of a board that must survive, tried with the whole firmware on a virtual board."""

import re

import pytest

from firmware.board.pins import CHIPS, FREE
from firmware.tool.image import ROOT
from tests.helpers.live_board import at_rest, live

ON, AUCTION, BUILD = 4, 1, 2


def test_a_board_without_a_switch_is_on_as_soon_as_it_has_power(board, tmp_path):
    printed, _ = live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 5000)
    assert '"event": "switched-on", "program": "city"' in printed.splitlines()[0]
    assert '{"ms": 1016, "lamp": "auction", "on": true}' in printed
    assert at_rest(tmp_path)  # the end came in the middle of an auction


NAMED = """
import os
os._Name.machine = "Generic ESP32S3 module with Octal-SPIRAM with ESP32S3"
from firmware.board import body
from firmware.board import start
start.run()
"""


def test_a_board_whose_name_says_what_it_comes_with_lives(board, tmp_path):
    board.board = "esp32-s3"
    printed, error = live(board, tmp_path, [], 1000, NAMED)
    assert "switched-on" in printed
    assert error == ""


BROKEN = """
import sys
class Flash:
    def readblocks(self, block, buffer, offset=0):
        if {unreadable}:
            raise OSError(5)
        buffer[:] = bytes(len(buffer))
class Chip:
    pass
sys.modules["rp2"] = Chip
Chip.Flash = Flash
from firmware.board import body, start
def fail(name, mode="r"):
    print("opened", name, mode)
    raise OSError(28)
start.open = fail
from firmware.board import start
start.run()
"""


@pytest.mark.parametrize("unreadable, opened", [(True, 0), (False, 1)])
def test_a_memory_that_fails_at_power_on_stops_no_game(board, tmp_path, unreadable, opened):
    """The log of a Pico's file system is half full here, and nothing can be written, or read."""
    broken = BROKEN.format(unreadable=unreadable)
    printed, error = live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 2000, broken)
    assert printed.count("opened main.py.new w") == opened
    assert '{"ms": 1016, "lamp": "auction", "on": true}' in printed
    assert error == ""


def test_a_pin_to_which_no_button_is_soldered_is_held_by_nobody(board, tmp_path):
    """As it is where pins.txt names other pins than those that have wires."""
    printed, _ = live(board, tmp_path, [], 5000, pins="auction = 2\n")
    assert printed.startswith('{"ms": ')


@pytest.mark.parametrize(
    "pins",
    ["", "auction = 2  # moved\n", "closed = high\npull = outside\n", "lamps = what is this\n"],
)
def test_auction_held_at_power_on_leads_to_the_repl_before_anything_is_imported(
    board, tmp_path, pins
):
    """At the pin that pins.txt names, even in a file over which the unit would not start."""
    board.pin_text = "" if "what" in pins else pins
    (board.folder / "firmware/board/start.py").write_text("raise RuntimeError\n")
    printed, error = live(board, tmp_path, [[0, AUCTION]], 5000, pins=pins)
    assert (printed, error) == ("AUCTION is held: here is the REPL.\n", "")
    if not pins:
        assert "RuntimeError" in "".join(live(board, tmp_path, [], 5000))


def test_what_the_start_knows_of_auctions_pin_is_what_the_unit_knows():
    """It is written twice, since the start may import nothing."""
    names: dict = {}
    text = (ROOT / "firmware/board/main.py").read_text(encoding="utf-8")
    exec(text[text.index("PINS = {") : text.index("SETTLE_MS")], names)
    wanted = {chip: (CHIPS[chip][0], sum(1 << pin for pin in FREE[chip])) for chip in CHIPS}
    assert names["PINS"] == wanted


def test_build_held_at_power_on_opens_the_setup(board, tmp_path):
    printed, _ = live(board, tmp_path, [[0, BUILD], [900, 0]], 2000)
    assert '"lamp": "permit-1", "on": true' in printed
    assert "switched-on" not in printed


def test_contacts_may_lie_at_the_supply_and_lamps_may_be_lit_by_a_low_level(board, tmp_path):
    wanted, _ = live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 5000)
    board.pin_text = "closed = high\nlamp_on = low\nbuzzer_on = low\n"
    assert live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 5000)[0] == wanted
    assert at_rest(tmp_path)


TOLD = """
from firmware.board import body
from city_unit.wire import seal
lives = body.Body.live
def live(self):
    link = self.port.link
    link.receive(body.now(), seal("hello 1 tester"))
    link.receive(body.now(), seal("ping %d.1 1" % link.boot))
    show = self.outputs.show
    def shows(lamps, tone, volume):
        with open("seen.txt", "a") as file:
            file.write("%s %d %s\\n" % (link.has_desktop, lamps, b"auction-started" in link.unsent))
        show(lamps, tone, volume)
    self.outputs.show = shows
    lives(self)
body.Body.live = live
from firmware.board import start
start.run()
"""


def test_an_event_is_seen_and_heard_before_it_is_put_into_words_for_the_desktop(board, tmp_path):
    live(board, tmp_path, [[1000, AUCTION], [1080, 0]], 1100, TOLD)
    seen = (board.folder / "seen.txt").read_text().splitlines()
    lit = next(line for line in seen if line.startswith("True 1"))  # with a desktop there
    assert lit == "True 1 False"


@pytest.mark.slow
def test_a_setup_that_is_forgotten_goes_dark_until_the_next_press(board, tmp_path):
    changes = [[0, BUILD], [900, 0], [125000, BUILD], [125080, 0]]
    board.world["time"] = "steps"
    printed, _ = live(board, tmp_path, changes, 126000)
    assert re.search(r'"ms": 120\d{3}, "lamp": "permit-1", "on": false', printed)
    assert re.search(r'"ms": 1250\d\d, "lamp": "permit-2", "on": true', printed)


def test_cells_that_are_low_are_told_at_power_on(board, tmp_path):
    """By three short flashes before the sign of life, which is nobody's if they are well."""
    board.pin_text = "battery = 29\n"
    board.world["time"] = "steps"
    code = """
import machine
class Pin(machine.Pin):
    def __call__(self, level=None):
        if self.number == 18 and level is not None:
            print("auction lamp", level)
        return super().__call__(level)
machine.Pin = Pin
import firmware.board.body as body
from firmware.board import start
start.run()
"""
    for mv, flashes in ((1900, 3), (2600, 0)):
        board.world["battery_mv"] = mv
        printed, error = live(board, tmp_path, [], 2000, code)
        before, told, _ = printed.partition("switched-on")
        assert told, error
        assert before.count("auction lamp 1") == flashes
