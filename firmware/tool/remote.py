"""Find a board, talk to its REPL, and diagnose a silent unit; read a user's pin file.

Boards are found by the vendor of their USB interface, never by a port's name. A `Remote` is one
session with a board's REPL through mpremote: `begin` opens it, `ask` runs scripts and `copy` writes
files, and `restart` or `close` ends it.
"""

import argparse
import contextlib
import io
import json
import os
import struct
import sys
from binascii import b2a_base64
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from serial import Serial
from serial.tools import list_ports

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UNCHECKED, UserError
from city_unit.desktop.files import cannot_read
from city_unit.facts import BAUD
from firmware.board.pins import FILE, PinError
from firmware.board.store import CRASHES, SETTINGS
from firmware.boards import PinFileError, describe, this_board
from firmware.tool.image import FIRST, LATER

if TYPE_CHECKING:
    from mpremote.transport_serial import SerialTransport

# The command in a copy of the project.
START = "py start.py" if os.name == "nt" else "python3 start.py"  # no text: typed as it stands

NO_BOARD_FOUND = lazy(
    "no board found; connect it with a USB data cable, or name its port with --port"
)
SEVERAL = lazy("several boards: {ports}; choose one with --port")

# USB vendors: Raspberry Pi, Espressif, and the makers of the two usual USB bridges on ESP32 boards
# (CP210x, CH340).
VENDORS = (0x2E8A, 0x303A, 0x10C4, 0x1A86)


def add_board(parser: argparse.ArgumentParser) -> None:
    """Add `--port` and `--pins`."""
    port = _("the board's port; found automatically if there is only one board")
    pins = _("also put this pin file on the board (see part 9 of firmware/README.md)")
    parser.add_argument("--port", metavar=_("PORT"), help=port)
    parser.add_argument("--pins", metavar=_("FILE"), help=pins)


def is_there(port: str) -> bool:
    """Return whether the system has a serial port with this name."""
    if os.name == "posix":
        return Path(port).exists()
    return port.upper() in (found.device.upper() for found in list_ports.comports())


def choose() -> str:
    """Return the port of the only board; if there are several, ask the user."""
    found = sorted(port.device for port in list_ports.comports() if port.vid in VENDORS)
    if not found:
        raise UserError(str(NO_BOARD_FOUND), UNCHECKED)
    if len(found) == 1:
        return found[0]
    listed = ", ".join(found)
    if sys.stdin.isatty():
        answer = input(_("Which board? {ports}\nPort: ").format(ports=listed)).strip()
        if answer in found:
            return answer
    raise UserError(SEVERAL.format(ports=listed))


NO_PORT = lazy("no port {port}; is the board connected?")
NOT_ALLOWED = lazy(
    "no permission to open {port}; on Linux: sudo usermod -aG dialout $USER, then log out and in"
)
BUSY = lazy("{port} cannot be opened ({reason}); close other programs that use it")
PUT_MICROPYTHON = lazy(
    "put MicroPython on the board: hold BOOTSEL (a Pico) while you connect it, and copy the file"
    " for your board from micropython.org/download (RPI_PICO, RPI_PICO_W, RPI_PICO2 or"
    " RPI_PICO2_W, .uf2) onto the drive that appears; for an ESP32, see firmware/README.md"
)
NO_ANSWER = lazy(
    "{port} does not respond like MicroPython ({reason}); if the unit is on the board, hold AUCTION"
    " at power-on and run this again; otherwise {advice}"
)
NO_SENSE = lazy("unexpected response")
NO_END = lazy("endless response")
FAILED = lazy("the board stopped responding ({reason}); reconnect it and run the command again")

# The timeout of each attempt, in seconds. A unit connected to a desktop ignores Ctrl-C, until the
# desktop has been silent for five seconds.
TRIES = 2, 4, 8
TIMEOUT = 30  # seconds; the longest step on a board takes five
PIECE = 8192  # bytes of a file per script; smaller pieces cost pauses, larger ones memory
START_SECONDS = 4  # a unit that cannot start reports it within this time
LONGEST_START = 10_000  # bytes
MOST_READ = 1 << 18  # bytes per response, and
MOST_SECONDS = 2 * TIMEOUT  # its duration: a different device at the port may send endlessly

# Bytes that interrupt the program and leave the raw REPL; bytes that restart; the restart's output.
STOP, SOFT_RESET = b"\r\x03\x03\r\x02", b"\r\x04"
RESTARTED = "soft reboot"  # no text: MicroPython's words
PROMPTS = ("MicroPython", "Type ", ">>>")

