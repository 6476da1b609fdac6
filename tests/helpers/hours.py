"""A start of the program that keeps its hour, whose clocks are set by hand."""

from pathlib import Path

from city_unit.settings import Settings
from sim.engine.runner import Runner
from sim.play import autosave
from sim.play.autosave import Autosave, RecordedUnit
from sim.play.hour import Hour


class Table:
    """A start of the program: its unit, and its clocks, which are set by hand."""

    def __init__(
        self,
        path: Path | None,
        seconds: float = 0.0,
        wall: float = 1_000_000.0,
        seed: int = 5,
        start: int = 0,
    ) -> None:
        self.seconds = seconds
        self.wall = wall
        self.path = path
        self.autosave = Autosave(path, lambda: self.wall)
        self.unit = RecordedUnit(Settings(), seed, self.autosave)
        self.runner = Runner(self.unit, lambda: self.seconds, start=start)
        self.hour = Hour(self.runner, self.unit, lambda: self.wall)

    def wait(self, seconds: float, turn: float = 0.25) -> None:
        """Let time pass, with the loop turning each quarter of a second."""
        while seconds > 0:
            self.leap(min(turn, seconds))
            seconds -= turn

    def leap(self, seconds: float, wall: float | None = None) -> None:
        """Let time pass of which the program sees nothing."""
        self.seconds += seconds
        self.wall += seconds if wall is None else wall
        self.hour.turn()

    def tap(self, button: str) -> None:
        self.runner.tap(button)
        self.wait(0.2)

    def left(self) -> int:
        return self.unit.clock.left_at(self.runner.now)

    def again(self, away: float = 0.0, **more: int) -> "Table":
        """Return the next start, after this one was killed."""
        assert self.path is not None
        table = Table(self.path, seconds=7.0, wall=self.wall + away, **more)
        table.hour.find(autosave.read(self.path))
        return table
