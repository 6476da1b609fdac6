"""A unit with a real TCP port and its clients, in one program, whose time is counted in turns."""

from city_unit import host
from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.engine.link_server import LinkServer
from sim.engine.tcp_door import TcpDoor
from sim.engine.unit_journal import UnitJournal
from tests.helpers.lines import Opener

TURNS = 2000


class House:
    """A unit with a door, and the programs at it; a turn is a millisecond of the unit."""

    def __init__(self, lock=None, journal=None):
        self.clients = []
        self._openers = {}
        self.now = 0
        self._kept = journal
        self._begin(4711, 0, {"lock": lock} if lock else {})

    def _begin(self, boot, port, how):
        self.link = Link(Unit(Settings(), Draws(7).below), boot, "0.1.0 test unit")
        self.door = TcpDoor("127.0.0.1", port, lambda: self.now / 1000, **how)
        self.journal = UnitJournal(self.link, self._kept) if self._kept else None
        self.server = LinkServer(self.link, [self.door], "test", self.journal)

    def restart_unit(self):
        """End the unit's program and start it anew, at the same port."""
        self.server.close()
        self._begin(self.link.boot + 1, int(self.door.address.rpartition(":")[2]), {})

    def client(self, address="", **options):
        address = address or self.door.address
        opener = Opener(address)
        client = host.Client(address, opener, clock=lambda: float(self.now), **options)
        self.clients.append(client)
        self._openers[client] = opener
        return client

    def kill(self, client):
        """End a client without a word, as a kill does."""
        self.clients.remove(client)
        self._openers[client].drop()

    def written(self, client):
        """Return all that a client has written since its line was opened."""
        return self._openers[client].line.written

    def turn(self):
        self.now += 1
        self.link.step(self.now, SWITCH)
        self.server.receive(self.now)
        self.server.note_shown(self.now * 1000)
        self.server.send()
        for client in self.clients:
            client.turn(0.5 if self.now % 50 == 0 and not client.online else 0.0)

    def until(self, met):
        for _ in range(TURNS):
            if met():
                return
            self.turn()
        raise AssertionError("it never came to that")

    def close(self):
        self.server.close()
        for client in self.clients:
            client.close()
