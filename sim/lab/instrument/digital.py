"""Lines as a logic analyser captured them."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, did_you_mean

MOST_EDGES = 50_000_000  # 8 bytes each: a file with more is damaged, or hostile
MOST_LINES = 4096


class Line(NamedTuple):
    """A line: its level in the beginning, and when it turned over, in ns from there."""

    first: int
    turns: array

    def levels(self) -> Iterator[tuple[int, int]]:
        """Yield each turn `(ns, new level)`."""
        level = self.first
        for ns in self.turns:
            level = 1 - level
            yield ns, level


class Capture(NamedTuple):
    """All lines of a capture, by the names that its program gave them.

    end_ns    how long it is
    grain_ns  the time from one sample to the next, 0 if the file does not say
    has_end   whether the file says when the capture ended; else it holds changes only, and its
              end is the last of them
    buses     lines of several bits, which are nobody's pin: how many each has
    ambiguous names that several lines had: what these are called instead
    """

    lines: dict[str, Line]
    end_ns: int
    grain_ns: int = 0
    has_end: bool = True
    buses: Mapping[str, int] = {}
    ambiguous: Mapping[str, Sequence[str]] = {}

    def line(self, name: str) -> Line:
        """Return the line of this name; raises UserError."""
        if name in self.ambiguous:
            words = _('several lines of this capture are called "{name}": say one of {names}')
            raise UserError(words.format(name=name, names=", ".join(self.ambiguous[name])))
        if name in self.buses:
            words = _('the line "{name}" is a bus of {count} bits; export the one bit of the pin')
            raise UserError(words.format(name=name, count=self.buses[name]))
        if name not in self.lines:
            words = _('there is no line "{name}" in this capture{hint}')
            raise UserError(words.format(name=name, hint=did_you_mean(name, self.lines)))
        return self.lines[name]


def line_of(changes: Iterable[tuple[int, int]]) -> Line:
    """Return the line that has these levels `(ns, level)`; it begins with the first level."""
    first: int | None = None
    level = 0
    turns = array("q")
    for ns, new in changes:
        if first is None:
            first = level = new
        elif new != level:
            level = new
            turns.append(ns)
    return Line(first or 0, turns)


class Signals(NamedTuple):
    """The signals that a device showed; times are ms from the beginning of the observation.

    spans   of each signal the stretches `(from, to)` in which it was on, in order of time; a
            stretch that was cut off begins at 0 or ends at `end_ms`
    hz      of each tone the pitches of its stretches
    """

    spans: Mapping[str, Sequence[tuple[float, float]]]
    hz: Mapping[str, Sequence[float]]
    end_ms: float

    def edges(self, edge: str) -> list[float]:
        """Return the times of an edge as it is written: "lamp on"."""
        name, _space, way = edge.rpartition(" ")
        if way == "off":
            return [end for _start, end in self.spans[name] if end < self.end_ms]
        return [start for start, _end in self.spans[name] if start > 0]
