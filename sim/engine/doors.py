"""The doors through which desktop programs reach a unit: a pseudo terminal and a TCP port.

A door passes the bytes of one client at a time. The TCP door admits further connections as
watchers, which receive events but cannot act; it rejects all others while its client is active.
No call blocks: the owner of the doors waits for their files and reads whatever has arrived.

address       where clients connect
takes_typed   whether the link accepts commands typed by hand, without a frame
has_visitors  whether to read again soon, even without input: visitors time out
read          returns the client's input, b"" if there is none, None if it has disconnected
write         returns how many bytes the client has accepted
"""

import contextlib
import errno
import hmac
import os
import re
import socket
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from city_unit.desktop import addresses
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import reason
from city_unit.host.ports import name_pty
from city_unit.host.serving.hub import TAKEN, Hub, Peer
from city_unit.link import SILENCE_MS
from city_unit.wire import LONGEST, split_lines, unseal

CANNOT_LINK = lazy("cannot make the pty {path}: {why}; choose another path")

CHUNK = 256  # bytes read at once, so that a flood cannot hold up the unit


class PtyDoor:
    """A pseudo terminal with a stable name: to programs on Linux and macOS, a serial port."""

    takes_typed = True
    has_visitors = False

    def __init__(self, path: str) -> None:
        if os.name != "posix":
            raise UserError(_("--pty needs Linux or macOS; use --listen 127.0.0.1:0 here"))
        import pty
        import tty

        self._ours, self._theirs = pty.openpty()  # with theirs open, a hang-up raises no error
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        try:
            self._name = name_pty(path, os.ttyname(self._theirs))
        except OSError as error:
            raise UserError(CANNOT_LINK.format(path=path, why=reason(error)), FAILURE) from error
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


def cannot_listen(host: str, port: int, error: OSError) -> UserError:
    """Return the error that no program can be served at an address, with its remedy."""
    words = _("cannot listen at {host}:{port}: {why}; choose another port, or 0 for a free one")
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        words = _(
            "cannot listen at {host}:{port}: {why}; use 127.0.0.1, for this computer only, or"
            " 0.0.0.0"
        )
    return UserError(words.format(host=host, port=port, why=reason(error)), FAILURE)


_SILENCE_S = SILENCE_MS / 1000
_GRACE_S = 0.5  # a visitor waits this long in case the client has ended and it is not known yet
_QUEUE = 128  # the listen backlog; with 4, most of many simultaneous connections failed
_MOST_ACCEPTED = 32  # per pass, so that many connections hold up the unit no longer than a few
_MOST_VISITORS = 64  # beyond this the oldest is dropped
_MOST_REJECTED = 64  # rejected connections kept open until their reason can be read
_MOST_WATCHERS = 64
_LOCKED = b"secret: this unit wants the secret that is in its address\n"

# Start of an HTTP request; no line of the link starts like this.
_HTTP = re.compile(rb"[A-Z]+ ")
_METHOD = 16  # bytes; longer than any HTTP method


class _Connection:
    """A connection to a `TcpDoor`: its client, a watcher, or a visitor, not admitted yet.

    last_line_at  when it last sent a valid line of the link, None if never
    said          a visitor's input, held back until it is admitted
    watches       whether its first line asked to watch
    """

    def __init__(self, sock: socket.socket, now: float, lock: "Lock") -> None:
        sock.setblocking(False)
        self._lock = lock
        self._is_locked = bool(lock.secret)
        self.watches = False
        self.peer: Peer | None = None
        with contextlib.suppress(OSError):  # the peer may have gone already
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = sock
        self.connected_at = now
        self.last_line_at: float | None = None
        self.said = b""
        self._head = b""
        self._partial = b""  # the start of an incomplete line

    def receive(self, now: float) -> bytes | None:
        """Return its input; b"" if there is none, None if it disconnected or is to be closed.

        It is to be closed if it speaks HTTP or does not know the secret.
        """
        try:
            data = self.socket.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            return None
        if len(self._head) < _METHOD:
            self._head += data[:_METHOD]
        if not data or _HTTP.match(self._head):
            return None
        if self._is_locked:  # the first line must be the secret, or a permitted request to watch
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
        *lines, self._partial = split_lines(self._partial + data)
        for text in filter(None, map(unseal, lines)):
            self.watches = self.watches or (self.last_line_at is None and text.startswith("watch "))
            self.last_line_at = now
        return data


class Lock(NamedTuple):
    """The condition for admission through a `TcpDoor`.

    secret      required as the first line of a connection; "" for no condition
    lets_watch  whether a connection without the secret may watch
    """

    secret: str = ""
    lets_watch: bool = False


