"""Slow lines to a server, each with its own delays and jitter."""

import asyncio
import random
import threading
from contextlib import contextmanager, suppress


class SlowLines:
    """Listens on a port for each line, and relays the bytes late but in order.

    ports  one for each of `delays`: (ms up, ms down, most jitter in ms)
    """

    def __init__(self, port, delays, seed=1):
        self._port = port
        self._delays = delays
        self._chance = random.Random(seed)
        self._ready = threading.Event()
        self._loop = self._comes_down = self._stop = None
        self.ports = []
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._ready.wait(10)

    @contextmanager
    def nothing_comes_down(self):
        """Hold back the server's messages, so that nobody learns of the others' actions."""
        self._loop.call_soon_threadsafe(self._comes_down.clear)
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._comes_down.set)

    def close(self):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _serve(self):
        self._loop = asyncio.get_running_loop()
        self._comes_down, self._stop = asyncio.Event(), asyncio.Event()
        self._comes_down.set()
        servers = [
            await asyncio.start_server(self._join(*delays), "127.0.0.1", 0)
            for delays in self._delays
        ]
        self.ports = [server.sockets[0].getsockname()[1] for server in servers]
        self._ready.set()
        await self._stop.wait()  # remaining tasks are then cancelled
        for server in servers:
            server.close()

    def _join(self, up, down, jitter):
        async def joined(reader, writer):
            try:
                beyond = await asyncio.open_connection("127.0.0.1", self._port)
            except OSError:
                writer.close()
                return
            at_once = asyncio.Event()
            at_once.set()
            await asyncio.gather(
                self._pump(reader, beyond[1], up, jitter, at_once),
                self._pump(beyond[0], writer, down, jitter, self._comes_down),
            )

        return joined

    async def _pump(self, reader, writer, delay, jitter, may_pass):
        waiting = asyncio.Queue()

        async def hand_on():
            with suppress(OSError):
                while (packet := await waiting.get())[1]:
                    await asyncio.sleep(packet[0] - self._loop.time())
                    await may_pass.wait()
                    writer.write(packet[1])
                    await writer.drain()
            writer.close()

        handing = asyncio.ensure_future(hand_on())
        data = b"-"
        while data:
            try:
                data = await reader.read(1 << 16)
            except OSError:
                data = b""
            late = delay + self._chance.uniform(0, jitter)
            waiting.put_nowait((self._loop.time() + late / 1000, data))
        await handing
