"""A pass of a board: its memory, its garbage, and its waits."""

import re

import pytest

from tests.helpers.live_board import live

ON, AUCTION, BUILD = 4, 1, 2


STEADY = """
import gc
from firmware.board import body
gc.disable()
def live(self):
    steps(self, 200)
    before = 0
    before = gc.mem_alloc()
    steps(self, 2000)
    print("allocated", gc.mem_alloc() - before, self.rest.idle)
def steps(self, count):
    while count:
        self.live_once()
        count -= 1
body.Body.live = live
from firmware.board import start
start.run()
"""


@pytest.mark.slow
def test_a_steady_pass_of_the_whole_firmware_allocates_nothing(board, tmp_path):
    """Of a board in play, and of one that becomes idle in the middle, as the clock wraps.

    Each pass is up to a hundred looks.
    """
    del board.world["trace"], board.world["report"]
    board.world.update(time="steps", start=(1 << 30) - 100_000)
    board.heap = "16m"
    printed, error = live(board, tmp_path, [], 4_000_000, STEADY)
    assert printed == "allocated 0 True\n", error


LINE = """
import gc, time
from firmware.board import body, serial_port
from city_unit.ticks import diff
def left(link, now):
    due = link.next_due()
    return 1000 if due is None else diff(due, now)
polls, collections = [], []
class Port(serial_port.SerialPort):
    def waits(self):
        return True
    def poll(self, now):
        polls.append(left(self.link, now))
        self.moved += 1025  # garbage that is due to be collected, whenever there is time
        time.sleep_ms(1)
        return False
class Collector:
    def collect():
        collections.append(left(the_body.port.link, body.now()))
    def mem_free():
        return 1
class Body(body.Body):
    def live(self):
        global the_body
        the_body = self
        body.gc = Collector
        super().live()
serial_port.SerialPort, body.Body = Port, Body
try:
    from firmware.board import start
    start.run()
finally:
    print("polls", len(polls), min(polls), "collections", len(collections), min(collections))
"""


@pytest.mark.slow
def test_neither_the_line_nor_a_collection_of_garbage_holds_up_what_is_due(board, tmp_path):
    """The time a Pico needs for either would make an edge late that is due meanwhile."""
    board.world["time"] = "steps"
    board.heap = "16m"
    printed, error = live(board, tmp_path, [[20, AUCTION], [100, 0]], 55000, LINE)
    told = re.search(r"polls (\d+) (\d+) collections (\d+) (\d+)", printed)
    assert told, error
    polls, nearest_poll, collections, nearest_collection = map(int, told.groups())
    assert (polls > 10000, nearest_poll) == (True, 8)
    assert (collections > 10000, nearest_collection) == (True, 30)


BUSY = """
import time
from firmware.board import body, serial_port
class Port(serial_port.SerialPort):
    was_busy = False
    def waits(self):
        return not self.was_busy and 994 < body.now() < 1000
    def poll(self, now):
        if 994 < now < 1000 and not self.was_busy:
            self.was_busy = True
            print("busy")
            time.sleep_ms(1000 - body.now())
            the_body.rest.sense(None)  # as the interrupt of a Pico's button does
            time.sleep_ms(9)
        return super().poll(now)
class Body(body.Body):
    def live(self):
        global the_body
        the_body = self
        super().live()
serial_port.SerialPort, body.Body = Port, Body
try:
    from firmware.board import start
    start.run()
finally:
    print(*the_body.unit.events.get(1)[:2])
"""


@pytest.mark.parametrize(
    "changes, busy_ms, started",
    [
        ([[1000, AUCTION]], 9, 1016),
        ([[1000, AUCTION], [1003, 0], [1005, AUCTION]], 4, 1016),
        ([[990, AUCTION], [1000, 0], [1003, AUCTION]], 4, 1006),
    ],
)
def test_a_press_counts_from_its_first_edge_though_the_line_keeps_the_board_busy(
    board, tmp_path, changes, busy_ms, started
):
    """An edge is noted, and when the board looks the contact is already as it was before that."""
    board.world["time"] = "steps"
    code = BUSY.replace("sleep_ms(9)", f"sleep_ms({busy_ms})")
    printed, error = live(board, tmp_path, [*changes, [1080, 0]], 1500, code)
    assert "busy" in printed
    assert printed.splitlines()[-1] == f"{started} auction-started", error


@pytest.mark.slow
def test_an_idle_board_looks_less_often_and_meets_its_deadlines(board, tmp_path):
    """Two minutes after the last touch; a press then is shown within the 25 ms of any press."""
    board.world["time"] = "steps"
    code = """
from firmware.board import body
sleeps = {1: 0, 6: 0}
class Time:
    def __getattr__(self, name):
        return getattr(time, name)
    def sleep_ms(self, ms):
        sleeps[ms] = sleeps.get(ms, 0) + 1
        time.sleep_ms(ms)
time = body.time
body.time = Time()
try:
    from firmware.board import start
    start.run()
finally:
    print("sleeps", sleeps[1] > 1000, sleeps[6] > 1000)
"""
    press = [[130001, AUCTION], [130081, 0]]
    printed, error = live(board, tmp_path, press, 131000, code)
    assert "sleeps True True" in printed, error
    (lit,) = re.findall(r'"ms": (\d+), "lamp": "auction", "on": true', printed)
    assert 130017 <= int(lit) <= 130026
    busy, _ = live(board, tmp_path, [], 119000, code)
    assert "sleeps True False" in busy
