"""The emulated units that run on this computer, one small file each.

A unit announces itself by a file named after its process in a folder that only
its user can write to; a file whose process is gone is removed by whoever finds it.
"""

import contextlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path

_PTY = re.compile(r"/dev/(pts/\d+|ttys\d+)")  # as Linux and macOS call them


def folder() -> Path:
    """Return the folder of this user's announcements, which may not exist yet."""
    runtime = os.environ.get("CITY_UNIT_RUNTIME") or os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return Path(runtime) / "city-unit"
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "user"
    return Path(tempfile.gettempdir()) / f"city-unit-{user}"


def announce(port: str, name: str) -> Path:
    """Say that a unit called `name` can be reached at `port`; remove the file at the end."""
    place = folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = place / f"{os.getpid()}-{len(list(place.glob(f'{os.getpid()}-*.json')))}.json"
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps({"port": port, "name": name, "pid": os.getpid()}))
    partial.replace(path)
    return path


def name_pty(path: str, terminal: str) -> Path:
    """Have `path` lead to the pty's terminal; return it, to be removed at the end.

    A name that a killed unit has left behind is taken over, nothing else is.
    Raises OSError, whose text says why not.
    """
    name = Path(path).absolute()
    if str(name) in (port for port, _ in running()):
        raise OSError("another unit is there")
    if name.is_symlink() and _PTY.fullmatch(os.readlink(name)):
        name.unlink()
    try:
        name.symlink_to(terminal)
    except OSError as error:
        raise OSError(error.strerror) from error
    return name


def running() -> list[tuple[str, str]]:
    """Return the port and the name of each emulated unit whose process is alive."""
    units = []
    for path in sorted(folder().glob("*.json")):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            said = json.loads(path.read_text())
            if is_alive(int(said["pid"])):
                units.append((str(said["port"]), str(said["name"])))
            else:
                path.unlink()
    return units


def is_alive(pid: int) -> bool:
    """Return whether a process `pid` runs; where that cannot be told, whether it may."""
    if sys.platform == "win32":
        return True  # a signal 0 would end it; a dead unit's port refuses to be opened
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
