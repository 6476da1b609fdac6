"""Checks a client of the protocol, as docs/protocol.md specifies it.

Theory of operation. A `Rig` starts a unit in this process and the client as a subprocess, and
connects them through a faulty line. It sends the client commands, and may break the line or restart
the unit or the client meanwhile. Afterwards each command must have been performed exactly once, and
the client must have printed each event exactly once and in order.
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
PATIENCE_S = 60.0  # per fault
QUIET_S = 0.5
PORT = "{port}"  # in the client's command: the address of our unit
AFTER = "{after}"  # the last event of its previous run, BOOT.NUMBER, or
_NEVER_RAN = "-"
STILL_S = 15.0  # a client that is silent for this long has printed everything
DISRUPTIONS = 3  # of the line, the unit or the client in a run
_LIVES_ON_S = 0.05  # the longest that a client lives after a response before it is killed
_MOST_RESTARTS = 2  # of the unit while the client is down
_MOST_BYTES = 100  # pass before a line breaks: a response and an event


class BadDoor(TcpDoor):
    """A TCP door that applies a fault in both directions."""

    def __init__(self, fault: Fault, seed: int) -> None:
        super().__init__("127.0.0.1", 0)
        self._into = Spoiler(fault, random.Random(2 * seed))
        self._out = Spoiler(fault, random.Random(2 * seed + 1))
        self._unsent = b""
        self.left: int | None = None  # bytes in either direction until the line breaks

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
        """Return the part of `data` that passes before the line breaks."""
        data = data[: self.left]
        if self.left is not None:
            self.left -= len(data)
        return data


class Rig:
    """A unit in real time, and the client under test."""

    def __init__(self, command: list[str], fault: Fault, seed: int, folder: Path) -> None:
        boot = random.SystemRandom().randrange(1, 1 << 29)
        body = "0.1.0 conform unit"  # no text: on the line
        self.link = Link(Unit(Settings(), Draws(seed).below), boot, body)
        self.door = BadDoor(fault, seed)
        journal = UnitJournal(self.link, folder / "journal.log")
        self.server = LinkServer(self.link, [self.door], "conform", journal)
        # Disruptions follow commands that stop an auction. The unit is then idle, and a restart
        # loses nothing that the client would have to be told.
        self.chance = random.Random(seed)
        self.disrupted = self.chance.sample(range(1, COMMANDS, 2), DISRUPTIONS)
        self.printed: list[str] = []  # the client's output
        self.printed_at = 0.0  # time of the latest line
        self.boots = [boot]
        self.counts: list[int] = []  # number of events in each earlier boot
        self.moved = 0  # number of events that no command of the client caused
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._start = time.monotonic()
        self._command = command
        self.start_client()

    def start_client(self) -> None:
        """Start the client. It continues after the last event that it printed."""
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
        """Kill the client, and read the rest of its output."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.live(0.01)

    def _read(self, printed: TextIO) -> None:
        for line in printed:
            self._lines.put(line.strip())

    def live(self, seconds: float) -> None:
        """Run the unit for a while, and read the client's output."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.server.send()
            self.server.wait(0.002)
            now = self.now()
            self.link.step(now, SWITCH)
            self.server.receive(now)
            while not self._lines.empty():
                self.printed.append(self._lines.get())
                self.printed_at = time.monotonic()

    def now(self) -> int:
        """Return the unit's time."""
        return int((time.monotonic() - self._start) * 1000) & MASK

    def move(self) -> None:
        """Start and stop an auction at the unit, not over the line."""
        for what, length_ms in (("start auction", 60000), ("stop auction", 0)):  # no text: inputs
            self.live(0.02)  # the unit may just have been restarted
            self.moved += not self.link.unit.command(self.now(), what, length_ms)

    def responses(self) -> int:
        return sum(line.split(" ")[0] in ("done", "refused") for line in self.printed)

    def numbers(self) -> list[int]:
        """Return the numbers of the events that the client printed."""
        words = [line.split(" ") for line in self.printed]
        return [int(word[0]) for word in words if word[0].isdigit()]

    def has_all(self) -> bool:
        """Return whether the client has printed as many events as occurred."""
        return len(self.numbers()) >= sum(self.counts) + self.link.unit.events.count

    def restart_unit(self) -> None:
        """Replace the unit by a new one, as after a power failure."""
        self.live(0.01)  # writes the journal
        self.counts.append(self.link.unit.events.count)
        self.link.rebind(Unit(Settings(), Draws(1).below), new_boot())
        self.boots.append(self.link.boot)

    def live_until(self, met: Callable[[], bool]) -> None:
        """Run the unit until a condition is met, or the client has been silent for `STILL_S`."""
        self.printed_at = time.monotonic()
        self.live(0.01)
        while not met() and time.monotonic() - self.printed_at < STILL_S:
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


