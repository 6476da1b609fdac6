"""A unit with a real TCP port and its clients, in one program, whose time is counted in turns."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from city_unit import host
from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.engine.doors import Lock, TcpDoor
from sim.engine.link_server import LinkServer, UnitJournal
from tests.helpers.lines import Opener

TURNS = 2000


class House:
    """A unit with a door, and the programs at it; a turn is a millisecond of the unit."""

    def __init__(self, lock: Lock | None = None, journal: Path | None = None) -> None:
        self.clients: list[host.Client] = []
        self._openers: dict[host.Client, Opener] = {}
        self.now = 0
        self._kept = journal
        self._begin(4711, 0, {"lock": lock} if lock else {})

    def _begin(self, boot: int, port: int, how: dict[str, Any]) -> None:
        self.link = Link(Unit(Settings(), Draws(7).below), boot, "0.1.0 test unit")
        self.door = TcpDoor("127.0.0.1", port, lambda: self.now / 1000, **how)
        self.journal = UnitJournal(self.link, self._kept) if self._kept else None
        self.server = LinkServer(self.link, [self.door], "test", self.journal)

    def restart_unit(self) -> None:
        """End the unit's program and start it anew, at the same port."""
        self.server.close()
        self._begin(self.link.boot + 1, int(self.door.address.rpartition(":")[2]), {})

    def client(self, address: str = "", **options: Any) -> host.Client:
        address = address or self.door.address
        opener = Opener(address)
        client = host.Client(address, opener, clock=lambda: float(self.now), **options)
        self.clients.append(client)
        self._openers[client] = opener
        return client

    def kill(self, client: host.Client) -> None:
        """End a client without a word, as a kill does."""
        self.clients.remove(client)
        self._openers[client].drop()

    def written(self, client: host.Client) -> bytes:
        """Return all that a client has written since its line was opened."""
        line = self._openers[client].line
        assert line is not None
        return line.written

    def turn(self) -> None:
        self.now += 1
        self.link.step(self.now, SWITCH)
        self.server.receive(self.now)
        self.server.note_shown(self.now * 1000)
        self.server.send()
        for client in self.clients:
            client.turn(0.5 if self.now % 50 == 0 and not client.online else 0.0)

    def until(self, met: Callable[[], object]) -> None:
        for _ in range(TURNS):
            if met():
                return
            self.turn()
        raise AssertionError("it never came to that")

    def close(self) -> None:
        self.server.close()
        for client in self.clients:
            client.close()
