"""The control under the mouse or with the focus, and for how long its tip is shown."""

TIP_S = 6.0  # how long a tip stays where the mouse rests


class Pointing:
    """Knows whether a tip is due: for a while, and not where a press has just changed things."""

    def __init__(self) -> None:
        self.part = ""
        self._spent = ""  # the part whose tip was taken away, as the unit has changed
        self._focus = ""
        self._state = ""
        self._until = 0.0

    def at(self, part: str, now: float) -> None:
        """Note the control under the mouse, at a time in seconds."""
        self.part = part
        if part != self._spent:
            self._spent = ""
            self._until = now + TIP_S

    def follow(self, state: str, focus: str, now: float) -> None:
        """Note the state of the unit, and what Tab has gone to."""
        if focus != self._focus:
            self._focus, self._until = focus, now + TIP_S
        if state != self._state:
            self._state, self._until = state, now
            self._spent = self.part

    def is_said(self, now: float) -> bool:
        """Return whether the tip is shown."""
        return now < self._until
