"""Both ends of the link in memory, in virtual time, over lines that misbehave."""

import random
from collections.abc import Callable

from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.host.core import Core
from city_unit.host.news import Connected, Event, Missed, News, Restarted
from city_unit.host.requests import Request
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.ticks import add
from city_unit.unit import Unit

# A line's effect on a chunk of bytes: the chunks that come out, each after a delay in ms.
Fault = Callable[[random.Random, bytes], list[tuple[int, bytes]]]

NOISE = (
    b"\x03",
    b"AT\r\nAT+CGMI\r\n",
    b"MicroPython v1.24.0 on 2024-10-25; Raspberry Pi Pico with RP2040\r\n>>> ",
    b'Traceback (most recent call last):\r\n  File "<stdin>", line 1\r\nSyntaxError\r\n',
    b"\xff\x00\x80*12345678\n",
    b"x" * 300,
)


def clean(_rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    return [(0, data)]


def one_byte_at_a_time(_rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    return [(place // 8, data[place : place + 1]) for place in range(len(data))]


def slow(rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    return [(rng.randrange(20, 400), data)]


def losing(rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    return [(0, line) for line in data.splitlines(True) if rng.random() >= 0.2]


def doubling(rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    lines = data.splitlines(True)
    return [(0, data)] + [(rng.randrange(3000), line) for line in lines if rng.random() < 0.3]


def swapping(rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    return [(rng.randrange(0, 60), line) for line in data.splitlines(True)]


def flipping(rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    flipped = bytearray(data)
    for place in range(len(flipped)):
        if rng.random() < 0.003:
            flipped[place] ^= 1 << rng.randrange(8)
    return [(0, bytes(flipped))]


def dropping_bytes(rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    return [(0, bytes(byte for byte in data if rng.random() >= 0.004))]


def noisy(rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    place = rng.randrange(len(data) + 1)
    return (
        [(0, data[:place] + rng.choice(NOISE) + data[place:])]
        if rng.random() < 0.3
        else [(0, data)]
    )


def all_at_once(rng: random.Random, data: bytes) -> list[tuple[int, bytes]]:
    chunks = [(0, data)]
    for fault in (losing, flipping, noisy, doubling, swapping):
        chunks = [
            (delay + more, piece)
            for delay, chunk in chunks
            for more, piece in (fault(rng, chunk) if chunk else [])
        ]
    return chunks


FAULTS = (
    clean,
    one_byte_at_a_time,
    slow,
    losing,
    doubling,
    swapping,
    flipping,
    dropping_bytes,
    noisy,
    all_at_once,
)


class World:
    """A unit, a client's core, and two one-way lines between them, one ms at a time.

    news      the news that the client told since it was started
    recorded  boot number: the events of that boot, as the unit itself recorded them
    """

    def __init__(self, fault: Fault, seed: int = 0, start: int = 0) -> None:
        self.rng = random.Random(seed)
        self.fault = fault
        self.ms = 0
        self.start = start
        self.news: list[News] = []
        self.recorded: dict[int, list[tuple]] = {}
        self.boot = 0
        self.to_unit: list[tuple[int, int, bytes]] = []
        self.to_desktop: list[tuple[int, int, bytes]] = []
        self.reads = True  # whether the desktop reads
        self.largest = 0  # of what waited to be written by the unit, bytes
        self._asked: list[Request] = []  # of this desktop
        self._clients = 0
        self._order = 0
        self.restart_unit()
        self.restart_desktop()

    @property
    def now(self) -> int:
        return add(self.start, self.ms & 0x1FFFFFFF)

    def restart_unit(self) -> None:
        self.boot += 1
        self.unit = Unit(Settings(), Draws(7).below)
        self.link = Link(self.unit, 1000 + self.boot, "0 test unit")
        self.recorded[1000 + self.boot] = []
        self.link.step(self.now, SWITCH)

    def swap_cables(self, other: tuple[int, Unit, Link] | None = None) -> tuple[int, Unit, Link]:
        """Put another unit, a new one if none is given, at the line; return the one before."""
        before = self.boot, self.unit, self.link
        if other is None:
            self.boot = len(self.recorded)
            self.restart_unit()
        else:
            self.boot, self.unit, self.link = other
        return before

    def restart_desktop(self) -> None:
        """Kill the client and start another, which asks for all that the unit still keeps."""
        self._clients += 1
        self._asked = []
        self._following: dict[int, int] = {}  # boot: the number of the next event to be told
        self._told_of = 0  # the boot whose events are told
        self.core = Core(f"desktop{self._clients}", history=True)
        self.news = []
        self.to_unit.clear()
        self.to_desktop.clear()
        self.link.hang_up(self.now)
        self.core.opened(self.ms)

    def reconnect(self) -> None:
        """Pull the cable out and put it back: bytes under way are lost."""
        self.core.closed("pulled out")
        self.link.hang_up(self.now)
        self.to_unit.clear()
        self.to_desktop.clear()
        self.core.opened(self.ms)

    def ask(self, text: str, within_ms: int) -> Request:
        """Have the desktop ask for something, and give it up after so long."""
        self._asked.append(self.core.ask(text, self.ms + within_ms))
        return self._asked[-1]

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.tick()

    def tick(self) -> None:
        self.ms += 1
        self.link.step(self.now, SWITCH)
        for data in self._due(self.to_unit):
            self.link.receive(self.now, data)
        self.largest = max(self.largest, len(self.link.unsent))
        self._record()
        if self.reads and self.link.unsent:
            self._send(self.to_desktop, self.link.unsent)
            self.link.sent(len(self.link.unsent))
        self.core.step(self.ms)
        for data in self._due(self.to_desktop):
            self.core.receive(self.ms, data)
        if self.core.unsent:
            self._send(self.to_unit, self.core.unsent)
            self.core.sent(len(self.core.unsent))
        for news in self.core.news:
            self._note(news)
        self.news += self.core.news
        self.core.news.clear()

    def settle(self, limit_ms: int = 60000) -> None:
        """Over a clean line from now on, run until the desktop has all there is."""
        self.fault = clean
        self.reads = True
        for _ in range(limit_ms):
            if self.core.online and self._is_answered() and self._has_all():
                return
            self.tick()
        raise AssertionError("the desktop never got everything")

    def check(self) -> None:
        """Assert that each event of each boot was told once, in order, or honestly missed."""
        boots = sorted(self.recorded)
        events_by_boot: dict[int, list] = {}
        boot = None
        for news in self.news:
            if isinstance(news, Restarted):
                boot = news.boot
            elif boot is None and hasattr(news, "about"):
                boot = news.about.boot  # type: ignore[attr-defined]
            assert boot is None or boot in boots
            if isinstance(news, Event):
                events_by_boot.setdefault(boot or 0, []).append(
                    (news.number, news.kind, news.fields)
                )
            if isinstance(news, Missed):
                events_by_boot.setdefault(boot or 0, []).extend([None] * news.count)
        for boot, events in events_by_boot.items():
            recorded = self.recorded[boot]
            assert len(events) <= len(recorded)
            for index, event in enumerate(events):
                if event is not None:
                    assert event[0] == index
                    assert event[1] == recorded[index][1]

    def events(self) -> list[Event]:
        return [news for news in self.news if isinstance(news, Event)]

    def _is_answered(self) -> bool:
        return all(request.finished for request in self._asked)

    def _has_all(self) -> bool:
        """Return whether the desktop was told, or told that it missed, all of this boot."""
        about = self.core.about
        if about is None or about.boot != 1000 + self.boot:
            return False
        return self._following.get(about.boot, 0) == self.unit.events.count

    def _note(self, news: News) -> None:
        """Note which event of which boot the desktop is to be told next."""
        if isinstance(news, Connected):
            self._told_of = news.about.boot
        elif isinstance(news, Restarted):
            self._told_of = news.boot
        elif isinstance(news, Event):
            self._following[self._told_of] = news.number + 1
        elif isinstance(news, Missed):
            self._following[self._told_of] = news.first + news.count

    def _record(self) -> None:
        recorded = self.recorded[1000 + self.boot]
        while len(recorded) < self.unit.events.count:
            recorded.append(tuple(self.unit.events.get(len(recorded))))

    def _send(self, line: list[tuple[int, int, bytes]], data: bytes) -> None:
        for delay, chunk in self.fault(self.rng, data):
            self._order += 1
            line.append((self.ms + delay, self._order, chunk))

    def _due(self, line: list[tuple[int, int, bytes]]) -> list[bytes]:
        if not line or min(line)[0] > self.ms:  # nearly always
            return []
        due = sorted(item for item in line if item[0] <= self.ms)
        line[:] = [item for item in line if item[0] > self.ms]
        return [item[2] for item in due]
