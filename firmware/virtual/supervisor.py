"""Keeps a virtual board with a REPL alive behind a pty, as a real one is behind USB.

    with Supervised(board, config) as port: ...

mpremote and everything else that talks to boards can open `port`. A Ctrl-C that
comes in interrupts the program, Ctrl-D at the prompt is a soft reset, and a
`machine.reset` starts `main.py` again. Linux and macOS only.

However slow the computer is, no Ctrl-C and nothing behind it may be lost: mpremote waits for its
answer for ever. The Unix port makes a signal of a Ctrl-C, and that is not safe: before a program
and at its end it ends the process, and in the middle of an import it leaves a lock behind, at which
the REPL hangs. So a Ctrl-C goes through a pipe, into which a program looks whenever it sleeps
(`lib/world.py`); only one that does not sleep gets the signal. The modes of the terminal, which
the interpreter sets, say when it can take bytes:

  at the start   without ISIG: everything waits, as it does until a board has its USB
  program        `lib/power.py` sets ISIG while a Ctrl-C interrupts
  REPL           no local mode at all: a Ctrl-C is a byte, unless code runs

Bytes behind a Ctrl-C wait for the REPL. An interpreter that is ended by one starts at its REPL.
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

RAW, FRIENDLY, INTERRUPT = b"\x01", b"\x02", b"\x03"
LOCAL = 3  # the place of the local modes in the list of `termios`
LOOK_SECONDS = 0.01  # how often the modes are looked at while bytes wait
SLEEP_SECONDS = 0.25  # the longest work of a program, in its own time, without a look into the pipe


class Supervised:
    """A virtual board that is alive while this context is entered."""

    def __init__(self, board: VirtualBoard, config: Path) -> None:
        self._board = board
        self._config = config
        self._raw = False  # whether the REPL is in the mode for programs
        self._closing = False
        self._waiting = b""  # bytes behind a Ctrl-C
        # When the Ctrl-C came whose end is awaited, and how long the program had worked by then.
        self._interrupted: tuple[float, float] | None = None
        self.starts = 0  # how often the interpreter was started, resets included

    def __enter__(self) -> str:
        """Give the board power; return the port at which it is."""
        self._outer, line = pty.openpty()
        tty.setraw(line)
        self._line = line  # kept open, so that the port outlives its users
        self._pipe_path = self._config.with_name(self._config.name + ".interrupts")
        self._pipe_path.unlink(missing_ok=True)
        os.mkfifo(self._pipe_path)
        self._pipe = os.open(self._pipe_path, os.O_RDWR | os.O_NONBLOCK)
        self._start()
        self._thread = threading.Thread(target=self._relay, daemon=True)
        self._thread.start()
        return os.ttyname(line)

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self._thread.join()
        for file in (self._outer, self._line, self._pipe):
            os.close(file)

    @property
    def pid(self) -> int:
        """Return the number of the process that is the board at present."""
        return self._process.pid

    def pull(self) -> None:
        """Cut the power, and restore it."""
        starts = self.starts
        self._kill()
        while self.starts == starts:
            time.sleep(0.01)

    def _kill(self) -> None:
        if self._process.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _start(self, at_repl: bool = False) -> None:
        """Start the interpreter at a terminal of its own; not `main.py` if it is `at_repl`."""
        self._inner, terminal = pty.openpty()
        tty.setraw(terminal)
        modes = termios.tcgetattr(terminal)
        for key in (termios.VQUIT, termios.VSUSP):  # a board knows ^C only
            modes[6][key] = os.fpathconf(terminal, "PC_VDISABLE").to_bytes(1, "little")
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
        main = (self._board.folder / "main.py").exists() and not self._raw and not at_repl
        program = MAIN if main else "pass"
        command, environment = self._board.command(self._config, "-i", "-c", program)
        environment["TERM"] = "xterm"
        environment["VIRTUAL_BOARD_INTERRUPTS"] = str(self._pipe_path)
        self._withdraw()
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
        self._interrupted = None
        self._ready = termios.ISIG if main else 0  # the local modes at the end of the start
        self._has_started = False
        if self._raw:
            os.write(self._inner, RAW)

    def _modes(self) -> int:
        """Return the local modes of the interpreter's terminal; -1 if there is none any more."""
        try:
            return termios.tcgetattr(self._inner)[LOCAL]
        except termios.error:
            return -1

    def _withdraw(self) -> bool:
        """Remove a Ctrl-C from the pipe; return whether there was one."""
        try:
            return bool(os.read(self._pipe, 64))
        except BlockingIOError:
            return False

    def _takes_bytes(self) -> bool:
        """Return whether the interpreter has started, and has dealt with the last Ctrl-C."""
        modes = self._modes()
        if not self._has_started:
            self._has_started = modes == 0 or (modes > 0 and modes & self._ready > 0)
        if self._interrupted:
            runs = self._runs_code()
            if modes == 0 and not runs:
                self._withdraw()
                self._interrupted = None
            elif runs is not False and self._is_late():
                self._interrupted = None  # the program has caught it, and goes on
                if self._withdraw():
                    self._interrupted = time.monotonic(), self._worked()[1]
                    os.kill(self.pid, signal.SIGINT)
        return self._has_started and not self._interrupted

    def _worked(self) -> tuple[str, float]:
        """Return the state of the process, and the seconds it has worked, as Linux counts them.

        Elsewhere "S", it sleeps: only the clock is to be asked.
        """
        try:
            state, *figures = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return "S", 0.0
        return state, sum(map(int, figures[10:12])) / os.sysconf("SC_CLK_TCK")

    def _is_late(self) -> bool:
        """Return whether a program that was interrupted has had the time to look into the pipe.

        It sleeps for long, and a signal does no harm then, or it has worked for long.
        """
        since, worked_before = self._interrupted
        state, worked = self._worked()
        is_long = time.monotonic() > since + SLEEP_SECONDS
        return is_long and (state == "S" or worked > worked_before + SLEEP_SECONDS)

    def _runs_code(self) -> bool | None:
        """Return whether code runs just now, with a signal caught; None where nothing says so."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return None  # macOS: a Ctrl-C does not stop what mpremote runs there
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        return caught >> (signal.SIGINT - 1) & 1 > 0

    def _give(self, data: bytes) -> None:
        """Give bytes to the interpreter, up to a Ctrl-C that interrupts; the others wait.

        A REPL that works will soon run code or read again; until then a Ctrl-C waits too.
        """
        before, interrupt, behind = data.partition(INTERRUPT)
        modes, state = self._modes(), self._worked()[0]
        runs = (modes > 0 and modes & termios.ISIG) or (modes == 0 and self._runs_code())
        if interrupt and runs:
            self._waiting = behind
            self._interrupted = time.monotonic(), self._worked()[1]
            os.write(self._pipe, interrupt)
            data = before
        elif interrupt and modes == 0 and state != "S":
            self._waiting = interrupt + behind
            data = before
        for mode in (RAW, FRIENDLY):
            if mode in data and b"\x05A" not in data:
                self._raw = data.rfind(RAW) > data.rfind(FRIENDLY)
        os.write(self._inner, data)

    def _relay(self) -> None:
        while True:
            if self._closing:
                self._kill()  # by this thread, which may have started it a moment ago
            takes = self._takes_bytes()
            if takes and self._waiting:
                data, self._waiting = self._waiting, b""
                self._give(data)
                takes = not self._waiting
            heard = [self._outer, self._inner] if takes else [self._inner]
            ready = select.select(heard, [], [], 0.05 if takes else LOOK_SECONDS)[0]
            if self._outer in ready:
                self._give(os.read(self._outer, 4096))
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
                code = self._process.returncode
                interrupted = code == -signal.SIGINT
                if code == 0:  # a Ctrl-D: it stays in its mode
                    os.write(self._outer, b"soft reboot\r\n")
                elif not interrupted:
                    self._raw = False
                self._start(interrupted)
