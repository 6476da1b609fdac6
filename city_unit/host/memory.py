"""A unit and its client in one program, in virtual time, for simulations and tests."""

import math

from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.host.client import PATIENCE_S, Client
from city_unit.host.news import News
from city_unit.host.ports import Port
from city_unit.host.requests import Describing, Request
from city_unit.link import Link
from city_unit.programs import PROGRAMS
from city_unit.settings import Settings
from city_unit.ticks import add, diff
from city_unit.unit import Unit
from city_unit.wire import seal

_NEVER_MS = 0x10000000  # longer than any silence in a simulation, within the range of `diff`


class _Cable:
    """A connection without delay between a client and the link of a `Memory`."""

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory

    def read(self, timeout: float) -> bytes:
        self._check()
        if timeout > 0 and not self._memory.link.unsent:
            self._memory.sleep(timeout)
        link = self._memory.link
        data = link.unsent
        if data:
            link.sent(len(data))
        return data

    def write(self, data: bytes) -> int:
        self._check()
        self._memory.link.receive(self._memory.unit_now, data)
        return len(data)

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        pass

    def _check(self) -> None:
        if self._memory.is_cut:
            raise OSError("the cable is unplugged")  # no text: for tests


class MemoryClient(Client):
    """A client whose requests are answered at once or not at all, and whose clock is exact."""

    def unit_time(self, host_ms: float) -> float:
        return host_ms

    @property
    def uncertainty(self) -> float:
        return 0.0

    def _wait_for(self, pending: Request | Describing) -> None:
        self.turn(0.0)
        while not pending.finished:  # without the cable: until the request times out
            self.turn(0.0 if self.online else PATIENCE_S * 1000)


class Memory:
    """A switched-on unit and a client connected to it.

    ms        virtual ms since the start
    unit_now  the time of the unit's clock, which wraps
    """

    def __init__(self, seed: int = 0, program: str = "city") -> None:
        self.ms = 0
        self.unit_now = 0
        self.is_cut = False
        self._draws = Draws(seed)
        self._boot = 0
        self._settings = Settings()
        self._settings.choose(next(each for each in PROGRAMS if each.name == program))
        self._begin()
        self.client = MemoryClient(
            "memory",
            self.open_line,
            history=True,
            clock=lambda: self.ms,
            sleep=self.sleep,
            ping_ms=_NEVER_MS // 4,
        )
        while not self.client.online:
            self.client.turn(0.0)

    def open_line(self) -> Port:
        """Return another connection to the unit."""
        return _Cable(self)

    def restart_unit(self) -> None:
        """Restart the unit as after a power cut: only its settings survive.

        The client notices when it next sends something or time advances.
        """
        tag = self.link.session[1]
        self._begin()
        # The client's own pings are too rare here to notice the restart.
        self.link.receive(self.unit_now, seal(f"ping {tag} 0"))  # no text: on the wire

    def _begin(self) -> None:
        self._boot += 1
        self.unit = Unit(self._settings, self._draws.below)
        about = "0 memory unit"  # no text: on the wire
        self.link = Link(self.unit, self._boot, about, silence_ms=_NEVER_MS)
        self.link.step(self.unit_now, SWITCH)

    def advance(self, ms: int) -> list[News]:
        """Advance by `ms`, from deadline to deadline; return the news."""
        end = self.ms + ms
        news: list[News] = self.client.poll()
        while self.ms < end:
            self._hop(end)
            news += self.client.poll()
        return news

    def advance_to_news(self, limit_ms: int) -> list[News]:
        """Advance until news arrives, by at most `limit_ms`."""
        end = self.ms + limit_ms
        news = self.client.poll()
        while not news and self.ms < end:
            self._hop(end)
            news = self.client.poll()
        return news

    def sleep(self, seconds: float) -> None:
        """Advance by at most `seconds`, to the next deadline."""
        self._hop(self.ms + math.ceil(seconds * 1000))

    def cut(self) -> None:
        """Unplug the cable."""
        self.is_cut = True
        self.link.hang_up(self.unit_now)

    def mend(self) -> None:
        """Plug the cable in; the client reconnects within half a second."""
        self.is_cut = False

    def _hop(self, end: int) -> None:
        hop = min(end - self.ms, _NEVER_MS)
        due = self.link.next_due()
        if due is not None:
            hop = min(hop, diff(due, self.unit_now))
        client_due = self.client.next_due()
        if client_due is not None:
            hop = min(hop, max(1, int(client_due - self.ms + 0.999)))
        self.ms += hop
        self.unit_now = add(self.unit_now, hop)
        self.link.step(self.unit_now, SWITCH)
