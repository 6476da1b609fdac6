"""The synchronous client: a `Core` driven over a port, without a thread.

All work is done by `turn`: it opens the port, also after a loss, steps the core, writes its output
and passes it the input. Calls that wait repeat `turn`; between the calls of the program nothing
happens.

Received news waits in the core until `deliver` passes it to the callbacks and then to the readers.
Each thread that polls and each iterator is a reader with a queue of its own, and gets all news.

The functions at the end find the port of a unit and connect to it.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, overload

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import INVALID
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
from city_unit.host.ports import CHUNK, Port, PortBusy, check_form, choose, open_port
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

_REOPEN_MS = 500  # between attempts to open a lost port
_MAX_READS = 16  # per turn, so that a flood of input cannot block the caller
_REST_MS = 50.0  # longest sleep without a connection, so that a waiting caller can check again
PATIENCE_S = 1.0  # longest single wait, so that Ctrl-C takes effect
ANSWER_S = 2.0  # time for 14 tries: see REPEAT_MS
NO_NEWS = lazy("no {kinds} within {seconds} s")
CLOSED_BEFORE = lazy("no {kinds}: the client was closed")
CLOSED = lazy("the client was closed")


def host_ms() -> float:
    """Return the time of the desktop's clock in ms."""
    return time.perf_counter() * 1000


