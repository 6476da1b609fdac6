"""Set everything up and start: `python3 start.py`, or `python3 start.py test` for the tests.

This needs nothing but Python 3.10 or later. It makes an environment in `.venv`
beside this file, installs the project there, and then does what was asked:

    python3 start.py              the unit on the screen
    python3 start.py trace FILE   any command of city-unit, with what it takes
    python3 start.py game         the desktop game
    python3 start.py virtual      the firmware in a board that is a program
    python3 start.py wiring       the wiring diagrams, or one for your own pins
    python3 start.py case         the files of the case, for a 3D printer
    python3 start.py mpremote     MicroPython's own tool for boards
    python3 start.py esptool      Espressif's, which puts MicroPython onto an ESP32
    python3 start.py test         checks style and types and runs all tests
"""

from __future__ import annotations  # so that an old Python gets as far as its message

import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
# What some commands need beyond the rest; it is installed when they are first used.
EXTRAS = {
    "flash": "board",
    "selftest": "board",
    "mpremote": "board",
    "esptool": "esptool",
    "case": "case",
    "listen": "listen",
    "export": "vcd",
    "virtual": "micropython",
    "test": "test",
}
# What is no command of city-unit: the module that it starts.
PROGRAMS = {
    "game": "city_game.cli",
    "virtual": "firmware.virtual",
    "wiring": "firmware.wiring",
    "case": "firmware.case",
    "mpremote": "mpremote",
    "esptool": "esptool",
}
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")


def main(words: list[str]) -> int:
    command = words[0] if words else ""
    set_up(extra(command, words[1:]))
    if command == "test":
        return test(words[1:])
    if command in PROGRAMS:
        return run(PROGRAMS[command], *words[1:])
    return run("sim.cli", *words)


def extra(command: str, words: list[str]) -> str:
    """Return what a command needs beyond the rest, "" for nothing."""
    if command == "check":
        return "micropython" if any("micropython" in word for word in words) else ""
    return EXTRAS.get(command, "")


def set_up(extra: str) -> None:
    """Make the environment and install the project with `extra`, unless that is done."""
    wanted = fingerprint() + extra
    done = VENV / f"installed-{extra or 'unit'}.txt"
    if done.exists() and done.read_text() == wanted and PYTHON.exists():
        return
    print(f"Setting up in {VENV} (the first time takes a minute) ...", file=sys.stderr)
    if not PYTHON.exists():
        step(
            [sys.executable, "-m", "venv", str(VENV)],
            "could not make an environment; on Debian and Ubuntu: sudo apt install python3-venv",
        )
    project = f"{HERE}[{extra}]" if extra else str(HERE)
    step(
        [str(PYTHON), "-m", "pip", "install", "--quiet", "--editable", project],
        "could not install; are you connected to the network?",
    )
    done.write_text(wanted)


def fingerprint() -> str:
    """Return what the installation depends on, in short."""
    return hashlib.sha256((HERE / "pyproject.toml").read_bytes()).hexdigest()


def step(command: list[str], trouble: str) -> None:
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
        sys.exit(f"start.py: {trouble} ({lines[-1]})")


def run(module: str, *words: str) -> int:
    """Run a program of ours, and wait for it: a Ctrl-C is its own business."""
    with subprocess.Popen([str(PYTHON), "-m", module, *words]) as program:
        while True:
            try:
                return program.wait()
            except KeyboardInterrupt:
                continue


def test(words: list[str]) -> int:
    """Run the style check, the type check and the tests; all of them, whatever fails."""
    os.chdir(HERE)
    checks = [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("tests.check_types",),
        ("pytest", *words),
    ]
    failed = [check[0] for check in checks if run(*check)]
    if failed:
        print("start.py: failed: " + ", ".join(failed), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.version_info < (3, 10):  # noqa: UP036 - whoever has an older one is told so
        sys.exit(f"start.py: this needs Python 3.10 or later; this is {sys.version.split()[0]}")
    sys.exit(main(sys.argv[1:]))
