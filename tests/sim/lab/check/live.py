"""A live unit in virtual time, which passes while the client waits for data."""

import math
import time

from city_unit import host
from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.ticks import diff
from city_unit.unit import Unit
from city_unit.wire import unseal


class Live:
    """A unit at the port "unit", for one test.

    levels        levels of its physical contacts: the switch
    dies_ms       when the cable is pulled
    interrupt_ms  when the user presses Ctrl-C
    """

    def __init__(self, monkeypatch, levels: int = SWITCH) -> None:
        self.ms = 0.0
        self.levels = levels
        self.dies_ms = self.interrupt_ms = math.inf
        self.unit = Unit(Settings(), Draws(7).below)
        self.link = Link(self.unit, 1, "0 memory unit")
        self.link.step(0, levels)
        self.said: list[str] = []  # the commands received
        monkeypatch.setattr(time, "sleep", self.sleep)
        monkeypatch.setattr(host, "connect", self.connect)

    def connect(self, port: str) -> host.Client:
        assert port == "unit"
        connected = host.Client(port, lambda: self, clock=lambda: self.ms)
        connected.wait_online(1.0)
        return connected

    def do(self, text: str) -> None:
        """Perform a command before the lab connects."""
        with self.connect("unit") as person:
            person.send(text)
        self.live(100)

    def live(self, ms: float) -> None:
        """Advance time from deadline to deadline."""
        end = self.ms + ms
        while self.ms < end:
            due = self.link.next_due()
            hop = end - self.ms if due is None else min(end - self.ms, diff(due, self.now))
            self.ms += max(hop, 1)
            self.link.step(self.now, self.levels)
            if self.link.is_watched:
                self.link.note_shown(self.now * 1000)

    @property
    def now(self) -> int:
        return int(self.ms)

    def sleep(self, seconds: float) -> None:
        self.live(seconds * 1000)

    # The port, as the client uses it.

    def read(self, timeout: float) -> bytes:
        if self.ms >= self.interrupt_ms:
            self.interrupt_ms = math.inf
            raise KeyboardInterrupt
        until = self.ms + timeout * 1000
        while self.ms < until and not self.link.unsent:
            self.live(1)
        self._check()
        data = self.link.unsent
        self.link.sent(len(data))
        return data

    def write(self, data: bytes) -> int:
        self._check()
        for words in (unseal(line).split(" ") for line in data.splitlines()):
            if words[0] == "do":
                self.said.append(" ".join(words[3:]))
        self.link.receive(self.now, data)
        return len(data)

    def close(self) -> None:
        if self.ms < self.dies_ms:
            self.link.hang_up(self.now)

    def _check(self) -> None:
        if self.ms >= self.dies_ms:
            raise OSError("the cable is out")
