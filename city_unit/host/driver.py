"""A client's end and its line: opened, kept busy, and opened again when it is gone."""

import contextlib
import time
from collections.abc import Callable

from city_unit.desktop.catalogue import lazy
from city_unit.host.core import Core
from city_unit.host.lines.ports import CHUNK, Port, PortBusy

_REOPEN_MS = 500  # between two tries to open a port that is gone
_MOST_PIECES = 16  # that are read in one turn, so that a flood holds up nobody
_REST_MS = 50.0  # the longest sleep without a line, so that a waiting caller looks again
PATIENCE_S = 1.0  # the longest single wait, so that a caller's Ctrl-C is heard

HAS_IT = lazy("another program has it")
LINE_GONE = lazy("the line is gone")


def host_ms() -> float:
    """Return the desktop's own clock, in ms."""
    return time.perf_counter() * 1000


def host_sleep(seconds: float) -> None:
    """Let so many seconds of that clock pass."""
    time.sleep(seconds)


class Driver:
    """Drives a core over a line.

    line            None while there is none
    is_taken        whether another program has the port
    why_not         why the line could not be opened, or was lost; else ""
    before_closing  called while the line still stands
    open_line       opens it; raises OSError
    clock, sleep    the desktop's time, in ms, and how so many seconds of it pass
    """

    def __init__(
        self,
        core: Core,
        open_line: Callable[[], Port],
        clock: Callable[[], float],
        sleep: Callable[[float], object],
    ) -> None:
        self.line: Port | None = None
        self.is_taken = False
        self.why_not = ""
        self.before_closing: Callable[[], object] = lambda: None
        self._core = core
        self.open_line = open_line
        self.clock = clock
        self._sleep = sleep
        self._reopen_at = clock()

    def next_due(self) -> float | None:
        """Return when, in ms of the clock, to take the next turn if nothing comes before."""
        return self._reopen_at if self.line is None else self._core.next_due()

    def fileno(self) -> int:
        """Return the file that is ready to be read when something comes; -1 if there is none."""
        return -1 if self.line is None else self.line.fileno()

    def is_waiting_to_write(self) -> bool:
        """Return whether something is to be written that did not fit yet."""
        return self.line is not None and bool(self._core.unsent)

    def turn(self, wait_ms: float) -> None:
        """Write and read once, waiting at most `wait_ms` for input."""
        now = self.clock()
        if self.line is None:
            self._reopen(now, wait_ms)
            return
        self._core.step(now)
        due = self._core.next_due() if wait_ms > 0 else None
        if due is not None:
            wait_ms = min(wait_ms, due - now)
        try:
            self._exchange(self.line, max(0.0, wait_ms) / 1000)
        except OSError as error:
            self.lose(str(error))

    def say(self) -> None:
        """Write all due output, and read nothing."""
        if self.line is None:
            return
        self._core.step(self.clock())
        try:
            self._write(self.line)
        except OSError as error:
            self.lose(str(error))

    def lose(self, why: str) -> None:
        """The line is gone, and is to be opened again."""
        self._close_line()
        self._reopen_at = self.clock() + _REOPEN_MS
        self.why_not = str(HAS_IT) if self._core.taken else _first_line(why)
        self._core.closed(self.why_not)

    def close(self, why: str) -> None:
        """Say goodbye and let go of the line, for good."""
        if self.line is None:
            return
        self._core.say_goodbye()
        with contextlib.suppress(OSError):  # it may be gone already
            self._write(self.line)
        self._close_line()
        self._core.closed(why)

    def _close_line(self) -> None:
        if self.line is not None:
            self.before_closing()
            self.line.close()
            self.line = None

    def _exchange(self, line: Port, wait_s: float) -> None:
        core = self._core
        self._write(line)
        wait_s = min(wait_s, PATIENCE_S)
        for _ in range(_MOST_PIECES):
            data = line.read(wait_s)
            if not data:
                return
            wait_s = 0.0
            core.receive(self.clock(), data)
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

    def _reopen(self, now: float, wait_ms: float) -> None:
        if now < self._reopen_at:
            self._core.step(now)
            self._sleep(max(0.0, min(wait_ms, self._reopen_at - now, _REST_MS)) / 1000)
            return
        try:
            self.line = self.open_line()
        except OSError as error:
            self.why_not = _first_line(str(error))
            self.is_taken = isinstance(error, PortBusy)
            self._reopen_at = self.clock() + _REOPEN_MS
            return
        self.why_not = ""
        self.is_taken = False
        self._core.opened(self.clock())


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else str(LINE_GONE)
