"""Play in the terminal: read keys, show the picture, until the user quits.

The picture is shown on the terminal's alternate screen. A terminal that cannot move its cursor
gets lines of news instead.
"""

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import UserError
from city_unit.facts import BUTTONS
from sim.engine.link_server import LinkServer
from sim.engine.runner import Runner
from sim.face.speaker import Speaker
from sim.play import sign
from sim.play.controls import KEYS, WARNED_S, Controls
from sim.play.offers import Offers
from sim.play.preferences import Preferences
from sim.terminal import picture
from sim.terminal.picture import Style, View

NO_TERMINAL = lazy(
    "this is not a terminal; run it in one, or use `city-unit trace FILE` "
    "or `city-unit play --headless`"
)

# The sequences that terminals send for other keys than letters; those of Windows start with
# \xe0 or \0.
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
    "\x04": "leave",
    "\x11": "leave",
}
_KEY = re.compile(r"\x1b(?:\[\[[A-E]|[\[O][0-9;]*[A-Za-z~])|[\0\xe0].|.", re.DOTALL)
_POLL_S = 0.01  # on Windows select cannot wait for a key of the console


def keys_of(text: str) -> list[str]:
    """Split the input from a terminal into keys: characters, or names from NAMES."""
    keys: list[str] = _KEY.findall(text)
    return [NAMES.get(key, key) for key in keys]


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
        """Wait at most `seconds` for keys, or until one of `files` is readable; return the keys."""
        import select

        if self._file not in select.select([self._file, *files], [], [], seconds)[0]:
            return []
        data = os.read(self._file, 1024)
        if not data:
            return ["leave"]  # the terminal was closed
        return keys_of(data.decode(errors="replace"))


class WindowsKeyboard:
    """The keys of a Windows console."""

    def __enter__(self) -> "WindowsKeyboard":
        os.system("")  # makes the console interpret escape sequences
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self, seconds: float, files: Sequence[int] = ()) -> list[str]:
        """Wait at most `seconds` for keys and return them; a shorter time if there are files."""
        import msvcrt

        end = time.monotonic() + (min(seconds, _POLL_S) if files else seconds)
        while not msvcrt.kbhit():  # type: ignore[attr-defined]
            if time.monotonic() >= end:
                return []
            time.sleep(_POLL_S)
        text = ""
        while msvcrt.kbhit():  # type: ignore[attr-defined]
            text += msvcrt.getwch()  # type: ignore[attr-defined]
        if "\x03" in text:  # Ctrl-C, which is a signal on other systems
            raise KeyboardInterrupt
        return keys_of(text)


_OPEN = "\x1b[?1049h\x1b[?25l"  # alternate screen, no cursor
_CLOSE = "\x1b[?25h\x1b[?1049l"
_BELL = "\a"
_FIGURES = re.compile(r"\d+")


class Screen:
    """Restores the terminal however the program ends, also by a signal."""

    def __enter__(self) -> "Screen":
        self._handlers = {
            number: signal.signal(number, lambda number, _frame: sys.exit(128 + number))
            for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
            if number is not None
        }
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def show(self, controls: "TerminalControls", bell: bool) -> None:
        """Show the changes; `bell` for a tone that starts without a sound device."""
        raise NotImplementedError

    def _write(self, text: str) -> None:
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()


class FullScreen(Screen):
    """The terminal's alternate screen; only changed lines are written."""

    def __init__(self) -> None:
        encoding = (sys.stdout.encoding or "").lower()
        self.style = Style("utf" in encoding, "NO_COLOR" not in os.environ)
        self._shown: list[str] = []
        self._size = os.terminal_size((0, 0))

    def __enter__(self) -> "FullScreen":
        super().__enter__()
        if hasattr(signal, "SIGTSTP"):  # stopping the program would not restore the terminal
            self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        self._write(_OPEN)
        return self

    def __exit__(self, *_: object) -> None:
        self._write(_CLOSE)
        super().__exit__()

    def show(self, controls: "TerminalControls", bell: bool) -> None:
        size = shutil.get_terminal_size()
        picture = controls.lines(self.style, size)
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
    """A terminal that can only print, or a screen reader: prints each piece of news on a line."""

    def __init__(self) -> None:
        self._shown: list[str] = []

    def show(self, controls: "TerminalControls", bell: bool) -> None:
        news = controls.news()
        # Lines that differ only in their figures, such as a count of seconds, are printed once.
        # Events are compared with their figures: they start with their time.
        keys = [line if line[:1].isdigit() else _FIGURES.sub("", line) for line in news]
        new = [
            line for line, key in zip(news, keys, strict=True) if line and key not in self._shown
        ]
        self._shown = keys
        self._write((_BELL if bell else "") + "".join(f"{line}\n" for line in new))


