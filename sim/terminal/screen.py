"""Where the picture is shown: a terminal's other screen, or lines where it has none."""

import os
import re
import shutil
import signal
import sys
from collections.abc import Mapping
from types import FrameType
from typing import Protocol

from sim.terminal.paint import Style

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
