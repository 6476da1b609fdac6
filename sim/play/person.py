"""A person at the unit: their effects on it, the answers to them, and what they are to hear.

The window and the terminal share all of this; each adds its own keys and its picture.
"""

from city_unit.facts import SWITCH
from city_unit.ticks import diff
from city_unit.unit import Unit
from sim.engine.runner import Runner
from sim.play import sign
from sim.play.confirm import Decisions, is_busy
from sim.play.hour import Hour
from sim.play.preferences import Preferences

STAYS_S = 4.0
WARNED_S = 15.0  # how long a warning stays, which nobody expects
WITHIN_MS = 60_000  # a tone that is further off is none yet


class Person:
    """A person at the unit of a runner.

    preferences  the person's; they are changed here, and saved by whoever loaded them
    hour         looks after the game, if somebody does
    """

    def __init__(self, runner: Runner, preferences: Preferences, hour: Hour | None = None) -> None:
        self._runner = runner
        self.preferences = preferences
        self._hour = hour
        self._decisions = Decisions(runner, hour)
        self._sentence = ""
        self._until = 0.0

    def turn(self) -> None:
        """Let the unit live until the present, and tell what the hour warns of."""
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

    def leaves(self) -> bool:
        """Return whether the person may leave; if not, say why."""
        question = self._decisions.leave()
        self.say(question)
        return not question

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
