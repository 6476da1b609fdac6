"""Keys of a terminal, one by one and at once; the terminal is left as it was."""

import os
import re
import sys
import time

from sim import texts_terminal as texts
from sim.errors import UserError

# What terminals send for keys that are no letters; in Windows a key is two characters.
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
_LOOK_AGAIN_S = 0.01


def keys_of(text: str) -> list[str]:
    """Return the keys of what a terminal has sent: characters, or names from NAMES."""
    keys: list[str] = _KEY.findall(text)
    return [NAMES.get(key, key) for key in keys]


def open_keyboard():
    """Return the keyboard of this terminal, to be used in a `with`. Raises UserError."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError(texts.NO_TERMINAL)
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

    def __exit__(self, *_) -> None:
        import termios

        termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def read(self, seconds: float) -> list[str]:
        """Wait at most so long for keys and return them."""
        import select

        if not select.select([self._file], [], [], seconds)[0]:
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

    def __exit__(self, *_) -> None:
        pass

    def read(self, seconds: float) -> list[str]:
        """Wait at most so long for keys and return them."""
        import msvcrt

        end = time.monotonic() + seconds
        while not msvcrt.kbhit():  # type: ignore[attr-defined]
            if time.monotonic() >= end:
                return []
            time.sleep(_LOOK_AGAIN_S)
        text = ""
        while msvcrt.kbhit():  # type: ignore[attr-defined]
            text += msvcrt.getwch()  # type: ignore[attr-defined]
        return keys_of(text)
