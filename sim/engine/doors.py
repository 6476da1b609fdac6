"""The doors by which desktop programs reach a unit: a pty, and a port of this computer."""

import contextlib
import errno
import hmac
import os
import re
import socket
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from city_unit.desktop import addresses
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason
from city_unit.host.ports import name_pty
from city_unit.host.serving.hub import TAKEN, Hub, Peer
from city_unit.link import SILENCE_MS
from city_unit.wire import LONGEST, cut, unseal

CANNOT_LINK = lazy("cannot make the pty {path}: {why}; choose another path")

CHUNK = 256  # bytes taken at once, so that a flood cannot hold up the unit


class Door(Protocol):
    """One door: clients open its `address`; `takes_typed` is set on the link."""

    address: str
    takes_typed: bool

    @property
    def is_waited_at(self) -> bool:
        """Whether to look again soon, even if nothing comes."""
        ...

    def files(self) -> list[int]: ...

    def read(self) -> bytes | None:
        """Return the input; b"" for nothing, None if the client has gone."""
        ...

    def write(self, data: bytes) -> int: ...

    def close(self) -> None: ...


class PtyDoor:
    """A pseudo terminal with a stable name, as real as a serial port on Linux and macOS."""

    takes_typed = True
    is_waited_at = False

    def __init__(self, path: str) -> None:
        if os.name != "posix":
            raise UserError(_("--pty needs Linux or macOS; use --listen 127.0.0.1:0 here"))
        import pty
        import tty

        self._ours, self._theirs = pty.openpty()  # theirs stays open: a hang-up is then no error
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        try:
            self._name = name_pty(path, os.ttyname(self._theirs))
        except OSError as error:
            raise UserError(CANNOT_LINK.format(path=path, why=reason(error))) from error
        self.address = str(self._name)

    def files(self) -> list[int]:
        return [self._ours]

    def read(self) -> bytes | None:
        try:
            return os.read(self._ours, CHUNK)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EIO):
                return b""
            raise

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._ours, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._name.unlink()
        os.close(self._ours)
        os.close(self._theirs)


# A port of this computer: its client, visitors and watchers.

CANNOT_LISTEN = lazy(
    "cannot listen at {host}:{port}: {why}; choose another port, or 0 for a free one"
)

_SILENCE_S = SILENCE_MS / 1000
_LAST_WORDS_S = 0.5  # for so long a client that speaks may still be one that has ended
_QUEUE = 128  # connections that the system keeps until they are let in; with 4, most of many failed
_MOST_LET_IN = 32  # in a pass, so that many hold up the unit no longer than a few do
_MOST_VISITORS = 64  # waiting; beyond that, the first one is dropped
_MOST_TURNED_AWAY = 64
_MOST_WATCHERS = 64
_LOCKED = b"secret: this unit wants the secret that is in its address\n"

# How the first line of a web page's request begins; no line of the link begins so.
_HTTP = re.compile(rb"[A-Z]+ ")
_METHOD = 16  # bytes, more than any of its methods has


class _Caller:
    """A connection to a `TcpDoor`.

    came_at   when that was
    heard_at  when a line of the link last came from there; None if none has
    said      input that is not handed over yet
    watches   whether it greeted to watch, and not to have the unit
    """

    def __init__(self, sock: socket.socket, now: float, lock: "Lock") -> None:
        sock.setblocking(False)
        self._lock = lock
        self._is_locked = bool(lock.secret)
        self.watches = False
        self.peer: Peer | None = None
        with contextlib.suppress(OSError):  # it may be gone already
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = sock
        self.came_at = now
        self.heard_at: float | None = None
        self.said = b""
        self._beginning = b""
        self._partial = b""  # of a line that is half received

    def hear(self, now: float) -> bytes | None:
        """Return its input; b"" for nothing, None if it has gone or speaks HTTP."""
        try:
            data = self.socket.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            return None
        if len(self._beginning) < _METHOD:
            self._beginning += data[:_METHOD]
        if not data or _HTTP.match(self._beginning):
            return None
        if self._is_locked:  # its first line has to be the secret; else it may be let in to watch
            line, newline, rest = (self._partial + data).partition(b"\n")
            self._partial = b"" if newline else line
            if not newline:
                return b"" if len(line) < LONGEST else None
            said = unseal(line)
            if hmac.compare_digest(said.encode(), b"secret " + self._lock.secret.encode()):
                data = rest
            elif self._lock.lets_watch and said.startswith("watch "):
                data = line + newline + rest
            else:
                with contextlib.suppress(OSError):
                    self.socket.send(_LOCKED)
                return None
            self._is_locked = False
        *lines, self._partial = cut(self._partial + data)
        for text in filter(None, map(unseal, lines)):
            self.watches = self.watches or (self.heard_at is None and text.startswith("watch "))
            self.heard_at = now
        return data


class Lock(NamedTuple):
    """The condition of admission.

    secret     to be said in its first line; "" if it need not know any
    lets_watch whether a caller without it may watch
    """

    secret: str = ""
    lets_watch: bool = False


