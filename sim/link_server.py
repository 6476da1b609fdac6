"""The doors through which a desktop program reaches an emulated unit: TCP and a pty.

A body calls `receive`, steps its unit, and calls `send`; between them it may
`wait`. Nothing here blocks, and one conversation is held at a time.
"""

import contextlib
import errno
import ipaddress
import os
import random
import select
import socket
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from city_unit.host.core import BUSY
from city_unit.host.registry import announce, name_pty
from city_unit.link import SILENCE_MS, Link
from city_unit.unit import Unit
from sim import texts_link as texts
from sim.errors import UserError

CHUNK = 256  # bytes taken at once, so that a flood cannot hold up the unit
_LOOK_AGAIN_S = 0.01
_PATIENCE_S = 1.0  # the longest single wait: on Windows a Ctrl-C is heard only after it
_SILENCE_S = SILENCE_MS / 1000
_TAKEN = BUSY + b" another program has this unit\n"
_MOST_TURNED_AWAY = 4


class Door(Protocol):
    """One way in: `address` is what a client opens."""

    address: str

    def files(self) -> list[int]: ...

    def read(self) -> bytes | None:
        """Return what has come; b"" for nothing, None if the client has gone."""
        ...

    def write(self, data: bytes) -> int: ...

    def close(self) -> None: ...


class TcpDoor:
    """A port of this computer, for one client at a time; a second one is told so.

    A client that has said nothing for as long as the link waits for a desktop
    gives way to the next: its computer may have gone without a word.
    """

    def __init__(self, host: str, port: int, clock: Callable[[], float] = time.monotonic) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._listener.bind((host, port))
        except OSError as error:
            self._listener.close()
            raise UserError(texts.CANNOT_LISTEN % (host, port, error.strerror or error)) from error
        self._listener.listen(4)
        self._listener.setblocking(False)
        self._clock = clock
        self._client: socket.socket | None = None
        self._heard_at = 0.0
        self._turned_away: deque[socket.socket] = deque()
        name = f"[{host}]" if ":" in host else host
        self.address = f"socket://{name}:{self._listener.getsockname()[1]}"

    def files(self) -> list[int]:
        client = [] if self._client is None else [self._client.fileno()]
        return [self._listener.fileno(), *client]

    def read(self) -> bytes | None:
        data = self._hear()
        return self._answer_the_door() if data == b"" else data

    def write(self, data: bytes) -> int:
        if self._client is None:
            return len(data)
        try:
            return self._client.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # it has gone; `read` will say so

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
        for client in self._turned_away:
            client.close()
        self._listener.close()

    def _hear(self) -> bytes | None:
        """Return what the client says; b"" for nothing, None if it has gone."""
        if self._client is None:
            return b""
        try:
            data = self._client.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if data:
            self._heard_at = self._clock()
            return data
        self._client.close()
        self._client = None
        return None

    def _answer_the_door(self) -> bytes | None:
        """Let in or turn away who waits; return None if the client had to go for it.

        Only when the client has nothing to say: behind its last words there may be
        its end, and who waits may be the same program, started anew.
        """
        try:
            visitor, _ = self._listener.accept()
        except OSError:
            return b""
        visitor.setblocking(False)
        present = self._client
        if present is not None and self._clock() - self._heard_at < _SILENCE_S:
            self._turn_away(visitor)
            return b""
        visitor.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client = visitor
        self._heard_at = self._clock()
        if present is None:
            return b""
        present.close()
        return None

    def _turn_away(self, visitor: socket.socket) -> None:
        """Say why. Its end of the line stays open for a while, else it might not read that."""
        with contextlib.suppress(OSError):
            visitor.send(_TAKEN)
            visitor.shutdown(socket.SHUT_WR)
        self._turned_away.append(visitor)
        if len(self._turned_away) > _MOST_TURNED_AWAY:
            self._turned_away.popleft().close()


