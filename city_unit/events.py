"""The last things that the unit did, numbered, each with the time it was due."""

from city_unit.ticks import const

_KEPT = const(32)


class Events:
    """A ring of the latest events; event n is kept from `first()` on, up to `count`.

    An event is the time it was due, its kind, and up to two values, whose names
    `trace.FIELDS` gives.
    """

    def __init__(self) -> None:
        self.count = 0
        self._ring: list = [None] * _KEPT

    def add(self, at: int, kind: str, value: str | int | None = None, why=None) -> None:
        self._ring[self.count % _KEPT] = (at, kind, value, why)
        self.count += 1

    def first(self) -> int:
        """Return the number of the oldest event still kept."""
        return max(0, self.count - _KEPT)

    def get(self, number: int) -> tuple[int, str, str | int | None, str | None]:
        """Return the time, kind, value and why of event `number`, from `first()` to `count - 1`."""
        return self._ring[number % _KEPT]