# The scripts that `flash` runs on the board. Each prints JSON or nothing. Paths are relative to the
# root of the board. After an interruption the board can always be reached: our `main.py` is there
# only if all other files are right, and an owner's stays until then.

KEPT = (FILE, SETTINGS, CRASHES)  # the owner's, which stay when the unit is updated
# Our files in the root of a board, except main.py.
NAMES = (*(f"{module}.{kind}" for module in (FIRST, LATER) for kind in ("mpy", "py")), *KEPT)
FOLDERS = ("city_unit", "firmware")  # on a virtual board, which has the source tree
OURS = b"firmware.board."  # only our main.py contains it
BEFORE = "main.py.before"  # the owner's earlier main.py; a second one is "main.py.before-2"

# Disable the watchdog, which nobody feeds while files are written: clear its bit on an RP2 (through
# the bit-clear alias of the register), or set its timeout to an hour.
STAND_DOWN = """
import machine, os
place = {"RP2040": 0x4005B000, "RP2350": 0x400DB000}.get(os.uname().machine.split()[-1])
if place:
    machine.mem32[place] = 1 << 30
elif "pins.txt" in os.listdir():
    with open("pins.txt") as file:
        words = file.read().replace(" ", "")
    if "watchdog=on" in words:
        machine.WDT(timeout=3600000)
print("null")
"""  # no text: a program for the board

# Print the board, the checksum of every file that could be ours, and the beginning of main.py with
# our version. The files may be broken, so none is run.
LOOK = f"""
import binascii, hashlib, json, os, sys
def checksum(name):
    digest = hashlib.sha256()
    with open(name, "rb") as file:
        while True:
            part = file.read(512)
            if not part:
                return binascii.hexlify(digest.digest()).decode()
            digest.update(part)
def look(folder, found):
    for entry in os.ilistdir(folder):
        name = folder + "/" + entry[0]
        if entry[1] == 0x4000:
            look(name, found)
        else:
            found[name] = checksum(name)
found = {{}}
here = os.listdir()
for name in here:
    if name.startswith("main.py") or name in {NAMES!r}:
        found[name] = checksum(name)
for name in {FOLDERS!r}:
    if name in here:
        look(name, found)
head = open("main.py", "rb").read(800) if "main.py" in here else b""
pins = open("pins.txt").read() if "pins.txt" in here else ""
ours = "main.py" in here and {OURS!r} in open("main.py", "rb").read()
room = os.statvfs("/")
sizes = {{name: os.stat(name)[6] for name in found}}
print(json.dumps({{"machine": os.uname().machine, "version": list(sys.implementation[1][:3]),
    "mpy": sys.implementation._mpy & 255, "files": found, "pins": pins,
    "head": binascii.hexlify(head).decode(), "ours": ours,
    "block": room[1], "free": room[1] * room[3], "sizes": sizes}}))
"""  # no text: a program for the board

# Print the named files in hexadecimal digits.
FETCH = """
import binascii, json, os
here = os.listdir()
found = {{}}
for name in {names!r}:
    if name in here:
        with open(name, "rb") as file:
            found[name] = binascii.hexlify(file.read()).decode()
print(json.dumps(found))
"""  # no text: a program for the board

# Remove main.py if it is ours, then the unwanted files, then our folders that are empty.
PREPARE = """
import os
def tidy(folder):
    for entry in list(os.ilistdir(folder)):
        if entry[1] == 0x4000:
            tidy(folder + "/" + entry[0])
    try:
        os.rmdir(folder)
    except OSError:
        pass
if "main.py" in os.listdir():
    with open("main.py", "rb") as file:
        ours = {ours!r} in file.read()
    if ours:
        os.remove("main.py")
for name in {unwanted!r}:
    os.remove(name)
for name in {folders!r}:
    if name in os.listdir():
        tidy(name)
print("null")
"""  # no text: a program for the board

# Move main.py into place atomically; print the new name of the owner's main.py, or "".
FINISH = f"""
import json, os
here = os.listdir()
kept = ""
if "main.py" in here:
    kept, number = {BEFORE!r}, 2
    while kept in here:
        kept, number = "{BEFORE}-%d" % number, number + 1
    os.rename("main.py", kept)
os.rename("main.py.new", "main.py")
print(json.dumps(kept))
"""  # no text: a program for the board

# Rename the owner's latest main.py back; print the name it was kept under, or "".
RESTORE = f"""
import json, os
here = os.listdir()
earlier = sorted([(len(name), name) for name in here if name.startswith({BEFORE!r})])
restored = ""
if earlier and "main.py" not in here:
    restored = earlier[-1][1]
    os.rename(restored, "main.py")
print(json.dumps(restored))
"""  # no text: a program for the board

