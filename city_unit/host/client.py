"""A unit, as a program on the desktop holds it: one line, one client, no thread.

The functions at the end find the port of a unit and connect to it.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, overload

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import shortest
from city_unit.host.core import Core
from city_unit.host.news import (
    MOST,
    About,
    AnyNews,
    Callbacks,
    Dropped,
    Event,
    EventKind,
    News,
    Reader,
    Readers,
    Snapshot,
    is_wanted,
    names_of,
)
from city_unit.host.ports import CHUNK, Port, PortBusy, choose, open_port
from city_unit.host.requests import (
    Busy,
    Commands,
    Describing,
    Description,
    LinkError,
    NoNews,
    NoUnit,
    Request,
)
from city_unit.wire import PROTOCOL

_REOPEN_MS = 500  # between two tries to open a port that is gone
_MOST_PIECES = 16  # that are read in one turn, so that a flood holds up nobody
_REST_MS = 50.0  # the longest sleep without a line, so that a waiting caller looks again
PATIENCE_S = 1.0  # the longest single wait, so that a caller's Ctrl-C is heard
ANSWER_S = 2.0  # by then a command was said 14 times: see REPEAT_MS
NO_NEWS = lazy("no {kinds} within {seconds} s")
CLOSED_BEFORE = lazy("no {kinds}: the client was closed")
CLOSED = lazy("the client was closed")
BAD_COMMAND = lazy("not 1 to 64 characters of printable ASCII: {text}")


def host_ms() -> float:
    """Return the desktop's own clock, in ms."""
    return time.perf_counter() * 1000


