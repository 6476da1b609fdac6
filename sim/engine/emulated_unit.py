"""An emulated unit in a child process, for a program that needs one; it is reached by its link."""

import contextlib
import os
import subprocess
import sys
import threading
from queue import Empty, Queue

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError

NO_EMULATED_UNIT = lazy("the emulated unit does not start: {why}")

START_S = 60.0  # a busy machine may be this slow; a failure to start is reported at once
COMMAND = ["-m", "sim.cli", "play", "--headless", "--until-eof"]
COMMAND += ["--program", "city", "--listen", "127.0.0.1:0"]


class EmulatedUnit:
    """A child process with a unit that runs the program `city` and listens at `port`.

    It ends together with this process, even if that is killed: its standard input then closes.
    Raises UserError if it does not start.
    """

    def __init__(self) -> None:
        command = [sys.executable, *COMMAND, "--name", f"beside-{os.getpid()}"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.PIPE
        )
        lines: Queue[str] = Queue()
        stdout = self._process.stdout
        assert stdout is not None

        def read() -> None:
            for line in stdout:
                lines.put(line.decode("utf-8", "replace").strip())
            lines.put("")

        threading.Thread(target=read, daemon=True).start()
        said = ""
        with contextlib.suppress(Empty):
            while line := lines.get(timeout=START_S):
                said = line
                ports = [word for word in line.split() if word.startswith("socket://")]
                if ports:
                    self.port = ports[0]
                    return
        self.stop()
        raise UserError(NO_EMULATED_UNIT.format(why=said or _("it reported no reason")), code=1)

    def stop(self) -> None:
        """End the process; safe to call twice."""
        if self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def connect(unit: EmulatedUnit) -> host.Client:
    """Return a client of `unit`. Raises UserError."""
    try:
        return host.connect(unit.port, timeout=START_S)
    except host.LinkError as error:
        unit.stop()
        raise UserError(NO_EMULATED_UNIT.format(why=error), code=1) from None
