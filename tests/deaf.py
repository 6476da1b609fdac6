"""A desktop that asks and asks and never reads the answers; what the unit shows meanwhile."""

import time

from city_unit import host
from city_unit.host.ports import open_port
from city_unit.wire import seal

PATIENCE_S = 30
AUCTION_MS = 700
DEAF_S = 1.8  # longer than the auction and its beeps
QUIET_S = 0.8  # longer than a flash: when nothing comes for so long, all has come
LOOK_S = 0.05


class Line:
    """A line whose reader can stop reading; when it last had anything to read."""

    def __init__(self, name: str) -> None:
        self._port = open_port(name)
        self.reads = True
        self.heard_at = time.monotonic()
        self.write = self._port.write
        self.close = self._port.close

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
    comes, or, after a flood of questions, when all is over. None may be 250 ms
    late: a unit that waits for its reader would be a second late.
    """
    lines: list[Line] = []  # the last one is in use: a unit that is busy closes the first

    def open_line() -> Line:
        lines.append(Line(port))
        return lines[-1]

    with host.Client(port, open_line) as client:
        client.wait_online(PATIENCE_S)
        client.send("watch on")
        while client.poll(LOOK_S) or not lines[-1].is_quiet():
            pass  # what it had to tell before
        client.send(f"start {AUCTION_MS}")
        if not reads:
            line = lines[-1]
            line.reads = False
            _flood(client, line)
            line.reads = True
        edges, start = [], None
        while (told := client.poll(LOOK_S)) or not lines[-1].is_quiet():
            edges += [news for news in told if isinstance(news, host.Edge)]
            for news in told:
                if isinstance(news, host.Event) and news.kind == "auction-started":
                    start = news.ms
    assert start is not None
    assert max(edge.late_us for edge in edges) < 250_000
    return [(edge.due_ms - start, edge.what, edge.value) for edge in edges]


def _flood(client: host.Client, line: Line) -> None:
    ping = seal(f"ping {client._core._tag} 1")
    end = time.monotonic() + DEAF_S
    while time.monotonic() < end:
        if not line.write(ping):
            time.sleep(0.001)  # the line is full: what was wanted