class Client(Commands[str]):
    """A unit at the other end of a line.

    Its program calls `poll` often, once a frame for instance, or iterates
    over it; everything happens in there. Threads may take turns; while one is inside
    another is refused by a RuntimeError. When the cable is pulled the client
    says so, and connects again by itself when it is back.

    open_line       opens the line; raises OSError
    clock, sleep    the desktop's time, in ms, and the function that waits for seconds of it
    before_closing  called while the line still stands
    """

    def __init__(
        self,
        port: str,
        open_line: Callable[[], Port],
        *,
        history: bool = False,
        clock: Callable[[], float] = host_ms,
        sleep: Callable[[float], object] = lambda seconds: time.sleep(seconds),
        ping_ms: float = 1000,
        after: tuple[int, int] | None = None,
        watch: bool = False,
    ) -> None:
        self.port = port
        self.host_ms = clock
        self._core = Core(
            secrets.token_hex(5), history, ping_ms, after, "watch" if watch else "hello"
        )
        self._is_closed = False
        self._open_line = open_line
        self._sleep = sleep
        self._line: Port | None = None
        self._reopen_at = clock()
        self._is_taken = False  # whether another program has the port
        self._why_not = ""  # why the line could not be opened, or was lost
        self.before_closing: Callable[[], object] = lambda: None
        self.callbacks = Callbacks()
        self.readers = Readers()  # each thread and each iterator is one
        self._dropped = 0  # news that no `poll` has taken in time
        self._alone = _OneThread()

    # State.

    @property
    def online(self) -> bool:
        return self._core.online

    @property
    def closed(self) -> bool:
        """Whether `close` was called; nothing opens a client again."""
        return self._is_closed

    @property
    def about(self) -> About | None:
        return self._core.about

    @property
    def snapshot(self) -> Snapshot | None:
        """The latest snapshot: of the greeting, or of `send("state")` since."""
        return self._core.snapshot

    def now(self) -> float:
        """Return the unit's time now, in ms. Raises LookupError if not known yet."""
        return self.unit_time(self.host_ms())

    def unit_time(self, host_ms: float) -> float:
        """Return the unit's time at `host_ms` of the desktop's clock."""
        low, high = self._core.offset.bounds(host_ms)
        return host_ms + (low + high) / 2

    @property
    def uncertainty(self) -> float:
        """By how many ms `now` may be wrong, at most."""
        low, high = self._core.offset.bounds(self.host_ms())
        return (high - low) / 2

    def next_due(self) -> float | None:
        """Return when, in ms of the desktop's clock, to `poll` next if nothing comes before."""
        if self._is_closed:
            return None
        return self._reopen_at if self._line is None else self._core.next_due()

    def fileno(self) -> int:
        """Return the file that is ready to be read when something comes; -1 if there is none."""
        return -1 if self._line is None else self._line.fileno()

    def is_waiting_to_write(self) -> bool:
        """Return whether something is to be written that did not fit yet."""
        return self._line is not None and bool(self._core.unsent)

    # Actions.

    def poll(self, timeout: float = 0.0) -> list[News]:
        """Drive the line; return the news, waiting for the first for `timeout` seconds.

        Raises the exception of a callback. The next `poll` then goes on behind that call,
        and returns the news of both.
        """
        reader = threading.current_thread()
        with self._alone:
            self._drive_until_news(reader, timeout)
            return list(iter(partial(self.readers.take, reader), None))

    def _drive_until_news(self, reader: object, timeout: float) -> None:
        self.readers.enter(reader)
        end = self.host_ms() + timeout * 1000
        self.turn(0.0)
        while not (self.has_news() or self.readers.has_news(reader)):
            left = end - self.host_ms()
            if left <= 0 or self._is_closed:
                break
            self.turn(left)
        self.deliver()

    def has_news(self) -> bool:
        """Return whether news has come that `deliver` is to distribute."""
        return bool(self._core.news or self.callbacks.waiting)

    def deliver(self) -> None:
        """Distribute the news to callbacks and readers. Raises the exception of a callback."""
        with self._alone:
            if self._dropped:
                self._core.news.appendleft(Dropped(self._dropped))
                self._dropped = 0
            self.callbacks.call(self._core.news, self.readers.put)

    @overload
    def on(self, what: EventKind, callback: Callable[[Event], object]) -> None: ...

    @overload
    def on(self, what: type[AnyNews], callback: Callable[[AnyNews], object]) -> None: ...

    def on(self, what: type[News] | str, callback: Callable[[Any], object]) -> None:
        """Subscribe `callback` to each piece of news of a class, or event of a kind.

            unit.on("auction-ended", lambda event: print(event.ms))
            unit.on(host.Disconnected, show_warning)

        It receives them in order; so does each reader.
        """
        self.callbacks.add(what, callback)

    def off(self, what: type[News] | str, callback: Callable[[Any], object]) -> None:
        """Unsubscribe a callback. Raises ValueError if it was not subscribed."""
        self.callbacks.remove(what, callback)

    @overload
    def wait_for(self, *what: EventKind, timeout: float | None = None) -> Event: ...

    @overload
    def wait_for(self, *what: type[AnyNews], timeout: float | None = None) -> AnyNews: ...

    @overload
    def wait_for(self, *what: type[News] | EventKind, timeout: float | None = None) -> News: ...

    def wait_for(self, *what: type[News] | str, timeout: float | None = None) -> News:
        """Return the next news of one of these classes, or event of one of these kinds.

            unit.wait_for("auction-ended", timeout=60).ms

        News before it is skipped by this thread's `poll`; callbacks and other readers receive it.
        Raises NoNews, which is a TimeoutError too, if none came.
        """
        reader = threading.current_thread()
        end = None if timeout is None else self.host_ms() + timeout * 1000
        while True:
            left = PATIENCE_S if end is None else (end - self.host_ms()) / 1000
            with self._alone:
                self._drive_until_news(reader, max(0.0, min(left, PATIENCE_S)))
                came = self.readers.has_news(reader)
                while (news := self.readers.take(reader)) is not None:
                    if any(is_wanted(news, each) for each in what):
                        return news
            if self._is_closed:
                raise LinkError(CLOSED_BEFORE.format(kinds=names_of(what)))
            if timeout is not None and not came and left <= 0:
                raise NoNews(NO_NEWS.format(kinds=names_of(what), seconds=shortest(timeout, 3)))

    def __iter__(self) -> Iterator[News]:
        """Yield all news until the client is closed, independent of all other readers."""
        thread = threading.current_thread()
        self.readers.enter(thread)
        return self._iterate(thread)

    def _iterate(self, thread: threading.Thread) -> Iterator[News]:
        reader = Reader()
        self.readers.follow(reader, thread)
        while not self._is_closed or self.readers.has_news(reader):
            with self._alone:
                if not self.readers.has_news(reader):
                    self._drive_until_news(reader, PATIENCE_S)
                news = self.readers.take(reader)
            if news is not None:
                self.readers.catch_up(thread, reader)
                yield news

    def ask(self, text: str, timeout: float = ANSWER_S) -> Request:
        """Send a command without waiting: `poll` until the request is finished.

        Raises ValueError if `text` is not one line of printable ASCII, at most 64.
        """
        if not (text.isascii() and text.isprintable() and 0 < len(text) <= 64):
            raise ValueError(BAD_COMMAND.format(text=repr(text)))
        with self._alone:
            request = self._core.ask(text, self.host_ms() + timeout * 1000)
            if self._is_closed:
                self._core.give_up(str(CLOSED))
            return request

    def ask_description(self, timeout: float = ANSWER_S) -> Describing:
        """Ask for the figures of the unit's program without waiting: `poll` until it is finished.

        They hold until the unit tells `switched-on`: its program may then be another.
        """
        return Describing(lambda text: self.ask(text, timeout))

    def describe(self, timeout: float = ANSWER_S) -> Description:
        """Return the figures of the unit's program: its lengths, its odds, its marks.

        Raises Refused if the unit is too old to tell, NoAnswer if it did not answer.
        """
        describing = self.ask_description(timeout)
        self._wait_for(describing)
        return describing.result()

    def send(self, text: str, timeout: float = ANSWER_S) -> str:
        """Send the unit a command and return its answer, often "".

        Raises Refused if the unit did not do it, NoAnswer if it did not say.
        News that arrives meanwhile is told by the next `poll`.
        """
        request = self.ask(text, timeout)
        self._wait_for(request)
        return request.result()

    def _wait_for(self, asked: Request | Describing) -> None:
        self.turn(0.0)
        while not asked.finished:
            self.turn(PATIENCE_S * 1000)

    def wait_online(self, timeout: float) -> None:
        """Wait until the unit answers the greeting.

        Raises NoUnit if it does not; Busy, which is one, if another program has it. A client
        that has never been connected raises as soon as it knows, before the time is over.
        """
        end = self.host_ms() + timeout * 1000
        while not self.online:
            left = end - self.host_ms()
            error = self.connect_error(left <= 0)
            if error is not None:
                raise error
            self.turn(left)

    def connect_error(self, is_late: bool) -> NoUnit | None:
        """Return why waiting for the unit is of no use, None if it may still answer.

        is_late  whether the time is over: there is then always a reason
        """
        core = self._core
        is_taken = self._is_taken or core.taken
        is_known = is_taken or core.locked or core.foreign or core.unreadable or self._why_not
        if not is_late and (self.about is not None or not is_known):
            return None
        if is_taken:
            words = _(
                "another program has the unit at {port}; close that program, or choose another unit"
                " (`city-unit ports` lists them)"
            )
            return Busy(words.format(port=self.port))
        if core.locked:
            words = _(
                "the unit at {port} wants its secret: use the whole address that it shows,"
                " socket://HOST:PORT/SECRET"
            )
        elif core.foreign:
            words = _(
                "the unit at {port} speaks version {version} of the protocol, this program version"
                " {own}; bring both up to date"
            )
        elif core.unreadable:
            words = _("the unit at {port} says what this program cannot read: {why}")
        elif self._why_not:
            words = _("no unit at {port}: {why}")
        else:
            words = _(
                "no unit at {port}: nothing there answers as a unit"
                " (`city-unit selftest` looks why)"
            )
        why = core.unreadable or self._why_not
        fields = {"port": self.port, "version": core.foreign, "own": PROTOCOL, "why": why}
        return NoUnit(words.format(**fields))

    def close(self) -> None:
        """Say goodbye and let go of the port; for good."""
        with self._alone:
            self._is_closed = True
            self._core.give_up(str(CLOSED))
            if self._line is None:
                return
            self._core.say_goodbye()
            with contextlib.suppress(OSError):  # it may be gone already
                self._write(self._line)
            self._close_line(self._line)
            self._core.closed(_("goodbye"))

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The line.

    def say(self) -> None:
        """Write all due output, and read nothing."""
        with self._alone:
            if self._line is None:
                return
            self._core.step(self.host_ms())
            try:
                self._write(self._line)
            except OSError as error:
                self._lose(self._line, error)

    def turn(self, wait_ms: float) -> None:
        """Write and read once, waiting at most `wait_ms` for input."""
        with self._alone:
            if self._is_closed:
                return
            now = self.host_ms()
            if self._line is None:
                self._reopen(now, wait_ms)
                return
            self._core.step(now)
            due = self._core.next_due() if wait_ms > 0 else None
            if due is not None:
                wait_ms = min(wait_ms, due - now)
            try:
                self._exchange(self._line, min(max(0.0, wait_ms) / 1000, PATIENCE_S))
            except OSError as error:
                self._lose(self._line, error)
            while len(self._core.news) > MOST:  # this program sends, and never reads
                self._core.news.popleft()
                self._dropped += 1

    def _reopen(self, now: float, wait_ms: float) -> None:
        if now < self._reopen_at:
            self._core.step(now)
            self._sleep(max(0.0, min(wait_ms, self._reopen_at - now, _REST_MS)) / 1000)
            return
        try:
            self._line = self._open_line()
        except OSError as error:
            self._why_not = _first_line(error)
            self._is_taken = isinstance(error, PortBusy)
            self._reopen_at = self.host_ms() + _REOPEN_MS
            return
        self._why_not = ""
        self._is_taken = False
        self._core.opened(self.host_ms())

    def _exchange(self, line: Port, wait_s: float) -> None:
        core = self._core
        self._write(line)
        for _piece in range(_MOST_PIECES):
            data = line.read(wait_s)
            if not data:
                return
            wait_s = 0.0
            core.receive(self.host_ms(), data)
            if len(data) < CHUNK and not core.unsent:
                return  # that was all that had come, and it asks for no answer
            self._write(line)

    def _write(self, line: Port) -> None:
        core = self._core
        while core.unsent:
            count = line.write(core.unsent)
            if not count:
                return
            core.sent(count)

    def _lose(self, line: Port, error: OSError) -> None:
        """The line is gone, and is to be opened again."""
        self._close_line(line)
        self._reopen_at = self.host_ms() + _REOPEN_MS
        self._why_not = _("another program has it") if self._core.taken else _first_line(error)
        self._core.closed(self._why_not)

    def _close_line(self, line: Port) -> None:
        self.before_closing()
        line.close()
        self._line = None


