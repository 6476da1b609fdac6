"""A desktop that asks and asks and never reads the answers, and the unit's lamps then."""

import time

from city_unit import host
from city_unit.host.lines.ports import open_port
from tests.helpers.patience import PATIENCE_S, until

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
