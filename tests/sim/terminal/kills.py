"""Kills a unit, its desktop or the line at random, and compares the client's news with the record.

The unit is a process that keeps a record of its own, which outlives it: the
emulated unit behind a pty or over TCP, or the firmware in MicroPython's Unix port
behind a pty, whose power is pulled. The desktop is a client that is dropped
without a goodbye; the cable is pulled out and put back. Every event that a client
tells must be the one that the unit recorded under that number in that boot, and
each must be told once, in order, up to the last one of the boot that is still alive.
"""

import json
import random
import re
import signal
import time
from pathlib import Path

from city_unit import host
from tests.helpers.emulated import ANY_PORT, Emulated
from tests.helpers.lines import Opener
from tests.helpers.patience import PATIENCE_S

COMMANDS = (
    *("tap build", "tap auction", "start 40", "stop", "restart"),
    *("switch off", "switch on", "volume 1", "volume 2", "program timed", "program city"),
)

# Settings that a board may have been told to keep: the program, the length of the game, the volume.
WHOLE = re.compile(r"(city|timed) \d+ [123]\n")


def recorded(path: Path) -> dict[int, list[tuple]]:
    """Return the events of each boot, in order, as the unit itself recorded them.

    A last line without an end was being written when the unit was killed, so
    before anybody could be told of it: it does not count.
    """
    boots: dict[int, list[tuple]] = {}
    events: list[tuple] = []
    for text in path.read_text(encoding="utf-8").splitlines(True):
        if not text.endswith("\n"):
            return boots
        line = json.loads(text)
        if "boot" in line:
            events = boots.setdefault(line["boot"], [])
        elif "event" in line:
            line.pop("late_us", None)
            events.append((line.pop("ms"), line.pop("event"), line))
    return boots


class Process:
    """The emulated unit."""

    def __init__(self, folder: Path, *door: str) -> None:
        self.record = folder / "record.jsonl"
        self._unit = Emulated(folder, *door, "--record", str(self.record))
        self.port = self._unit.port

    def kill(self) -> None:
        """Take it away in the middle of whatever it does, and start it again."""
        self._unit.stop(signal.SIGKILL)
        self._unit.start()

    def end(self) -> None:
        self._unit.process.kill()
        self._unit.process.wait()


class Board:
    """The firmware, unchanged, in the Unix port of MicroPython."""

    def __init__(self, folder: Path) -> None:
        from firmware.virtual.launch import SWITCHED_ON, VirtualBoard, lay
        from firmware.virtual.supervisor import Supervised

        self.record = folder / "record.jsonl"
        self.record.touch()
        files = folder / "board"
        files.mkdir()
        lay(files)
        board = VirtualBoard(files, world={**SWITCHED_ON, "record": str(self.record)})
        self._supervised = Supervised(board, folder / "world")
        self.port = self._supervised.__enter__()
        self._settings = files / "settings.txt"

    def kill(self) -> None:
        """Pull its power; the files in its memory must be whole, whenever that was."""
        self._supervised.pull()
        if self._settings.exists():
            assert WHOLE.fullmatch(self._settings.read_text(encoding="utf-8"))

    def end(self) -> None:
        self._supervised.__exit__()


UNITS = {
    "pty": lambda folder: Process(folder, "--pty", str(folder / "unit")),
    "tcp": lambda folder: Process(folder, "--listen", ANY_PORT),
    "firmware": Board,
}


class Desktop:
    """A client, and its news.

    events  boot: the events of it so far; None for a missed one
    boot    the latest
    """

    def __init__(self, port: str) -> None:
        self.events: dict[int, list[tuple | None]] = {}
        self.boot = 0
        self._opener = Opener(port)
        self.client = host.Client(port, self._opener, history=True)
        self.client.wait_online(PATIENCE_S)

    def poll(self, seconds: float = 0.0) -> None:
        for news in self.client.poll(seconds):
            if isinstance(news, host.Connected | host.Restarted):
                boot = news.boot if isinstance(news, host.Restarted) else news.about.boot
                assert boot == self.boot or boot not in self.events, "a boot came back"
                self.boot = boot
                self.events.setdefault(boot, [])
            elif isinstance(news, host.Missed):
                assert news.first == len(self.events[self.boot])
                self.events[self.boot] += [None] * news.count
            elif isinstance(news, host.Event):
                assert news.number == len(self.events[self.boot]), "doubled, lost or swapped"
                self.events[self.boot].append((news.ms, news.kind, news.fields))

    def die(self) -> None:
        """Vanish as a killed process does, without a goodbye."""
        self._opener.drop()

    def pull_out(self) -> None:
        """Lose the line in the middle of whatever is under way; the client finds it again."""
        self._opener.pull_out()

    def compare(self, boots: dict[int, list[tuple]]) -> int:
        """Assert that the client's news is true and complete; return the number of its events."""
        for boot, events in self.events.items():
            assert len(events) <= len(boots[boot])
            for number, event in enumerate(events):
                assert event in (None, boots[boot][number]), (boot, number)
        return sum(event is not None for events in self.events.values() for event in events)

    def has_all(self, boots: dict[int, list[tuple]]) -> bool:
        return len(self.events[self.boot]) == len(boots[self.boot])


def run(kind: str, folder: Path, seed: int, rounds: int) -> tuple[int, int]:
    """Kill for `rounds` rounds; return the boots and the events told."""
    rng = random.Random(seed)
    unit = UNITS[kind](folder)
    events = 0
    try:
        desktop = Desktop(unit.port)
        for _round in range(rounds):
            if rng.random() < 0.7:
                desktop.client.wait_online(PATIENCE_S)
            for _ in range(rng.randrange(1, 8)):
                desktop.client.ask(rng.choice(COMMANDS))
                desktop.poll(rng.random() / 10)
            victim = rng.choice(("unit", "desktop", "cable"))
            if victim == "unit":
                unit.kill()
            elif victim == "cable":
                desktop.pull_out()
            else:
                desktop.die()
                events += desktop.compare(recorded(unit.record))
                desktop = Desktop(unit.port)
        settle(desktop, unit.record)
        events += desktop.compare(recorded(unit.record))
        desktop.client.close()
    finally:
        unit.end()
    return len(recorded(unit.record)), events


def settle(desktop: Desktop, record: Path) -> None:
    """Switch the unit off, so that it is silent, and wait until the desktop has everything."""
    limit = time.monotonic() + PATIENCE_S
    _switch_off(desktop.client)
    while time.monotonic() < limit:
        desktop.poll(0.2)
        boots = recorded(record)
        last = boots[desktop.boot]
        if last[-1][1] == "switched-off" and desktop.has_all(boots):
            return
    raise AssertionError("the desktop never had everything")


def _switch_off(client: host.Client) -> None:
    while True:
        client.wait_online(PATIENCE_S)
        try:
            client.send("switch off", PATIENCE_S)
            return
        except host.NoAnswer:
            pass  # the unit was killed a moment ago: once more, to the new one
