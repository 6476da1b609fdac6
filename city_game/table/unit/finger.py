"""A finger of the table on a button of the unit, which stays there as long as the player's own."""

from collections import deque
from collections.abc import Callable

from city_unit import host
from city_unit.facts import TAP_MS

SHORTEST_MS = TAP_MS  # longer than the unit's debounce, however close the commands come
APART_MS = 40  # from a release to the next press; longer than the unit's debounce as well
MOST_AHEAD = 4  # presses and releases that may wait; of faster hammering the rest is left out


class Finger:
    """One button, pressed and released over the link.

    A release is sent when its press has arrived and has been there for a tap's
    time, and again until the unit answers it: a button never stays held because a
    line was lost.
    """

    def __init__(self, button: str, ask: Callable[[str], host.Request]) -> None:
        self._button = button
        self._ask = ask
        self._down = False  # the player's own finger
        self._ahead: deque[str] = deque()  # presses and releases still to do at the unit
        self._asked: host.Request | None = None
        self._next_at = 0.0

    def is_free(self, now: float) -> bool:
        return not (self._down or self._ahead) and now >= self._next_at

    def press(self) -> None:
        """Put the finger on the button."""
        if not self._down and len(self._ahead) < MOST_AHEAD:
            self._down = True
            self._ahead.append("press")

    def lift(self) -> None:
        """Take it off; this is never left out."""
        if self._down:
            self._down = False
            self._ahead.append("release")

    def step(self, now: float) -> None:
        """Do the presses that are due, at `now` ms of the table's clock."""
        if self._asked is not None:
            if not self._asked.finished:
                return
            self._end(now, self._asked)
        if self._ahead and now >= self._next_at:
            self._asked = self._ask(f"{self._ahead[0]} {self._button}")

    def _end(self, now: float, asked: host.Request) -> None:
        self._asked = None
        motion = self._ahead[0]
        if motion == "release" and isinstance(asked.error, host.NoAnswer):
            return  # and so it is asked again
        self._ahead.popleft()
        self._next_at = now + (SHORTEST_MS if motion == "press" else APART_MS)
