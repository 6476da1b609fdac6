"""The lines to a unit: a serial port, or a TCP connection to an emulated unit.

Each can `read` what has come (waiting a while for the first byte), `write` what
fits, and be closed. All of them raise OSError once the line is gone.
"""

import contextlib
import errno
import os
import select
import socket
import time
from typing import Protocol

from city_unit.host.registry import running

SOCKET = "socket://"
CHUNK = 4096

HUNG_UP = "the port was closed at the other end"
NOBODY = "nobody listens there"
_UNDER_WAY = (errno.EINPROGRESS, errno.EWOULDBLOCK)
_NOT_CONNECTED = {
    errno.ECONNREFUSED: NOBODY,
    errno.ETIMEDOUT: "that computer does not answer",
    errno.EHOSTUNREACH: "that computer cannot be reached from here",
    errno.ENETUNREACH: "that computer cannot be reached from here",
}
# What pyserial's message holds, on one system or another, when the port is taken,
_TAKEN = ("exclusively lock", "Access is denied", "busy")
# or when it cannot be opened for another reason: what that is for a person.
_NOT_OPENED = (
    ("Permission denied", "you may not open this port; on Linux join its group, often dialout"),
    ("No such file", "there is no such port"),
    ("FileNotFoundError", "there is no such port"),
)


class PortBusy(OSError):
    """Another program has the port."""


class Port(Protocol):
    def read(self, timeout: float) -> bytes:
        """Return what has come within `timeout` seconds, b"" for nothing."""
        ...

    def write(self, data: bytes) -> int:
        """Write what fits now and return how many bytes that was."""
        ...

    def close(self) -> None: ...


class TcpPort:
    """A connection to `socket://HOST:PORT`.

    It is made in the background: until it stands nothing comes and nothing fits.
    A name that has several addresses is tried at one after the other.
    """

    def __init__(self, address: str) -> None:
        host, _, port = address[len(SOCKET) :].rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65535:
            raise OSError(f"{address} is not of the form socket://HOST:PORT")
        try:
            found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        except OSError as error:
            raise OSError(error.strerror or str(error)) from error
        self._addresses = [(family, where) for family, _, _, _, where in found]
        self._is_connected = False
        self._try_next(NOBODY)

    def read(self, timeout: float) -> bytes:
        if not self._is_connected:
            self._connect(timeout)
            return b""
        if not select.select([self._socket], [], [], timeout)[0]:
            return b""
        try:
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise OSError(HUNG_UP) from error
        if not data:
            raise OSError(HUNG_UP)
        return data

    def write(self, data: bytes) -> int:
        if not self._is_connected:
            self._connect(0)
            return 0
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise OSError(HUNG_UP) from error

    def close(self) -> None:
        self._socket.close()

    def _try_next(self, why: str) -> None:
        """Begin to connect to the next address; raise OSError with `why` if there is none."""
        while self._addresses:
            family, where = self._addresses.pop(0)
            self._socket = socket.socket(family, socket.SOCK_STREAM)
            self._socket.setblocking(False)
            error = self._socket.connect_ex(where)
            if error in (0, *_UNDER_WAY):
                return
            self._socket.close()
            why = _why_not_connected(error)
        raise OSError(why)

    def _connect(self, timeout: float) -> None:
        """Wait a while for the connection."""
        line = self._socket
        _, done, failed = select.select([], [line], [line], timeout)  # Windows fails apart
        if not done and not failed:
            return
        error = line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if not error and _is_echo(line):
            error = errno.ECONNREFUSED
        if error:
            line.close()
            self._try_next(_why_not_connected(error))
            return
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._is_connected = True


class SerialPort:
    """A serial port of the system, or a pty, opened for this program alone."""

    # How long Windows, which cannot wait for a port, sleeps between two looks.
    _LOOK_S = 0.001

    def __init__(self, name: str) -> None:
        import serial  # here, so that simulations run where pyserial is not installed

        self._gone = (OSError, _termios_error())
        try:
            self._serial = serial.Serial(name, 115200, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError) as error:
            raise _not_opened(str(error)) from error

    def read(self, timeout: float) -> bytes:
        try:
            if self._wait(timeout):
                data = self._serial.read(max(1, min(CHUNK, self._serial.in_waiting)))
                if not data and os.name == "posix":
                    raise OSError(HUNG_UP)
                return data
        except self._gone as error:
            raise OSError(HUNG_UP) from error
        return b""

    def write(self, data: bytes) -> int:
        try:
            if not self._has_room():
                return 0
            return self._serial.write(data) or 0
        except self._gone as error:
            if "timeout" in str(error).lower():
                return 0
            raise OSError(HUNG_UP) from error

    def close(self) -> None:
        with contextlib.suppress(*self._gone):  # it may have been pulled out
            self._serial.close()

    def _has_room(self) -> bool:
        """Return whether something fits: pyserial would try for ever, whatever its timeout."""
        if os.name != "posix":
            return True
        return bool(select.select([], [self._serial.fileno()], [], 0)[1])

    def _wait(self, timeout: float) -> bool:
        if os.name == "posix":
            return bool(select.select([self._serial.fileno()], [], [], timeout)[0])
        end = time.monotonic() + timeout
        while not self._serial.in_waiting:
            if time.monotonic() >= end:
                return False
            time.sleep(self._LOOK_S)
        return True


def open_port(name: str) -> Port:
    """Open a port by its name. Raises OSError, with one line that says why not."""
    if name.startswith(SOCKET):
        return TcpPort(name)
    if os.path.islink(name):
        running()  # which takes away what dead units have left
    return SerialPort(name)


def _not_opened(message: str) -> OSError:
    if any(part in message for part in _TAKEN):
        return PortBusy("another program has this port open")
    for part, why in _NOT_OPENED:
        if part in message:
            return OSError(why)
    return OSError(message)


def _why_not_connected(error: int) -> str:
    return _NOT_CONNECTED.get(error) or os.strerror(error)


def _is_echo(line: socket.socket) -> bool:
    """Return whether both ends are one, as the system may do where nobody listens.

    Such a line would be in the way of a unit that comes back to its port.
    """
    try:
        return line.getsockname() == line.getpeername()
    except OSError:
        return False  # gone already, as `read` will say


def _termios_error() -> type[BaseException]:
    try:
        import termios
    except ImportError:
        return OSError
    return termios.error
