"""An emulated unit in a process of its own, for tests over a real connection."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from city_unit.host.ports import SOCKET
from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).parent.parent.parent
ANY_PORT = "127.0.0.1:0"


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