def open_screen(environ: Mapping[str, str] = os.environ) -> Screen:
    """Return the screen for this terminal."""
    is_dumb = environ.get("TERM", "" if os.name == "posix" else "windows") in ("", "dumb")
    return LineScreen() if is_dumb else FullScreen()


_FRAME_S = 0.05  # at least two frames per half period of the fast lamp (125 ms)

TAPS = {"a": "auction", "space": "auction", "b": "build", "return": "build"}
LATCHES = {"A": "auction", "B": "build"}
NAMED_KEYS = {"up": "louder", "down": "softer", "f1": "help", "escape": "close", "leave": "quit"}


def require_terminal() -> None:
    """Raise UserError unless keys can be read and a picture can be shown."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError(str(NO_TERMINAL))


def run(
    runner: Runner, preferences: Preferences, why: str, server: LinkServer, offers: Offers
) -> int:
    """Play until the user quits; return the exit code.

    preferences  changed here, and saved by the caller
    why          why there is no window, "" if the user wanted none
    server       serves the unit's link
    offers       the offers about the saved game
    """
    controls = TerminalControls(runner, preferences, why, offers)
    try:
        with (
            WindowsKeyboard() if os.name == "nt" else PosixKeyboard() as keyboard,
            closing(Speaker("city-unit")) as speaker,
            open_screen() as screen,
        ):
            while controls.is_running:
                screen.show(controls, controls.tone_begins() and not speaker.is_working)
                speaker.tend(controls.sounds_in_s())
                speaker.show(runner.tone, controls.volume)
                server.note_shown(runner.now_us)
                for key in keyboard.read(controls.seconds_to_wait(), server.files()):
                    speaker.wake()
                    controls.do(key)
                controls.turn()
                server.receive(runner.now)
                runner.advance()
                server.send()
    finally:
        controls.remember()
    return 0


class TerminalControls(Controls):
    """The effects of keys on the unit and on the picture."""

    def __init__(self, runner: Runner, preferences: Preferences, why: str, offers: Offers) -> None:
        super().__init__(runner, preferences, offers)
        self.say(preferences.warning, WARNED_S)
        self._why = why
        self._help = 0
        self._size = (80, 24)
        self._tone = 0
        self.actions |= {
            "program": self.next_program,
            "help": lambda: self._turn_page(self._help + 1),
            "close": lambda: self._turn_page(0),
        }

    def lines(self, style: Style, size: tuple[int, int] = (80, 24)) -> list[str]:
        self._size = size
        return picture.lines(self._runner, self._view(), style, size)

    def news(self) -> list[str]:
        """Return all lines to show, for a terminal that can only print; it skips known ones."""
        view, runner = self._view(), self._runner
        happened = []
        while runner.changes:
            change = runner.changes.popleft()
            if change.what in picture.CUES:
                happened.append(picture.happened(change)[0])
        shown = sign.of_unit(runner.unit, runner.now, view.shows_seconds)
        pages = picture.pages(self._size[0], 1000)[0] if view.help else []
        head = picture.title(runner, view.why)
        return [
            head,
            str(picture.HINT),
            *happened,
            *picture.press_lines(shown, self._size[0]),
            view.message,
            *pages,
        ]

    def _view(self) -> View:
        message = self.message() or self.offer()
        preferences = self.preferences
        return View(self._why, message, self._help, preferences.muted, preferences.seconds)

    def tone_begins(self) -> bool:
        """Return whether an audible tone has started since the last call."""
        before, self._tone = self._tone, self._runner.tone
        return bool(self._tone and not before and self.volume)

    def seconds_to_wait(self) -> float:
        """Return how long to wait for a key, in seconds."""
        due = self._runner.seconds_to_due()
        return _FRAME_S if due is None else min(due, _FRAME_S)

    def do(self, key: str) -> None:
        """Perform the action of a key, if it has one."""
        self.say("")
        if key not in LATCHES:
            key = key.lower()
        if key in TAPS:
            self._runner.tap(TAPS[key])
        elif key in LATCHES:
            button = LATCHES[key]
            if self._runner.is_closed(BUTTONS[button]):
                self._runner.release(button)
            else:
                self._runner.press(button)
        elif action := NAMED_KEYS.get(key) or KEYS.get(key):
            self.actions[action]()

    def next_program(self) -> None:
        settings = self._runner.unit.settings
        place = settings.programs.index(settings.program) + 1
        program = settings.programs[place % len(settings.programs)]
        self.begin(program)

    def _turn_page(self, page: int) -> None:
        """Open the help at a page, from 1; 0 or a page after the last closes it."""
        self._help = page if page <= len(picture.pages(*self._size)) else 0