# Write pieces of files: name, mode ("wb" or "ab"), content.
COPY = """
from binascii import a2b_base64
for name, mode, content in {pieces!r}:
    with open(name, mode) as file:
        file.write(a2b_base64(content))
print("null")
"""  # no text: a program for the board
RESTART = "import machine, time; time.sleep_ms(50); machine.reset()"  # no text: code


class Remote:
    """A session with the REPL of the board at `port`."""

    def __init__(self, port: str) -> None:
        self.port = port
        self._line: SerialTransport | None = None
        self._limit(0)

    def begin(self, script: str) -> Any:
        """Open the session: stop the board's program, soft-reset it, and run a script like `ask`.

        Raises UserError if no MicroPython responds.
        """
        if not is_there(self.port):
            raise UserError(NO_PORT.format(port=self.port), UNCHECKED)
        if os.name == "posix" and not os.access(self.port, os.R_OK | os.W_OK):
            raise UserError(NOT_ALLOWED.format(port=self.port), FAILURE)
        reason = ""
        for seconds in TRIES:
            try:
                self.close()
                self._open(seconds)
                self.ask(STAND_DOWN)
                return self.ask(script)
            except UserError as error:
                reason = str(error.__cause__ or error)
            if "access" in reason:
                raise UserError(BUSY.format(port=self.port, reason=reason), FAILURE)
        advice = str(PUT_MICROPYTHON)
        raise UserError(NO_ANSWER.format(port=self.port, reason=reason, advice=advice), FAILURE)

    def ask(self, script: str) -> Any:
        """Run a script on the board; return the JSON of its last printed line."""
        with self._session() as line:
            printed = line.exec(script).decode()
        lines = printed.strip().splitlines()
        try:
            return json.loads(lines[-1]) if lines else None
        except (ValueError, RecursionError):
            raise UserError(FAILED.format(reason=NO_SENSE), FAILURE) from None

    def copy(self, name: str, content: bytes) -> None:
        for place in range(0, max(1, len(content)), PIECE):
            part = b2a_base64(content[place : place + PIECE], newline=False)
            self.ask(COPY.format(pieces=[(name, "ab" if place else "wb", part)]))

    def listen(self) -> list[str]:
        """Start `main.py` as at power-on, and return the lines it prints.

        mpremote always stops the program, so this drives the REPL directly. Raises UserError if the
        line breaks.
        """
        self.close()
        try:
            with Serial(self.port, BAUD, timeout=START_SECONDS, exclusive=True) as line:
                line.write(STOP + SOFT_RESET)
                printed = line.read(LONGEST_START).decode(errors="replace")
        except OSError as error:
            raise UserError(FAILED.format(reason=error), FAILURE) from None
        lines = [part.strip() for part in printed.partition(RESTARTED)[2].splitlines()]
        return [part for part in lines if part and not part.startswith(PROMPTS)]

    def restart(self) -> None:
        """Restart the board as at power-on, and end the session."""
        with self._session() as line:
            line.exec_raw_no_follow(RESTART)
        self.close()

    def close(self) -> None:
        """End the session, if there is one."""
        line, self._line = self._line, None
        if line:
            with contextlib.suppress(OSError):
                line.close()

    def _open(self, seconds: int = TRIES[-1]) -> None:
        from mpremote.transport_serial import SerialTransport

        with self._failures():
            self._line = SerialTransport(self.port, timeout=seconds)
            read = self._line.serial.read

            def read_some(size: int = 1) -> bytes:
                data = read(size)
                self._left -= len(data)
                if self._left < 0 or monotonic() > self._until:
                    raise OSError(NO_END)
                return data

            self._line.serial.read = read_some  # pyright: ignore[reportAttributeAccessIssue]
            self._limit(4 * seconds)
            self._line.enter_raw_repl(timeout_overall=seconds)
            self._line.serial.timeout = TIMEOUT  # pyright: ignore[reportAttributeAccessIssue]

    def _limit(self, seconds: float) -> None:
        """Limit the next response. mpremote itself reads as long as bytes arrive."""
        self._left, self._until = MOST_READ, monotonic() + seconds

    @contextlib.contextmanager
    def _session(self):
        """Provide the transport, opened if necessary; turn its failures into UserError."""
        if self._line is None:
            self._open()
        assert self._line is not None
        self._limit(MOST_SECONDS)
        with self._failures():
            yield self._line

    @contextlib.contextmanager
    def _failures(self):
        from mpremote.transport import TransportError, TransportExecError

        try:
            with contextlib.redirect_stdout(io.StringIO()):  # mpremote prints unexpected responses
                yield
        except TransportExecError as error:
            lines = error.error_output.strip().splitlines()
            reason = lines[-1] if lines else NO_SENSE
            raise UserError(FAILED.format(reason=reason), FAILURE) from None
        except (TransportError, OSError, struct.error, ValueError) as error:
            self.close()
            reason = str(error) or _("no answer in time")
            raise UserError(FAILED.format(reason=reason), FAILURE) from error


