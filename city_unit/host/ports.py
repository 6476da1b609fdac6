"""The ports of units: which can be reached from here, and the lines to them.

An emulated unit announces itself by a file named after its process in a folder that only its user
can write to; a file whose process is gone is removed by its next reader, and so is the name of its
pty.

A line can `read` (waiting a while for the first byte), `write` as much as fits, and be closed. All
of them raise OSError once the line is gone.
"""

import contextlib
import ctypes
import errno
import json
import math
import os
import re
import select
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from city_unit.desktop.addresses import BAD_PORT, is_port
from city_unit.desktop.catalogue import _, lazy, nlazy
from city_unit.desktop.files import reason, writing_whole
from city_unit.facts import BAUD
from city_unit.host.requests import Busy, NoUnit
from city_unit.wire import seal

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_PTY = re.compile(r"/dev/(pts/\d+|ttys\d+)")  # as Linux and macOS call them

# Of the Windows API: PROCESS_QUERY_LIMITED_INFORMATION, and the value for no exit code yet.
_LOOK_AT_PROCESS = 0x1000
_STILL_ACTIVE = 259


def folder() -> Path:
    """Return the folder of this user's announcements, which may not exist yet."""
    runtime = os.environ.get("CITY_UNIT_RUNTIME") or os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return Path(runtime) / "city-unit"
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "user"
    return Path(tempfile.gettempdir()) / f"city-unit-{user}"


def announce(port: str, name: str) -> Path:
    """Say that a unit called `name` can be reached at `port`; remove the file at the end.

    Raises OSError if that cannot be said, or not safely.
    """
    said = {"port": port, "name": name, "pid": os.getpid(), "terminal": _terminal(port)}
    place = folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_ours(place):
        raise OSError(_("others can write to {path}").format(path=place))
    path = place / f"{os.getpid()}-{len(list(place.glob(f'{os.getpid()}-*.json')))}.json"
    with writing_whole(path) as file:
        file.write(json.dumps(said).encode())
    return path


def name_pty(path: str, terminal: str) -> Path:
    """Link `path` to the pty's terminal; return it, to be removed at the end.

    A name that a killed unit has left behind is taken over, nothing else is.
    Raises OSError, whose text says why not.
    """
    name = Path(path).absolute()
    if str(name) in (port for port, _ in running()):
        raise OSError(_("another unit is there"))
    if _terminal(path):
        name.unlink()
    try:
        name.symlink_to(terminal)
    except OSError as error:
        raise OSError(reason(error)) from error
    return name


def _terminal(port: str) -> str:
    """Return the pty's terminal to which a name leads, "" if it is no such name."""
    if not os.path.islink(port):
        return ""
    terminal = os.readlink(port)
    return terminal if _PTY.fullmatch(terminal) else ""


def running() -> list[tuple[str, str]]:
    """Return the port and the name of each emulated unit whose process is alive."""
    units: list[tuple[str, str]] = []
    place = folder()
    if not _is_ours(place):
        return units
    for path in sorted(place.glob("*.json")):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            said = json.loads(path.read_text())
            if is_alive(int(said["pid"])):
                units.append((str(said["port"]), str(said["name"])))
                continue
            path.unlink()
            if said["terminal"] and said["terminal"] == _terminal(said["port"]):
                os.unlink(said["port"])  # it may be somebody else's terminal by now
    return units


def _is_ours(place: Path) -> bool:
    """Return whether a folder is there that nobody but this user can write to."""
    if not place.is_dir():
        return False
    if sys.platform == "win32":
        return True  # the folder for temporary files is each user's own
    about = place.stat()
    return about.st_uid == os.getuid() and not about.st_mode & 0o022


def is_alive(pid: int) -> bool:
    """Return whether a process `pid` runs."""
    if sys.platform == "win32":
        # There a signal 0 would end the process.
        kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
        process = kernel.OpenProcess(_LOOK_AT_PROCESS, False, pid)
        if not process:
            return False
        code = ctypes.c_ulong()
        kernel.GetExitCodeProcess(process, ctypes.byref(code))
        kernel.CloseHandle(process)
        return code.value == _STILL_ACTIVE
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


