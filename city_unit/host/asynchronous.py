"""The client for asyncio programs, driven by their event loop without a thread.

The loop watches the file descriptor of the port and calls the client when it is due. A loop that
cannot watch the port, such as that of Windows for a serial port, polls it every few milliseconds.
"""

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, overload

from city_unit.desktop.forms import shortest
from city_unit.host.client import ANSWER_S, AUTO, CLOSED_BEFORE, NO_NEWS, Client, begin
from city_unit.host.news import (
    About,
    AnyNews,
    Event,
    EventKind,
    News,
    Reader,
    Snapshot,
    is_wanted,
    names_of,
)
from city_unit.host.requests import Commands, Describing, Description, LinkError, NoNews, Request

_POLL_S = 0.003  # interval of polling, if the loop cannot watch the port
_CONNECTING_POLL_S = 0.05  # interval of checking whether connecting has failed


class AsyncClient(Commands[Coroutine[Any, Any, str]]):
    """An asyncio interface to the synchronous `client`.

    Several tasks of one loop may use it at once, and each may be cancelled at any time. Each
    task and each iterator has its own queue of news; that of a task starts with its first `send`,
    `wait_for` or iteration. The loop calls the callbacks, which may be coroutine functions; their
    exceptions go to the loop's exception handler.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self._readers = client.readers
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._file = -1  # the descriptor that the loop watches
        self._can_watch = True
        self._is_opening = False  # while connecting, news is held back for later callbacks
        self._tasks: set[asyncio.Future[Any]] = set()  # running coroutines of callbacks
        client.callbacks.make_call = self._call
        client.before_closing = lambda: self._watch(-1)
        self._loop.call_soon(self._drive)

    @property
    def online(self) -> bool:
        return self.client.online

    @property
    def closed(self) -> bool:
        return self.client.closed

    @property
    def about(self) -> About | None:
        return self.client.about

    @property
    def snapshot(self) -> Snapshot | None:
        return self.client.snapshot

    def now(self) -> float:
        """As `Client.now`."""
        return self.client.now()

    async def send(self, text: str, timeout: float = ANSWER_S) -> str:
        """Send a command and await its answer; raises as `Client.send` does."""
        self._readers.enter(asyncio.current_task(), is_reading=False)
        request = self.client.ask(text, timeout)
        await self._finish(request)
        return request.result()

    def ask(self, text: str, timeout: float = ANSWER_S) -> Request:
        """Send a command without waiting; the loop calls `when_done` of the request."""
        request = self.client.ask(text, timeout)
        self._loop.call_soon(self._write)
        return request

    async def describe(self, timeout: float = ANSWER_S) -> Description:
        """As `Client.describe`."""
        describing = self.client.ask_description(timeout)
        await self._finish(describing)
        return describing.result()

    @overload
    def on(self, what: EventKind, callback: Callable[[Event], object]) -> None: ...

    @overload
    def on(self, what: type[AnyNews], callback: Callable[[AnyNews], object]) -> None: ...

    def on(self, what: Any, callback: Callable[[Any], object]) -> None:
        """Subscribe a callback to a class of news or a kind of event."""
        self._readers.without_first()
        self.client.on(what, callback)

    def off(self, what: type[News] | str, callback: Callable[[Any], object]) -> None:
        """Unsubscribe a callback. Raises ValueError if it was not subscribed."""
        self.client.off(what, callback)

    @overload
    async def wait_for(self, *what: EventKind, timeout: float | None = None) -> Event: ...

    @overload
    async def wait_for(self, *what: type[AnyNews], timeout: float | None = None) -> AnyNews: ...

    @overload
    async def wait_for(
        self, *what: type[News] | EventKind, timeout: float | None = None
    ) -> News: ...

    async def wait_for(self, *what: type[News] | str, timeout: float | None = None) -> News:
        """As `Client.wait_for`; this task's next `wait_for` then skips earlier news."""
        task = asyncio.current_task()
        self._readers.enter(task)

        async def wanted() -> News:
            while (news := await self._next(task)) is not None:
                if any(is_wanted(news, each) for each in what):
                    return news
            raise LinkError(CLOSED_BEFORE.format(kinds=names_of(what)))

        try:
            return await asyncio.wait_for(wanted(), timeout)
        except asyncio.TimeoutError:
            seconds = "0" if timeout is None else shortest(timeout, 3)
            raise NoNews(NO_NEWS.format(kinds=names_of(what), seconds=seconds)) from None

    async def wait_online(self, timeout: float) -> None:
        """Wait until the unit answers the greeting. Raises as `Client.wait_online` does.

        News is delivered only afterwards, so that callbacks registered then miss none.
        """
        end = self._loop.time() + timeout
        self._is_opening = True
        try:
            while not self.client.online:
                error = self.client.connect_error(self._loop.time() >= end)
                if error is not None:
                    raise error
                self._changed.clear()
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), _CONNECTING_POLL_S)
        finally:
            self._is_opening = False
            self._loop.call_soon(self._drive)

    async def close(self) -> None:
        """Say goodbye and close the port; iterations over the client end."""
        self.client.close()
        if self._timer is not None:
            self._timer.cancel()
        self._changed.set()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __aiter__(self) -> AsyncIterator[News]:
        """Yield all news until the client is closed, independent of all other readers."""
        reader, task = Reader(), asyncio.current_task()
        self._readers.follow(reader, task)

        async def all_news() -> AsyncIterator[News]:
            while (news := await self._next(reader)) is not None:
                self._readers.catch_up(task, reader)
                yield news

        return all_news()

    async def __anext__(self) -> News:
        """Return this task's next news."""
        news = await self._next(asyncio.current_task())
        if news is None:
            raise StopAsyncIteration
        return news

    async def _next(self, reader: object) -> News | None:
        """Return a reader's next news, None once the client is closed."""
        while (news := self._readers.take(reader)) is None and not self.client.closed:
            self._changed.clear()
            await self._changed.wait()
        return news

    async def _finish(self, pending: Request | Describing) -> None:
        if pending.finished:
            return
        done = self._loop.create_future()
        pending.when_done = lambda: done.done() or done.set_result(None)
        self._write()
        await done

    # The port.

    def _write(self) -> None:
        """Write new requests; the loop reads the answers when they arrive."""
        self.client.write()
        if self.client.fileno() != self._file or self.client.has_news():
            self._drive()
        else:
            self._schedule()

    def _drive(self) -> None:
        """Do all due work, read all input, and schedule the next call."""
        client = self.client
        client.turn(0.0)
        has_delivered = False
        while client.has_news() and not self._is_opening:
            has_delivered = True
            try:
                client.deliver()
            except Exception as error:
                self._report(error)
        if has_delivered or client.closed or (self._is_opening and client.online):
            self._changed.set()
        self._watch(client.fileno())
        self._schedule()

    def _schedule(self) -> None:
        """Schedule the client's next turn, no later than it is due."""
        client = self.client
        due = client.next_due()
        if due is None:
            return
        wait = max(0.0, (due - client.host_ms()) / 1000)
        if self._file < 0 or client.is_waiting_to_write():
            wait = min(wait, _POLL_S)
        at = self._loop.time() + wait
        if self._timer is not None:
            if self._timer.when() <= at:
                return  # waking too early costs less than rescheduling
            self._timer.cancel()
        self._timer = self._loop.call_at(at, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._drive()

    def _call(self, callback: Callable[[Any], object], news: News) -> None:
        result = callback(news)
        if inspect.isawaitable(result):

            async def finish() -> None:
                try:
                    await result
                except Exception as error:
                    self._report(error)

            task = asyncio.ensure_future(finish())
            self._tasks.add(task)  # the loop holds only a weak reference
            task.add_done_callback(self._tasks.discard)

    def _report(self, error: Exception) -> None:
        message = "a callback of a City Unit failed"  # no text: a log has it
        self._loop.call_exception_handler({"message": message, "exception": error})

    def _watch(self, file: int) -> None:
        if file == self._file or not self._can_watch:
            return
        if self._file >= 0:
            self._loop.remove_reader(self._file)
        self._file = file
        try:
            if file >= 0:
                self._loop.add_reader(file, self._drive)
        except NotImplementedError:
            self._can_watch = False
            self._file = -1


@contextlib.asynccontextmanager
async def open_async(
    port: str = AUTO,
    *,
    timeout: float = 5.0,
    history: bool = False,
    after: tuple[int, int] | None = None,
    watch: bool = False,
    dtr: bool = True,
    rts: bool = True,
) -> AsyncIterator[AsyncClient]:
    """Connect as `connect` does: `async with open_async("auto") as unit`."""
    # In a thread, since it may resolve host names and probe ports, which blocks.
    client = await asyncio.to_thread(
        begin, port, history=history, after=after, watch=watch, dtr=dtr, rts=rts
    )
    unit = AsyncClient(client)
    try:
        await unit.wait_online(timeout)
        yield unit
    finally:
        await unit.close()