def _first_line(error: OSError) -> str:
    text = str(error)
    return text.splitlines()[0] if text else _("the line is gone")


class _OneThread:
    """Refuses a second thread, which would mix its bytes with those of the first."""

    def __init__(self) -> None:
        self._inside = threading.RLock()

    def __enter__(self) -> None:
        if not self._inside.acquire(blocking=False):
            raise RuntimeError(_("another thread is using this client of a City Unit"))

    def __exit__(self, *_: object) -> None:
        self._inside.release()


AUTO = "auto"
NO_NAME = lazy(
    "no port is named: it is auto, auto:NAME, a serial port, socket://HOST:PORT or"
    " ws://HOST:PORT/SECRET/NAME"
)
NO_TEXT = lazy('a port is a text, such as "auto" or "socket://HOST:PORT", not {port}')


def connect(
    port: str = AUTO,
    *,
    timeout: float = 5.0,
    history: bool = False,
    after: tuple[int, int] | None = None,
    watch: bool = False,
    dtr: bool = True,
    rts: bool = True,
) -> Client:
    """Return a client of the unit at `port` that is online; the other options are those of `begin`.

    timeout  seconds until NoUnit

    Raises NoUnit; if another program has the unit, Busy, which is one.
    """
    client = begin(port, history=history, after=after, watch=watch, dtr=dtr, rts=rts)
    try:
        client.wait_online(timeout)
    except NoUnit:
        client.close()
        raise
    return client


