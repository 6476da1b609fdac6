"""Checks of a client: it talks to a unit of ours, over lines that misbehave and break.

docs/protocol.md has the duties of a client.
"""

import random
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import TextIO

from city_unit.commands import obey
from city_unit.desktop.catalogue import _
from city_unit.desktop.files import reason
from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.ticks import MASK
from city_unit.unit import Unit
from sim.engine.doors import TcpDoor
from sim.engine.link_server import LinkServer, UnitJournal, new_boot
from sim.lab.conform import FAULTS, Fault, Finding, Spoiler, clean, wrong_events

COMMANDS = 12
PATIENCE_S = 60.0  # for one fault
QUIET_S = 0.5
PORT = "{port}"  # in the words of the client: the address of our unit, and
AFTER = "{after}"  # the last event that it had in an earlier run, BOOT.NUMBER, or
_NEVER_RAN = "-"
STILL_S = 15.0  # without a word from the client, which then has no more to say
HARMS = 3  # how often the line breaks, or the unit is started anew
_LIVES_ON_S = 0.05  # at most, behind an answer, until it is killed
_MOST_RESTARTS = 2  # of the unit, while the client is away
_MOST_BYTES = 100  # that still pass before a line breaks: an answer and an event


class BadDoor(TcpDoor):
    """A door that applies a fault to both directions."""

    def __init__(self, fault: Fault, seed: int) -> None:
        super().__init__("127.0.0.1", 0)
        self._into = Spoiler(fault, random.Random(2 * seed))
        self._out = Spoiler(fault, random.Random(2 * seed + 1))
        self._unsent = b""
        self.left: int | None = None  # bytes that still pass, either way, until the line breaks

    def read(self) -> bytes | None:
        if self.left == 0 and self._client is not None:
            self.left = None
            self._unsent = b""
            self._client.socket.close()
            self._client = None
            return None
        data = super().read()
        return self._into.pass_on(self._passing(data)) if data else data

    def write(self, data: bytes) -> int:
        self._unsent += self._passing(self._out.pass_on(data))
        self._unsent = self._unsent[super().write(self._unsent) :]
        return len(data)

    def _passing(self, data: bytes) -> bytes:
        """Return the part of `data` that still passes."""
        data = data[: self.left]
        if self.left is not None:
            self.left -= len(data)
        return data


