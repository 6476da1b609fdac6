"""`python -m firmware.virtual`: the firmware in the Unix port of MicroPython, behind a pty.

Prints the port, which any program that talks to boards can open, and lives until
Ctrl-C. The unit is switched on. Linux and macOS.
"""

import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path

from firmware import texts
from firmware.interpreters import unix
from firmware.virtual.launch import SWITCHED_ON, VirtualBoard, lay


def main() -> int:
    if os.name != "posix" or not unix():
        print(texts.NO_UNIX_PORT, file=sys.stderr)
        return 1
    from firmware.virtual.supervisor import Supervised

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as name, contextlib.suppress(KeyboardInterrupt):
        folder = Path(name, "board")
        folder.mkdir()
        lay(folder)
        with Supervised(VirtualBoard(folder, world=SWITCHED_ON), Path(name, "world")) as port:
            print(port, flush=True)
            signal.pause()
    return 0


if __name__ == "__main__":
    sys.exit(main())
