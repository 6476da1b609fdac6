"""An emulated unit in a child process, for a program that needs one; it is reached by its link.

The child prints the address of its unit as the first line that starts with `socket://`. It ends
when its standard input closes, so it ends with its parent, even if that is killed.
"""

import contextlib
import os
import subprocess
import sys
import threading
from queue import Empty, Queue

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError

NO_EMULATED_UNIT = lazy("the emulated unit does not start: {why}")

START_S = 60.0  # a busy machine may be this slow; a failure to start is reported at once
COMMAND = ["-m", "sim.engine.emulated_unit"]


class EmulatedUnit:
    """A child process with a unit that runs the program `city` and listens at `port`.

    Raises UserError if it does not start.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *COMMAND],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.PIPE,
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
                if line.startswith("socket://"):
                    self.port = line
                    return
                said = line
        self.stop()
        raise UserError(NO_EMULATED_UNIT.format(why=said or _("it reported no reason")), FAILURE)

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
        raise UserError(NO_EMULATED_UNIT.format(why=error), FAILURE) from None


def main() -> None:
    """Run the unit; this is the child."""
    # Imported here, since the parent needs none of it.
    from random import SystemRandom

    from city_unit.draws import Draws
    from city_unit.settings import Settings
    from city_unit.unit import Unit
    from sim.engine import headless
    from sim.engine.doors import TcpDoor
    from sim.engine.link_server import LinkServer, make_link
    from sim.engine.runner import EVENTS_KEPT, Runner, clock

    name = f"beside-{os.getppid()}"
    unit = Unit(Settings(), Draws(SystemRandom().getrandbits(32)).below, EVENTS_KEPT)
    link = make_link(unit, name)
    server = LinkServer(link, [TcpDoor("127.0.0.1", 0)], name)
    print(*server.addresses, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        headless.run(Runner(unit, clock(), link), server, until_eof=True)


if __name__ == "__main__":
    main()
