"""Files as an installer writes and deletes them, with a blow that falls at one of them.

STRIKE=5:group   at the fifth file, the whole group of processes is killed
       5:start   the one that started this is killed; this goes on, as an orphan
       5:ctrl-c  the whole group is interrupted
       5:full    the disk is full
       5:wait    this waits until it may go on: until there is a file COUNT.go
Each file is a byte in COUNT, so that the processes of one set-up count together.
"""

import errno
import os
import signal
import sys
import time
from pathlib import Path

HERE = Path.cwd()  # start.py runs each step in its own folder
VENV = HERE / ".venv"
SITE = VENV / "lib/python{}.{}/site-packages".format(*sys.version_info)


def write(path: Path, text: str = "") -> None:
    """Write a file; if the blow falls here, only half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text[: len(text) // 2], encoding="utf-8")
    strike()
    path.write_text(text, encoding="utf-8")


def delete(path: Path) -> None:
    path.unlink(missing_ok=True)
    strike()


def strike() -> None:
    with open(os.environ["COUNT"], "ab") as count:
        count.write(b".")
        number = count.tell()
    at, _, kind = os.environ.get("STRIKE", "0:").partition(":")
    if number != int(at):
        return
    if kind == "group":
        os.killpg(0, signal.SIGKILL)
    elif kind == "start":
        os.kill(os.getppid(), signal.SIGKILL)
    elif kind == "ctrl-c":
        os.killpg(0, signal.SIGINT)
    elif kind == "full":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    elif kind == "wait":
        while not os.path.exists(os.environ["COUNT"] + ".go"):
            time.sleep(0.01)


def install(name: str, files: dict[str, str]) -> None:
    """Write a package as pip does: the list of its files at the very end."""
    folder = f"{name}-1.dist-info"
    files = {**files, f"{folder}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n"}
    for path, text in files.items():
        write(SITE / path, text)
    rows = [f"{path},,{len(text.encode())}" for path, text in files.items()]
    write(SITE / folder / "RECORD", "\n".join([*rows, f"{folder}/RECORD,,"]) + "\n")


def uninstall(name: str) -> None:
    """Delete a package as pip does, which cannot do it without the list of its files."""
    folder = SITE / f"{name}-1.dist-info"
    if not (folder / "RECORD").exists():
        sys.exit(f"ERROR: Cannot uninstall {name} 1, no RECORD file was found for {name}.")
    for row in (folder / "RECORD").read_text().splitlines():
        delete(SITE / row.split(",")[0])
    folder.rmdir()
