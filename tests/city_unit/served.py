"""A unit served over TCP or WebSocket in the event loop of the test."""

import asyncio
import contextlib
import functools
from typing import Any

from city_unit import host
from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.host.serving.hub import ServedUnit
from city_unit.host.serving.web_door import WebDoor
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.unit import Unit
from tests.helpers.patience import PATIENCE_S


class Served:
    """A unit behind a TCP port; `advance` lets its time pass, `drop` disconnects."""

    def __init__(self) -> None:
        self.link = Link(Unit(Settings(), Draws(7).below), 4711, "0.1.0 test unit")
        self.link.step(0, SWITCH)
        self.now = 0
        self.lines = 0

    async def __aenter__(self) -> "Served":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = f"socket://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.drop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.lines += 1
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                self.link.receive(self.now, data)
                if self.link.is_watched:
                    self.link.note_shown(self.now * 1000)
                self.link.queue_events()
                self.tell()
        self.link.hang_up(self.now)
        writer.close()

    def tell(self) -> None:
        while self.link.unsent:
            self._writer.write(self.link.unsent)
            self.link.sent(len(self.link.unsent))

    def advance(self, ms: int) -> None:
        for _ in range(ms):
            self.now += 1
            self.link.step(self.now, SWITCH)
        self.tell()

    def drop(self) -> None:
        self._writer.close()


class Doored:
    """A unit, the client that controls it, and a `WebDoor` with these options that shares it."""

    def __init__(self, **options: Any) -> None:
        self._options = options

    async def __aenter__(self) -> "Doored":
        self.served = await Served().__aenter__()
        self.unit = host.AsyncClient(host.begin(self.served.port, history=True))
        self.shared = ServedUnit(self.unit)
        await self.unit.wait_online(PATIENCE_S)
        self.door = WebDoor({"test": self.shared.hub}, **self._options)
        await self.door.open("127.0.0.1", 0)
        self.address = f"ws://{self.door.name}/{self.door.secret}/test"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.door.close()
        await self.unit.close()
        await self.served.__aexit__()

    def watcher(self, **options: Any) -> contextlib.AbstractAsyncContextManager[host.AsyncClient]:
        return host.open_async(self.address, watch=True, timeout=PATIENCE_S, **options)


def in_a_loop(test):
    """Run a coroutine test in its own event loop, with a timeout."""

    @functools.wraps(test)
    def run(*words, **named):
        asyncio.run(asyncio.wait_for(test(*words, **named), PATIENCE_S))

    return run
