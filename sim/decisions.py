"""What could end a game by mistake: another program, and leaving. Both are asked once."""

from city_unit.programs import Program
from city_unit.transitions import TRANSITIONS
from city_unit.unit import Unit
from sim import texts_play as texts
from sim.runner import Runner

AGAIN_S = 3.0  # how long a question stands
YOUNG_MS = 5000  # a game that has just begun is no loss: whoever goes through the programs


def is_busy(unit: Unit) -> bool:
    """Return whether an auction or a permit must end before another program can begin."""
    return unit.state != "off" and "restart" not in TRANSITIONS[unit.state]


def game_runs(unit: Unit) -> bool:
    """Return whether there is something to lose: a clock that runs, an auction, a draw."""
    return unit.clock.due is not None or is_busy(unit)


class Decisions:
    """Asks before a running game ends, and does what was asked for the second time."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._asked = ""
        self._until = 0.0

    def choose(self, program: Program) -> str:
        """Take a program and begin its game; return "" if that is done, else what to say."""
        self._runner.advance()
        unit = self._runner.unit
        if is_busy(unit):
            return texts.BUSY[unit.state]
        same = program is unit.settings.program
        if same and (unit.state == "off" or game_runs(unit)):
            return ""
        if game_runs(unit) and not self._is_young() and not self._again(program.name):
            return texts.NEW_GAME.format(program.name)
        if not same:
            unit.settings.choose(program)
        if unit.state != "off":
            unit.command(self._runner.now, "restart")
            self._runner.advance()
        return ""

    def leave(self) -> str:
        """Return "" if the person may leave, else what to say."""
        self._runner.advance()
        if game_runs(self._runner.unit) and not self._again(""):
            return texts.LEAVE
        return ""

    def stands(self) -> bool:
        """Return whether a question still waits for its answer."""
        return self._runner.seconds() < self._until

    def _is_young(self) -> bool:
        unit = self._runner.unit
        return unit.settings.clock_ms - unit.clock.left_at(self._runner.now) < YOUNG_MS

    def _again(self, what: str) -> bool:
        """Return whether the same was asked for just now: a program's name, "" to leave."""
        again = self.stands() and self._asked == what
        self._asked = what
        self._until = self._runner.seconds() + AGAIN_S
        return again
