"""A board at a port, by way of mpremote: run a script there, copy a file, restart it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from serial import Serial

from firmware import texts
from firmware.tool.errors import BoardError
from firmware.tool.ports import is_there, may_open

TRIES = 2  # a unit that talks to a desktop lets go of the line when that has been silent
TIMEOUT = 30  # seconds; the longest step on a board takes five
START_SECONDS = 4  # within which a unit that cannot start has said so
LONGEST_START = 10_000  # bytes

# At the REPL: interrupt what runs and leave the mode for programs; then what a restart says.
STOP, SOFT_RESET = b"\r\x03\x03\r\x02", b"\r\x04"
RESTARTED = "soft reboot"
PROMPTS = ("MicroPython", "Type ", ">>>")


class Remote:
    """A board at `port`."""

    def __init__(self, port: str) -> None:
        self.port = port

    def begin(self, script: str) -> Any:
        """Stop what runs on the board, start it afresh, and run a script as `ask` does.

        Raises BoardError if no MicroPython answers.
        """
        if not is_there(self.port):
            raise BoardError(texts.NO_PORT.format(port=self.port))
        if not may_open(self.port):
            raise BoardError(texts.NOT_ALLOWED.format(port=self.port))
        reason = ""
        for _ in range(TRIES):
            done = self._run("exec", script)
            if done.returncode == 0:
                return _answer(done.stdout)
            reason = _reason(done)
            if "access" in reason:
                raise BoardError(texts.BUSY.format(port=self.port, reason=reason))
        advice = texts.PUT_MICROPYTHON
        raise BoardError(texts.NO_ANSWER.format(port=self.port, reason=reason, advice=advice))

    def ask(self, script: str) -> Any:
        """Run a script on the board; return what it prints last, read as JSON."""
        return _answer(self._do("resume", "exec", script))

    def copy(self, source: Path, name: str) -> None:
        self._do("resume", "fs", "cp", "--force", str(source), f":{name}")

    def listen(self) -> list[str]:
        """Start `main.py` as a board does when it gets power, and return the lines it prints.

        mpremote stops what it finds and cannot hear a start; this is the REPL by hand.
        Raises BoardError if the line breaks.
        """
        try:
            with Serial(self.port, 115200, timeout=START_SECONDS, exclusive=True) as line:
                line.write(STOP + SOFT_RESET)
                heard = line.read(LONGEST_START).decode(errors="replace")
        except OSError as error:
            raise BoardError(texts.FAILED.format(reason=error)) from None
        lines = [part.strip() for part in heard.partition(RESTARTED)[2].splitlines()]
        return [part for part in lines if part and not part.startswith(PROMPTS)]

    def restart(self) -> None:
        self._do("resume", "reset")

    def _do(self, *words: str) -> str:
        done = self._run(*words)
        if done.returncode:
            raise BoardError(texts.FAILED.format(reason=_reason(done)))
        return done.stdout

    def _run(self, *words: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "mpremote", "connect", self.port, *words]
        try:
            return subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 1, "", texts.SILENT)


def _answer(printed: str) -> Any:
    lines = printed.strip().splitlines()
    return json.loads(lines[-1]) if lines else None


def _reason(done: subprocess.CompletedProcess) -> str:
    lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    return lines[-1].removeprefix("mpremote: ") if lines else "no reason given"
