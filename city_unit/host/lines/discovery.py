"""Which units can be reached from here: emulated ones on this computer, and boards.

An emulated unit announces itself by a file named after its process in a folder that only its user
can write to; a file whose process is gone is removed by its next reader, and so is the name of its
pty.
"""

import contextlib
import ctypes
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from city_unit.desktop.catalogue import _, lazy, nlazy
from city_unit.desktop.files import reason, writing_whole
from city_unit.host.errors import Busy, NoUnit

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
