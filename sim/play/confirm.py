"""Presses that could end a game by mistake: another program, and leaving.

Where the game is kept, nobody is asked: a mistake is taken back. Where it is not, both are asked
once.
"""

from collections.abc import Callable
from typing import Protocol

from city_unit.desktop.catalogue import lazy
from city_unit.programs import Program
from city_unit.transitions import TRANSITIONS
from city_unit.unit import Unit
from sim.engine.runner import Runner
from sim.play.state_words import title

AUCTION_RUNS = lazy("Not while an auction runs: choose the program after it")
BUSY = {
    "auction": AUCTION_RUNS,
    "warning": AUCTION_RUNS,
    "drawing": lazy("Not while the light runs: choose the program after it"),
}
NEW_GAME = lazy("A game runs. Once more ends it and starts {program}")
LEAVE = lazy("A game runs. Q once more leaves it")

AGAIN_S = 3.0  # how long a question stands
YOUNG_MS = 5000  # a game that has just begun is no loss, as for a person who tries the programs


def is_busy(unit: Unit) -> bool:
    """Return whether an auction or a permit must end before another program can begin."""
    return unit.state != "off" and "restart" not in TRANSITIONS[unit.state]


def game_runs(unit: Unit) -> bool:
    """Return whether there is something to lose: a clock that runs, an auction, a draw."""
    return unit.clock.due is not None or is_busy(unit)


class KeptGame(Protocol):
    """A game that outlives its end, as `hour.Hour` has it."""

    def is_kept(self) -> bool: ...

    def restarting(self) -> Callable[[], None]: ...


class Decisions:
    """Ends a running game, having asked before if it could not be taken back."""

    def __init__(self, runner: Runner, game: KeptGame | None = None) -> None:
        self._runner = runner
        self._game = game
        self._asked = ""
        self._until = 0.0

    def choose(self, program: Program) -> str:
        """Take a program and begin its game; return "" if that is done, else what to say."""
        self._runner.advance()
        unit = self._runner.unit
        if is_busy(unit):
            return str(BUSY[unit.state])
        same = program is unit.settings.program
        if same and (unit.state == "off" or game_runs(unit)):
            return ""
        played_ms = unit.settings.clock_ms - unit.clock.left_at(self._runner.now)
        asks = self._game is None and game_runs(unit) and played_ms >= YOUNG_MS
        if asks and not self._again(program.name):
            return NEW_GAME.format(program=title(program))
        done = self._game.restarting() if self._game is not None else None
        if not same:
            unit.settings.choose(program)
        if unit.state != "off":
            unit.command(self._runner.now, "restart")
            self._runner.advance()
        if done is not None:
            done()
        return ""

    def leave(self) -> str:
        """Return "" if the person may leave, else what to say."""
        self._runner.advance()
        if self._game is not None and self._game.is_kept():
            return ""
        if game_runs(self._runner.unit) and not self._again(""):
            return str(LEAVE)
        return ""

    def stands(self) -> bool:
        """Return whether a question still waits for its answer."""
        return self._runner.seconds() < self._until

    def _again(self, what: str) -> bool:
        """Return whether the same was asked for just now: a program's name, "" to leave."""
        again = self.stands() and self._asked == what
        self._asked = what
        self._until = self._runner.seconds() + AGAIN_S
        return again
