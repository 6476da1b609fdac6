"""The last things that the unit did, numbered, each with the time it was due."""

from city_unit.ticks import const

KEPT = const(32)


class Events:
    """A ring of the latest events; event n is kept while `count - KEPT <= n < count`.

    An event is a kind and up to two values, whose names `trace.FIELDS` gives.
    """

    def __init__(self) -> None:
        self.count = 0
        self._kinds = [""] * KEPT
        self._times = [0] * KEPT
        self._values: list[str | int | None] = [None] * KEPT
        self._whys: list[str | None] = [None] * KEPT

    def add(self, at: int, kind: str, value: str | int | None = None, why: str | None = None) -> None:
        slot = self.count % KEPT
        self._kinds[slot] = kind
        self._times[slot] = at
        self._values[slot] = value
        self._whys[slot] = why
        self.count += 1

    def first(self) -> int:
        """Return the number of the oldest event still kept."""
        return max(0, self.count - KEPT)

    def get(self, number: int) -> tuple[int, str, str | int | None, str | None]:
        """Return the time, kind, value and why of event `number`.

        Raises IndexError if it is not kept (any more, or yet).
        """
        if not self.first() <= number < self.count:
            raise IndexError(number)
        slot = number % KEPT
        return self._times[slot], self._kinds[slot], self._values[slot], self._whys[slot]
