"""Contacts that bounce, made into one press, one release, one switching.

A contact takes each change of its raw level (`sense`) and, through `due`,
when it wants to be asked again (`fire`). It reports its findings under the
names that it was given.
"""

from .ticks import add, const

# Longer than any bounce, so that whatever the contact does within the window, its level at
# the end of it is settled. Assumption: contacts bounce up to 15 ms. No longer than that,
# since each press is felt so much later.
_DEBOUNCE_MS = const(16)


class Button:
    """A push button: a change counts if it still stands a window after its first edge.

    A change shorter than the window is noise.
    """

    def __init__(self, press: str, release: str) -> None:
        self._names = (release, press)
        self.is_closed = False
        self.is_pressed = False
        self.since = 0  # the first edge of the latest change, ms
        self.due: int | None = None

    def ignore(self) -> None:
        """Set the level as it is: a button held at switch-on was pressed by nobody."""
        self.is_pressed = self.is_closed

    def sense(self, now: int, closed: bool) -> None:
        self.is_closed = closed
        if self.due is None and closed != self.is_pressed:
            self.since = now
            self.due = add(now, _DEBOUNCE_MS)

    def fire(self, _due: int) -> str:
        """End the window; return the event, "" for none."""
        self.due = None
        if self.is_closed == self.is_pressed:
            return ""
        self.is_pressed = self.is_closed
        return self._names[self.is_pressed]


class Switch:
    """A slide switch: it acts on its first edge and is deaf for the window after it.

    Off is then silent and dark at once, and a chattering slide switches once.
    """

    def __init__(self) -> None:
        self.is_closed = False
        self.is_on = False
        self.due: int | None = None

    def sense(self, now: int, closed: bool) -> str:
        """Read a level; return "switch on", "switch off", or "" for nothing."""
        self.is_closed = closed
        if self.due is not None or closed == self.is_on:
            return ""
        self.is_on = closed
        self.due = add(now, _DEBOUNCE_MS)
        return "switch on" if closed else "switch off"

    def fire(self, due: int) -> str:
        """End the window; return an event of the time in it, as `sense` does."""
        self.due = None
        return self.sense(due, self.is_closed)
