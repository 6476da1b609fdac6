"""Keeps a virtual board with a REPL alive behind a pty, as a real one is behind USB.

    with Supervised(board, config) as port: ...

mpremote and everything else that talks to boards can open `port`. A Ctrl-C that
comes in interrupts the program, Ctrl-D at the prompt is a soft reset, and a
`machine.reset` starts `main.py` again. Linux and macOS only.
"""

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import threading
import time
import tty
from pathlib import Path

from firmware.virtual.launch import MAIN, VirtualBoard

RAW, FRIENDLY, SOFT_RESET = b"\x01", b"\x02", b"\x04"
BOOT_SECONDS = 0.3  # bytes that come in before wait, as they do until a board has its USB


class Supervised:
    """A virtual board that is alive while this context is entered."""

    def __init__(self, board: VirtualBoard, config: Path) -> None:
        self._board = board
        self._config = config
        self._raw = False  # whether the REPL is in the mode for programs
        self._closing = False
        self.starts = 0  # how often the interpreter was started, resets included

    def __enter__(self) -> str:
        """Give the board power; return the port at which it is."""
        self._outer, line = pty.openpty()
        tty.setraw(line)
        self._line = line  # kept open, so that the port outlives its users
        self._start()
        self._thread = threading.Thread(target=self._relay, daemon=True)
        self._thread.start()
        return os.ttyname(line)

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self._thread.join()
        os.close(self._outer)
        os.close(self._line)

    @property
    def pid(self) -> int:
        """Return the number of the process that is the board at present."""
        return self._process.pid

    def pull(self) -> None:
        """Take the power away, and give it back."""
        starts = self.starts
        self._kill()
        while self.starts == starts:
            time.sleep(0.01)

    def _kill(self) -> None:
        if self._process.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _start(self) -> None:
        """Start the interpreter at a terminal of its own, which turns ^C into an interrupt."""
        self._inner, terminal = pty.openpty()
        tty.setraw(terminal)
        modes = termios.tcgetattr(terminal)
        modes[3] |= termios.ISIG
        for key in (termios.VQUIT, termios.VSUSP):  # a board knows ^C only
            modes[6][key] = os.fpathconf(terminal, "PC_VDISABLE").to_bytes(1, "little")
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
        main = (self._board.folder / "main.py").exists() and not self._raw
        program = MAIN if main else "pass"
        command, environment = self._board.command(self._config, "-i", "-c", program)
        environment["TERM"] = "xterm"
        self._process = subprocess.Popen(
            command,
            cwd=self._board.folder,
            env=environment,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(terminal)
        self.starts += 1
        self._booted = time.monotonic() + BOOT_SECONDS
        if self._raw:
            os.write(self._inner, RAW)

    def _relay(self) -> None:
        while True:
            if self._closing:
                self._kill()  # by this thread, which may have started it a moment ago
            booting = time.monotonic() < self._booted
            heard = [self._inner] if booting else [self._outer, self._inner]
            ready = select.select(heard, [], [], 0.05)[0]
            if self._outer in ready:
                data = os.read(self._outer, 4096)
                for mode in (RAW, FRIENDLY):
                    if mode in data and b"\x05A" not in data:
                        self._raw = data.rfind(RAW) > data.rfind(FRIENDLY)
                os.write(self._inner, data)
            if self._inner in ready:
                try:
                    os.write(self._outer, os.read(self._inner, 4096))
                    continue
                except OSError:
                    pass  # the interpreter has gone
            if self._process.poll() is not None:
                os.close(self._inner)
                if self._closing:
                    return
                if self._process.returncode == 0:  # a Ctrl-D: it stays in its mode
                    os.write(self._outer, b"soft reboot\r\n")
                else:
                    self._raw = False
                self._start()