# The types in the report of the script LOOK, and of the values inside its lists and tables.
_LOOKED = {
    "machine": str,
    "pins": str,
    "head": str,
    "ours": bool,
    "mpy": int,
    "block": int,
    "free": int,
    "version": list,
    "files": dict,
    "sizes": dict,
}
_INSIDE = {"version": int, "files": str, "sizes": int}


def validated(found: Any, port: str) -> dict:
    """Return the report of the script LOOK if it is well-formed; raises UserError otherwise."""
    try:
        if {name: type(found[name]) for name in _LOOKED} != _LOOKED or found["block"] < 1:
            raise ValueError(found)
        for name, kind in _INSIDE.items():
            inside = found[name] if name == "version" else found[name].values()
            if not all(type(value) is kind for value in inside):
                raise ValueError(found)
        if found["files"].keys() != found["sizes"].keys():
            raise ValueError(found)
        bytes.fromhex(found["head"])
    except (TypeError, KeyError, IndexError, ValueError):
        words = NO_ANSWER.format(port=port, reason=NO_SENSE, advice=PUT_MICROPYTHON)
        raise UserError(words, FAILURE) from None
    return found


NOT_ON_IT = lazy("{port} has MicroPython, but not the unit; install it with: {start} flash")
MARKED = lazy(
    "pins.txt at {port} begins with an invisible mark (BOM), as some editors write it;"
    " remove it with: {start} flash"
)
BOARD_SAYS = lazy("the unit at {port} does not run; its board says: {line}")
LINK_ELSEWHERE = lazy(
    "pins.txt says link = uart: the unit answers on those two pins, not at {port}"
)


def diagnose_silence(port: str, error: host.LinkError) -> str:
    """Return why the unit at `port` did not answer, as text for people.

    If the board's REPL responds, the unit is started again; "" means that this was enough.
    """
    if isinstance(error, host.Busy) or not is_there(port) or not find_spec("mpremote"):
        return str(error)
    try:
        with closing(Remote(port)) as remote:
            return diagnose(remote)
    except UserError as board_error:
        return str(board_error)


def diagnose(remote: Remote) -> str:
    """Start the unit, read its output, and return the fault as text for people; "" for none.

    Raises UserError if no MicroPython responds.
    """
    found = validated(remote.begin(LOOK), remote.port)
    if not found["ours"]:
        return NOT_ON_IT.format(start=START, port=remote.port)
    printed = remote.listen()
    if found["pins"].startswith(MARK):
        return MARKED.format(start=START, port=remote.port)
    if printed:
        return BOARD_SAYS.format(port=remote.port, line=printed[-1])
    with contextlib.suppress(PinError):
        if describe(this_board(found["machine"]), found["pins"])["link"] == "uart":
            return LINK_ELSEWHERE.format(port=remote.port)
    return ""


# A user's pin file.

MARK = "\ufeff"  # a byte order mark, as some editors write it; a board does not skip it


_MOST_PINS = 20_000  # characters of a pin file; the path may name an endless device


def read_pins(file: str | Path) -> str:
    """Return the text of a pin file without its byte order mark; raises UserError."""
    try:
        with open(file, encoding="utf-8-sig") as content:
            text = content.read(_MOST_PINS + 1)
        if len(text) <= _MOST_PINS:
            return text
    except OSError as error:
        raise cannot_read(file, error) from None
    except UnicodeError:
        pass
    raise UserError(_("{file} is not a text file in UTF-8").format(file=file))


def pins_of(board: str, text: str, file: str | Path) -> dict:
    """Return the description of a board's pins with a pin file applied.

    Raises UserError with the line of the error.
    """
    try:
        return describe(board, text)
    except PinFileError as error:
        name = error.what.partition("=")[0].strip()
        names = [line.partition("#")[0].partition("=")[0].strip() for line in text.split("\n")]
        if name not in names:  # its lines clash with a default of another name
            raise UserError(_("{file}: {error}").format(file=file, error=error)) from None
        last = len(names) - names[::-1].index(name)
        words = {"file": file, "line": last, "error": error}
        raise UserError(_("{file}, line {line}: {error}").format(**words)) from None