class PtyDoor:
    """A pseudo terminal with a stable name, as real as a serial port on Linux and macOS."""

    def __init__(self, path: str) -> None:
        if os.name != "posix":
            raise UserError(texts.NO_PTY)
        import pty
        import tty

        self._ours, self._theirs = pty.openpty()  # theirs stays open: a hang-up is then no error
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        try:
            self._name = name_pty(path, os.ttyname(self._theirs))
        except OSError as error:
            raise UserError(texts.CANNOT_LINK % (path, error)) from error
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


class LinkServer:
    """A unit's link and its doors; the first door with a conversation has it."""

    def __init__(self, link: Link, doors: list[Door], name: str) -> None:
        self.link = link
        self._doors = doors
        self._current: Door | None = None
        self._announced = [path for door in doors if (path := _announce(door.address, name))]

    @property
    def addresses(self) -> list[str]:
        return [door.address for door in self._doors]

    def wait(self, seconds: float | None) -> None:
        """Wait until something comes in, for `seconds` at most, or for a while if None."""
        files = [file for door in self._doors for file in door.files()]
        waits = [_PATIENCE_S]
        if seconds is not None:
            waits.append(seconds)
        if self.link.unsent and self._current is not None:  # look soon whether more fits
            waits.append(_LOOK_AGAIN_S)
        select.select(files, [], [], min(waits))

    def receive(self, now: int) -> None:
        """Hand over to the link what has come, a little of it at most."""
        for door in self._doors:
            data = door.read()
            if data is None:
                if door is self._current:
                    self._current = None
                    self.link.hang_up(now)
            elif data and self._current not in (None, door) and self.link.live:
                door.write(_TAKEN)
            elif data:
                self._current = door
                self.link.receive(now, data)

    def send(self) -> None:
        """Write what fits."""
        door = self._current
        while door is not None and self.link.unsent:
            count = door.write(self.link.unsent)
            if not count:
                return
            self.link.sent(count)

    def close(self) -> None:
        """Shut the doors; a second time does nothing."""
        for path in self._announced:
            with contextlib.suppress(OSError):
                path.unlink()
        for door in self._doors:
            door.close()
        self._announced = []
        self._doors = []


def _announce(address: str, name: str) -> Path | None:
    try:
        return announce(address, name)
    except OSError as error:
        print(texts.NOT_ANNOUNCED % error, file=sys.stderr, flush=True)
        return None


def arguments(parser) -> None:
    """Declare the options with which a unit is given a link."""
    parser.add_argument("--listen", metavar="HOST:PORT", help=texts.HELP_LISTEN)
    parser.add_argument("--pty", metavar="PATH", help=texts.HELP_PTY)
    parser.add_argument("--name", default="unit", help=texts.HELP_NAME)


def make_link(unit: Unit, name: str, version: str = "0.1.0") -> Link:
    """Return a link for `unit`, with a boot number that no other start of it has.

    Raises UserError if the name is not of 1 to 16 letters, digits and hyphens.
    """
    if not (name.isascii() and name.replace("-", "a").isalnum() and len(name) <= 16):
        raise UserError(texts.BAD_NAME % name)
    boot = random.SystemRandom().randrange(1, 1 << 30)
    return Link(unit, boot, f"{version} emulated {name}")


def serve(link: Link, options) -> LinkServer | None:
    """Open the doors that `options` ask for and say which; None if they ask for none."""
    doors: list[Door] = []
    if options.listen:
        doors.append(_tcp_door(options.listen))
    if options.pty:
        doors.append(PtyDoor(options.pty))
    if not doors:
        return None
    server = LinkServer(link, doors, options.name)
    for address in server.addresses:
        print(texts.OPEN % address, flush=True)
    return server


def _tcp_door(address: str) -> TcpDoor:
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if not host or not port.isdigit() or int(port) > 65535:
        raise UserError(texts.BAD_ADDRESS % address)
    if not _is_loopback(host):
        print(texts.NOT_LOOPBACK % host, file=sys.stderr, flush=True)
    return TcpDoor(host, int(port))


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
