"""Lines as a logic analyser captured them."""

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, did_you_mean

MOST_EDGES = 50_000_000  # 8 bytes each: a file with more is damaged, or hostile
MOST_LINES = 4096
PITCH, EVENTS = "pitch_hz", "events"  # the last columns of our own export: no lines of bits


MOST_HZ = 100_000_000_000
LONGEST_NS = 2**62  # a hundred years and more
_RATE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?) *([kMG]?)(?:Hz)?", re.IGNORECASE)
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def arrays() -> Any:
    """Return numpy, None where it is not installed: reading is slower then, but the same."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def add_ms(found: array, turns: array, place: int) -> None:
    """Add to `found`, in ms, every second of the times `turns` in ns, from `place` on."""
    np = arrays()
    if np is None:
        found.extend(ns / 1e6 for ns in turns[place::2])
    else:
        found.frombytes(memoryview(np.asarray(turns)[place::2] / 1e6).cast("B"))


def hertz(words: str) -> float:
    """Read a rate of samples, "24 MHz"; raises ValueError."""
    found = _RATE.fullmatch(words.strip())
    rate = float(found[1]) * _TIMES[found[2].lower()] if found else 0
    if not 0.01 <= rate <= MOST_HZ:
        raise ValueError(_("it does not say how many samples a second it has"))
    return rate


class Line(NamedTuple):
    """A line: its level in the beginning, and when it turned over, in ns from there."""

    first: int
    turns: array

    def levels(self) -> Iterator[tuple[int, int]]:
        """Yield `(0, 1)` if it is high in the beginning, and each turn `(ns, new level)`."""
        level = self.first
        if level:
            yield 0, 1
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


class Stretches(Sequence[tuple[float, float]]):
    """Stretches `(from, to)` in ms, in order of time, in 16 bytes each."""

    def __init__(self, found: Iterable[Sequence[float]] = ()) -> None:
        self.starts, self.ends = array("d"), array("d")
        for start, end, *_value in found:
            self.append(start, end)

    def append(self, start: float, end: float) -> None:
        self.starts.append(start)
        self.ends.append(end)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, place: int) -> tuple[float, float]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[float, float]]: ...
    def __getitem__(
        self, place: "int | slice"
    ) -> "tuple[float, float] | Sequence[tuple[float, float]]":
        if isinstance(place, slice):
            return list(zip(self.starts[place], self.ends[place], strict=True))
        return self.starts[place], self.ends[place]

    def __iter__(self) -> Iterator[tuple[float, float]]:
        return zip(self.starts, self.ends, strict=True)


class Signals(NamedTuple):
    """The signals that a device showed; times are ms from the beginning of the observation.

    spans   of each signal the stretches in which it was on; a stretch that was cut off begins at 0
            or ends at `end_ms`
    hz      of each tone the pitches of its stretches
    """

    spans: Mapping[str, Stretches]
    hz: Mapping[str, Sequence[float]]
    end_ms: float

    def edges(self, edge: str) -> Sequence[float]:
        """Return the times of an edge as it is written: "lamp on"."""
        name, _space, way = edge.rpartition(" ")
        found = self.spans[name]
        if way == "off":
            is_cut = bool(found) and found.ends[-1] >= self.end_ms
            return found.ends[:-1] if is_cut else found.ends
        is_cut = bool(found) and found.starts[0] <= 0
        return found.starts[1:] if is_cut else found.starts