NOT_FOUND = lazy(
    "no unit found; start one with `city-unit play --listen 127.0.0.1:0`, plug in a board, or"
    " name its port"
)
NOT_CALLED_SO = lazy(
    "no unit called {name} found; start one with `city-unit play --listen 127.0.0.1:0`, plug in"
    " a board, or name its port"
)
SILENT = lazy("{trouble}; these do not answer as a unit: {ports}")
SEVERAL = nlazy(
    "there is {count} unit; give its port, or auto:NAME: {choices}",
    "there are {count} units; give one's port, or auto:NAME: {choices}",
)

EMULATED = "emulated"

# The kinds of devices at ports: keys for files, and words for people.
KINDS = {
    EMULATED: lazy("emulated unit"),
    "rp2": lazy("board with an RP2040 or RP2350"),
    "esp32": lazy("board with an ESP32 (USB serial)"),
    "esp32-s2": lazy("board with an ESP32-S2 or S3"),
    "cp210x": lazy("serial adapter CP210x"),
    "ch340": lazy("serial adapter CH340"),
    "ch9102": lazy("serial adapter CH9102"),
    "ft232": lazy("serial adapter FT232"),
}

# USB identities under which boards with MicroPython appear.
BOARDS = {
    (0x2E8A, 0x0005): "rp2",
    (0x303A, 0x1001): "esp32",
    (0x303A, 0x4001): "esp32-s2",
    (0x10C4, 0xEA60): "cp210x",
    (0x1A86, 0x7523): "ch340",
    (0x1A86, 0x55D4): "ch9102",
    (0x0403, 0x6001): "ft232",
}


@dataclass(frozen=True)
class Found:
    """A port at which there is, or may be, a unit."""

    port: str
    name: str  # of an emulated unit, or the serial number of a board
    kind: str  # a key of `KINDS`

    def __str__(self) -> str:
        """Return the kind of device, for a person."""
        return str(KINDS[self.kind])


def find() -> list[Found]:
    """Return the running emulated units, then the boards, known by their USB identity."""
    return [Found(port, name, EMULATED) for port, name in running()] + _boards()


def identity(port: str) -> str:
    """Return an identity by which to recognise a unit later: that of its USB, else its port."""
    return next((board.name for board in _boards() if board.port == port and board.name), port)


def choose(wanted: str = "", greet: Callable[[str], object] | None = None) -> str:
    """Return the port of the only unit there is, or of the one called `wanted`.

    If there are several ports, those count that answer when they are greeted: a USB
    adapter has the same identity with any device behind it. `greet` raises NoUnit if
    there is no unit.

    Raises NoUnit if there is none, or if there are several to choose from.
    """
    found = [unit for unit in find() if wanted in ("", unit.name)]
    silent = []  # boards that do not answer a greeting as a unit does
    if len(found) > 1 and greet is not None:
        for board in found:
            try:
                if board.kind != EMULATED:
                    greet(board.port)
            except Busy:
                pass  # another program has it, so it is one
            except NoUnit:
                silent.append(board)
    found = [unit for unit in found if unit not in silent]
    if not found:
        trouble = NOT_CALLED_SO.format(name=repr(wanted)) if wanted else str(NOT_FOUND)
        if silent:
            ports = ", ".join(f"{unit.port} ({unit})" for unit in silent)
            trouble = SILENT.format(trouble=trouble, ports=ports)
        raise NoUnit(trouble)
    if len(found) > 1:
        choices = ", ".join(f"{unit.port} ({unit.name or unit})" for unit in found)
        raise NoUnit(SEVERAL.format(count=len(found), choices=choices))
    return found[0].port


def _boards() -> list[Found]:
    try:
        from serial.tools import list_ports
    except ImportError:
        return []
    found = []
    for port in list_ports.comports():
        kind = BOARDS.get((port.vid, port.pid)) if port.vid is not None else None
        if kind:
            found.append(Found(port.device, port.serial_number or "", kind))
    return found


# The lines.

SOCKET = "socket://"
WEB = ("ws://", "wss://")
CHUNK = 4096
_OPEN_S = 5.0

