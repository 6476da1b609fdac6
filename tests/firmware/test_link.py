"""The firmware in a real MicroPython behind a pty, as the desktop sees a board."""

import os
import random
import time

import pytest

from city_unit import host
from firmware.interpreters import unix
from tests import deaf
from tests.needs import needs

PATIENCE_S = 30


@pytest.fixture
def board(tmp_path):
    needs(os.name == "posix" and unix(), "MicroPython's Unix port")
    from firmware.virtual.launch import SWITCHED_ON, VirtualBoard, lay
    from firmware.virtual.supervisor import Supervised

    folder = tmp_path / "board"
    folder.mkdir()
    lay(folder)
    supervised = Supervised(VirtualBoard(folder, world=SWITCHED_ON), tmp_path / "world")
    with supervised as port:
        yield supervised, port


def events_until(client: host.Client, kind: str) -> list[host.News]:
    told = []
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        for news in client.poll(0.2):
            told.append(news)
            if isinstance(news, host.Event) and news.kind == kind:
                return told
    raise AssertionError(f"no {kind}: {told}")


def test_a_talk_with_the_firmware(board):
    _, port = board
    with host.connect(port, timeout=PATIENCE_S, history=True) as unit:
        assert unit.about is not None and unit.about.body == "pico"
        unit.send("tap auction")
        events_until(unit, "auction-started")
        unit.send("stop")
        events_until(unit, "auction-cancelled")
        unit.send("watch on")
        unit.send("start 300")
        edges = [
            news for news in events_until(unit, "auction-ended") if isinstance(news, host.Edge)
        ]
        assert edges and all(edge.late_us >= 0 for edge in edges)
        assert unit.uncertainty <= 2


def test_the_board_loses_power_in_the_middle(board):
    supervised, port = board
    rng = random.Random(2)
    with host.connect(port, timeout=PATIENCE_S, history=True) as unit:
        for _ in range(3):
            events_until(unit, "switched-on")
            request = unit.ask("tap build", 5)
            unit.poll(rng.random() / 20)
            supervised.pull()
            while not request.finished:
                unit.poll(0.1)
            assert request.answer == "" or isinstance(request.error, host.LinkError)
        events_until(unit, "switched-on")


def test_noise_on_the_line_stops_nothing(board):
    """Not here: Ctrl-C, which ends the Unix port where a board has learnt to ignore it."""
    _, port = board
    with host.connect(port, timeout=PATIENCE_S) as unit:
        assert unit._line is not None
        unit._line.write(b"AT\r\nTraceback (most recent call last):\r\n" + bytes(range(128, 256)))
        assert unit.send("volume 2") == ""
        assert "ignored=3" in unit.send("counters")


def test_a_desktop_that_never_reads_shifts_no_beep(board):
    _, port = board
    heard = deaf.edges_of_an_auction(port, reads=True)
    assert ("tone", 0) in [edge[1:] for edge in heard]
    assert deaf.edges_of_an_auction(port, reads=False) == heard
