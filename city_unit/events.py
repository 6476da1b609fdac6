"""The latest events of the unit, numbered and with the time at which they were due."""

from .ticks import const

KEPT = const(32)  # limited by the memory of a board


class Events:
    """A ring buffer of events; it holds those from number `first()` to `count` - 1.

    An event has the time at which it was due, its kind, and up to two values, named in
    `trace.EVENTS`. A copied unit's buffer holds only the events since it was copied.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self.count = 0
        self._kept = kept
        self._ring: list = [None] * (4 * kept)  # flat, since tuples cost a board memory

    def add(
        self, at: int, kind: str, value: str | int | None = None, why: str | int | None = None
    ) -> None:
        place = self.count % self._kept * 4
        ring = self._ring
        ring[place] = at
        ring[place + 1] = kind
        ring[place + 2] = value
        ring[place + 3] = why
        self.count += 1

    def first(self) -> int:
        """Return the number of the oldest event in the buffer."""
        return max(0, self.count - self._kept)

    def get(self, number: int) -> list:
        """Return the time, kind, value and reason of an event in the buffer."""
        place = number % self._kept * 4
        return self._ring[place : place + 4]