HUNG_UP = lazy("the port was closed at the other end")
NOBODY = lazy("nobody listens there")
NO_ANSWER = lazy("that computer does not answer")
NO_WAY = lazy("that computer cannot be reached from here")
BAD_ADDRESS = lazy("{address} is not of the form socket://HOST:PORT")
NO_SCHEME = lazy("this is no serial port; for a unit over TCP write socket://{address}")
NOT_SERVED = lazy("no unit is served under this address: {why}")
TOO_MANY = lazy("too many programs are connected to it; try again when one has ended")
NO_RIGHT = lazy("you may not open this port; on Linux join its group, often dialout")
NO_SERIAL = lazy("this is no serial port")
SILENT_PORT = lazy("this is no serial port, or one that does not answer")
NO_PORT = lazy("there is no such port")
IN_USE = lazy("another program has this port open")
_HOST_AND_PORT = re.compile(r"[^/\\]+:[0-9]{1,5}(/.*)?")  # which no serial port is called
_UNDER_WAY = (errno.EINPROGRESS, errno.EWOULDBLOCK)
_NOT_CONNECTED = {
    errno.ECONNREFUSED: NOBODY,
    errno.ETIMEDOUT: NO_ANSWER,
    errno.EHOSTUNREACH: NO_WAY,
    errno.ENETUNREACH: NO_WAY,
}
# No texts: messages of a system or of pyserial, to be distinguished.
# Parts of pyserial's message, on one system or another, when the port is taken,
_TAKEN = ("exclusively lock", "Access is denied", "busy")  # no text: pyserial says it
# or when it cannot be opened for another reason, with our words for people.
_NOT_OPENED = (
    ("Inappropriate ioctl", NO_SERIAL),  # no text: pyserial says it
    ("could not configure port", SILENT_PORT),  # no text: pyserial says it
    ("Could not configure port", SILENT_PORT),  # no text: pyserial says it
    ("Permission denied", NO_RIGHT),  # no text: pyserial says it
    ("No such file", NO_PORT),  # no text: pyserial says it
    ("FileNotFoundError", NO_PORT),
)


_Address = tuple[int, Any]  # a family, and an address of it


def is_ready(file: int, timeout: float, to_write: bool = False) -> bool:
    """Return whether a file can be read, or written, within `timeout` seconds.

    `select` has no room for files from number 1024 on; Windows, which has no `poll`, numbers its
    sockets otherwise, and reports a failed connection apart.
    """
    if not hasattr(select, "poll"):
        files = [file]
        return any(select.select([] if to_write else files, files * to_write, files, timeout))
    waiting = select.poll()
    waiting.register(file, select.POLLOUT if to_write else select.POLLIN)
    return bool(waiting.poll(math.ceil(timeout * 1000)))


class PortBusy(OSError):
    """Another program has the port."""


class Port(Protocol):
    def read(self, timeout: float) -> bytes:
        """Return the input of at most `timeout` seconds, b"" for nothing."""
        ...

    def write(self, data: bytes) -> int:
        """Write as much as fits now and return its number of bytes."""
        ...

    def fileno(self) -> int:
        """Return the file that is ready when something has come; -1 if none can be watched."""
        ...

    def close(self) -> None: ...