class TcpDoor:
    """A port of this computer, for one client at a time; the others learn that it is taken.

    Any number may watch beside it, with a greeting of their own.

    A client that has said no line of the link for as long as the link waits for a
    desktop gives way to the next that does: its computer may have gone without a
    word, or it may be no desktop at all. Any page in a browser can connect too, so
    typed commands are refused, and a connection that begins as HTTP is closed.
    """

    takes_typed = False

    def __init__(
        self,
        host: str,
        port: int,
        clock: Callable[[], float] = time.monotonic,
        lock: Lock = Lock(),  # noqa: B008  # it is a value
    ) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._listener.bind((host, port))
        except OSError as error:
            self._listener.close()
            raise UserError(
                CANNOT_LISTEN.format(host=host, port=port, why=reason(error))
            ) from error
        self._listener.listen(_QUEUE)
        self._listener.setblocking(False)
        self._clock = clock
        self._lock = lock
        self.hub: Hub | None = None  # of watchers; set by the owner of the link
        self._watchers: list[_Caller] = []
        self._client: _Caller | None = None
        self._visitors: list[_Caller] = []  # who wait to be let in or turned away
        self._turned_away: deque[socket.socket] = deque()
        name = addresses.reachable(host) if lock.secret else addresses.in_url(host)
        secret = f"/{lock.secret}" if lock.secret else ""
        self.address = f"socket://{name}:{self._listener.getsockname()[1]}{secret}"

    @property
    def is_waited_at(self) -> bool:
        return bool(self._visitors)

    def files(self) -> list[int]:
        callers = [] if self._client is None else [self._client]
        everybody = (*callers, *self._visitors, *self._watchers)
        return [self._listener.fileno(), *(caller.socket.fileno() for caller in everybody)]

    def read(self) -> bytes | None:
        now = self._clock()
        self._receive_visitors(now)
        for watcher in [*self._watchers]:
            assert watcher.peer is not None and self.hub is not None
            data = watcher.hear(now)
            if data is None:
                self._watchers.remove(watcher)
                self.hub.disconnect(watcher.peer)
                watcher.socket.close()
            elif data:
                watcher.peer.receive(now, data)
        client = self._client
        if client is None:
            return self._let_in()
        data = client.hear(now)
        if client.watches and data is not None:
            self._client = None
            self._seat(client, data, now)
            return self._let_in()
        must_give_way = not _is_present(client, now) and any(
            visitor.heard_at is not None for visitor in self._visitors
        )
        if data is None or must_give_way:
            client.socket.close()
            self._client = None
            return None
        self._turn_away(client, bool(data), now)
        return data

    def write(self, data: bytes) -> int:
        if self._client is None:
            return len(data)
        try:
            return self._client.socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # it has gone; `read` will say so

    def close(self) -> None:
        if self._client is not None:
            self._client.socket.close()
        for visitor in (*self._visitors, *self._watchers):
            visitor.socket.close()
        for sock in self._turned_away:
            sock.close()
        self._listener.close()

    def _receive_visitors(self, now: float) -> None:
        """Accept some of the new callers, and read from all visitors."""
        for _place in range(_MOST_LET_IN):
            try:
                sock, _where = self._listener.accept()
            except OSError:
                break
            self._visitors.append(_Caller(sock, now, self._lock))
        for visitor in [*self._visitors]:
            data = visitor.hear(now) if visitor.heard_at is None else b""
            silent = visitor.heard_at is None and now - visitor.came_at >= _SILENCE_S
            if data is None or (silent and self._client is not None):
                self._visitors.remove(visitor)
                visitor.socket.close()
            elif visitor.watches:
                self._visitors.remove(visitor)
                self._seat(visitor, visitor.said + data, now)
            elif data:
                visitor.said = (visitor.said + data)[-CHUNK:]
        while len(self._visitors) > _MOST_VISITORS:
            self._visitors.pop(0).socket.close()

    def _seat(self, watcher: _Caller, said: bytes, now: float) -> None:
        """Give a watcher a place."""
        if self.hub is None or len(self._watchers) >= _MOST_WATCHERS:
            self._refuse(watcher.socket)
            return
        watcher.peer = self.hub.connect(now, may_act=False)
        watcher.peer.receive(now, said)
        self._watchers.append(watcher)

    def tell_watchers(self) -> None:
        """Write to each watcher as much as fits."""
        for watcher in self._watchers:
            peer = watcher.peer
            assert peer is not None
            peer.send_events()
            with contextlib.suppress(OSError):  # full, or gone, as `read` will find out
                peer.sent(watcher.socket.send(peer.unsent) if peer.unsent else 0)

    def _let_in(self) -> bytes:
        """Admit the first caller that speaks as a desktop does, else the one that came first."""
        waiting = sorted(self._visitors, key=lambda visitor: visitor.heard_at is None)
        if not waiting:
            return b""
        self._client = waiting[0]
        self._visitors.remove(waiting[0])
        return waiting[0].said

    def _turn_away(self, client: _Caller, speaks: bool, now: float) -> None:
        """Refuse visitors while the client is there, as soon as that is sure.

        Behind the last words of the client there may be its end, and a visitor may be
        the same program, restarted.
        """
        if not _is_present(client, now):
            return
        for visitor in [*self._visitors]:
            has_waited = now - visitor.came_at >= _LAST_WORDS_S
            has_said_what_for = visitor.heard_at is not None  # else it may come to watch
            if has_waited or (has_said_what_for and not speaks):
                self._visitors.remove(visitor)
                self._refuse(visitor.socket)

    def _refuse(self, sock: socket.socket) -> None:
        """Say why. The line stays open for a while, else the caller might not read that."""
        with contextlib.suppress(OSError):
            sock.send(TAKEN)
            sock.shutdown(socket.SHUT_WR)
        self._turned_away.append(sock)
        if len(self._turned_away) > _MOST_TURNED_AWAY:
            self._turned_away.popleft().close()


def _is_present(client: _Caller, now: float) -> bool:
    return client.heard_at is not None and now - client.heard_at < _SILENCE_S
