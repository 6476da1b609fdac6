"""Find the ports of units and open them: serial ports, TCP and WebSocket connections.

An emulated unit announces itself by a file, named after its process, in a folder that only the
user can write to. The next reader removes the file of a dead process, and the link to its pty.

An open port has `read`, which waits a limited time for the first byte, `write`, which writes as
much as fits, and `close`. They raise OSError once the connection is lost.
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
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import INVALID, at
from city_unit.desktop.files import reason, writing_whole
from city_unit.facts import BAUD
from city_unit.host.requests import Busy, NoUnit
from city_unit.wire import seal

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_PTY = re.compile(r"/dev/(pts/\d+|ttys\d+)")  # on Linux and macOS

# Constants of the Windows API.
_PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
_STILL_ACTIVE = 259


def folder() -> Path:
    """Return the folder of this user's announcements, which may not exist."""
    runtime = os.environ.get("CITY_UNIT_RUNTIME") or os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return Path(runtime) / "city-unit"
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "user"
    return Path(tempfile.gettempdir()) / f"city-unit-{user}"


def announce(port: str, name: str) -> Path:
    """Announce a unit by a file, and return its path; the caller removes it at the end.

    Raises OSError if the file cannot be written, or the folder is not safe.
    """
    about = {"port": port, "name": name, "pid": os.getpid(), "terminal": _terminal(port)}
    place = folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_ours(place):
        raise OSError(_("other users can write to {path}").format(path=place))
    path = place / f"{os.getpid()}-{len(list(place.glob(f'{os.getpid()}-*.json')))}.json"
    with writing_whole(path) as file:
        file.write(json.dumps(about).encode())
    return path


def name_pty(path: str, terminal: str) -> Path:
    """Make `path` a link to the terminal of a pty, and return it; the caller removes it at the end.

    Only a link left by a killed unit is replaced. The message of OSError says what is wrong.
    """
    name = Path(path).absolute()
    if str(name) in (port for port, _ in running()):
        raise OSError(_("another unit uses this name"))
    if _terminal(path):
        name.unlink()
    try:
        name.symlink_to(terminal)
    except OSError as error:
        raise OSError(reason(error)) from error
    return name


def _terminal(port: str) -> str:
    """Return the terminal of a pty that `port` links to, "" if it is not such a link."""
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
            about = json.loads(path.read_text())
            if is_alive(int(about["pid"])):
                units.append((str(about["port"]), str(about["name"])))
                continue
            path.unlink()
            if about["terminal"] and about["terminal"] == _terminal(about["port"]):
                os.unlink(about["port"])  # another program may own the terminal now
    return units


def _is_ours(place: Path) -> bool:
    """Return whether the folder exists and only this user can write to it."""
    if not place.is_dir():
        return False
    if sys.platform == "win32":
        return True  # each user has their own folder for temporary files
    about = place.stat()
    return about.st_uid == os.getuid() and not about.st_mode & 0o022


def is_alive(pid: int) -> bool:
    """Return whether the process `pid` is running."""
    if sys.platform == "win32":
        # On Windows `os.kill(pid, 0)` would end the process.
        kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
        process = kernel.OpenProcess(_PROCESS_QUERY_LIMITED_INFORMATION, False, pid)
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


EMULATED = "emulated"

# The kinds of devices: a key for files, and words for people.
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

# USB identities (vendor, product) of boards with MicroPython, and of serial adapters.
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
    """A port with a unit, or with a board that may be one."""

    port: str
    name: str  # the name of an emulated unit, or the serial number of a board
    kind: str  # a key of `KINDS`

    def __str__(self) -> str:
        """Return the kind of device for people."""
        return str(KINDS[self.kind])


def find() -> list[Found]:
    """Return the running emulated units, then the boards known by their USB identity."""
    return [Found(port, name, EMULATED) for port, name in running()] + _boards()


