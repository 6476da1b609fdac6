"""Lines to a server that take their time: each with a delay of its own either way, and jitter."""

import asyncio
import random
import threading
from contextlib import contextmanager


class SlowLines:
    """Listens at a port for each line, and relays the bytes, later and in their order.

    ports  one for each of `delays`: (ms up, ms down, most jitter in ms)
    """

    def __init__(self, port, delays, seed=1):
        self._port = port
        self._delays = delays
        self._chance = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self.ports = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait(10)

    @contextmanager
    def nothing_comes_down(self):
        """Keep the server's messages back, so that nobody knows yet of the others' actions."""
        self._loop.call_soon_threadsafe(self._comes_down.clear)
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._comes_down.set)

    def close(self):
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self):
        asyncio.set_event_loop(self._loop)
        self._comes_down = asyncio.Event()
        self._comes_down.set()
        servers = []
        for up, down, jitter in self._delays:
            opened = asyncio.start_server(self._join(up, down, jitter), "127.0.0.1", 0)
            server = self._loop.run_until_complete(opened)
            servers.append(server)
            self.ports.append(server.sockets[0].getsockname()[1])
        self._ready.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        for server in servers:
            server.close()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def _join(self, up, down, jitter):
        async def joined(reader, writer):
            try:
                beyond = await asyncio.open_connection("127.0.0.1", self._port)
            except OSError:
                writer.close()
                return
            await asyncio.gather(
                self._pump(reader, beyond[1], up, jitter),
                self._pump(beyond[0], writer, down, jitter, self._comes_down),
            )

        return joined

    async def _pump(self, reader, writer, delay, jitter, may_pass=None):
        waiting = asyncio.Queue()
        handing = asyncio.ensure_future(self._hand_on(waiting, writer, may_pass))
        data = b"-"
        while data:
            try:
                data = await reader.read(1 << 16)
            except OSError:
                data = b""
            late = delay + self._chance.uniform(0, jitter)
            waiting.put_nowait((self._loop.time() + late / 1000, data))
        await handing

    async def _hand_on(self, waiting, writer, may_pass):
        while True:
            due, data = await waiting.get()
            await asyncio.sleep(max(0, due - self._loop.time()))
            if may_pass:
                await may_pass.wait()
            if not data:
                writer.close()
                return
            try:
                writer.write(data)
                await writer.drain()
            except OSError:
                return