def begin(
    port: str = AUTO,
    *,
    history: bool = False,
    after: tuple[int, int] | None = None,
    watch: bool = False,
    dtr: bool = True,
    rts: bool = True,
) -> Client:
    """Return a client that connects to the unit at `port` as soon as it is driven.

    port      a serial port, "socket://HOST:PORT", the address that `city-unit serve` tells
              ("ws://HOST:PORT/SECRET/NAME"), "auto" for the only unit there is, or
              "auto:NAME" for the one called so
    history   begin with the events that the unit still keeps; and when it was started anew,
              with those of before that were not told yet, if it keeps them on disk
    after     the `position` of the last event that this program has had: go on behind it,
              even if that was in another run. If the unit was restarted since, first the
              later events of earlier boots, if it keeps them on disk as an emulated unit
              can; then `Restarted`, and its events from the first on
    watch     only look, beside the program that has the unit; an emulated unit can be watched
              over TCP, every other one through `city-unit serve`
    dtr, rts  how the two lines of a serial port stand once it is open. Both are high by
              default, as every system opens a port: boards with USB of their own say nothing
              while DTR is low. An ESP32 behind a USB adapter is reset by the one without the
              other; if opening its port restarts it, try both low

    Raises NoUnit if "auto" finds none, or several.
    """
    port = choose_port(port)
    return Client(
        port, lambda: open_port(port, dtr, rts), history=history, after=after, watch=watch
    )


def choose_port(port: str) -> str:
    """Return the port of the unit that "auto" or "auto:NAME" means, or `port` as it is.

    Raises NoUnit if there is none, or several; TypeError if it is no text.
    """
    if not isinstance(port, str):
        raise TypeError(NO_TEXT.format(port=repr(port)))
    if not port:
        raise NoUnit(str(NO_NAME))
    if port == AUTO or port.startswith(AUTO + ":"):
        return choose(port[len(AUTO) + 1 :], greet)
    return port


def greet(port: str, timeout: float = 2.0) -> tuple[About, Snapshot]:
    """Return the identity and state of the unit at `port`. Raises NoUnit."""
    with connect(port, timeout=timeout) as client:
        assert client.about is not None and client.snapshot is not None
        return client.about, client.snapshot