def identity(port: str) -> str:
    """Return an identity to recognise a unit by later: its USB serial number, else its port."""
    return next((board.name for board in _boards() if board.port == port and board.name), port)


NO_UNIT = lazy(
    "no unit found; start one with `city-unit play --listen 127.0.0.1:0`, plug in a board, or give"
    " its port"
)


def choose(wanted: str = "", greet: Callable[[str], object] | None = None) -> str:
    """Return the port of the only unit, or of the one named `wanted`.

    If there are several candidates, boards that do not answer a greeting are excluded, since a
    USB adapter has the same identity with any device behind it. `greet` raises NoUnit if no unit
    answers.

    Raises NoUnit if there is no unit, or more than one.
    """
    found = [unit for unit in find() if wanted in ("", unit.name)]
    silent = []  # boards that do not answer a greeting as a unit does
    if len(found) > 1 and greet is not None:
        for board in found:
            try:
                if board.kind != EMULATED:
                    greet(board.port)
            except Busy:
                pass  # it is a unit that another program has
            except NoUnit:
                silent.append(board)
    found = [unit for unit in found if unit not in silent]
    if not found:
        problem = at(f"auto:{wanted}", NO_UNIT) if wanted else str(NO_UNIT)
        if silent:
            words = _("{problem}; these do not answer as a unit: {ports}")
            ports = ", ".join(f"{unit.port} ({unit})" for unit in silent)
            problem = words.format(problem=problem, ports=ports)
        raise NoUnit(problem)
    if len(found) > 1:
        words = _("{count} units found; choose one by its port or auto:NAME: {choices}")
        choices = ", ".join(f"{unit.port} ({unit.name or unit})" for unit in found)
        raise NoUnit(words.format(count=len(found), choices=choices))
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


# Opening and using ports.

SOCKET = "socket://"
WEB = ("ws://", "wss://")
CHUNK = 4096
_OPEN_S = 5.0

HUNG_UP = lazy("the other end closed the port")
_NOBODY = lazy("no program listens there")
_NO_WAY = lazy("that computer cannot be reached")
_NOT_SERIAL = lazy("this is not a serial port")
_NO_PORT = lazy("there is no such port; `city-unit ports` lists the units")
_HOST_AND_PORT = re.compile(r"[^/\\]+:[0-9]{1,5}(/.*)?")  # never the name of a serial port
_NOT_CONNECTED = {
    errno.ECONNREFUSED: _NOBODY,
    errno.ETIMEDOUT: lazy("that computer does not answer"),
    errno.EHOSTUNREACH: _NO_WAY,
    errno.ENETUNREACH: _NO_WAY,
}
# Parts of pyserial's messages on different systems, in lower case, for a port in use
_IN_USE = ("exclusively lock", "access is denied", "busy")  # no text: pyserial says it
# and for other errors, with our message.
_NOT_OPENED = (
    ("inappropriate ioctl", _NOT_SERIAL),  # no text: pyserial says it
    ("is a directory", _NOT_SERIAL),  # no text: pyserial says it
    (
        "could not configure port",  # no text: pyserial says it
        lazy("this is not a serial port, or it does not respond"),
    ),
    (
        "permission denied",  # no text: pyserial says it
        lazy("you may not open this port; on Linux join its group, often dialout"),
    ),
    ("no such file", _NO_PORT),  # no text: pyserial says it
    ("no such device", _NO_PORT),  # no text: pyserial says it
    ("filenotfounderror", _NO_PORT),
)


def is_ready(file: int, timeout: float, to_write: bool = False) -> bool:
    """Return whether a file descriptor is readable, or writable, within `timeout` seconds.

    `select` cannot handle descriptors from 1024 up. Windows has no `poll` and no such limit, and
    reports a failed connection in the third set.
    """
    if not hasattr(select, "poll"):
        files = [file]
        return any(select.select([] if to_write else files, files * to_write, files, timeout))
    waiting = select.poll()
    waiting.register(file, select.POLLOUT if to_write else select.POLLIN)
    return bool(waiting.poll(math.ceil(timeout * 1000)))