class TcpPort:
    """A connection to `socket://HOST:PORT`, or `socket://HOST:PORT/SECRET`.

    It is made in the background: until it stands nothing comes and nothing fits. A thread looks
    up a name, since the system's lookup can take seconds and nothing can wait for it together
    with a socket. A name that has several addresses is tried at one after the other.
    """

    def __init__(self, address: str) -> None:
        place, _, secret = address[len(SOCKET) :].partition("/")
        host, _, port = place.rpartition(":")
        self._first = seal(f"secret {secret}") if secret else b""  # no text: on the wire
        if not host or not port:
            raise OSError(BAD_ADDRESS.format(address=address))
        if not is_port(port):
            raise OSError(str(BAD_PORT))
        self._is_connected = False
        self._socket: socket.socket | None = None
        self._lookup: Future[list[_Address]] = Future()
        host = host.strip("[]")
        for family in (socket.AF_INET, socket.AF_INET6):
            with contextlib.suppress(OSError):
                socket.inet_pton(family, host)
                self._lookup.set_result([(family, (host, int(port)))])
                break
        else:  # it is a name
            Thread(target=self._find, args=(host, int(port)), daemon=True).start()
            return
        self._try_next(str(NOBODY))

    def read(self, timeout: float) -> bytes:
        if not self._is_connected:
            self._connect(timeout)
            return b""
        assert self._socket is not None
        if timeout > 0 and not is_ready(self._socket.fileno(), timeout):
            return b""
        try:
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise OSError(str(HUNG_UP)) from error
        if not data:
            raise OSError(str(HUNG_UP))
        return data

    def write(self, data: bytes) -> int:
        if not self._is_connected:
            self._connect(0)
        if not self._is_connected:
            return 0
        assert self._socket is not None
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise OSError(str(HUNG_UP)) from error

    def fileno(self) -> int:
        return self._socket.fileno() if self._is_connected and self._socket is not None else -1

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def _find(self, host: str, port: int) -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            self._lookup.set_result([(family, where) for family, _, _, _, where in found])
        except Exception as error:
            self._lookup.set_exception(error)

    def _try_next(self, why: str) -> None:
        """Begin to connect to the next address; raise OSError with `why` if there is none."""
        addresses = self._lookup.result()
        while addresses:
            family, where = addresses.pop(0)
            self._socket = socket.socket(family, socket.SOCK_STREAM)
            self._socket.setblocking(False)
            error = self._socket.connect_ex(where)
            if error in (0, *_UNDER_WAY):
                return
            self._socket.close()
            why = _why_not_connected(error)
        raise OSError(why)

    def _connect(self, timeout: float) -> None:
        """Wait a while for the lookup or the connection. Raises OSError."""
        if self._socket is None:
            try:
                self._lookup.result(timeout)
            except (TimeoutError, FutureTimeout):
                return
            except OSError as error:
                raise OSError(reason(error)) from error
            self._try_next(str(NOBODY))
            return
        line = self._socket
        if not is_ready(line.fileno(), timeout, to_write=True):
            return
        error = line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if not error and _is_echo(line):
            error = errno.ECONNREFUSED
        if error:
            line.close()
            self._try_next(_why_not_connected(error))
            return
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(OSError):  # it is gone again, as `read` will find out
            line.send(self._first)
        self._is_connected = True


class WebPort:
    """A connection to a unit that `city-unit serve` serves.

    The library waits for input in a thread of this port's own; a pair of sockets
    wakes the reader of the port. Until the connection stands nothing fits.
    """

    def __init__(self, address: str) -> None:
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        self._said: deque[bytes] = deque()
        self._why = str(HUNG_UP)
        self._line: ClientConnection | None = None
        self._is_closed = False
        Thread(target=self._live, args=(address,), daemon=True).start()

    def read(self, timeout: float) -> bytes:
        if not is_ready(self._woken.fileno(), timeout):
            return b""
        woken = self._woken.recv(CHUNK)
        data = b"".join(self._said.popleft() for _ in range(len(self._said)))
        if not woken and not data:
            raise OSError(self._why)
        return data

    def write(self, data: bytes) -> int:
        from websockets.exceptions import ConnectionClosed

        if self._line is None:
            return 0
        try:
            self._line.send(data.decode() if data.isascii() else data)
        except ConnectionClosed as error:
            raise OSError(str(HUNG_UP)) from error
        return len(data)

    def fileno(self) -> int:
        return self._woken.fileno()

    def close(self) -> None:
        self._is_closed = True
        self._woken.close()
        if self._line is not None:
            Thread(target=self._line.close, daemon=True).start()  # it waits for the other end

    def _live(self, address: str) -> None:
        """Connect, and receive until the line is gone."""
        from websockets.exceptions import (
            ConnectionClosed,
            InvalidHandshake,
            InvalidStatus,
            InvalidURI,
        )
        from websockets.sync.client import connect

        try:
            with connect(address, compression=None, open_timeout=_OPEN_S) as line:
                self._line = line
                self._waker.send(b"\n")  # pending output can be written
                while not self._is_closed:
                    said = line.recv()
                    self._said.append(said.encode() if isinstance(said, str) else said)
                    self._waker.send(b"\n")
        except ConnectionClosed:
            pass
        except ConnectionRefusedError:
            self._why = str(NOBODY)
        except (InvalidHandshake, InvalidURI) as error:
            is_full = isinstance(error, InvalidStatus) and error.response.status_code == 503
            self._why = str(TOO_MANY) if is_full else NOT_SERVED.format(why=error)
        except TimeoutError:
            self._why = _("nothing there answers as `city-unit serve` does")
        except OSError as error:
            self._why = reason(error)
        finally:
            self._waker.close()