class Rig:
    """Our unit, in real time, and the client that talks to it."""

    def __init__(self, command: list[str], fault: Fault, seed: int, folder: Path) -> None:
        boot = random.SystemRandom().randrange(1, 1 << 29)
        body = "0.1.0 conform unit"  # no text: on the line
        self.link = Link(Unit(Settings(), Draws(seed).below), boot, body)
        self.door = BadDoor(fault, seed)
        journal = UnitJournal(self.link, folder / "journal.log")
        self.server = LinkServer(self.link, [self.door], "conform", journal)
        # Of the commands behind which something breaks, each stops an auction: a unit that is
        # started anew then has nothing under way that it could not tell.
        self.chance = random.Random(seed)
        self.harmed = self.chance.sample(range(1, COMMANDS, 2), HARMS)
        self.said: list[str] = []
        self.said_at = 0.0  # when the client said something the last time
        self.boots = [boot]
        self.counts: list[int] = []  # of events, in each boot that is over
        self.moved = 0  # how often the unit did something by itself, and told it
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._start = time.monotonic()
        self._command = command
        self.start_client()

    def start_client(self) -> None:
        """Start the client, to continue after the output of its earlier run."""
        numbers = self.numbers()
        after = f"{self.boots[numbers.count(0) - 1]}.{numbers[-1]}" if numbers else _NEVER_RAN
        words = [word.replace(PORT, self.door.address) for word in self._command]
        self.process = subprocess.Popen(
            [word.replace(AFTER, after) for word in words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self._reader.start()

    def kill_client(self) -> None:
        """Kill the client; its output so far counts."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.live(0.01)

    def _read(self, said: TextIO) -> None:
        for line in said:
            self._lines.put(line.strip())

    def live(self, seconds: float) -> None:
        """Step the unit for a while, and read the client's output."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.server.send()
            self.server.wait(0.002)
            now = self.now()
            self.link.step(now, SWITCH)
            self.server.receive(now)
            while not self._lines.empty():
                self.said.append(self._lines.get())
                self.said_at = time.monotonic()

    def now(self) -> int:
        """Return the unit's time."""
        return int((time.monotonic() - self._start) * 1000) & MASK

    def move(self) -> None:
        """Send the unit something that nobody at the line has asked for."""
        for words in (["start", "60000"], ["stop", ""]):  # no text: commands
            self.live(0.02)  # it may just have been started
            self.moved += not obey(self.link.remote, self.now(), words)

    def answers(self) -> int:
        return sum(line.split(" ")[0] in ("done", "refused") for line in self.said)

    def numbers(self) -> list[int]:
        """Return the numbers of the events that the client printed."""
        words = [line.split(" ") for line in self.said]
        return [int(word[0]) for word in words if word[0].isdigit()]

    def has_all(self) -> bool:
        """Return whether the client has printed as many events as there were."""
        return len(self.numbers()) >= sum(self.counts) + self.link.unit.events.count

    def restart_unit(self) -> None:
        """Replace the unit by another, as after a power cut."""
        self.live(0.01)  # its journal is written
        self.counts.append(self.link.unit.events.count)
        self.link.rebind(Unit(Settings(), Draws(1).below), new_boot())
        self.boots.append(self.link.boot)

    def live_until(self, met: Callable[[], bool]) -> None:
        """Step the unit until something is so, or the client has long been silent."""
        self.said_at = time.monotonic()
        self.live(0.01)
        while not met() and time.monotonic() - self.said_at < STILL_S:
            self.live(0.02)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        end = time.monotonic() + 5.0
        while self.process.poll() is None and time.monotonic() < end:
            self.live(0.02)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.server.close()


Harm = Callable[[Rig, int], None]  # is done after the command at a place


def checks(command: list[str], turns: Iterable[int] = (0,)) -> Iterator[Finding]:
    """Start the client once for each fault, for a line that breaks and a unit that restarts.

    One that can go on behind an event, by AFTER in its words, is killed and started anew too.

    Each of the turns has other chances, the same at each time.
    """
    for turn in turns:
        last = 100 * turn + 99
        for seed, (fault, name) in enumerate(FAULTS.values(), 100 * turn):
            yield Finding(str(name), run(command, fault, seed))
        yield Finding(_("a line that breaks"), run(command, clean, last, break_line))
        yield Finding(_("a unit that is started anew"), run(command, clean, last, restart_unit))
        if any(AFTER in word for word in command):
            why = run(command, clean, last, restart_client)
            yield Finding(_("a client that is killed and goes on, a unit with a journal"), why)


def break_line(rig: Rig, place: int) -> None:
    """Break the line at any of the next bytes."""
    if place in rig.harmed:
        rig.door.left = rig.chance.randrange(_MOST_BYTES)


def restart_unit(rig: Rig, place: int) -> None:
    """Start the unit anew once the client has had all events of the old boot.

    Without a journal the client could not learn the events between the two.
    """
    if place in rig.harmed:
        rig.live_until(lambda: rig.answers() > place)
        rig.live_until(rig.has_all)
        rig.restart_unit()
        rig.live_until(rig.has_all)


def restart_client(rig: Rig, place: int) -> None:
    """Kill the client at any time; before it is back the unit goes on, and is started anew."""
    if place in rig.harmed:
        rig.live_until(lambda: rig.answers() > place)
        rig.live(rig.chance.random() * _LIVES_ON_S)
        rig.kill_client()
        rig.move()
        for _again in range(rig.chance.randrange(_MOST_RESTARTS + 1)):
            rig.restart_unit()
            rig.move()
        rig.start_client()
        rig.live_until(rig.has_all)


def run(command: list[str], fault: Fault, seed: int, harm: Harm | None = None) -> str:
    """Return the error, "" for none. `harm` is done after each command."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            rig = Rig(command, fault, seed, Path(folder))
        except OSError as error:
            return _("it cannot be started: {why}").format(why=reason(error))
        try:
            return _play(rig, harm)
        except OSError:
            return _("it has ended in the middle")
        finally:
            rig.close()


def _play(rig: Rig, harm: Harm | None) -> str:
    end = time.monotonic() + PATIENCE_S
    while not rig.numbers():
        if rig.process.poll() is not None:
            return _("it has ended in the middle")
        if time.monotonic() > end:
            return _("it never told event 0")
        rig.live(0.02)
    for place in range(COMMANDS):
        assert rig.process.stdin is not None
        rig.process.stdin.write("stop\n" if place % 2 else "start 60000\n")  # no text: commands
        rig.process.stdin.flush()
        if harm:
            harm(rig, place)
        while rig.answers() <= place:
            if time.monotonic() > end:
                return _("command {number} was never answered").format(number=place + 1)
            rig.live(0.01)
    rig.live_until(rig.has_all)
    rig.live(QUIET_S)
    counts = [*rig.counts, rig.link.unit.events.count]
    times = sum(counts) - len(counts)  # the first event of each boot is that it is on
    refused = sum(line.startswith("refused") for line in rig.said)
    if times - rig.moved != COMMANDS or refused:
        words = _("{commands} commands were done {times} times, {refused} refused")
        return words.format(commands=COMMANDS, times=times - rig.moved, refused=refused)
    numbers = rig.numbers()
    for count in counts[:-1]:  # of the events of each boot
        why = wrong_events(numbers[:count], count)
        if why:
            return why
        numbers = numbers[count:]
    return wrong_events(numbers, counts[-1])
