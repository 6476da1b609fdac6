"""The firmware in a real MicroPython behind a pty, as the desktop sees a board."""

import os
import random
import time

import pytest

from city_unit import host
from city_unit.host.ports import open_port
from firmware.tool.image import unix
from tests.helpers.lines import Opener
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until

pytestmark = pytest.mark.real_time


@pytest.fixture
def board(tmp_path):
    needs(os.name == "posix" and unix(), "MicroPython's Unix port")
    from firmware.virtual.launch import SWITCHED_ON, Supervised, VirtualBoard, lay

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


AUCTION_MS = 700
END_MS = 1000  # in which the lamp and the tones of its end are over
DEAF_S = 1.8  # longer than the auction and its beeps
QUIET_S = 0.8  # longer than a flash: when nothing comes for so long, all has come
LOOK_S = 0.05


class Line:
    """A line whose reader can stop reading; when it last had anything to read."""

    def __init__(self, name: str) -> None:
        self._port = open_port(name)
        self.reads = True
        self.heard_at = time.monotonic()
        self.ping = b""  # the latest of the client
        self.close = self._port.close
        self.fileno = self._port.fileno

    def write(self, data: bytes) -> int:
        for line in data.splitlines(True):
            if line.startswith(b"ping "):
                self.ping = line
        return self._port.write(data)

    def read(self, timeout: float) -> bytes:
        data = self._port.read(timeout) if self.reads else b""
        if data:
            self.heard_at = time.monotonic()
        return data

    def is_quiet(self) -> bool:
        return time.monotonic() - self.heard_at > QUIET_S


def edges_of_an_auction(port: str, reads: bool) -> list[tuple]:
    """Return each lamp and tone of an auction: ms since its start, what, and value.

    The unit itself notes when each was due and shown; the desktop reads that as it
    comes, or, after a flood of questions, when all is over. A unit that waits for its
    reader is a second late, each time; a busy machine makes it late now and then, so
    that it is tried until none is 40 ms late. It was 250 ms; but two changes that a machine
    slept through are one edge, or none, and those of the end are 75 ms apart.
    """
    return until(lambda: _edges_in_time(port, reads), lambda: "the unit waits for its reader", 3)


def _edges_in_time(port: str, reads: bool) -> list[tuple]:
    """Return the edges of an auction, none if one of them was late."""
    lines: list[Line] = []  # the last one is in use: a unit that is busy closes the first

    def open_line() -> Line:
        lines.append(Line(port))
        return lines[-1]

    with host.Client(port, open_line) as client:
        client.wait_online(PATIENCE_S)
        client.send("watch on", PATIENCE_S)
        while client.poll(LOOK_S) or not lines[-1].is_quiet():
            pass  # its earlier messages
        client.send(f"start {AUCTION_MS}", PATIENCE_S)
        if not reads:
            line = lines[-1]
            line.reads = False
            _flood(line)
            line.reads = True
        news: list[host.News] = []
        until(lambda: news.extend(client.poll(LOOK_S)) or _is_over(client, news))
        while (came := client.poll(LOOK_S)) or not lines[-1].is_quiet():
            news += came
    edges = [edge for edge in news if isinstance(edge, host.Edge)]
    if max(edge.late_us for edge in edges) >= 40_000:
        return []
    start = _start(news)
    return [(edge.due_ms - start, edge.what, edge.value) for edge in edges if edge.due_ms >= start]


def _start(news: list[host.News]) -> int:
    """Return when the auction began, by the unit's clock; -1 if that is not known yet."""
    events = [event for event in news if isinstance(event, host.Event)]
    return next((event.ms for event in events if event.kind == "auction-started"), -1)


def _is_over(client: host.Client, news: list[host.News]) -> bool:
    """Ask the unit itself whether it has come to the end: it may have stood still meanwhile."""
    if _start(news) < 0:
        return False
    client.send("state", PATIENCE_S)
    return client.snapshot is not None and client.snapshot.ms >= _start(news) + AUCTION_MS + END_MS


def _flood(line: Line) -> None:
    assert line.ping
    end = time.monotonic() + DEAF_S
    while time.monotonic() < end:
        if not line.write(line.ping):
            time.sleep(0.001)  # the line is full, as it should be


@pytest.mark.slow
def test_a_desktop_that_never_reads_shifts_no_beep(board):
    _, port = board
    heard = edges_of_an_auction(port, reads=True)
    assert ("tone", 0) in [edge[1:] for edge in heard]
    assert edges_of_an_auction(port, reads=False) == heard