class SerialPort:
    """A serial port of the system, or a pty, opened for this program alone."""

    # How long Windows, which cannot wait for a port, sleeps between two looks.
    _LOOK_S = 0.001

    def __init__(self, name: str, dtr: bool = True, rts: bool = True) -> None:
        import serial  # here, so that simulations run where pyserial is not installed

        self._gone: tuple[type[BaseException], ...] = (OSError,)
        with contextlib.suppress(ImportError):
            import termios

            self._gone = (OSError, termios.error)
        try:
            line = serial.Serial(None, BAUD, timeout=0, write_timeout=0, exclusive=True)
            line.port, line.dtr, line.rts = name, dtr, rts
            line.open()
            self._serial = line
        except (OSError, ValueError) as error:
            message = str(error)
            if any(part in message for part in _TAKEN):
                raise PortBusy(str(IN_USE)) from error
            whys = [str(why) for part, why in _NOT_OPENED if part in message]
            raise OSError((whys or [message])[0]) from error

    def read(self, timeout: float) -> bytes:
        try:
            if self._wait(timeout):
                if os.name != "posix":
                    return self._serial.read(max(1, min(CHUNK, self._serial.in_waiting)))
                data = os.read(self._serial.fileno(), CHUNK)  # pyserial's needs a file below 1024
                if not data:
                    raise OSError(str(HUNG_UP))
                return data
        except self._gone as error:
            raise OSError(str(HUNG_UP)) from error
        return b""

    def write(self, data: bytes) -> int:
        try:
            if os.name == "posix" and not is_ready(self._serial.fileno(), 0, to_write=True):
                return 0  # pyserial would try for ever, with any timeout
            return self._serial.write(data) or 0
        except self._gone as error:
            if "timeout" in str(error).lower():
                return 0
            raise OSError(str(HUNG_UP)) from error

    def fileno(self) -> int:
        return self._serial.fileno() if os.name == "posix" else -1

    def close(self) -> None:
        with contextlib.suppress(*self._gone):  # it may have been pulled out
            self._serial.close()

    def _wait(self, timeout: float) -> bool:
        if os.name == "posix":
            return is_ready(self._serial.fileno(), timeout)
        end = time.monotonic() + timeout
        while not self._serial.in_waiting:
            if time.monotonic() >= end:
                return False
            time.sleep(self._LOOK_S)
        return True


def open_port(name: str, dtr: bool = True, rts: bool = True) -> Port:
    """Open a port by its name, its lines DTR and RTS high or low if it has them.

    Raises OSError, with one line that says why not.
    """
    if name.startswith(SOCKET):
        return TcpPort(name)
    if name.startswith(WEB):
        return WebPort(name)
    if _HOST_AND_PORT.fullmatch(name):
        raise OSError(NO_SCHEME.format(address=name))
    if os.path.islink(name):
        running()  # which removes the files of dead units
    return SerialPort(name, dtr, rts)


def _why_not_connected(error: int) -> str:
    known = _NOT_CONNECTED.get(error)
    return str(known) if known else reason(OSError(error, os.strerror(error)))


def _is_echo(sock: socket.socket) -> bool:
    """Return whether both ends are one, as the system may do where nobody listens.

    Such a line would be in the way of a unit that comes back to its port.
    """
    try:
        return sock.getsockname() == sock.getpeername()
    except OSError:
        return False  # gone already, as `read` will say
