"""Where the picture is shown: a terminal's other screen, or lines where it has none."""

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Protocol

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import UserError
from sim.terminal.paint import Style

NO_TERMINAL = lazy(
    "this is no terminal to play in; run it in one, or use `city-unit trace FILE` "
    "or `city-unit play --headless`"
)

# The sequences of terminals for keys that are no letters; in Windows a key is two characters.
NAMES = {
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[B": "down",
    "\x1bOB": "down",
    "\x1bOP": "f1",
    "\x1b[11~": "f1",
    "\x1b[[A": "f1",
    "\xe0H": "up",
    "\xe0P": "down",
    "\0;": "f1",
    "\r": "return",
    "\n": "return",
    " ": "space",
    "\x1b": "escape",
    "\x03": "leave",
    "\x04": "leave",
    "\x11": "leave",
}
_KEY = re.compile(r"\x1b(?:\[\[[A-E]|[\[O][0-9;]*[A-Za-z~])|[\0\xe0].|.", re.DOTALL)
_LOOK_AGAIN_S = 0.01  # on Windows no select waits for a key of the console


def keys_of(text: str) -> list[str]:
    """Parse the bytes from a terminal into keys: characters, or names from NAMES."""
    keys: list[str] = _KEY.findall(text)
    return [NAMES.get(key, key) for key in keys]


def open_keyboard() -> "PosixKeyboard | WindowsKeyboard":
    """Return the keyboard of this terminal, to be used in a `with`. Raises UserError."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError(str(NO_TERMINAL))
    return WindowsKeyboard() if os.name == "nt" else PosixKeyboard()


class PosixKeyboard:
    """The keys of a Unix terminal."""

    def __enter__(self) -> "PosixKeyboard":
        import termios
        import tty

        self._file = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._file)
        tty.setcbreak(self._file)
        return self

    def __exit__(self, *_: object) -> None:
        import termios

        termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def read(self, seconds: float, files: Sequence[int] = ()) -> list[str]:
        """Wait at most so long for keys, or until a file can be read; return the keys."""
        import select

        if self._file not in select.select([self._file, *files], [], [], seconds)[0]:
            return []
        data = os.read(self._file, 1024)
        if not data:
            return ["leave"]  # the terminal has gone
        return keys_of(data.decode(errors="replace"))


class WindowsKeyboard:
    """The keys of a Windows console."""

    def __enter__(self) -> "WindowsKeyboard":
        os.system("")  # has the console understand the sequences that we write
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self, seconds: float, files: Sequence[int] = ()) -> list[str]:
        """Wait at most so long for keys and return them; less if there are files to be read."""
        import msvcrt

        end = time.monotonic() + (min(seconds, _LOOK_AGAIN_S) if files else seconds)
        while not msvcrt.kbhit():  # type: ignore[attr-defined]
            if time.monotonic() >= end:
                return []
            time.sleep(_LOOK_AGAIN_S)
        text = ""
        while msvcrt.kbhit():  # type: ignore[attr-defined]
            text += msvcrt.getwch()  # type: ignore[attr-defined]
        return keys_of(text)


_OPEN = "\x1b[?1049h\x1b[?25l"  # another screen, no cursor
_CLOSE = "\x1b[?25h\x1b[?1049l"
_BELL = "\a"
_FIGURES = re.compile(r"\d+")


class Shown(Protocol):
    """The contents of a screen, as `session.Session` has them."""

    def lines(self, style: Style, size: tuple[int, int]) -> list[str]: ...

    def news(self) -> list[str]: ...


class Screen:
    """The part common to both: whatever ends the program, the terminal is left as it was."""

    def __enter__(self) -> "Screen":
        self._handlers = {
            number: signal.signal(number, _quit)
            for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
            if number is not None
        }
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def show(self, shown: Shown, bell: bool) -> None:
        """Show the changes; `bell` is whether a tone begins that nobody else sounds."""
        raise NotImplementedError

    def _write(self, text: str) -> None:
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()


class FullScreen(Screen):
    """The terminal's other screen, which leaves no trace; written only where it has changed."""

    def __init__(self) -> None:
        encoding = (sys.stdout.encoding or "").lower()
        self.style = Style("utf" in encoding, "NO_COLOR" not in os.environ)
        self._shown: list[str] = []
        self._size = os.terminal_size((0, 0))

    def __enter__(self) -> "FullScreen":
        super().__enter__()
        if hasattr(signal, "SIGTSTP"):  # a stopped program would leave the terminal in our hands
            self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        self._write(_OPEN)
        return self

    def __exit__(self, *_: object) -> None:
        self._write(_CLOSE)
        super().__exit__()

    def show(self, shown: Shown, bell: bool) -> None:
        size = shutil.get_terminal_size()
        picture = shown.lines(self.style, size)
        text = _BELL if bell else ""
        if size != self._size:
            self._size, self._shown = size, []
            text += "\x1b[2J"
        for place, line in enumerate(picture):
            if place >= len(self._shown) or self._shown[place] != line:
                text += f"\x1b[{place + 1};1H{line}\x1b[K"
        if len(picture) < len(self._shown):
            text += f"\x1b[{len(picture) + 1};1H\x1b[J"
        self._shown = picture
        self._write(text)


class LineScreen(Screen):
    """A terminal that can only print, or is read aloud: each news once, on a line."""

    def __init__(self) -> None:
        self._said: list[str] = []

    def show(self, shown: Shown, bell: bool) -> None:
        news = shown.news()
        new = [line for line in news if line and _unnumbered(line) not in self._said]
        self._said = [_unnumbered(line) for line in news]
        self._write((_BELL if bell else "") + "".join(f"{line}\n" for line in new))


def _unnumbered(line: str) -> str:
    """Return a line without its figures: a count of seconds that runs is said once.

    What happened begins with its time, by which it differs from what happened before.
    """
    return line if line[:1].isdigit() else _FIGURES.sub("", line)


def open_screen(environ: Mapping[str, str] = os.environ) -> Screen:
    """Return the screen of this terminal: one that cannot move its cursor gets no codes."""
    is_dumb = environ.get("TERM", "" if os.name == "posix" else "windows") in ("", "dumb")
    return LineScreen() if is_dumb else FullScreen()


def _quit(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
