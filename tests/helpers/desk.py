"""The window's controls without a window."""

from city_unit.settings import Settings
from sim.engine.runner import Change, Runner
from sim.play.autosave import Autosave, RecordedUnit
from sim.play.offers import Offers
from sim.play.preferences import Preferences
from sim.window import snapshot
from sim.window.controls import WindowControls
from sim.window.snapshot import View


class Desk:
    """A unit, its controls, and a clock that the test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0
        unit = RecordedUnit(Settings(), 1, Autosave(None))
        self.runner = Runner(unit, lambda: self.seconds)
        self.offers = Offers(self.runner, unit, lambda: self.seconds)
        self.controls = WindowControls(self.runner, Preferences(), self.offers)

    def wait(self, seconds: float) -> None:
        self.seconds += seconds
        self.runner.advance()

    def key(self, key: int, typed: str = "", shift: bool = False) -> None:
        self.controls.key_down(key, typed, shift)
        self.wait(0.1)
        self.controls.held.up(key)
        self.wait(0.1)

    def type(self, *typed: str) -> None:
        """Press the keys of these letters and digits."""
        for key in typed:
            self.key(ord(key), key)

    def mouse(self, part: str, latching: bool = False) -> None:
        self.controls.click(part, latching)
        self.wait(0.1)
        self.controls.held.up("mouse")
        self.wait(0.1)

    def view(self, hover: str = "") -> View:
        return snapshot.take(self.runner, self.controls, has_sound=True, hover=hover)

    def program(self) -> str:
        return self.runner.unit.settings.program.name

    def seen(self) -> tuple[list[Change], float, int, str]:
        settings = self.runner.unit.settings
        return list(self.runner.changes), self.runner.speed, settings.volume, self.controls.panel
