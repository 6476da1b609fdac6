"""A virtual board, started from the desktop, with its wires, its fingers and its clock.

A scenario lives on it in virtual time, in the real interpreter; behind a pty it lives in real time,
for all that talks to boards.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from city_unit.facts import BUTTONS, SWITCH, TONE
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from firmware.board.store import SETTINGS, settings_text
from firmware.boards import BOARDS, describe
from firmware.tool.image import built, sources, unix

with contextlib.suppress(ImportError):  # where there are ptys
    import fcntl
    import pty
    import termios
    import tty

LIB = Path(__file__).parent / "lib"
MAIN = "execfile('main.py')"
SWITCHED_ON = {"changes": [[0, 4]]}  # a world in which the unit is on from the start


def lay(folder: Path, compile_it: bool = False) -> None:
    """Put the firmware into an empty folder, as it would lie on a board."""
    found = {name: source.read_bytes() for name, source in sources().items()}
    for name, content in (built("rp2040") if compile_it else found).items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


@dataclass
class VirtualBoard:
    """A board whose files lie in `folder`, soldered after `board` and `pin_text`.

    heap   of the interpreter; its words are 64 bits, so this is about the heap of a Pico
    world  settings that `lib/world.py` takes, without the wires
    """

    folder: Path
    board: str = "pico"
    pin_text: str = ""
    heap: str = "384k"
    world: dict = field(default_factory=dict)

    def wires(self) -> dict:
        """Return the part of the world's description that follows from the pins."""
        pins = describe(self.board, self.pin_text)
        contacts = {
            pins[name]: bit
            for name, bit in {**BUTTONS, "switch": SWITCH}.items()
            if pins[name] is not None
        }
        chip = BOARDS[self.board].chip.upper()  # no text: a name
        strip = pins["strip"]
        lamps = pins["lamps"] if strip is None else [f"{strip}.{place}" for place in range(TONE)]
        return {
            "contacts": contacts,
            "closed": int(pins["closed"] == "high"),
            "lamps": lamps,
            "lit": int(strip is not None or pins["lamp_on"] == "high"),
            "buzzer": pins["buzzer"],
            "machine": f"{BOARDS[self.board].machine} with {chip}",  # no text: a name
        }

    def command(self, config: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
        """Return the command that gives the board power, and its environment.

        config     a file outside the board's folder, which is written
        arguments  of the interpreter, the last of them code; `main.py` unless others are given
        """
        config.write_text(json.dumps({**self.wires(), **self.world}), encoding="utf-8")
        path = os.pathsep.join([str(LIB), str(self.folder), ".frozen"])
        environment = {**os.environ, "MICROPYPATH": path, "VIRTUAL_BOARD": str(config)}
        environment["HOME"] = str(config.parent)  # where its REPL keeps its history
        words = [unix() or "micropython", "-X", f"heapsize={self.heap}"]
        *options, code = arguments or ("-c", MAIN)
        code = f"import world\nworld.give_power()\n{code}"  # no text: code
        return [*words, *options, code], environment

    def run(self, config: Path, timeout: float = 60) -> str:
        """Run until the world's `end_ms`, and return the printed text.

        Raises subprocess.CalledProcessError if the firmware failed.
        """
        command, environment = self.command(config)
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=True,
        )
        return done.stdout


RAW, FRIENDLY, INTERRUPT = b"\x01", b"\x02", b"\x03"
LOCAL = 3  # the place of the local modes in the list of `termios`
LOOK_SECONDS = 0.01  # how often the modes are looked at while bytes wait
SLEEP_SECONDS = 0.25  # the longest work of a program, in its own time, without a look into the pipe


class Supervised:
    """A virtual board with a REPL, kept alive behind a pty as a real one is behind USB.

    `with Supervised(board, config) as port: ...`

    mpremote and everything else that talks to boards can open `port`. A Ctrl-C that
    comes in interrupts the program, Ctrl-D at the prompt is a soft reset, and a
    `machine.reset` starts `main.py` again. Linux and macOS only.

    However slow the computer is, no Ctrl-C and nothing behind it may be lost: mpremote waits
    for its answer for ever. The Unix port makes a signal of a Ctrl-C, and that is not safe:
    before a program and at its end it ends the process, and in the middle of an import it
    leaves a lock behind, at which the REPL hangs. So a Ctrl-C goes through a pipe, into which a
    program looks whenever it sleeps (`lib/world.py`); only one that does not sleep gets the
    signal. The modes of the terminal, which the interpreter sets, say when it can take bytes:

      at the start   without ISIG: everything waits, as it does until a board has its USB
      program        `lib/world.py` sets ISIG while a Ctrl-C interrupts
      REPL           no local mode at all: a Ctrl-C is a byte, unless code runs

    Bytes behind a Ctrl-C wait for the REPL. An interpreter that is ended by one starts at its REPL.
    """

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


PINS = "switch = 13\n"  # a board with a switch, as the scenarios have one
_BOOT_MS = -100  # a board that got its power before anybody touches it
_LONGEST_S = 600


class NotThere(Exception):
    """There is no Unix port of MicroPython."""


class NotBuiltIn(Exception):
    """The firmware does not have this program."""


class Failed(Exception):
    """The firmware ended with an error; the message is its last words."""


def trace(
    program: Program,
    seed: int,
    changes: Sequence[tuple[int, int]],
    start: int,
    end_ms: int,
    late_ms: int,
) -> list[str]:
    """Return the lines of the trace, as the board's pins show it.

    changes  `(ms, levels)`, the contacts' new levels, in order
    start    of the board's clock, in ms, at ms 0 of the trace
    late_ms  how much longer than asked for each sleep may last, drawn from `seed`
    """
    if not unix():
        raise NotThere
    if program not in PROGRAMS:
        raise NotBuiltIn
    settings = Settings()
    settings.choose(program)
    world = {
        "time": "jump",
        "start": start,
        "boot_ms": _BOOT_MS,
        "end_ms": end_ms,
        "changes": list(changes),
        "seed": seed % (1 << 32),
        "late_ms": late_ms,
        "trace": "-",
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "board")
        folder.mkdir()
        lay(folder)
        (folder / "pins.txt").write_text(PINS, encoding="utf-8")
        (folder / SETTINGS).write_text(settings_text(settings), encoding="utf-8")
        board = VirtualBoard(folder, pin_text=PINS, world=world)
        try:
            return board.run(Path(name, "world.json"), _LONGEST_S).splitlines()
        except subprocess.CalledProcessError as error:
            raise Failed((error.stderr or error.output).strip().splitlines()[-1]) from error
