"""A unit, as a program on the desktop holds it: one line, one client, no thread."""

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any

from city_unit.host.core import Core, Request
from city_unit.host.discovery import choose
from city_unit.host.errors import Busy, NoUnit
from city_unit.host.news import About, Event, News, Snapshot
from city_unit.host.ports import Port, PortBusy, open_port
from city_unit.wire import PROTOCOL

AUTO = "auto"
ANSWER_S = 2.0
_REOPEN_MS = 500  # between two tries to open a port that is gone
_BUSY = (
    "another program has the unit at {}; close that program, or choose another unit"
    " (`city-unit ports` lists them)"
)
_FOREIGN = (
    "the unit at {} speaks version {} of the protocol, this program version {};"
    " bring both up to date"
)
_SILENT = "no unit at {}: nothing there answers as a unit (`city-unit selftest` looks why)"
_CLOSED = "the client was closed"
_MOST_PIECES = 16  # that are read in one turn, so that a flood holds up nobody
_PATIENCE_S = 1.0  # the longest single wait, so that a caller's Ctrl-C is heard


def host_ms() -> float:
    """Return the desktop's own clock, in ms."""
    return time.perf_counter() * 1000


class Client:
    """A unit at the other end of a line.

    Whoever holds it calls `poll` often, once a frame for instance, or iterates
    over it; everything happens in there. When the cable is pulled the client
    says so, and connects again by itself when it is back.
    """

    def __init__(
        self,
        port: str,
        open_line: Callable[[], Port],
        *,
        history: bool = False,
        clock: Callable[[], float] = host_ms,
        ping_ms: float = 1000,
    ) -> None:
        self.port = port
        self.host_ms = clock
        self._core = Core(secrets.token_hex(5), history, ping_ms)
        self._open_line = open_line
        self._line: Port | None = None
        self._reopen_at = clock()
        self._closed = False
        self._is_taken = False  # whether another program has the port
        self._callbacks: list[tuple[type[News] | str, Callable[[Any], object]]] = []
        self.why_not = ""  # why the line could not be opened, or was lost

    # What is known.

    @property
    def online(self) -> bool:
        return self._core.online

    @property
    def closed(self) -> bool:
        """Whether `close` was called; nothing opens a client again."""
        return self._closed

    @property
    def about(self) -> About | None:
        return self._core.about

    @property
    def snapshot(self) -> Snapshot | None:
        """The latest snapshot: of the greeting, or of `send("state")` since."""
        return self._core.snapshot

    def now(self) -> float:
        """Return what the unit's clock says now, in ms. Raises LookupError if not known yet."""
        return self.unit_time(self.host_ms())

    def unit_time(self, host_ms: float) -> float:
        """Return what the unit's clock says at `host_ms` of the desktop's."""
        low, high = self._core.offset.bounds(host_ms)
        return host_ms + (low + high) / 2

    @property
    def uncertainty(self) -> float:
        """By how many ms `now` may be wrong, at most."""
        low, high = self._core.offset.bounds(self.host_ms())
        return (high - low) / 2

    def next_due(self) -> float | None:
        """Return when, in ms of the desktop's clock, to `poll` next if nothing comes before."""
        if self._closed:
            return None
        return self._reopen_at if self._line is None else self._core.next_due()

    # What can be done.

    def poll(self, timeout: float = 0.0) -> list[News]:
        """Drive the line; return the news, waiting for the first for `timeout` seconds."""
        end = self.host_ms() + timeout * 1000
        self.turn(0.0)
        while not self._core.news:
            left = end - self.host_ms()
            if left <= 0 or self._closed:
                break
            self.turn(left)
        news: list[News] = []
        while self._core.news:
            one = self._core.news.popleft()
            news.append(one)
            self._call(one)
        return news

    def on(self, what: type[News] | str, callback: Callable[[Any], object]) -> None:
        """Have `poll` hand to `callback` each piece of news of a class, or event of a kind.

            unit.on("auction-ended", lambda event: print(event.ms))
            unit.on(host.Disconnected, show_warning)

        It is told in order, and by `poll` as well. With asyncio, iterate instead.
        """
        self._callbacks.append((what, callback))

    def __iter__(self) -> Iterator[News]:
        """Tell all news, for ever, until the client is closed."""
        while not self._closed:
            yield from self.poll(_PATIENCE_S)

    def ask(self, text: str, timeout: float = ANSWER_S) -> Request:
        """Send a command without waiting: `poll` until the request is finished.

        Raises ValueError if `text` is not one line of printable ASCII, at most 64.
        """
        if not (text.isascii() and text.isprintable() and 0 < len(text) <= 64):
            raise ValueError(f"not 1 to 64 characters of printable ASCII: {text!r}")
        request = self._core.ask(text, self.host_ms() + timeout * 1000)
        if self._closed:
            self._core.give_up(_CLOSED)
        return request

    def send(self, text: str, timeout: float = ANSWER_S) -> str:
        """Have the unit do a command and return its answer, often "".

        Raises Refused if the unit did not do it, NoAnswer if it did not say.
        News that arrives meanwhile is told by the next `poll`.
        """
        request = self.ask(text, timeout)
        self.turn(0.0)
        while not request.finished:
            self.turn(_PATIENCE_S * 1000)
        return request.result()

    def wait_online(self, timeout: float) -> None:
        """Wait until the unit answers the greeting.

        Raises NoUnit if it does not; Busy, which is one, if another program has it. A
        client that has never been connected says so at once when it knows.
        """
        end = self.host_ms() + timeout * 1000
        while not self.online:
            left = end - self.host_ms()
            trouble = self._trouble()
            if left <= 0:
                raise trouble or NoUnit(_SILENT.format(self.port))
            if trouble is not None and self.about is None:
                raise trouble
            self.turn(left)

    def _trouble(self) -> NoUnit | None:
        """Return why the unit cannot answer, as far as that is known."""
        if self._is_taken or self._core.taken:
            return Busy(_BUSY.format(self.port))
        if self._core.foreign:
            return NoUnit(_FOREIGN.format(self.port, self._core.foreign, PROTOCOL))
        if self.why_not:
            return NoUnit(f"no unit at {self.port}: {self.why_not}")
        return None

    def close(self) -> None:
        """Say goodbye and let go of the port; for good."""
        self._closed = True
        self._core.give_up(_CLOSED)
        if self._line is None:
            return
        self._core.say_goodbye()
        with contextlib.suppress(OSError):  # it may be gone already
            self._write(self._line)
        self._line.close()
        self._line = None
        self._core.closed("goodbye")

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, news: News) -> None:
        for what, callback in self._callbacks:
            if isinstance(what, str):
                wanted = isinstance(news, Event) and news.kind == what
            else:
                wanted = isinstance(news, what)
            if wanted:
                callback(news)

    # The line.

    def turn(self, wait_ms: float) -> None:
        """Exchange what there is, waiting at most `wait_ms` for something to happen."""
        if self._closed:
            return
        core = self._core
        now = self.host_ms()
        if self._line is None:
            self._reopen(now, wait_ms)
            return
        core.step(now)
        due = core.next_due()
        if due is not None:
            wait_ms = min(wait_ms, due - now)
        try:
            self._exchange(self._line, max(0.0, wait_ms) / 1000)
        except OSError as error:
            self._lose(str(error))

    def _exchange(self, line: Port, wait_s: float) -> None:
        core = self._core
        self._write(line)
        wait_s = min(wait_s, _PATIENCE_S)
        for _ in range(_MOST_PIECES):
            data = line.read(wait_s)
            if not data:
                return
            wait_s = 0.0
            core.receive(self.host_ms(), data)
            self._write(line)

    def _write(self, line: Port) -> None:
        core = self._core
        while core.unsent:
            count = line.write(core.unsent)
            if not count:
                return
            core.sent(count)

    def _reopen(self, now: float, wait_ms: float) -> None:
        if now < self._reopen_at:
            self._core.step(now)
            time.sleep(max(0.0, min(wait_ms, self._reopen_at - now, 50.0)) / 1000)
            return
        try:
            self._line = self._open_line()
        except OSError as error:
            self.why_not = _first_line(str(error))
            self._is_taken = isinstance(error, PortBusy)
            self._reopen_at = self.host_ms() + _REOPEN_MS
            return
        self.why_not = ""
        self._is_taken = False
        self._core.opened(self.host_ms())

    def _lose(self, why: str) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
        self._reopen_at = self.host_ms() + _REOPEN_MS
        self.why_not = "another program has it" if self._core.taken else _first_line(why)
        self._core.closed(self.why_not)


def connect(port: str = AUTO, *, timeout: float = 5.0, history: bool = False) -> Client:
    """Connect to the unit at `port`.

    port     a serial port's name, `socket://HOST:PORT`, or "auto" for the only one
             there is; "auto:NAME" for the one of that name
    timeout  seconds to wait for its answer
    history  whether events from before are told, as far as the unit keeps them

    Raises NoUnit; if another program has the unit, Busy, which is one.
    """
    if port == AUTO or port.startswith(AUTO + ":"):
        port = choose(port[len(AUTO) + 1 :])
    client = Client(port, lambda: open_port(port), history=history)
    try:
        client.wait_online(timeout)
    except NoUnit:
        client.close()
        raise
    return client


def greet(port: str, timeout: float = 2.0) -> tuple[About, Snapshot]:
    """Return what the unit at `port` says of itself. Raises NoUnit."""
    with connect(port, timeout=timeout) as client:
        assert client.about is not None and client.snapshot is not None
        return client.about, client.snapshot


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else "the line is gone"
