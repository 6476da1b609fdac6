"""An evening in the terminal: keys go in, the picture comes out, until somebody quits."""

import os
import shutil
import signal
import sys
from contextlib import closing

from city_unit.unit import SWITCH
from sim.decisions import Decisions
from sim.runner import BUTTONS, Runner
from sim.saying import Saying
from sim.terminal.keyboard import open_keyboard
from sim.terminal.picture import Style, View, lines

_FRAME_S = 0.05
_SERVING_S = 0.005  # how long at most a message on the link waits for the keyboard
_WARNED_S = 15.0  # how long a warning stays that came with the start

_OPEN = "\x1b[?1049h\x1b[?25l"  # another screen, no cursor
_CLOSE = "\x1b[?25h\x1b[?1049l"
_BELL = "\a"

TAPS = {"a": "auction", "space": "auction", "b": "build", "return": "build"}
LATCHES = {"A": "auction", "B": "build"}


def run(runner: Runner, preferences, why: str, server, open_speaker) -> int:
    """Play until the person quits; return the exit status. Raises UserError without a terminal.

    preferences  what is remembered; it is changed here, and saved by the caller
    why          the line that says why there is no window
    server       the unit's link, to be served meanwhile, or None
    open_speaker returns what sounds the tones; if that does not work, the terminal's bell
                 rings as a tone begins
    """
    session = Session(runner, preferences, why)
    try:
        with open_keyboard() as keyboard, closing(open_speaker()) as speaker, Screen() as screen:
            while not session.over:
                screen.show(
                    session.lines(screen.style, screen.size()),
                    session.begins() and not speaker.working,
                )
                speaker.show(runner.tone, session.volume)
                if server is not None and server.link.watched:
                    server.link.shown(runner.now_us)
                for key in keyboard.read(session.patience(server)):
                    session.do(key)
                runner.advance()
                if server is not None:
                    serve(runner, server)
    except KeyboardInterrupt:
        pass
    finally:
        session.remember()
    return 0


def serve(runner: Runner, server) -> None:
    server.receive(runner.now)
    runner.advance()
    server.send()


class Session:
    """What the keys do to the unit and to its picture."""

    def __init__(self, runner: Runner, preferences, why: str = "") -> None:
        self.over = False
        self._runner = runner
        self._preferences = preferences
        self._why = why
        self._saying = Saying(runner)
        self._saying.say(preferences.warning, _WARNED_S)
        self._decisions = Decisions(runner)
        self._keys = False
        self._tone = 0

    def lines(self, style: Style, size: tuple[int, int] = (80, 24)) -> list[str]:
        view = View(self._why, self._saying.now(), self._keys, self._preferences.muted)
        return lines(self._runner, view, style, size)

    @property
    def volume(self) -> int:
        """How loud it is here, 0 to 3."""
        return 0 if self._preferences.muted else self._runner.unit.settings.volume

    def begins(self) -> bool:
        """Return whether a tone has begun since the last call, and is to be heard."""
        before, self._tone = self._tone, self._runner.tone
        return bool(self._tone and not before and self.volume)

    def patience(self, server) -> float:
        """Return how many seconds may be waited for a key."""
        due = self._runner.seconds_to_due()
        frame = _FRAME_S if server is None else _SERVING_S
        return frame if due is None else min(due, frame)

    def remember(self) -> None:
        """Put what the unit has been set to into the preferences."""
        settings = self._runner.unit.settings
        self._preferences.program = settings.program.name
        self._preferences.clock_ms = settings.clock_ms
        self._preferences.volume = settings.volume

    def do(self, key: str) -> None:
        """Do what a key is for; a key that is for nothing does nothing."""
        self._saying.say("")
        runner = self._runner
        if key not in LATCHES:
            key = key.lower()
        if key in TAPS:
            runner.tap(TAPS[key])
        elif key in LATCHES:
            self._latch(LATCHES[key])
        elif key == "o":
            runner.switch(not runner.is_closed(SWITCH))
        elif key == "p":
            runner.paused = not runner.paused
        elif key == "n":
            runner.single_step()
        elif key in "+=":
            runner.faster()
        elif key == "-":
            runner.slower()
        elif key == "0":
            runner.speed = 1.0
        elif key in ("up", "down"):
            self._louder(1 if key == "up" else -1)
        elif key == "m":
            self._preferences.muted = not self._preferences.muted
        elif key == "c":
            self._next_program()
        elif key in ("h", "?", "f1"):
            self._keys = not self._keys
        elif key == "escape":
            self._keys = False
        elif key == "q":
            self._leave()
        elif key == "leave":
            self.over = True

    def _latch(self, button: str) -> None:
        if self._runner.is_closed(BUTTONS[button]):
            self._runner.release(button)
        else:
            self._runner.press(button)

    def _louder(self, step: int) -> None:
        settings = self._runner.unit.settings
        settings.volume = min(max(settings.volume + step, 0), 3)

    def _next_program(self) -> None:
        settings = self._runner.unit.settings
        place = settings.programs.index(settings.program) + 1
        program = settings.programs[place % len(settings.programs)]
        self._saying.say(self._decisions.choose(program))

    def _leave(self) -> None:
        question = self._decisions.leave()
        self._saying.say(question)
        self.over = not question


class Screen:
    """The terminal's other screen, which leaves no trace; written only where it has changed."""

    def __init__(self) -> None:
        encoding = (sys.stdout.encoding or "").lower()
        dumb = os.environ.get("TERM") == "dumb"
        self.style = Style("utf" in encoding, not dumb and "NO_COLOR" not in os.environ)
        self._shown: list[str] = []
        self._size = os.terminal_size((0, 0))

    def __enter__(self) -> "Screen":
        self._handlers = {
            number: signal.signal(number, _quit)
            for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
            if number is not None
        }
        if hasattr(signal, "SIGTSTP"):  # a stopped program would leave the terminal in our hands
            self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        self._write(_OPEN)
        return self

    def __exit__(self, *_) -> None:
        self._write(_CLOSE)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def size(self) -> tuple[int, int]:
        """Return the columns and the lines of the terminal."""
        return shutil.get_terminal_size()

    def show(self, picture: list[str], bell: bool) -> None:
        size = shutil.get_terminal_size()
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
        if text:
            self._write(text)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _quit(number: int, _frame) -> None:
    sys.exit(128 + number)
