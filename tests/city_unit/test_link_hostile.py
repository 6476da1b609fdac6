"""The link over faulty lines: no event is lost or delivered twice, no command is run twice.

Both ends are in memory and run in virtual time.
"""

import gc
import random
import sys
from collections.abc import Callable

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from city_unit import host
from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.host.core import Core
from city_unit.host.news import Connected, Event, Missed, News, Restarted
from city_unit.host.requests import Request
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.ticks import add
from city_unit.unit import Unit
from city_unit.wire import seal
from sim.lab import conform as score
from tests.helpers.times import LENGTH_MS

WRAP = 1 << 30

# The effect of a line on a chunk of bytes: the resulting chunks, each with a delay in ms.
Fault = Callable[[random.Random, bytes], list[tuple[int, bytes]]]


def at_once(fault: score.Fault) -> Fault:
    """Convert a fault of lines to one of chunks without delay."""
    return lambda rng, data: [
        (0, piece) for line in data.splitlines(True) for piece in fault(rng, line)
    ]


def one_byte_at_a_time(_rng, data):
    return [(place // 8, data[place : place + 1]) for place in range(len(data))]


def slow(rng, data):
    return [(rng.randrange(20, 400), data)]


def swapping(rng, data):
    return [(rng.randrange(0, 60), line) for line in data.splitlines(True)]


def all_together(rng, data):
    lines = data.splitlines(True)
    for fault, _name in score.FAULTS.values():
        lines = [piece for line in lines for piece in (fault(rng, line) if line else [])]
    return [(rng.randrange(0, 3000) if rng.random() < 0.2 else 0, line) for line in lines]


FAULTS = {
    **{name: at_once(fault) for name, (fault, _words) in score.FAULTS.items()},
    **{fault.__name__: fault for fault in (one_byte_at_a_time, slow, swapping, all_together)},
}


class World:
    """A unit, a client's core, and two one-way lines between them, one ms at a time.

    recorded  the events of each boot, as recorded by the unit
    told      the events of each boot that the current client delivered, None for a missed one
    news      all news of the current client
    asked     all requests of all clients
    largest   the largest amount of unsent output of the unit, in bytes
    """

    def __init__(self, fault: str = "clean", seed: int = 0, start: int = 0) -> None:
        self.rng = random.Random(seed)
        self.fault = FAULTS[fault]
        self.ms = 0
        self.start = start
        self.recorded: dict[int, list[tuple]] = {}
        self.to_unit: list[tuple[int, int, bytes]] = []
        self.to_desktop: list[tuple[int, int, bytes]] = []
        self.reads = True  # whether the desktop reads
        self.largest = 0
        self.asked: list[Request] = []
        self._clients = 0
        self._order = 0
        self.restart_unit()
        self.restart_desktop()

    @property
    def now(self) -> int:
        return add(self.start, self.ms)

    def restart_unit(self) -> None:
        self.boot = 1001 + len(self.recorded)
        self.recorded[self.boot] = []
        self.unit = Unit(Settings(), Draws(7).below)
        self.link = Link(self.unit, self.boot, "0 test unit")
        self.link.step(self.now, SWITCH)

    def swap_cables(self, other: tuple[int, Unit, Link] | None = None) -> tuple[int, Unit, Link]:
        """Connect another unit, by default a new one; return the previous one."""
        before = self.boot, self.unit, self.link
        if other is None:
            self.restart_unit()
        else:
            self.boot, self.unit, self.link = other
        return before

    def restart_desktop(self) -> None:
        """Kill the client and start another, which requests all stored events."""
        self._clients += 1
        self.core = Core(f"desktop{self._clients}", history=True)
        self.news: list[News] = []
        self.told: dict[int, list[Event | None]] = {}
        self._first_asked = len(self.asked)
        self._told_boot = 0
        self._plug_in()

    def reconnect(self) -> None:
        """Unplug the cable and plug it in again: bytes in transit are lost."""
        self.core.closed("pulled out")
        self._plug_in()

    def _plug_in(self) -> None:
        self.link.hang_up(self.now)
        self.to_unit.clear()
        self.to_desktop.clear()
        self.core.opened(self.ms)

    def ask(self, text: str, within_ms: int) -> Request:
        """Send a request from the desktop with a timeout."""
        self.asked.append(self.core.ask(text, self.ms + within_ms))
        return self.asked[-1]

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.tick()

    def tick(self) -> None:
        self.ms += 1
        self.link.step(self.now, SWITCH)
        for data in self._due(self.to_unit):
            self.link.receive(self.now, data)
        self.largest = max(self.largest, len(self.link.unsent))
        recorded = self.recorded[self.boot]
        while len(recorded) < self.unit.events.count:
            recorded.append(tuple(self.unit.events.get(len(recorded))))
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
        """Make the line clean, run until the desktop has everything, and check it."""
        self.fault = FAULTS["clean"]
        self.reads = True
        for _ in range(limit_ms):
            is_there = self.core.online and self.core.about.boot == self.boot
            is_answered = all(request.finished for request in self.asked[self._first_asked :])
            told = self.told.get(self.boot, [])
            if is_there and is_answered and len(told) == self.unit.events.count:
                return self.check()
            self.tick()
        raise AssertionError("the desktop never got everything")

    def check(self) -> None:
        """Assert that each event of each boot was delivered once, in order, or reported as missed,
        and that no command was run twice."""
        for boot, events in self.told.items():
            recorded = self.recorded[boot]
            assert len(events) <= len(recorded)
            for index, event in enumerate(events):
                if event is not None:
                    at, kind, *_ = recorded[index]
                    assert (event.number, event.kind, event.ms % WRAP) == (index, kind, at)

        taps = [request for request in self.asked if request.text == "tap build"]
        may_be_done = [request for request in taps if not isinstance(request.error, host.Refused)]
        presses = [
            event
            for recorded in self.recorded.values()
            for event in recorded
            if event[1] == "permit-started" or event[1:3] == ("refused", "build")
        ]
        assert len(presses) <= len(may_be_done)

    def events(self) -> list[Event]:
        return [news for news in self.news if isinstance(news, Event)]

    def _note(self, news: News) -> None:
        if isinstance(news, Connected):
            self._told_boot = news.about.boot
        elif isinstance(news, Restarted):
            self._told_boot = news.boot
        told = self.told.setdefault(self._told_boot, [])
        if isinstance(news, Event):
            told.append(news)
        elif isinstance(news, Missed):
            assert news.first == len(told)
            told.extend([None] * news.count)

    def _send(self, line: list[tuple[int, int, bytes]], data: bytes) -> None:
        for delay, chunk in self.fault(self.rng, data):
            self._order += 1
            line.append((self.ms + delay, self._order, chunk))

    def _due(self, line: list[tuple[int, int, bytes]]) -> list[bytes]:
        if not line or min(line)[0] > self.ms:  # the usual case
            return []
        due = sorted(item for item in line if item[0] <= self.ms)
        line[:] = [item for item in line if item[0] > self.ms]
        return [item[2] for item in due]


COMMANDS = ("tap auction", "tap build", "start 300", "stop", "identify", "state", "counters")


class Talk(RuleBasedStateMachine):
    """Random faults of the line and of both ends; in the end everything must be consistent."""

    @initialize(seed=st.integers(0, 1000), near_wrap=st.booleans())
    def begin(self, seed, near_wrap):
        self.world = World("clean", seed, WRAP - 500 if near_wrap else 0)
        self.away = None

    @rule(fault=st.sampled_from(sorted(FAULTS)))
    def change_the_line(self, fault):
        self.world.fault = FAULTS[fault]

    @rule(ms=st.one_of(st.integers(1, 700), st.just(3000)))
    def live(self, ms):
        self.world.run(ms)

    @rule(text=st.sampled_from(COMMANDS))
    def ask(self, text):
        self.world.ask(text, 2000)

    @rule(
        what=st.sampled_from((World.restart_unit, World.restart_desktop, World.reconnect)),
    )
    def strike(self, what):
        what(self.world)

    @rule()
    def swap_cables(self):
        self.away = self.world.swap_cables(self.away)

    @rule(reads=st.booleans())
    def read(self, reads):
        self.world.reads = reads

    @invariant()
    def nothing_is_told_twice(self):
        if hasattr(self, "world"):
            self.world.check()
            assert self.world.largest <= 512

    def teardown(self):
        if hasattr(self, "world"):
            self.world.settle()


TestTalk = Talk.TestCase
TestTalk.settings = settings(
    max_examples=50,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def test_late_greetings_of_a_previous_boot_are_ignored_for_a_while():
    for fault in ("clean", "slow", "all_together"):
        world = World(fault, seed=4)
        world.run(1000)
        red = world.swap_cables()
        world.ask("start 1000", 9000)
        world.run(3000)
        blue = world.swap_cables(red)
        world.ask("start 1000", 20000)
        world.settle(30000)
        world.swap_cables(blue)
        world.settle(30000)
        restarts = [news.boot for news in world.news if isinstance(news, Restarted)]
        assert restarts == [1002, 1001, 1002], fault
        assert not any(isinstance(news, Missed) for news in world.news), fault
        assert sum(map(len, world.recorded.values())) == len(world.events()), fault
    core = World().core
    boots = []
    for ms, boot in ((0, 7), (1, 8), (10000, 7), (10001, 7)):  # the third one is too early
        core.receive(ms, seal(f"welcome desktop1 {boot}.1 1 0 test unit"))
        boots.append(core.about.boot)
    assert boots == [7, 8, 8, 7]


def test_a_gap_longer_than_the_ring_is_reported_as_missed():
    world = World()
    world.run(300)
    world.core.closed("pulled out")
    world.link.hang_up(world.now)
    for _ in range(40):
        world.unit.command(world.now, "start auction", 1000)
        world.unit.command(world.now, "stop auction")
        world.run(2)
    world.core.opened(world.ms)
    world.settle()
    missed = [news for news in world.news if isinstance(news, Missed)]
    assert missed == [Missed(first=1, count=81 - 32 - 1)]


DAY_MS = 24 * 3600 * 1000


def test_thirty_days_with_a_link():
    """One game and one auction per day; times are exact across both wraps."""
    memory = host.Memory(seed=1)
    blocks = []  # allocated memory blocks, without the integers in this list
    ms = 0
    gc.freeze()  # so that `gc.collect` skips the objects of other tests
    try:
        for day in range(30):
            memory.client.send("restart")
            memory.client.send("start")
            kinds = {}
            for news in memory.advance(DAY_MS):
                if isinstance(news, host.Event):
                    kinds.setdefault(news.kind, news.ms)
            assert kinds["switched-on"] == ms == memory.client.now() - DAY_MS
            assert kinds["auction-ended"] == ms + LENGTH_MS
            assert kinds["hour-ended"] == ms + 3600000
            ms += DAY_MS
            if day >= 6:
                gc.collect()
                blocks.append(sys.getallocatedblocks() - len(blocks))
    finally:
        gc.unfreeze()
    assert ms > 2 * WRAP
    assert max(blocks[12:]) <= max(blocks[:12]) + 40