class PortBusy(OSError):
    """Another program has the port open."""


class Port(Protocol):
    def read(self, timeout: float) -> bytes:
        """Return input, waiting up to `timeout` seconds for it; b"" if none arrives."""
        ...

    def write(self, data: bytes) -> int:
        """Write as much as fits now; return the number of bytes."""
        ...

    def fileno(self) -> int:
        """Return the descriptor that becomes readable on input; -1 if none can be watched."""
        ...

    def close(self) -> None: ...


class TcpPort:
    """A connection to `socket://HOST:PORT`, or `socket://HOST:PORT/SECRET`.

    It is established in the background; until then nothing can be read or written. A host name is
    resolved in a thread, since that can take seconds and cannot be waited for together with a
    socket. If the name has several addresses, they are tried in order.
    """

    def __init__(self, address: str) -> None:
        place, _slash, secret = address[len(SOCKET) :].partition("/")
        host, _colon, port = place.rpartition(":")
        self._first = seal(f"secret {secret}") if secret else b""  # no text: on the wire
        self._is_connected = False
        self._socket: socket.socket | None = None
        self._lookup: Future[list[tuple[int, Any]]] = Future()  # families and addresses
        host = host.strip("[]")
        for family in (socket.AF_INET, socket.AF_INET6):
            with contextlib.suppress(OSError):
                socket.inet_pton(family, host)
                self._lookup.set_result([(family, (host, int(port)))])
                break
        else:  # a host name
            Thread(target=self._find, args=(host, int(port)), daemon=True).start()
            return
        self._try_next(str(_NOBODY))

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
        """Start to connect to the next address. Raises OSError with `why` if there is none."""
        addresses = self._lookup.result()
        while addresses:
            family, where = addresses.pop(0)
            self._socket = socket.socket(family, socket.SOCK_STREAM)
            self._socket.setblocking(False)
            error = self._socket.connect_ex(where)
            if error in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
                return
            self._socket.close()
            why = _why_not_connected(error)
        raise OSError(why)

    def _connect(self, timeout: float) -> None:
        """Wait up to `timeout` seconds for the lookup or the connection. Raises OSError."""
        if self._socket is None:
            try:
                self._lookup.result(timeout)
            except (TimeoutError, FutureTimeout):
                return
            except OSError as error:
                raise OSError(reason(error)) from error
            self._try_next(str(_NOBODY))
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
        with contextlib.suppress(OSError):  # a lost connection is reported by `read`
            line.send(self._first)
        self._is_connected = True


class WebPort:
    """A WebSocket connection to a unit shared by `city-unit serve`.

    The library waits for input in a thread of this port, which wakes the reader through a pair of
    sockets. Until the connection is established nothing can be written.
    """

    def __init__(self, address: str) -> None:
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        self._received: deque[bytes] = deque()
        self._why = str(HUNG_UP)
        self._line: ClientConnection | None = None
        self._is_closed = False
        Thread(target=self._live, args=(address,), daemon=True).start()

    def read(self, timeout: float) -> bytes:
        if not is_ready(self._woken.fileno(), timeout):
            return b""
        woken = self._woken.recv(CHUNK)
        data = b"".join(self._received.popleft() for _ in range(len(self._received)))
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
            Thread(target=self._line.close, daemon=True).start()  # waits for the other end

    def _live(self, address: str) -> None:
        """Connect, and receive until the connection is lost."""
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
                    message = line.recv()
                    data = message.encode() if isinstance(message, str) else message
                    self._received.append(data)
                    self._waker.send(b"\n")
        except ConnectionClosed:
            pass
        except ConnectionRefusedError:
            self._why = str(_NOBODY)
        except (InvalidHandshake, InvalidURI) as error:
            self._why = _("no unit is served at this address: {why}").format(why=error)
            if isinstance(error, InvalidStatus) and error.response.status_code == 503:
                self._why = _(
                    "too many programs are connected; try again when one has disconnected"
                )
        except TimeoutError:
            self._why = _("no `city-unit serve` answers there")
        except OSError as error:
            self._why = reason(error)
        finally:
            self._waker.close()


