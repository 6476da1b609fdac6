"""An evening in the terminal: keys go in, the picture comes out, until somebody quits."""

from collections.abc import Callable
from contextlib import closing

from city_unit.facts import BUTTONS
from sim.engine.link_server import LinkServer
from sim.engine.runner import Runner
from sim.face.speaker import Speaker
from sim.play import sign
from sim.play.hour import Hour
from sim.play.person import WARNED_S, Person
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
                speaker.tend(session.sounds_in_s())
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


class Session(Person):
    """The effects of keys on the unit and on its picture."""

    def __init__(
        self, runner: Runner, preferences: Preferences, why: str = "", hour: Hour | None = None
    ) -> None:
        super().__init__(runner, preferences, hour)
        self.say(preferences.warning, WARNED_S)
        self.is_over = False
        self._why = why
        self._help = 0
        self._size = (80, 24)
        self._tone = 0
        self._actions: dict[str, Callable[[], object]] = {
            "o": self.switch,
            "r": self.take_offer,
            "p": self.pause,
            "n": runner.single_step,
            "+": runner.faster,
            "=": runner.faster,
            "-": runner.slower,
            "0": self.real_time,
            "up": lambda: self.louder(1),
            "down": lambda: self.louder(-1),
            "m": self.mute,
            "s": self.show_seconds,
            "c": self._next_program,
            "h": lambda: self._turn_page(self._help + 1),
            "?": lambda: self._turn_page(self._help + 1),
            "f1": lambda: self._turn_page(self._help + 1),
            "escape": lambda: self._turn_page(0),
            "q": self._leave,
            "leave": lambda: self._leave(at_once=True),
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
        return [
            head,
            str(key_help.HINT),
            *happened,
            *picture.press_lines(shown, self._size[0]),
            view.message,
            *pages,
        ]

    def _view(self) -> View:
        message = self.said() or self.offer()
        preferences = self.preferences
        return View(self._why, message, self._help, preferences.muted, preferences.seconds)

    def begins(self) -> bool:
        """Return whether a tone has begun since the last call, and is to be heard."""
        before, self._tone = self._tone, self._runner.tone
        return bool(self._tone and not before and self.volume)

    def patience(self) -> float:
        """Return how many seconds may be waited for a key."""
        due = self._runner.seconds_to_due()
        return _FRAME_S if due is None else min(due, _FRAME_S)

    def do(self, key: str) -> None:
        """Perform the command of a key; a key that is for nothing does nothing."""
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
        elif key in self._actions:
            self._actions[key]()

    def _next_program(self) -> None:
        settings = self._runner.unit.settings
        place = settings.programs.index(settings.program) + 1
        program = settings.programs[place % len(settings.programs)]
        self.say(self._decisions.choose(program))

    def _turn_page(self, page: int) -> None:
        """Open the help at a page, from 1 on; 0, and one behind the last, close it."""
        self._help = page if page <= len(key_help.pages(*self._size)) else 0

    def _leave(self, at_once: bool = False) -> None:
        self.is_over = at_once or self.leaves()
