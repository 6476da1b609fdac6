"""Units in processes of their own, for tests over a real connection."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from city_unit.host.ports import SOCKET
from firmware.tool.image import unix
from firmware.virtual.launch import SWITCHED_ON, Supervised, VirtualBoard, lay
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).parent.parent.parent
ANY_PORT = "127.0.0.1:0"


def lasting_port() -> int:
    """Return a free port that no other program is given while its server is down.

    Systems give out those from 32768.
    """
    while True:
        with contextlib.suppress(OSError), socket.socket() as line:
            line.bind(("127.0.0.1", random.randrange(20_000, 30_000)))
            return line.getsockname()[1]


class Emulated:
    """A process of `city-unit play --headless`."""

    def __init__(self, folder: Path, *options: str, **streams: Any) -> None:
        self.environment = {**os.environ, "CITY_UNIT_RUNTIME": str(folder), "PYTHONPATH": str(ROOT)}
        self.environment["XDG_CONFIG_HOME"] = str(folder)
        self.options = options
        self.streams = streams  # further arguments of Popen
        self.start()

    def start(self) -> None:
        """Start it; a restart uses the port of the first start."""
        command = [sys.executable, "-m", "sim.cli", "play", "--headless", "--seed", "7"]
        self.process = subprocess.Popen(
            [*command, *self.options],
            stdout=subprocess.PIPE,
            text=True,
            env=self.environment,
            cwd=ROOT,
            **self.streams,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "listens at" in line, line
        self.port = line.split(" at ")[1].strip()
        self.options = tuple(
            word.replace(ANY_PORT, self.port[len(SOCKET) :]) for word in self.options
        )

    def stop(self, sign: int = signal.SIGTERM) -> None:
        self.process.send_signal(sign)
        self.process.wait(PATIENCE_S)

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("-m", "sim.cli", *words)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run another Python program, which can find this unit."""
        return subprocess.run(
            [sys.executable, *words],
            capture_output=True,
            text=True,
            env=self.environment,
            cwd=ROOT,
            timeout=PATIENCE_S,
        )


@contextlib.contextmanager
def virtual_board(folder: Path, **world: Any) -> Iterator[tuple[Supervised, str]]:
    """Yield a running board behind a pty, with its files in `folder/board`, and its port."""
    needs_posix()
    needs(unix(), "MicroPython's Unix port")
    files = folder / "board"
    files.mkdir()
    lay(files)
    board = Supervised(VirtualBoard(files, world=SWITCHED_ON | world), folder / "world")
    with board as port:
        yield board, port
