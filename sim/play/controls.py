"""The controls that window and terminal share: actions, messages, and the sound.

`WindowControls` and `TerminalControls` add their own keys and actions. No action needs a
confirmation, since it can be undone, except leaving a game that is not saved: its key must be
repeated.
"""

from collections.abc import Callable

from city_unit.desktop.catalogue import _, lazy
from city_unit.facts import SWITCH
from city_unit.programs import Program
from city_unit.ticks import diff
from city_unit.unit import Unit
from sim.engine.runner import Runner
from sim.play import sign
from sim.play.offers import Offers, game_runs, is_busy
from sim.play.preferences import Preferences

AUCTION_RUNS = lazy("Not during an auction: choose the program after it")
BUSY = {
    "auction": AUCTION_RUNS,
    "warning": AUCTION_RUNS,
    "drawing": lazy("Not while the light runs: choose the program after it"),
}
STAYS_S = 4.0  # how long a message stays
WARNED_S = 15.0  # how long a warning stays, since nobody expects it
AGAIN_S = 3.0  # how long leaving can be confirmed by repeating it
WITHIN_MS = 60_000  # how far ahead tones are considered

# The actions of keys that window and terminal share, by typed character, since the place of a key
# such as + or ? depends on the keyboard.
KEYS = {
    "o": "switch",
    "r": "take offer",
    "p": "pause",
    "n": "step",
    "+": "faster",
    "=": "faster",
    "-": "slower",
    "0": "speed",
    "m": "mute",
    "c": "program",
    "s": "seconds",
    "h": "help",
    "?": "help",
    "q": "leave",
}


class Controls:
    """The actions of the user on the unit of a runner, and the messages to them.

    preferences  the user's settings; they are changed here, and saved by their owner
    offers       the offers about the game
    is_running   False once the user has quit
    actions      the actions of keys and controls by name; each body adds its own
    """

    def __init__(self, runner: Runner, preferences: Preferences, offers: Offers) -> None:
        self._runner = runner
        self.preferences = preferences
        self._offers = offers
        self.is_running = True
        self._message = ""
        self._message_until = 0.0
        self._confirm_until = 0.0
        self.actions: dict[str, Callable[[], object]] = {
            "switch": self.switch,
            "take offer": self.take_offer,
            "pause": self.pause,
            "step": runner.single_step,
            "faster": runner.faster,
            "slower": runner.slower,
            "speed": self.real_time,
            "louder": lambda: self.louder(1),
            "softer": lambda: self.louder(-1),
            "mute": self.mute,
            "seconds": self.show_seconds,
            "leave": self.leave,
            "quit": self.quit,
        }

    def turn(self) -> None:
        """Step the unit to the current time, and show warnings about the saved game."""
        self._offers.turn()
        warning = self._offers.next_warning()
        if warning:
            self.say(warning, WARNED_S)

    def remember(self) -> None:
        """Copy the settings of the unit into the preferences."""
        settings = self._runner.unit.settings
        self.preferences.program = settings.program.name
        self.preferences.clock_ms = settings.clock_ms
        self.preferences.volume = settings.volume

    # Messages.

    def say(self, message: str, seconds: float = STAYS_S) -> None:
        """Show a message for a while of real time, in place of the previous one; "" for none."""
        self._message = message
        self._message_until = self._runner.seconds() + seconds

    def message(self) -> str:
        """Return the current message, "" for none."""
        return self._message if self._runner.seconds() < self._message_until else ""

    def offer(self) -> str:
        """Return the offer that R accepts now, "" for none."""
        return self._offers.sentence()

    # The actions.

    def switch(self) -> None:
        """Move the switch to its other side."""
        self._offers.switch(not self._runner.is_closed(SWITCH))

    def take_offer(self) -> bool:
        return self._offers.accept()

    def pause(self) -> None:
        self._runner.is_paused = not self._runner.is_paused

    def real_time(self) -> None:
        self._runner.speed = 1.0
        self._runner.is_paused = False

    def louder(self, step: int) -> None:
        settings = self._runner.unit.settings
        settings.volume = min(max(settings.volume + step, 0), 3)
        self.preferences.muted = False

    def mute(self) -> None:
        self.preferences.muted = not self.preferences.muted

    def show_seconds(self) -> None:
        """Show or hide the remaining time of auctions."""
        self.preferences.seconds = not self.preferences.seconds
        self.say(str(sign.SECONDS_SHOWN if self.preferences.seconds else sign.SECONDS_HIDDEN))

    def begin(self, program: Program) -> None:
        """Start a game with a program, unless it runs already; show why that is not possible."""
        self._runner.advance()
        unit, now = self._runner.unit, self._runner.now
        self.say("")
        if is_busy(unit):
            self.say(str(BUSY[unit.state]))
            return
        same = program is unit.settings.program
        if same and (unit.state == "off" or game_runs(unit)):
            return
        done = self._offers.restarting()
        if not same:
            unit.settings.choose(program)
        if unit.state != "off":
            unit.command(now, "restart")
            self._runner.advance()
        done()

    def leave(self) -> None:
        """Quit; if that would lose a game, only when repeated."""
        self._runner.advance()
        now = self._runner.seconds()
        is_repeated = now < self._confirm_until
        if is_repeated or self._offers.is_saved() or not game_runs(self._runner.unit):
            self.quit()
        else:
            self._confirm_until = now + AGAIN_S
            self.say(_("A game is running. Q again leaves it"))

    def quit(self) -> None:
        self.is_running = False

    # The sound, known in advance, so that it is on time.

    @property
    def volume(self) -> int:
        """The volume of this computer's sound, 0 to 3."""
        is_silent = self.preferences.muted or self._runner.is_paused
        return 0 if is_silent else self._runner.unit.settings.volume

    def sounds_in_s(self) -> float | None:
        """Return the seconds until a tone is due, None if none is; 0 during an auction or draw."""
        runner = self._runner
        if not self.volume:
            return None
        if is_busy(runner.unit):
            return 0.0
        coming = runner.upcoming(WITHIN_MS)
        return (coming[0].ms - runner.ms) / 1000 / runner.speed if coming else None


def tone_left(unit: Unit, now: int, levels: int) -> int:
    """Return the ms until the tone changes if no contact does, found by running a copy ahead."""
    twin = unit.copy(lambda n: 0)  # its tone changes before it needs a draw
    due = now
    while twin.tone == unit.tone:
        next_due = twin.next_due()
        if next_due is None:
            break
        due = next_due
        twin.step(due, levels)
    return diff(due, now)
