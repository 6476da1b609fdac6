"""The lines to a unit: a serial port, or a TCP connection to an emulated unit.

Each can `read` what has come (waiting a while for the first byte), `write` what
fits, and be closed. All of them raise OSError once the line is gone.
"""

import contextlib
import os
import select
import socket
import time
from typing import Protocol

SOCKET = "socket://"
CHUNK = 4096

HUNG_UP = "the port was closed at the other end"
NOBODY = "nobody listens there"
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
    """A connection to `socket://HOST:PORT`."""

    def __init__(self, address: str) -> None:
        host, _, port = address[len(SOCKET) :].rpartition(":")
        if not host or not port.isdigit():
            raise OSError(f"{address} is not of the form socket://HOST:PORT")
        try:
            self._socket = socket.create_connection((host.strip("[]"), int(port)), timeout=2.0)
        except ConnectionRefusedError as error:
            raise OSError(NOBODY) from error
        except (OSError, OverflowError) as error:
            raise OSError(getattr(error, "strerror", None) or str(error)) from error
        if self._socket.getsockname() == self._socket.getpeername():
            # Where nobody listens, the system may give both ends the same port: an
            # echo, and in the way of a unit that comes back to this port.
            self._socket.close()
            raise OSError(NOBODY)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setblocking(False)

    def read(self, timeout: float) -> bytes:
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
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise OSError(HUNG_UP) from error

    def close(self) -> None:
        self._socket.close()


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
    return TcpPort(name) if name.startswith(SOCKET) else SerialPort(name)


def _not_opened(message: str) -> OSError:
    if any(part in message for part in _TAKEN):
        return PortBusy("another program has this port open")
    for part, why in _NOT_OPENED:
        if part in message:
            return OSError(why)
    return OSError(message)


def _termios_error() -> type[BaseException]:
    try:
        import termios
    except ImportError:
        return OSError
    return termios.error
