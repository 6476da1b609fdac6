"""Keys of a terminal, one by one and at once; the terminal is left as it was."""

import os
import re
import sys
import time
from collections.abc import Sequence

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import UserError

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