class TcpDoor:
    """A TCP port for one client at a time, and for watchers; other connections are rejected.

    A client that has been silent for the link's own timeout gives way to the next connection
    that speaks the protocol: its computer may have vanished, or it may be another program
    altogether. Any web page can connect too, so typed commands are refused, and a connection
    that starts with an HTTP request is closed.

    hub  of the watchers; set by the owner of the link
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
            raise cannot_listen(host, port, error) from error
        self._listener.listen(_QUEUE)
        self._listener.setblocking(False)
        self._clock = clock
        self._lock = lock
        self.hub: Hub | None = None
        self._watchers: list[_Connection] = []
        self._client: _Connection | None = None
        self._visitors: list[_Connection] = []  # connections not admitted or rejected yet
        self._rejected: deque[socket.socket] = deque()
        name = addresses.reachable(host) if lock.secret else addresses.in_url(host)
        secret = f"/{lock.secret}" if lock.secret else ""
        self.address = f"socket://{name}:{self._listener.getsockname()[1]}{secret}"

    @property
    def has_visitors(self) -> bool:
        return bool(self._visitors)

    def files(self) -> list[int]:
        clients = [] if self._client is None else [self._client]
        connections = (*clients, *self._visitors, *self._watchers)
        return [self._listener.fileno(), *(each.socket.fileno() for each in connections)]

    def read(self) -> bytes | None:
        now = self._clock()
        self._read_visitors(now)
        for watcher in [*self._watchers]:
            assert watcher.peer is not None and self.hub is not None
            data = watcher.receive(now)
            if data is None:
                self._watchers.remove(watcher)
                self.hub.disconnect(watcher.peer)
                watcher.socket.close()
            elif data:
                watcher.peer.receive(now, data)
        client = self._client
        if client is None:
            return self._admit()
        data = client.receive(now)
        if client.watches and data is not None:
            self._client = None
            self._add_watcher(client, data, now)
            return self._admit()
        is_present = client.last_line_at is not None and now - client.last_line_at < _SILENCE_S
        must_give_way = not is_present and any(
            visitor.last_line_at is not None for visitor in self._visitors
        )
        if data is None or must_give_way:
            client.socket.close()
            self._client = None
            return None
        # Reject visitors once it is certain that the client is still connected. Its latest data may
        # be its last, with the end of the connection behind it; a visitor may then be the same
        # program, restarted.
        for visitor in [*self._visitors] if is_present else []:
            has_waited = now - visitor.connected_at >= _GRACE_S
            has_greeted = visitor.last_line_at is not None  # before that it may still ask to watch
            if has_waited or (has_greeted and not data):
                self._visitors.remove(visitor)
                self._reject(visitor.socket)
        return data

    def write(self, data: bytes) -> int:
        if self._client is None:
            return len(data)
        try:
            return self._client.socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # the client has gone; `read` will report it

    def close(self) -> None:
        if self._client is not None:
            self._client.socket.close()
        for visitor in (*self._visitors, *self._watchers):
            visitor.socket.close()
        for sock in self._rejected:
            sock.close()
        self._listener.close()

    def _read_visitors(self, now: float) -> None:
        """Accept some new connections, and read from all visitors."""
        for _attempt in range(_MOST_ACCEPTED):
            try:
                sock, _where = self._listener.accept()
            except OSError:
                break
            self._visitors.append(_Connection(sock, now, self._lock))
        for visitor in [*self._visitors]:
            data = visitor.receive(now) if visitor.last_line_at is None else b""
            silent = visitor.last_line_at is None and now - visitor.connected_at >= _SILENCE_S
            if data is None or (silent and self._client is not None):
                self._visitors.remove(visitor)
                visitor.socket.close()
            elif visitor.watches:
                self._visitors.remove(visitor)
                self._add_watcher(visitor, visitor.said + data, now)
            elif data:
                visitor.said = (visitor.said + data)[-CHUNK:]
        while len(self._visitors) > _MOST_VISITORS:
            self._visitors.pop(0).socket.close()

    def _add_watcher(self, watcher: _Connection, said: bytes, now: float) -> None:
        if self.hub is None or len(self._watchers) >= _MOST_WATCHERS:
            self._reject(watcher.socket)
            return
        watcher.peer = self.hub.connect(now, may_act=False)
        watcher.peer.receive(now, said)
        self._watchers.append(watcher)

    def send_to_watchers(self) -> None:
        """Send each watcher as many new events as its socket accepts."""
        for watcher in self._watchers:
            peer = watcher.peer
            assert peer is not None
            peer.send_events()
            with contextlib.suppress(OSError):  # full, or gone; `read` will notice the latter
                peer.sent(watcher.socket.send(peer.unsent) if peer.unsent else 0)

    def _admit(self) -> bytes:
        """Admit as the client the oldest visitor that speaks the protocol, else the oldest."""
        waiting = sorted(self._visitors, key=lambda visitor: visitor.last_line_at is None)
        if not waiting:
            return b""
        self._client = waiting[0]
        self._visitors.remove(waiting[0])
        return waiting[0].said

    def _reject(self, sock: socket.socket) -> None:
        """Send the reason and keep the connection open for a while, so that it can be read."""
        with contextlib.suppress(OSError):
            sock.send(TAKEN)
            sock.shutdown(socket.SHUT_WR)
        self._rejected.append(sock)
        if len(self._rejected) > _MOST_REJECTED:
            self._rejected.popleft().close()


Door = PtyDoor | TcpDoor
