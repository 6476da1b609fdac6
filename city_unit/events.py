"""The last things that the unit did, numbered, each with the time it was due."""

from .ticks import const

KEPT = const(32)  # as many as a board has room for


class Events:
    """A ring of the latest events; event n is kept from `first()` on, up to `count`.

    An event is the time it was due, its kind, and up to two values, whose names
    `trace.EVENTS` gives.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self.count = 0
        self._kept = kept
        self._ring: list = [None] * (4 * kept)  # flat: a board has no room for tuples

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
        """Return the number of the oldest event still kept."""
        return max(0, self.count - self._kept)

    def get(self, number: int) -> list:
        """Return the time, kind, value and why of event `number`, from `first()` to `count - 1`."""
        place = number % self._kept * 4
        return self._ring[place : place + 4]
