"""A board at a port, by way of mpremote: run a script there, copy a file, restart it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from firmware import texts

TRIES = 2  # a unit that talks to a desktop lets go of the line when that has been silent
TIMEOUT = 30  # seconds; the longest step on a board takes five


class BoardError(Exception):
    """What is wrong with a board or its port, in one line; `code` is the exit status."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


class Remote:
    """A board at `port`."""

    def __init__(self, port: str) -> None:
        self.port = port

    def begin(self, script: str) -> Any:
        """Stop what runs on the board, start it afresh, and run a script as `ask` does.

        Raises BoardError if no MicroPython answers.
        """
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
