"""An evening in the terminal: keys go in, the picture comes out, until somebody quits."""

from collections.abc import Callable
from contextlib import closing

from city_unit.facts import BUTTONS
from sim.engine.link_server import LinkServer
from sim.engine.runner import Runner
from sim.face.speaker import Speaker
from sim.play import sign, sound
from sim.play.confirm import Decisions
from sim.play.hour import Hour, push_switch
from sim.play.message import WARNED_S, Saying
from sim.play.preferences import Preferences
from sim.terminal import key_help, picture
from sim.terminal.paint import Style
from sim.terminal.picture import View
from sim.terminal.screen import open_keyboard, open_screen

_FRAME_S = 0.05  # two pictures in each half of the fast light, which lasts 125 ms

TAPS = {"a": "auction", "space": "auction", "b": "build", "return": "build"}
LATCHES = {"A": "auction", "B": "build"}


def run(
    runner: Runner,
    preferences: Preferences,
    why: str,
    server: LinkServer | None,
    open_speaker: Callable[[], Speaker],
    hour: Hour | None = None,
) -> int:
    """Play until the person quits; return the exit status. Raises UserError without a terminal.

    preferences  the settings; it is changed here, and saved by the caller
    why          the line that says why there is no window
    server       the unit's link, to be served meanwhile, or None
    open_speaker opens the speaker; if that does not work, the terminal's bell
                 rings as a tone begins
    hour         looks after the game
    """
    session = Session(runner, preferences, why, hour)
    try:
        with (
            open_keyboard() as keyboard,
            closing(open_speaker()) as speaker,
            open_screen() as screen,
        ):
            while not session.is_over:
                screen.show(session, session.begins() and not speaker.is_working)
                speaker.tend(sound.due_s(runner) if session.volume else None)
                speaker.show(runner.tone, session.volume)
                files: list[int] = []
                if server is not None:
                    files = server.files()
                    server.note_shown(runner.now_us)
                for key in keyboard.read(session.patience(), files):
                    speaker.wake()
                    session.do(key)
                session.turn()
                if server is not None:
                    serve(runner, server)
    except KeyboardInterrupt:
        pass
    finally:
        session.remember()
    return 0


def serve(runner: Runner, server: LinkServer) -> None:
    server.receive(runner.now)
    runner.advance()
    server.send()


class Session:
    """The effects of keys on the unit and on its picture."""

    def __init__(
        self, runner: Runner, preferences: Preferences, why: str = "", hour: Hour | None = None
    ) -> None:
        self.is_over = False
        self._runner = runner
        self._preferences = preferences
        self._why = why
        self._saying = Saying(runner)
        self._saying.say(preferences.warning, WARNED_S)
        self._hour = hour
        self._decisions = Decisions(runner, hour)
        self._help = 0
        self._size = (80, 24)
        self._tone = 0
        self._actions: dict[str, Callable[[], object]] = {
            "o": self._switch,
            "r": self._take_offer,
            "p": self._pause,
            "n": runner.single_step,
            "+": runner.faster,
            "=": runner.faster,
            "-": runner.slower,
            "0": self._real_time,
            "up": lambda: self._louder(1),
            "down": lambda: self._louder(-1),
            "m": self._mute,
            "s": self._seconds,
            "c": self._next_program,
            "h": self._turn_page,
            "?": self._turn_page,
            "f1": self._turn_page,
            "escape": self._close_help,
            "q": self._leave,
            "leave": self._leave_at_once,
        }

    def lines(self, style: Style, size: tuple[int, int] = (80, 24)) -> list[str]:
        self._size = size
        return picture.lines(self._runner, self._view(), style, size)

    def news(self) -> list[str]:
        """Return the news, for a terminal that can only print."""
        view, runner = self._view(), self._runner
        happened = []
        while runner.changes:
            change = runner.changes.popleft()
            if change.what in picture.CUES:
                happened.append(picture.happened(change)[0])
        shown = sign.read(runner.unit, runner.now, view.shows_seconds)
        pages = key_help.pages(self._size[0], 1000)[0] if view.help else []
        head = picture.title(runner, view.why)
        return [head, str(key_help.HINT), *happened, *self._press(shown), view.message, *pages]

    def _press(self, shown: sign.Sign) -> list[str]:
        return picture.press_lines(shown, self._size[0])

    def _view(self) -> View:
        offer = self._hour.sentence() if self._hour is not None else ""
        message = self._saying.now() or offer
        preferences = self._preferences
        return View(self._why, message, self._help, preferences.muted, preferences.seconds)

    def turn(self) -> None:
        """Let the unit live until the present."""
        if self._hour is None:
            self._runner.advance()
            return
        self._hour.turn()
        warning = self._hour.take_warning()
        if warning:
            self._saying.say(warning, WARNED_S)

    @property
    def volume(self) -> int:
        """How loud it is here, 0 to 3."""
        return 0 if self._preferences.muted else self._runner.unit.settings.volume

    def begins(self) -> bool:
        """Return whether a tone has begun since the last call, and is to be heard."""
        before, self._tone = self._tone, self._runner.tone
        return bool(self._tone and not before and self.volume)

    def patience(self) -> float:
        """Return how many seconds may be waited for a key."""
        due = self._runner.seconds_to_due()
        return _FRAME_S if due is None else min(due, _FRAME_S)

    def remember(self) -> None:
        """Copy the settings of the unit into the preferences."""
        settings = self._runner.unit.settings
        self._preferences.program = settings.program.name
        self._preferences.clock_ms = settings.clock_ms
        self._preferences.volume = settings.volume

    def do(self, key: str) -> None:
        """Perform the command of a key; a key that is for nothing does nothing."""
        self._saying.say("")
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
        elif key in self._actions:
            self._actions[key]()

    def _switch(self) -> None:
        push_switch(self._runner, self._hour)

    def _take_offer(self) -> None:
        if self._hour is not None:
            self._hour.take()

    def _pause(self) -> None:
        self._runner.is_paused = not self._runner.is_paused

    def _real_time(self) -> None:
        self._runner.speed = 1.0

    def _louder(self, step: int) -> None:
        settings = self._runner.unit.settings
        settings.volume = min(max(settings.volume + step, 0), 3)

    def _mute(self) -> None:
        self._preferences.muted = not self._preferences.muted

    def _seconds(self) -> None:
        self._preferences.seconds = not self._preferences.seconds
        words = sign.SECONDS_SHOWN if self._preferences.seconds else sign.SECONDS_HIDDEN
        self._saying.say(str(words))

    def _next_program(self) -> None:
        settings = self._runner.unit.settings
        place = settings.programs.index(settings.program) + 1
        program = settings.programs[place % len(settings.programs)]
        self._saying.say(self._decisions.choose(program))

    def _turn_page(self) -> None:
        pages = len(key_help.pages(*self._size))
        self._help = self._help + 1 if self._help < pages else 0

    def _close_help(self) -> None:
        self._help = 0

    def _leave(self) -> None:
        question = self._decisions.leave()
        self._saying.say(question)
        self.is_over = not question

    def _leave_at_once(self) -> None:
        self.is_over = True
