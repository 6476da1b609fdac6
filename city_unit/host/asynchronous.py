"""A client for programs that use asyncio.

The waiting happens in a worker thread of asyncio's own, a few milliseconds at a
time; it ends with the client.
"""

import asyncio
from collections import deque

from city_unit.host.client import ANSWER_S, AUTO, Client, connect
from city_unit.host.news import News

_SLICE_S = 0.01


class AsyncClient:
    """A `Client` whose `send` and iteration are awaited; `client` is what it holds."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._news: deque[News] = deque()
        self._line = asyncio.Lock()

    async def send(self, text: str, timeout: float = ANSWER_S) -> str:
        """Have the unit do a command; raises as `Client.send` does."""
        async with self._line:
            return await asyncio.to_thread(self.client.send, text, timeout)

    def __aiter__(self) -> "AsyncClient":
        return self

    async def __anext__(self) -> News:
        while not self._news:
            async with self._line:
                self._news.extend(await asyncio.to_thread(self.client.poll, _SLICE_S))
        return self._news.popleft()


class open_async:
    """Connect as `connect` does: `async with open_async("auto") as unit: ...`."""

    def __init__(self, port: str = AUTO, *, timeout: float = 5.0, history: bool = False) -> None:
        self._port = port
        self._timeout = timeout
        self._history = history

    async def __aenter__(self) -> AsyncClient:
        self._client = await asyncio.to_thread(
            lambda: connect(self._port, timeout=self._timeout, history=self._history)
        )
        return AsyncClient(self._client)

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._client.close)
