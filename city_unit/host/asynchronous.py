"""A client for programs that use asyncio.

The waiting happens in a worker thread of asyncio's own, a few milliseconds at a
time, and in one thread at once; it ends with the client.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import TypeVar

from city_unit.host.client import ANSWER_S, AUTO, Client, connect
from city_unit.host.news import News

_SLICE_S = 0.01
_Result = TypeVar("_Result")


class AsyncClient:
    """A `Client` whose `send`, `close` and iteration are awaited; `client` is what it holds.

    Several tasks may use it at once, and each may be cancelled at any time: nothing
    that came meanwhile is lost, the next who iterates is told.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self._news: deque[News] = deque()
        self._line = asyncio.Lock()

    async def send(self, text: str, timeout: float = ANSWER_S) -> str:
        """Have the unit do a command; raises as `Client.send` does."""
        request = await self._do(lambda: self.client.ask(text, timeout))
        while not request.finished:
            await self._do(lambda: self.client.turn(_SLICE_S * 1000))
        return request.result()

    async def close(self) -> None:
        """Say goodbye and let go of the port; who iterates comes to an end."""
        await self._do(self.client.close)

    def __aiter__(self) -> "AsyncClient":
        return self

    async def __anext__(self) -> News:
        while not self._news:
            if self.client.closed:
                raise StopAsyncIteration
            await self._do(lambda: self._news.extend(self.client.poll(_SLICE_S)))
        return self._news.popleft()

    async def _do(self, work: Callable[[], _Result]) -> _Result:
        """Do it in a worker thread; who is cancelled meanwhile leaves when it is done."""
        async with self._line:
            task = asyncio.ensure_future(asyncio.to_thread(work))
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                while not task.done():
                    with contextlib.suppress(asyncio.CancelledError):
                        await asyncio.wait([task])
                raise


class open_async:
    """Connect as `connect` does: `async with open_async("auto") as unit: ...`."""

    def __init__(self, port: str = AUTO, *, timeout: float = 5.0, history: bool = False) -> None:
        self._port = port
        self._timeout = timeout
        self._history = history

    async def __aenter__(self) -> AsyncClient:
        self._unit = AsyncClient(
            await asyncio.to_thread(
                lambda: connect(self._port, timeout=self._timeout, history=self._history)
            )
        )
        return self._unit

    async def __aexit__(self, *_: object) -> None:
        await self._unit.close()
