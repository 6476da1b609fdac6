"""A trace as lists: the changes of each lamp and of the tone, and the events."""

import json
from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar, overload

from city_unit.facts import LAMPS
from city_unit.trace import EVENTS

Change = tuple[int, int]  # ms, and the value from then on
UNKNOWN_HZ = 1  # a sound of unknown pitch

T = TypeVar("T")


class Timed(Sequence[T]):
    """Things in order of time, in 12 bytes each: all that differ in nothing but time are one.

    A month of a unit has two million changes.
    """

    _KIND = "q"  # of the times, as an array has it

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
        """Return the ms of a thing, and all else."""
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


class Edges(NamedTuple):
    """The content of a trace, each list in order of time; times are ms from its start.

    lamps   for each of `LAMPS` its changes `(ms, lit)`, lit being 0 or 1
    tones   the changes `(ms, hz)` of the buzzer, 0 being silence
    events  `(ms, kind, fields)`
    end_ms  when the run ended
    """

    lamps: dict[str, Changes]
    tones: Changes
    events: Events
    end_ms: int

    def add(self, ms: int, what: str, value: int | str | None, why: str | None = None) -> None:
        """Add the next change, as `trace.Recorder` reports it."""
        if what == "tone" or what in LAMPS:
            changes = self.tones if what == "tone" else self.lamps[what]
            changes.append((ms, int(value or 0)))
        else:
            named = zip(EVENTS.get(what, ()), (value, why), strict=False)
            fields = {name: content for name, content in named if content is not None}
            self.events.append((ms, what, fields))


def none_yet(end_ms: int) -> Edges:
    """Return the edges of a run that has not begun, and will end at `end_ms`."""
    return Edges({lamp: Changes() for lamp in LAMPS}, Changes(), Events(), end_ms)


def of_lines(lines: Iterable[str], end_ms: int) -> Edges:
    """Read a trace from its lines.

    Raises ValueError, KeyError, TypeError, AttributeError, OverflowError or RecursionError if they
    are none.
    """
    edges = none_yet(end_ms)
    for line in lines:
        change = json.loads(line)
        ms = change.pop("ms")
        if "lamp" in change:
            changes, value = edges.lamps[change["lamp"]], int(change["on"])
        elif "tone" in change:
            changes, value = edges.tones, change["tone"]
        else:
            edges.events.append((ms, change.pop("event"), change))
            continue
        (number,) = array("i", [value])  # which takes whole numbers of 32 bits alone
        changes.append((ms, number))
    return edges


def spans(changes: Iterable[Change], end_ms: int) -> Iterator[tuple[int, int, int]]:
    """Yield each stretch `(start, end, value)` in which a value is not 0."""
    start = value = 0
    for ms, new in chain(changes, [(end_ms, 0)]):
        if value and ms > start:
            yield start, ms, value
        start, value = ms, new
