"""The emulated units that run on this computer, one small file each.

A unit announces itself by a file named after its process in a folder that only
its user can write to; a file whose process is gone is removed by its next reader,
and so is the name of its pty.
"""

import contextlib
import ctypes
import json
import os
import re
import sys
import tempfile
from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.files import reason, writing_whole

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
    """Have `path` lead to the pty's terminal; return it, to be removed at the end.

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
