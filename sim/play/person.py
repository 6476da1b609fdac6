"""A person at the unit: their effects on it, the answers to them, and what they are to hear.

The window and the terminal share all of this; each adds its own keys and its picture. Where the
game is kept, nobody is asked before it ends: a mistake is taken back. Where it is not, another
program and leaving are asked about once.
"""

from collections.abc import Callable

from city_unit.desktop.catalogue import _, lazy
from city_unit.facts import SWITCH
from city_unit.programs import Program
from city_unit.ticks import diff
from city_unit.unit import Unit
from sim.engine.runner import Runner
from sim.play import sign
from sim.play.hour import Hour, game_runs, is_busy
from sim.play.preferences import Preferences

AUCTION_RUNS = lazy("Not while an auction runs: choose the program after it")
BUSY = {
    "auction": AUCTION_RUNS,
    "warning": AUCTION_RUNS,
    "drawing": lazy("Not while the light runs: choose the program after it"),
}
NEW_GAME = lazy("A game runs. Once more ends it and starts {program}")

STAYS_S = 4.0
WARNED_S = 15.0  # how long a warning stays, which nobody expects
AGAIN_S = 3.0  # how long a question stands
YOUNG_MS = 5000  # a game that has just begun is no loss, as for a person who tries the programs
WITHIN_MS = 60_000  # a tone that is further off is none yet

# The actions of the keys of both bodies, by the typed character: + and ? lie elsewhere on each
# keyboard.
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


class Person:
    """A person at the unit of a runner.

    preferences  the person's; they are changed here, and saved by the program that loaded them
    hour         looks after the game, if somebody does
    is_running   False when the person has quit
    actions      the actions of keys and controls by their names; each body adds its own
    """

    def __init__(self, runner: Runner, preferences: Preferences, hour: Hour | None = None) -> None:
        self._runner = runner
        self.preferences = preferences
        self._hour = hour
        self.is_running = True
        self._sentence = ""
        self._until = 0.0
        self._asked = ""
        self._asked_until = 0.0
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
        """Step the unit until the present, and show the warnings of the hour."""
        if self._hour is None:
            self._runner.advance()
            return
        self._hour.turn()
        warning = self._hour.take_warning()
        if warning:
            self.say(warning, WARNED_S)

    def remember(self) -> None:
        """Copy the settings of the unit into the preferences."""
        settings = self._runner.unit.settings
        self.preferences.program = settings.program.name
        self.preferences.clock_ms = settings.clock_ms
        self.preferences.volume = settings.volume

    # A sentence for the person, which stays for a while, however fast the unit's time runs.

    def say(self, sentence: str, seconds: float = STAYS_S) -> None:
        """Say this now, and nothing else; "" is silence."""
        self._sentence = sentence
        self._until = self._runner.seconds() + seconds

    def said(self) -> str:
        """Return the present message, "" for none."""
        return self._sentence if self._runner.seconds() < self._until else ""

    def offer(self) -> str:
        """Return what R does now, in words, "" for nothing."""
        return self._hour.sentence() if self._hour is not None else ""

    # The actions.

    def switch(self) -> None:
        """Push the slide to its other side; where an hour is kept, it may offer to take it back."""
        on = not self._runner.is_closed(SWITCH)
        (self._hour or self._runner).switch(on)

    def take_offer(self) -> bool:
        return self._hour is not None and self._hour.take()

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
        """Show how long an auction still runs, or hide it."""
        self.preferences.seconds = not self.preferences.seconds
        self.say(str(sign.SECONDS_SHOWN if self.preferences.seconds else sign.SECONDS_HIDDEN))

    def begin(self, program: Program) -> bool:
        """Set a program and begin its game; return whether that is done, or say why not."""
        self._runner.advance()
        unit, now = self._runner.unit, self._runner.now
        self.say("")
        if is_busy(unit):
            self.say(str(BUSY[unit.state]))
            return False
        same = program is unit.settings.program
        if same and (unit.state == "off" or game_runs(unit)):
            return True
        played_ms = unit.settings.clock_ms - unit.clock.left_at(now)
        asks = self._hour is None and game_runs(unit) and played_ms >= YOUNG_MS
        if asks and not self._again(program.name):
            self.say(NEW_GAME.format(program=sign.title(program)))
            return False
        done = self._hour.restarting() if self._hour is not None else None
        if not same:
            unit.settings.choose(program)
        if unit.state != "off":
            unit.command(now, "restart")
            self._runner.advance()
        if done is not None:
            done()
        return True

    def leave(self) -> None:
        """Leave, or say that this would end a game."""
        self._runner.advance()
        self.say("")
        is_kept = self._hour is not None and self._hour.is_saved()
        if is_kept or not game_runs(self._runner.unit) or self._again(""):
            self.quit()
        else:
            self.say(_("A game runs. Q once more leaves it"))

    def quit(self) -> None:
        """Leave at once."""
        self.is_running = False

    def _again(self, what: str) -> bool:
        """Return whether the same was asked for just now: a program's name, "" to leave."""
        now = self._runner.seconds()
        again = now < self._asked_until and self._asked == what
        self._asked, self._asked_until = what, now + AGAIN_S
        return again

    # The sound, known ahead, so that it keeps to the time.

    @property
    def volume(self) -> int:
        """How loud it is here, 0 to 3."""
        is_silent = self.preferences.muted or self._runner.is_paused
        return 0 if is_silent else self._runner.unit.settings.volume

    def sounds_in_s(self) -> float | None:
        """Return the seconds until a tone is due; 0 amid an auction or a draw; None for none."""
        runner = self._runner
        if not self.volume:
            return None
        if is_busy(runner.unit):
            return 0.0
        coming = runner.coming(WITHIN_MS)
        return (coming[0].ms - runner.ms) / 1000 / runner.speed if coming else None


def tone_left(unit: Unit, now: int, levels: int) -> int:
    """Return for how many ms more the tone sounds, if nobody touches the unit.

    A copy of the unit lives ahead until its tone changes.
    """
    twin = unit.copy(lambda n: 0)  # its tone changes before it draws
    due = now
    while twin.tone == unit.tone:
        next_due = twin.next_due()
        if next_due is None:
            break
        due = next_due
        twin.step(due, levels)
    return diff(due, now)
