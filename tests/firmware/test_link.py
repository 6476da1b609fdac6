"""The firmware in a real MicroPython behind a pty, as the desktop sees a board."""

import os
import random

import pytest

from city_unit import host
from city_unit.host.lines.ports import open_port
from firmware.tool.image import unix
from tests.helpers import deaf
from tests.helpers.lines import Opener
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until

pytestmark = pytest.mark.real_time


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

    def has_come() -> bool:
        told.extend(client.poll(0.2))
        return any(isinstance(news, host.Event) and news.kind == kind for news in told)

    until(has_come, lambda: told)
    return told


def test_a_talk_with_the_firmware(board):
    _, port = board
    with host.connect(port, timeout=PATIENCE_S, history=True) as unit:
        assert unit.about is not None and unit.about.body == "pico"
        unit.send("tap auction", PATIENCE_S)
        events_until(unit, "auction-started")
        unit.send("stop", PATIENCE_S)
        events_until(unit, "auction-cancelled")
        unit.send("watch on", PATIENCE_S)
        unit.send("start 300", PATIENCE_S)
        edges = [
            news for news in events_until(unit, "auction-ended") if isinstance(news, host.Edge)
        ]
        assert edges and all(edge.late_us >= 0 for edge in edges)
        until(lambda: unit.poll(0.05) is not None and unit.uncertainty <= 2)


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
    """Bytes that a terminal would obey, Ctrl-C, Ctrl-Z and Ctrl-\\, among it."""
    supervised, port = board
    opener = Opener(port)
    with host.Client(port, opener) as unit:
        unit.wait_online(PATIENCE_S)
        assert unit.send("start 60000", PATIENCE_S) == ""
        opener.line.inject(b"AT\r\nTraceback (most recent call last):\r\n" + bytes(range(128, 256)))
        opener.line.inject(b"\n\x03\n\x1a\n\x1c\n")
        assert unit.send("volume 2", PATIENCE_S) == ""
        assert "ignored=6" in unit.send("counters", PATIENCE_S)
        unit.send("state", PATIENCE_S)
        assert unit.snapshot is not None and unit.snapshot.state == "auction"
        assert supervised.starts == 1


def test_ctrl_c_interrupts_again_when_the_desktop_has_left(board):
    _, port = board
    with host.connect(port, timeout=PATIENCE_S) as unit:
        unit.send("state", PATIENCE_S)
    line = open_port(port)
    try:
        said = bytearray()

        def is_at_the_prompt() -> bool:
            line.write(b"\x03")  # until the goodbye has been read it is noise
            said.extend(line.read(0.5))
            return b">>> " in said

        until(is_at_the_prompt, lambda: said)
        assert b"KeyboardInterrupt" in said
    finally:
        line.close()


@pytest.mark.slow
def test_a_desktop_that_never_reads_shifts_no_beep(board):
    _, port = board
    heard = deaf.edges_of_an_auction(port, reads=True)
    assert ("tone", 0) in [edge[1:] for edge in heard]
    assert deaf.edges_of_an_auction(port, reads=False) == heard
