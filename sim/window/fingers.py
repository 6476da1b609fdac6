"""The fingers that hold the buttons: the keys, the mouse, and latches."""

from city_unit.facts import BUTTONS
from sim.engine.runner import Runner

LATCH = "latch"


class Fingers:
    """Presses a button with its first finger and releases it with its last."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._on: dict[str, set] = {button: set() for button in BUTTONS}

    def down(self, button: str, finger: object) -> None:
        """Put a finger on a button; on a latched one it does nothing but end the latch."""
        if self.is_latched(button):
            self.latch(button)
            return
        if not self._on[button]:
            self._runner.press(button)
        self._on[button].add(finger)

    def up(self, finger: object) -> None:
        """Lift a finger from whatever it is on."""
        for button, fingers in self._on.items():
            if finger in fingers:
                fingers.remove(finger)
                if not fingers:
                    self._runner.release(button)

    def latch(self, button: str) -> None:
        """Keep a button down; the second time, let it go."""
        if self.is_latched(button):
            self._on[button].remove(LATCH)
            if not self._on[button]:
                self._runner.release(button)
        else:
            self.down(button, LATCH)

    def lift_all(self) -> None:
        """Lift all fingers but the latches, as when another window takes the keys."""
        for fingers in list(self._on.values()):
            for finger in fingers - {LATCH}:
                self.up(finger)

    def forget(self) -> None:
        """Know of no finger any more: the unit is at another moment, with nobody at it."""
        for fingers in self._on.values():
            fingers.clear()

    def is_latched(self, button: str) -> bool:
        return LATCH in self._on[button]

    def pressed(self) -> int:
        """Return the mask of the buttons that are held."""
        return sum(bit for button, bit in BUTTONS.items() if self._on[button])

    def latched(self) -> int:
        return sum(bit for button, bit in BUTTONS.items() if self.is_latched(button))
