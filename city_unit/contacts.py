"""Debounce the contacts: one input for each press, release or move of the switch.

A contact receives each change of its raw level by `sense`, to which a switch may answer with an
input at once. At `due`, `fire` returns an input, or "".
"""

from .ticks import add, const

# Longer than any bounce, so that the level at the end of the window is settled. Assumption:
# contacts bounce for up to 15 ms. No longer than needed, since it delays each press.
_DEBOUNCE_MS = const(16)


class Button:
    """A push button: a change counts if it persists one window after its first edge.

    A shorter change is noise.
    """

    def __init__(self, press: str, release: str) -> None:
        self._inputs = (release, press)
        self.is_closed = False
        self.is_pressed = False
        self.since = 0  # time of the first edge of the latest change
        self.due: int | None = None

    def ignore(self) -> None:
        """Accept the current level without an input, as for a button held at switch-on."""
        self.is_pressed = self.is_closed

    def sense(self, now: int, closed: bool) -> None:
        self.is_closed = closed
        if self.due is None and closed != self.is_pressed:
            self.since = now
            self.due = add(now, _DEBOUNCE_MS)

    def fire(self, _due: int) -> str:
        """End the window; return an input or ""."""
        self.due = None
        if self.is_closed == self.is_pressed:
            return ""
        self.is_pressed = self.is_closed
        return self._inputs[self.is_pressed]


class Switch:
    """A slide switch: it acts on the first edge and ignores the window after it.

    So switching off takes effect at once, and a bouncing slide switches once.
    """

    def __init__(self) -> None:
        self.is_closed = False
        self.is_on = False
        self.due: int | None = None

    def sense(self, now: int, closed: bool) -> str:
        """Read a level; return "switch on", "switch off" or ""."""
        self.is_closed = closed
        if self.due is not None or closed == self.is_on:
            return ""
        self.is_on = closed
        self.due = add(now, _DEBOUNCE_MS)
        return "switch on" if closed else "switch off"

    def fire(self, due: int) -> str:
        """End the window; return the input for a change during it, as `sense` does."""
        self.due = None
        return self.sense(due, self.is_closed)