class Client(Commands[str]):
    """A connection to one unit.

    The program calls `poll` often, for example once per frame, or iterates over the client; all
    work is done inside these calls. Threads may take turns, but a call made while another thread
    is inside raises RuntimeError. If the connection is lost, the client reports `Disconnected` and
    reconnects automatically.

    open_line       opens the port; raises OSError
    clock, sleep    the desktop's time in ms, and a function that waits for some seconds
    before_closing  called before the port is closed
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
        self._is_busy = False  # whether another program has the port open
        self._why_not = ""  # why the port could not be opened, or was lost
        self.before_closing: Callable[[], object] = lambda: None
        self.callbacks = Callbacks()
        self.readers = Readers()  # one for each thread and each iterator
        self._dropped = 0  # news discarded because `poll` was not called in time
        self._alone = _OneThread()

    # State.

    @property
    def online(self) -> bool:
        return self._core.online

    @property
    def closed(self) -> bool:
        """Whether `close` was called; a closed client cannot be reopened."""
        return self._is_closed

    @property
    def about(self) -> About | None:
        return self._core.about

    @property
    def snapshot(self) -> Snapshot | None:
        """The latest snapshot, received on connecting or from `send("state")`."""
        return self._core.snapshot

    def now(self) -> float:
        """Return the unit's time in ms. Raises LookupError until it is known."""
        return self.unit_time(self.host_ms())

    def unit_time(self, host_ms: float) -> float:
        """Return the unit's time at `host_ms` of the desktop's clock."""
        low, high = self._core.offset.bounds(host_ms)
        return host_ms + (low + high) / 2

    @property
    def uncertainty(self) -> float:
        """The largest possible error of `now`, in ms."""
        low, high = self._core.offset.bounds(self.host_ms())
        return (high - low) / 2

    def next_due(self) -> float | None:
        """Return when to `poll` next if no input arrives, in ms of the desktop's clock."""
        if self._is_closed:
            return None
        return self._reopen_at if self._line is None else self._core.next_due()

    def fileno(self) -> int:
        """Return the file descriptor that becomes readable on input; -1 if there is none."""
        return -1 if self._line is None else self._line.fileno()

    def is_waiting_to_write(self) -> bool:
        """Return whether output is pending."""
        return self._line is not None and bool(self._core.unsent)

    # Actions.

    def poll(self, timeout: float = 0.0) -> list[News]:
        """Do all due work; return the news, waiting up to `timeout` seconds for the first.

        Raises the exception of a callback. The next `poll` then continues after that callback
        and returns the news of both calls.
        """
        reader = threading.current_thread()
        with self._alone:
            self._drive_until_news(reader, timeout)
            return self.readers.take_all(reader)

    def _drive_until_news(self, reader: object, timeout: float) -> None:
        self.readers.enter(reader)
        end = self.host_ms() + timeout * 1000 if timeout > 0 else None
        self.turn(0.0)
        while end is not None and not (self.has_news() or self.readers.has_news(reader)):
            remaining = end - self.host_ms()
            if remaining <= 0 or self._is_closed:
                break
            self.turn(remaining)
        if self.has_news():
            self.deliver()

    def has_news(self) -> bool:
        """Return whether `deliver` has news to distribute."""
        return bool(self._core.news or self.callbacks.waiting)

    def deliver(self) -> None:
        """Pass received news to callbacks and readers. Raises the exception of a callback."""
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
        """Subscribe a callback to a class of news or a kind of event.

            unit.on("auction-ended", lambda event: print(event.ms))
            unit.on(host.Disconnected, show_warning)

        Callbacks receive news in order, and so does each reader.
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
        """Wait for news of one of these classes, or an event of one of these kinds.

            unit.wait_for("auction-ended", timeout=60).ms

        This thread's `poll` then skips earlier news; callbacks and other readers receive it.
        Raises NoNews, a TimeoutError, if none arrives in time.
        """
        reader = threading.current_thread()
        end = None if timeout is None else self.host_ms() + timeout * 1000
        while True:
            remaining = PATIENCE_S if end is None else (end - self.host_ms()) / 1000
            with self._alone:
                self._drive_until_news(reader, max(0.0, min(remaining, PATIENCE_S)))
                had_news = self.readers.has_news(reader)
                while (news := self.readers.take(reader)) is not None:
                    if any(is_wanted(news, each) for each in what):
                        return news
            if self._is_closed:
                raise LinkError(CLOSED_BEFORE.format(kinds=names_of(what)))
            if timeout is not None and not had_news and remaining <= 0:
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
            words = _("a command must be 1 to 64 characters of printable ASCII, not {text}")
            raise ValueError(words.format(text=repr(text)))
        with self._alone:
            request = self._core.ask(text, self.host_ms() + timeout * 1000)
            if self._is_closed:
                self._core.fail_requests(str(CLOSED))
            return request

    def ask_description(self, timeout: float = ANSWER_S) -> Describing:
        """Request the description of the unit's program; `poll` until the request is finished.

        It is valid until the next `switched-on` event, since the program may change then.
        """
        return Describing(lambda text: self.ask(text, timeout))

    def describe(self, timeout: float = ANSWER_S) -> Description:
        """Return the description of the unit's program: its lengths, odds and marks.

        Raises Refused if the unit is too old for this command, NoAnswer if it does not answer.
        """
        describing = self.ask_description(timeout)
        self._wait_for(describing)
        return describing.result()

    def send(self, text: str, timeout: float = ANSWER_S) -> str:
        """Send a command and return its answer, often "".

        Raises Refused if the unit refused it, NoAnswer if no answer came.
        The next `poll` returns news that arrives meanwhile.
        """
        request = self.ask(text, timeout)
        self._wait_for(request)
        return request.result()

    def _wait_for(self, pending: Request | Describing) -> None:
        self.turn(0.0)
        while not pending.finished:
            self.turn(PATIENCE_S * 1000)

    def wait_online(self, timeout: float) -> None:
        """Wait until the unit answers the greeting.

        Raises NoUnit if it does not, or its subclass Busy if another program has the unit. On the
        first connection the error is raised as soon as it is known, before the timeout.
        """
        end = self.host_ms() + timeout * 1000
        while not self.online:
            remaining = end - self.host_ms()
            error = self.connect_error(remaining <= 0)
            if error is not None:
                raise error
            self.turn(remaining)

    def connect_error(self, is_late: bool) -> NoUnit | None:
        """Return why the connection failed, None if the unit may still answer.

        is_late  whether the timeout has passed; the result is then never None
        """
        core = self._core
        is_busy = self._is_busy or core.busy
        is_known = is_busy or core.locked or core.foreign or core.unreadable or self._why_not
        if not is_late and (self.about is not None or not is_known):
            return None
        if is_busy:
            words = _(
                "another program has the unit at {port}; if that is `city-unit serve`, use the"
                " ws:// address that it printed; otherwise close that program and share the unit by"
                " `city-unit serve`, or choose another unit (`city-unit ports` lists them)"
            )
            return Busy(words.format(port=self.port))
        if core.locked:
            words = _(
                "the unit at {port} needs its secret: use the whole address that it shows,"
                " socket://HOST:PORT/SECRET"
            )
        elif core.foreign:
            words = _(
                "the unit at {port} speaks version {version} of the protocol, this program version"
                " {own}; update both"
            )
        elif core.unreadable:
            words = _("the greeting of the unit at {port} cannot be parsed: {why}")
        elif self._why_not:
            words = _("no unit at {port}: {why}")
        else:
            words = _("no unit answers at {port} (`city-unit selftest` finds out why)")
        why = core.unreadable or self._why_not
        fields = {"port": self.port, "version": core.foreign, "own": PROTOCOL, "why": why}
        return NoUnit(words.format(**fields))

    def close(self) -> None:
        """Say goodbye and close the port for good."""
        with self._alone:
            self._is_closed = True
            self._core.fail_requests(str(CLOSED))
            if self._line is None:
                return
            self._core.say_goodbye()
            with contextlib.suppress(OSError):  # the connection may already be lost
                self._write(self._line)
            self._close_line(self._line)
            self._core.closed(_("goodbye"))

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The line.

    def write(self) -> None:
        """Write all due output without reading input."""
        with self._alone:
            if self._line is None:
                return
            self._core.step(self.host_ms())
            try:
                self._write(self._line)
            except OSError as error:
                self._lose(self._line, error)

    def turn(self, wait_ms: float) -> None:
        """Write and read once, waiting up to `wait_ms` for input."""
        with self._alone:
            if self._is_closed:
                return
            core, line, now = self._core, self._line, self.host_ms()
            if line is None:
                self._reopen(now, wait_ms)
                return
            core.step(now)
            due = core.next_due() if wait_ms > 0 else None
            if due is not None:
                wait_ms = min(wait_ms, due - now)
            wait_s = min(max(0.0, wait_ms) / 1000, PATIENCE_S)
            try:
                self._write(line)
                for _read in range(_MAX_READS):
                    data = line.read(wait_s)
                    if not data:
                        break
                    wait_s = 0.0
                    core.receive(self.host_ms(), data)
                    if len(data) < CHUNK and not core.unsent:
                        break  # no more input, and nothing to answer
                    self._write(line)
            except OSError as error:
                self._lose(line, error)
            while len(core.news) > MOST:  # the program sends but never polls
                core.news.popleft()
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
            self._is_busy = isinstance(error, PortBusy)
            self._reopen_at = self.host_ms() + _REOPEN_MS
            return
        self._why_not = ""
        self._is_busy = False
        self._core.opened(self.host_ms())

    def _write(self, line: Port) -> None:
        core = self._core
        while core.unsent:
            count = line.write(core.unsent)
            if not count:
                return
            core.sent(count)

    def _lose(self, line: Port, error: OSError) -> None:
        """Close a broken connection and schedule a new one."""
        self._close_line(line)
        self._reopen_at = self.host_ms() + _REOPEN_MS
        self._why_not = _("another program has it") if self._core.busy else _first_line(error)
        self._core.closed(self._why_not)

    def _close_line(self, line: Port) -> None:
        self.before_closing()
        line.close()
        self._line = None


def _first_line(error: OSError) -> str:
    text = str(error)
    return text.splitlines()[0] if text else _("the connection is lost")


class _OneThread:
    """Rejects a second thread, which would mix its bytes with those of the first."""

    def __init__(self) -> None:
        self._inside = threading.RLock()

    def __enter__(self) -> None:
        if not self._inside.acquire(blocking=False):
            raise RuntimeError(_("another thread is using this client"))

    def __exit__(self, *_: object) -> None:
        self._inside.release()


AUTO = "auto"


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
    """Return an online client of the unit at `port`; `begin` describes the other options.

    timeout  seconds to wait for the unit

    Raises NoUnit, or its subclass Busy if another program has the unit.
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
    """Return a client that connects to the unit at `port` once it is polled.

    port      a serial port, "socket://HOST:PORT", the address printed by `city-unit serve`
              ("ws://HOST:PORT/SECRET/NAME"), "auto" for the only unit, or "auto:NAME" for a
              unit by its name
    history   start with the events that the unit has stored and, after a restart of the unit,
              deliver those missed before it, if the unit stores events on disk
    after     the `position` of the last event that this program received, even in an earlier
              run; continue after it. If the unit was restarted since, the later events of
              earlier boots come first, if it stores events on disk as an emulated unit can;
              then `Restarted`, and the events of the current boot from the first
    watch     only observe, alongside the program that controls the unit. An emulated unit can
              be watched over TCP, any other through `city-unit serve`
    dtr, rts  the levels of these two signals of a serial port once it is open. Both are high
              by default, as systems open ports: a board with native USB sends nothing while
              DTR is low. An ESP32 behind a USB adapter is reset by one without the other; if
              opening its port restarts it, try both low

    Raises NoUnit if "auto" finds no unit, or several.
    """
    port = choose_port(port)
    return Client(
        port, lambda: open_port(port, dtr, rts), history=history, after=after, watch=watch
    )


def choose_port(port: str) -> str:
    """Resolve "auto" and "auto:NAME" to a port; return any other port unchanged.

    Raises NoUnit if there is no unit, or several, or if `port` is a malformed address; TypeError if
    it is not a string.
    """
    if not isinstance(port, str):
        words = _('a port must be a string such as "auto" or "socket://HOST:PORT", not {port}')
        raise TypeError(words.format(port=repr(port)))
    if not port:
        words = _(
            "the port is empty; use auto, auto:NAME, a serial port, socket://HOST:PORT or"
            " ws://HOST:PORT/SECRET/NAME"
        )
        raise NoUnit(words, INVALID)
    if port == AUTO or port.startswith(AUTO + ":"):
        return choose(port[len(AUTO) + 1 :], greet)
    check_form(port)
    return port


def greet(port: str) -> tuple[About, Snapshot]:
    """Return the identity and state of the unit at `port`. Raises NoUnit."""
    with connect(port, timeout=2.0) as client:
        assert client.about is not None and client.snapshot is not None
        return client.about, client.snapshot