Disruption = Callable[[Rig, int], None]  # called after each command, with its index


def checks(command: list[str], turns: Iterable[int] = (0,)) -> Iterator[Finding]:
    """Run the client with each fault, with a line that breaks and with a unit that restarts.

    A client that can resume after an event (AFTER in its command) is also killed and restarted.

    turns  seeds of the random faults; the same turn gives the same faults
    """
    for turn in turns:
        last = 100 * turn + 99
        for seed, (fault, name) in enumerate(FAULTS.values(), 100 * turn):
            yield Finding(str(name), run(command, fault, seed))
        yield Finding(_("a line that breaks"), run(command, clean, last, break_line))
        yield Finding(_("a unit that restarts"), run(command, clean, last, restart_unit))
        if any(AFTER in word for word in command):
            why = run(command, clean, last, restart_client)
            yield Finding(_("a client that is killed and resumes, a unit with a journal"), why)


def break_line(rig: Rig, place: int) -> None:
    """Break the line at a random byte soon."""
    if place in rig.disrupted:
        rig.door.left = rig.chance.randrange(_MOST_BYTES)


def restart_unit(rig: Rig, place: int) -> None:
    """Restart the unit once the client has received all events.

    A client cannot retrieve events of an earlier boot from a unit without a journal.
    """
    if place in rig.disrupted:
        rig.live_until(lambda: rig.responses() > place)
        rig.live_until(rig.has_all)
        rig.restart_unit()
        rig.live_until(rig.has_all)


def restart_client(rig: Rig, place: int) -> None:
    """Kill the client. Before it is back, the unit has new events and may restart."""
    if place in rig.disrupted:
        rig.live_until(lambda: rig.responses() > place)
        rig.live(rig.chance.random() * _LIVES_ON_S)
        rig.kill_client()
        rig.move()
        for _again in range(rig.chance.randrange(_MOST_RESTARTS + 1)):
            rig.restart_unit()
            rig.move()
        rig.start_client()
        rig.live_until(rig.has_all)


def run(command: list[str], fault: Fault, seed: int, disrupt: Disruption | None = None) -> str:
    """Run the client through one fault; return the error, or "".

    disrupt  called after each command
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            rig = Rig(command, fault, seed, Path(folder))
        except OSError as error:
            return _("it cannot be started: {why}").format(why=reason(error))
        try:
            end = time.monotonic() + PATIENCE_S
            while not rig.numbers():
                if rig.process.poll() is not None:
                    return _("it exited early")
                if time.monotonic() > end:
                    return _("it never printed event 0")
                rig.live(0.02)
            for place in range(COMMANDS):
                assert rig.process.stdin is not None
                line = "stop\n" if place % 2 else "start 60000\n"  # no text: commands
                rig.process.stdin.write(line)
                rig.process.stdin.flush()
                if disrupt:
                    disrupt(rig, place)
                while rig.responses() <= place:
                    if time.monotonic() > end:
                        return _("no response to command {number}").format(number=place + 1)
                    rig.live(0.01)
            rig.live_until(rig.has_all)
            rig.live(QUIET_S)
            counts = [*rig.counts, rig.link.unit.events.count]
            times = sum(counts) - len(counts)  # the first event of each boot is switched-on
            refused = sum(line.startswith("refused") for line in rig.printed)
            if times - rig.moved != COMMANDS or refused:
                words = _("{commands} commands were performed {times} times, {refused} refused")
                return words.format(commands=COMMANDS, times=times - rig.moved, refused=refused)
            numbers = rig.numbers()
            for count in counts[:-1]:  # number of events in each boot
                why = wrong_events(numbers[:count], count)
                if why:
                    return why
                numbers = numbers[count:]
            return wrong_events(numbers, counts[-1])
        except OSError:
            return _("it exited early")
        finally:
            rig.close()
