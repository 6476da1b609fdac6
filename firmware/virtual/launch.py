"""Start a virtual board from the desktop, with simulated wiring, contacts and clock.

A scenario runs on it in virtual time, in a real MicroPython interpreter. Behind a pty it runs in
real time, for every program that talks to boards.
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

from city_unit.facts import BUTTONS, LAMP_COUNT, SWITCH
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
SWITCHED_ON = {"changes": [[0, 4]]}  # a setting of the world: the unit is on from the start


def lay(folder: Path, compile_it: bool = False) -> None:
    """Copy the firmware into an empty folder, with the layout of a board."""
    found = {name: source.read_bytes() for name, source in sources().items()}
    for name, content in (built("rp2040") if compile_it else found).items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


@dataclass
class VirtualBoard:
    """A board with its files in `folder`, wired as `board` and `pin_text` say.

    heap   of the interpreter; with its 64-bit words this is equivalent to the heap of a Pico
    world  settings for `lib/world.py`, without the wiring
    """

    folder: Path
    board: str = "pico"
    pin_text: str = ""
    heap: str = "384k"
    world: dict = field(default_factory=dict)

    def wires(self) -> dict:
        """Return the world's settings that follow from the pins."""
        pins = describe(self.board, self.pin_text)
        contacts = {
            pins[name]: bit
            for name, bit in {**BUTTONS, "switch": SWITCH}.items()
            if pins[name] is not None
        }
        chip = BOARDS[self.board].chip.upper()  # no text: a name
        strip = pins["strip"]
        lamps = pins["lamps"]
        if strip is not None:
            lamps = [f"{strip}.{place}" for place in range(LAMP_COUNT)]
        return {
            "contacts": contacts,
            "closed": int(pins["closed"] == "high"),
            "lamps": lamps,
            "lit": int(strip is not None or pins["lamp_on"] == "high"),
            "buzzer": pins["buzzer"],
            "machine": f"{BOARDS[self.board].machine} with {chip}",  # no text: a name
        }

    def command(self, config: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
        """Return the command that starts the board, and its environment.

        config     the file for the settings, outside the board's folder; it is written here
        arguments  of the interpreter, the last one code; by default `main.py` runs
        """
        config.write_text(json.dumps({**self.wires(), **self.world}), encoding="utf-8")
        path = os.pathsep.join([str(LIB), str(self.folder), ".frozen"])
        environment = {**os.environ, "MICROPYPATH": path, "VIRTUAL_BOARD": str(config)}
        environment["HOME"] = str(config.parent)  # for the history of its REPL
        words = [unix() or "micropython", "-X", f"heapsize={self.heap}"]
        *options, code = arguments or ("-c", MAIN)
        code = f"import world\nworld.give_power()\n{code}"  # no text: code
        return [*words, *options, code], environment

    def run(self, config: Path, *arguments: str, timeout: float = 60) -> str:
        """Run `command` until the world's `end_ms` or the end of the code; return the output.

        Raises subprocess.CalledProcessError if it failed.
        """
        command, environment = self.command(config, *arguments)
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
LOCAL = 3  # the index of the local modes in the list of `termios`
LOOK_SECONDS = 0.01  # how often the modes are polled while bytes wait
SLEEP_SECONDS = 0.25  # the most processor time a program uses before it checks the pipe


class Supervised:
    """A virtual board with a REPL, kept running behind a pty as a real one is behind USB.

    `with Supervised(board, config) as port: ...`

    Programs for boards, such as mpremote, can open `port`. Ctrl-C interrupts the program, Ctrl-D at
    the prompt is a soft reset, and `machine.reset` restarts `main.py`. Linux and macOS only.

    No Ctrl-C and no byte after it may be lost, however slow the computer is: mpremote waits for the
    response forever. The Unix port turns a Ctrl-C into a signal, which is unsafe. Before and at the
    end of a program the signal ends the process; during an import it leaves a lock held, and the
    REPL hangs. Therefore a Ctrl-C goes through a pipe that the program checks whenever it sleeps
    (`lib/world.py`); only a program that does not sleep gets the signal. The terminal modes, set by
    the interpreter, show when it can accept bytes:

      start-up  without ISIG: all bytes wait, as they do until a board has its USB
      program   `lib/world.py` sets ISIG while a Ctrl-C interrupts
      REPL      no local modes: a Ctrl-C is a byte, unless code runs

    Bytes after a Ctrl-C wait for the REPL. If a Ctrl-C ends the interpreter, it restarts at the
    REPL.
    """

    def __init__(self, board: VirtualBoard, config: Path) -> None:
        self._board = board
        self._config = config
        self._raw = False  # whether the REPL is in raw mode
        self._closing = False
        self._waiting = b""  # bytes after a Ctrl-C
        # The time of a Ctrl-C that has not taken effect, and the program's processor time then.
        self._interrupted: tuple[float, float] | None = None
        self.starts = 0  # starts of the interpreter, including resets

    def __enter__(self) -> str:
        """Start the board; return its port."""
        self._outer, line = pty.openpty()
        tty.setraw(line)
        self._line = line  # kept open, so that the port survives its users
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
        """Return the process ID of the current interpreter."""
        return self._process.pid

    def pull(self) -> None:
        """Cut the power and restore it."""
        starts = self.starts
        self._kill()
        while self.starts == starts:
            time.sleep(0.01)

    def _kill(self) -> None:
        if self._process.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _start(self, at_repl: bool = False) -> None:
        """Start the interpreter in a terminal of its own, with `main.py` unless `at_repl`."""
        self._inner, terminal = pty.openpty()
        tty.setraw(terminal)
        modes = termios.tcgetattr(terminal)
        for key in (termios.VQUIT, termios.VSUSP):  # a board handles only ^C
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
        self._ready = termios.ISIG if main else 0  # the local modes when it has started
        self._has_started = False
        if self._raw:
            os.write(self._inner, RAW)

    def _modes(self) -> int:
        """Return the local modes of the interpreter's terminal; -1 if it is gone."""
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
        """Return whether the interpreter has started and the last Ctrl-C has taken effect."""
        modes = self._modes()
        if not self._has_started:
            self._has_started = modes == 0 or (modes > 0 and modes & self._ready > 0)
        if self._interrupted:
            runs = self._runs_code()
            if modes == 0 and not runs:
                self._withdraw()
                self._interrupted = None
            elif runs is not False:
                # Has the program had enough time to check the pipe? Either it has been asleep for
                # long, when a signal is harmless, or it has used much processor time.
                since, worked_before = self._interrupted
                state, worked = self._worked()
                is_long = time.monotonic() > since + SLEEP_SECONDS
                if is_long and (state == "S" or worked > worked_before + SLEEP_SECONDS):
                    self._interrupted = None  # the program caught it and continues
                    if self._withdraw():
                        self._interrupted = time.monotonic(), worked
                        os.kill(self.pid, signal.SIGINT)
        return self._has_started and not self._interrupted

    def _worked(self) -> tuple[str, float]:
        """Return the state of the process and its processor time in seconds, from Linux's /proc.

        Other systems have neither; "S" (sleeping) makes the callers rely on the clock alone.
        """
        try:
            state, *figures = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return "S", 0.0
        return state, sum(map(int, figures[10:12])) / os.sysconf("SC_CLK_TCK")

    def _runs_code(self) -> bool | None:
        """Return whether code is running, with SIGINT handled; None if the system cannot tell."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return None  # macOS: a Ctrl-C does not stop code that mpremote runs
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        return caught >> (signal.SIGINT - 1) & 1 > 0

    def _give(self, data: bytes) -> None:
        """Pass bytes to the interpreter, up to a Ctrl-C that interrupts; later ones wait.

        If the REPL is busy it will soon run code or read again; until then a Ctrl-C waits too.
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
                self._kill()  # in this thread, which may have just restarted it
            takes = self._takes_bytes()
            if takes and self._waiting:
                data, self._waiting = self._waiting, b""
                self._give(data)
                takes = not self._waiting
            files = [self._outer, self._inner] if takes else [self._inner]
            ready = select.select(files, [], [], 0.05 if takes else LOOK_SECONDS)[0]
            if self._outer in ready:
                self._give(os.read(self._outer, 4096))
            if self._inner in ready:
                try:
                    os.write(self._outer, os.read(self._inner, 4096))
                    continue
                except OSError:
                    pass  # the interpreter has ended
            if self._process.poll() is not None:
                os.close(self._inner)
                if self._closing:
                    return
                code = self._process.returncode
                interrupted = code == -signal.SIGINT
                if code == 0:  # a Ctrl-D, which keeps the REPL's mode
                    os.write(self._outer, b"soft reboot\r\n")
                elif not interrupted:
                    self._raw = False
                self._start(interrupted)


PINS = "switch = 13\n"  # the scenarios use a switch
_BOOT_MS = -100  # power-on, before the first contact of a scenario
_LONGEST_S = 600


class NotThere(Exception):
    """MicroPython's Unix port is missing."""


class NotBuiltIn(Exception):
    """The firmware does not have this program."""


class Failed(Exception):
    """The firmware ended with an error; the message is its last line of output."""


def trace(
    program: Program,
    seed: int,
    changes: Sequence[tuple[int, int]],
    start: int,
    end_ms: int,
    late_ms: int,
) -> list[str]:
    """Run a scenario; return the lines of its trace, recorded at the board's pins.

    changes  `(ms, levels)`, the contacts' new levels, in order
    start    the board's clock in ms at ms 0 of the trace
    late_ms  the longest random delay of each sleep, drawn from `seed`
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
            return board.run(Path(name, "world.json"), timeout=_LONGEST_S).splitlines()
        except subprocess.CalledProcessError as error:
            raise Failed((error.stderr or error.output).strip().splitlines()[-1]) from error
