"""A trace in memory: the changes of each lamp, the changes of the tone, and the events."""

import json
from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar, overload

from city_unit.facts import LAMPS
from city_unit.trace import EVENTS

Change = tuple[int, int]  # ms, and the value from then on
UNKNOWN_HZ = 1  # stands for a sound of unknown pitch

T = TypeVar("T")


class Timed(Sequence[T]):
    """A compact list of items in order of time.

    An item takes 12 bytes: its time, and the index of the rest of it, which is stored once for
    all items that differ only in their time. A month of a unit has two million changes.
    """

    _KIND = "q"  # the array type of the times

    def __init__(self, things: Iterable[T] = ()) -> None:
        self.times: array = array(self._KIND)
        self._places = array("I")
        self._place_of: dict[Hashable, int] = {}
        self._rests: list[Any] = []
        for thing in things:
            self.append(thing)

    def append(self, thing: T) -> None:
        ms, rest = self._split(thing)
        place = self._place_of.setdefault(rest, len(self._rests))
        if place == len(self._rests):
            self._rests.append(rest)
        self.times.append(ms)
        self._places.append(place)

    def _split(self, thing: T) -> tuple[float, Hashable]:
        """Return the time of an item in ms, and the rest of it."""
        raise NotImplementedError

    def _join(self, ms: Any, rest: Any) -> T:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __len__(self) -> int:
        return len(self.times)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: "int | slice") -> "T | Sequence[T]":
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        return self._join(self.times[place], self._rests[self._places[place]])

    def __iter__(self) -> Iterator[T]:
        return map(self._join, self.times, map(self._rests.__getitem__, self._places))


class Changes(Timed[Change]):
    """Changes `(ms, value)` in order of time."""

    def _split(self, thing: Change) -> tuple[int, Hashable]:
        return thing

    def _join(self, ms: int, rest: Any) -> Change:
        return ms, rest


Event = tuple[int, str, dict]  # ms, kind, fields


class Events(Timed[Event]):
    def _split(self, thing: Event) -> tuple[int, Hashable]:
        return thing[0], (thing[1], *thing[2].items())

    def _join(self, ms: int, rest: Any) -> Event:
        return ms, rest[0], dict(rest[1:])


class Trace(NamedTuple):
    """A trace; times are ms from its start, and each list is in order of time.

    lamps   the changes `(ms, lit)` of each of `LAMPS`; `lit` is 0 or 1
    tones   the changes `(ms, hz)` of the buzzer; 0 is silence
    events  `(ms, kind, fields)`
    end_ms  when the run ended
    """

    lamps: dict[str, Changes]
    tones: Changes
    events: Events
    end_ms: int

    @classmethod
    def empty(cls, end_ms: int) -> "Trace":
        """Return the trace of a run that will end at `end_ms`, before its first change."""
        return cls({lamp: Changes() for lamp in LAMPS}, Changes(), Events(), end_ms)

    @classmethod
    def parse(cls, lines: Iterable[str], end_ms: int) -> "Trace":
        """Parse the lines of a trace.

        Raises ValueError, KeyError, TypeError, AttributeError, OverflowError or RecursionError if
        they are not a trace.
        """
        trace = cls.empty(end_ms)
        for line in lines:
            change = json.loads(line)
            ms = change.pop("ms")
            if "lamp" in change:
                changes, value = trace.lamps[change["lamp"]], int(change["on"])
            elif "tone" in change:
                changes, value = trace.tones, change["tone"]
            else:
                trace.events.append((ms, change.pop("event"), change))
                continue
            (number,) = array("i", [value])  # rejects all but integers of 32 bits
            changes.append((ms, number))
        return trace

    def add(self, ms: int, what: str, value: int | str | None, why: str | None = None) -> None:
        """Add the next change; the arguments are those of `trace.Recorder`."""
        if what == "tone" or what in LAMPS:
            changes = self.tones if what == "tone" else self.lamps[what]
            changes.append((ms, int(value or 0)))
        else:
            named = zip(EVENTS.get(what, ()), (value, why), strict=False)
            fields = {name: content for name, content in named if content is not None}
            self.events.append((ms, what, fields))


def clipped(changes: Iterable[Change], start_ms: int, end_ms: int) -> Iterator[Change]:
    """Yield the changes of a part; the value at its start becomes a change, unless it is 0."""
    before = 0
    for ms, value in chain(changes, [(end_ms + 1, 0)]):
        if ms <= start_ms:
            before = value
            continue
        if before:
            yield start_ms, before
            before = 0
        if ms <= end_ms:
            yield ms, value


def spans(changes: Iterable[Change], end_ms: int) -> Iterator[tuple[int, int, int]]:
    """Yield each span `(start, end, value)` during which the value is not 0."""
    start = value = 0
    for ms, new in chain(changes, [(end_ms, 0)]):
        if value and ms > start:
            yield start, ms, value
        start, value = ms, new
