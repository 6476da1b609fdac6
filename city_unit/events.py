"""The last things that the unit did, numbered, each with the time it was due."""

from .ticks import const

_KEPT = const(32)


class Events:
    """A ring of the latest events; event n is kept from `first()` on, up to `count`.

    An event is the time it was due, its kind, and up to two values, whose names
    `trace.FIELDS` gives.
    """

    def __init__(self) -> None:
        self.count = 0
        self._ring: list = [None] * (4 * _KEPT)  # flat: a board has no room for tuples

    def add(self, at: int, kind: str, value: str | int | None = None, why=None) -> None:
        place = self.count % _KEPT * 4
        ring = self._ring
        ring[place] = at
        ring[place + 1] = kind
        ring[place + 2] = value
        ring[place + 3] = why
        self.count += 1

    def first(self) -> int:
        """Return the number of the oldest event still kept."""
        return max(0, self.count - _KEPT)

    def get(self, number: int) -> list:
        """Return the time, kind, value and why of event `number`, from `first()` to `count - 1`."""
        place = number % _KEPT * 4
        return self._ring[place : place + 4]