class SerialPort:
    """A serial port or a pty, opened exclusively."""

    # Polling interval on Windows, where a serial port cannot be waited for.
    _POLL_S = 0.001

    def __init__(self, name: str, dtr: bool = True, rts: bool = True) -> None:
        import serial  # imported here, since simulations run without pyserial

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
            message = str(error).lower()
            if any(part in message for part in _IN_USE):
                raise PortBusy(_("another program has this port open")) from error
            reasons = [str(why) for part, why in _NOT_OPENED if part in message]
            raise OSError((reasons or [str(error)])[0]) from error

    def read(self, timeout: float) -> bytes:
        try:
            if os.name != "posix":
                end = time.monotonic() + timeout
                while not self._serial.in_waiting:
                    if time.monotonic() >= end:
                        return b""
                    time.sleep(self._POLL_S)
                return self._serial.read(min(CHUNK, self._serial.in_waiting))
            if not is_ready(self._serial.fileno(), timeout):
                return b""
            data = os.read(self._serial.fileno(), CHUNK)  # pyserial fails from descriptor 1024 up
        except self._gone as error:
            raise OSError(str(HUNG_UP)) from error
        if not data:
            raise OSError(str(HUNG_UP))
        return data

    def write(self, data: bytes) -> int:
        try:
            if os.name == "posix" and not is_ready(self._serial.fileno(), 0, to_write=True):
                return 0  # pyserial would retry forever, despite its timeout
            return self._serial.write(data) or 0
        except self._gone as error:
            if "timeout" in str(error).lower():
                return 0
            raise OSError(str(HUNG_UP)) from error

    def fileno(self) -> int:
        return self._serial.fileno() if os.name == "posix" else -1

    def close(self) -> None:
        with contextlib.suppress(*self._gone):  # the cable may be unplugged
            self._serial.close()


def check_form(name: str) -> None:
    """Raise NoUnit if `name` is a malformed address, not the name of a port."""
    if name.startswith(SOCKET):
        host, _colon, port = name[len(SOCKET) :].partition("/")[0].rpartition(":")
        if not host or not port:
            words = _("{address} is not of the form socket://HOST:PORT")
            raise NoUnit(words.format(address=name), INVALID)
        if not is_port(port):
            raise NoUnit(at(name, BAD_PORT), INVALID)
    elif _HOST_AND_PORT.fullmatch(name):
        words = _("{address} is not a serial port; for a unit over TCP write socket://{address}")
        raise NoUnit(words.format(address=name), INVALID)
    elif name.startswith(("http://", "https://")):
        words = _(
            "{address} is the address of a page; give the one of the unit that `city-unit serve`"
            " prints: ws://HOST:PORT/SECRET/NAME"
        )
        raise NoUnit(words.format(address=name), INVALID)


def open_port(name: str, dtr: bool = True, rts: bool = True) -> Port:
    """Open a port by its name, with these levels of DTR and RTS if it is a serial port.

    `check_form` has accepted the name. Raises OSError with a message of one line.
    """
    if name.startswith(SOCKET):
        return TcpPort(name)
    if name.startswith(WEB):
        return WebPort(name)
    if os.path.islink(name):
        running()  # removes the links of dead units
    return SerialPort(name, dtr, rts)


def _why_not_connected(error: int) -> str:
    known = _NOT_CONNECTED.get(error)
    return str(known) if known else reason(OSError(error, os.strerror(error)))


def _is_echo(sock: socket.socket) -> bool:
    """Return whether a socket is connected to itself, as can happen if no program listens.

    Such a connection would block the port for a unit that restarts.
    """
    try:
        return sock.getsockname() == sock.getpeername()
    except OSError:
        return False  # a lost connection is reported by `read`
