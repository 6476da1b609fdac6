"""A client for programs that use asyncio, driven by their loop and by no thread.

The loop itself watches the line and wakes the client when it is due. Where a loop cannot
watch a line (Windows' loop cannot watch a serial port), the client is looked after by a
timer instead, each few milliseconds.
"""

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
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

_LOOK_S = 0.003  # between two looks, where the loop cannot watch the line
_FAILED = "a callback of a City Unit failed"  # no text: a log has it
_LOOK_AT_START_S = 0.05  # between two looks whether it is known already that no unit answers


class AsyncClient(Commands[Coroutine[Any, Any, str]]):
    """A `Client` whose waiting is awaited; `client` is the other.

    Several tasks of one loop may use it at once, and each may be cancelled at any time. Each
    task and each iterator has a queue of its own (`readers`), which a task begins with its first
    `send`, `wait_for` or iteration. Callbacks are called by the loop, and may be coroutine
    functions; their exceptions go to the loop's exception handler.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self._readers = client.readers
        self._came = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._file = -1  # watched by the loop
        self._can_watch = True
        self._is_opening = False  # news is kept back until callbacks could be asked for
        self._tasks: set[asyncio.Future[Any]] = set()  # coroutines of callbacks
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
        """Send the unit a command and await its answer; raises as `Client.send` does."""
        self._readers.enter(asyncio.current_task(), is_reading=False)
        request = self.client.ask(text, timeout)
        await self._finish(request)
        return request.result()

    def ask(self, text: str, timeout: float = ANSWER_S) -> Request:
        """Send a command without waiting: `when_done` of the request is called by the loop."""
        request = self.client.ask(text, timeout)
        self._loop.call_soon(self._say)
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
        """Subscribe `callback` to each piece of news of a class, or event of a kind."""
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
        """As `Client.wait_for`; news before it is skipped by this task's next `wait_for`."""
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

        News is told only afterwards, so that callbacks that are asked for then miss none.
        """
        end = self._loop.time() + timeout
        self._is_opening = True
        try:
            while not self.client.online:
                error = self.client.connect_error(self._loop.time() >= end)
                if error is not None:
                    raise error
                self._came.clear()
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._came.wait(), _LOOK_AT_START_S)
        finally:
            self._is_opening = False
            self._loop.call_soon(self._drive)

    async def close(self) -> None:
        """Say goodbye and let go of the port; loops over the client end."""
        self.client.close()
        if self._timer is not None:
            self._timer.cancel()
        self._came.set()

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
            self._came.clear()
            await self._came.wait()
        return news

    async def _finish(self, asked: Request | Describing) -> None:
        if asked.finished:
            return
        done = self._loop.create_future()
        asked.when_done = lambda: done.done() or done.set_result(None)
        self._say()
        await done

    # The line.

    def _say(self) -> None:
        """Write new requests; the loop reads the answers when they arrive."""
        self.client.say()
        if self.client.fileno() != self._file or self.client.has_news():
            self._drive()
        else:
            self._be_woken()

    def _drive(self) -> None:
        """Do all due work, read all input, and schedule the next call."""
        client = self.client
        client.turn(0.0)
        came = False
        while client.has_news() and not self._is_opening:
            came = True
            try:
                client.deliver()
            except Exception as error:
                self._tell_failure(error)
        if came or client.closed or (self._is_opening and client.online):
            self._came.set()
        self._watch(client.fileno())
        self._be_woken()

    def _be_woken(self) -> None:
        """Schedule the client's next turn in the loop, for when it is due, or before."""
        client = self.client
        due = client.next_due()
        if due is None:
            return
        wait = max(0.0, (due - client.host_ms()) / 1000)
        if self._file < 0 or client.is_waiting_to_write():
            wait = min(wait, _LOOK_S)
        at = self._loop.time() + wait
        if self._timer is not None:
            if self._timer.when() <= at:
                return  # by then more may be known; to set it anew costs more than to wake
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
                    self._tell_failure(error)

            task = asyncio.ensure_future(finish())
            self._tasks.add(task)  # the loop itself does not hold it
            task.add_done_callback(self._tasks.discard)

    def _tell_failure(self, error: Exception) -> None:
        self._loop.call_exception_handler({"message": _FAILED, "exception": error})

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


class open_async:
    """Connect as `connect` does: `async with open_async("auto") as unit: ...`."""

    def __init__(
        self,
        port: str = AUTO,
        *,
        timeout: float = 5.0,
        history: bool = False,
        after: tuple[int, int] | None = None,
        watch: bool = False,
        dtr: bool = True,
        rts: bool = True,
    ) -> None:
        self._timeout = timeout
        self._begin = partial(
            begin, port, history=history, after=after, watch=watch, dtr=dtr, rts=rts
        )

    async def __aenter__(self) -> AsyncClient:
        # In a thread, since names of computers are looked up, and ports asked, which waits.
        client = await asyncio.to_thread(self._begin)
        self._unit = AsyncClient(client)
        try:
            await self._unit.wait_online(self._timeout)
        except BaseException:
            await self._unit.close()
            raise
        return self._unit

    async def __aexit__(self, *_: object) -> None:
        await self._unit.close()
