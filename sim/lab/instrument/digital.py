"""Lines as a logic analyser captured them, and the pins of a unit on them, without glitches."""

import heapq
import math
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from operator import sub
from typing import Any, NamedTuple, overload

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, did_you_mean
from sim.engine.edges import UNKNOWN_HZ
from sim.lab.instrument import NAMES

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


def hertz(words: str) -> float:
    """Read a rate of samples, "24 MHz"; raises ValueError."""
    found = _RATE.fullmatch(words.strip())
    rate = float(found[1]) * _TIMES[found[2].lower()] if found else 0
    if not 0.01 <= rate <= MOST_HZ:
        raise ValueError(_("it does not say how many samples a second it has"))
    return rate


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


class Line(NamedTuple):
    """A line: its level in the beginning, and when it turned over, in ns from there."""

    first: int
    turns: array

    def stretches(self, until_ms: float) -> Stretches:
        """Return when it is high, in ms; the last stretch lasts `until_ms` if nothing ends it."""
        found, np = Stretches(), arrays()
        found.starts.extend([0.0] * self.first)
        for times, place in ((found.starts, self.first), (found.ends, 1 - self.first)):
            if np is None:
                times.extend(ns / 1e6 for ns in self.turns[place::2])
            else:
                times.frombytes(memoryview(np.asarray(self.turns)[place::2] / 1e6).cast("B"))
        if len(found.ends) < len(found.starts):
            found.ends.append(until_ms)
        return found

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


class Signals(NamedTuple):
    """The signals that a device showed; times are ms from the beginning of the observation.

    spans   of each signal the stretches in which it was on; a stretch that was cut off begins at 0
            or ends at `end_ms`
    hz      of each tone the pitches of its stretches
    notes   lines for people
    """

    spans: Mapping[str, Stretches]
    hz: Mapping[str, Sequence[float]]
    end_ms: float
    notes: tuple[str, ...] = ()

    def edges(self, edge: str) -> Sequence[float]:
        """Return the times of an edge as it is written: "lamp on"."""
        name, _space, way = edge.rpartition(" ")
        found = self.spans[name]
        if way == "off":
            is_cut = bool(found) and found.ends[-1] >= self.end_ms
            return found.ends[:-1] if is_cut else found.ends
        is_cut = bool(found) and found.starts[0] <= 0
        return found.starts[1:] if is_cut else found.starts


_INVERTED = "!"
_LONGEST_PERIOD_NS = 8_000_000  # of a tone: no buzzer is lower than 125 Hz; pauses are longer
_NEW_PITCH = 0.04  # from here on another period is another tone, and no jitter
_SURE = 3  # the number of periods in a row that make it a tone
_COUNTED = 0.005  # the part by which a pitch may be off if its periods are counted over the tone


class Pin(NamedTuple):
    """The name of a pin of the unit, and its line on the analyser.

    is_inverted  whether a low level is the lit lamp, the pressed button
    """

    name: str
    line: str
    is_inverted: bool


class Tone(NamedTuple):
    """A tone: when it began and ended, in ns of the capture, and its pitch in Hz."""

    start: int
    end: int
    hz: float


def read_pins(words: Iterable[str]) -> list[Pin]:
    """Read pins as they are given, "auction=D0", or "auction=!D0"; raises UserError."""
    pins: list[Pin] = []
    for word in words:
        name, _equals, line = word.partition("=")
        if name not in NAMES:
            unknown = _('--pin {word}: the pin "{name}" is unknown{hint}')
            raise UserError(unknown.format(word=word, name=name, hint=did_you_mean(name, NAMES)))
        is_inverted = line.startswith(_INVERTED)
        line = line.removeprefix(_INVERTED)
        if not line:
            nothing = _("--pin {word}: on which line? write {name}=D0, or {name}=!D0 if low is on")
            raise UserError(nothing.format(word=word, name=name))
        if name in [pin.name for pin in pins]:
            raise UserError(_("--pin {word}: this pin is given twice").format(word=word))
        pins.append(Pin(name, line, is_inverted))
    return pins


def guessed(capture: Capture) -> list[Pin]:
    """Return the pins whose lines are called as they are; `_` may stand for `-`."""
    there = (*capture.buses, *capture.ambiguous, *capture.lines)
    lines = {name.lower().replace("_", "-"): name for name in there}
    return [Pin(name, lines[name], False) for name in NAMES if name in lines]


def seen(line: Line, pin: Pin, glitch_ns: int) -> tuple[Line, int]:
    """Return a pin's line, high for on, without pulses below `glitch_ns`, and their number."""
    first = line.first ^ pin.is_inverted
    gaps = map(sub, islice(line.turns, 1, None), line.turns)
    if min(gaps, default=glitch_ns) >= glitch_ns:
        return Line(first, line.turns), 0  # not a copy: there may be millions
    kept = array("q")
    for ns in line.turns:
        if kept and ns - kept[-1] < glitch_ns:
            kept.pop()  # and the level is again as it was before
        else:
            kept.append(ns)
    return Line(first, kept), (len(line.turns) - len(kept)) // 2


def least_rate(notes: Iterable[tuple[int, int]]) -> int:
    """Return how many samples a second tell these notes, `(Hz, ms)`, from each other.

    Each half of a swing must be seen, so that none is missed; and the count of a note's periods
    lies in a span that is known to a sample, which must be little of the whole note.
    """
    return math.ceil(max((max(2 * hz, 1000 / ms / _COUNTED) for hz, ms in notes), default=0))


def grain_of(line: Line, grain_ns: int) -> int:
    """Return how far apart the samples of a swinging line are, 1 if that cannot be seen.

    A file may tell its times finer than they were taken: all of them are multiples, then.
    """
    return max(grain_ns, common_ns(line.turns), 1)


def common_ns(turns: Iterable[int], common: int = 0) -> int:
    """Return the greatest common divisor of times and of `common`."""
    for ns in turns:
        common = math.gcd(common, ns)
        if common == 1:
            break
    return common


def swings(line: Line, pin: Pin, end_ns: int, glitch_ns: int) -> bool:
    """Return whether a buzzer's line is ever anything but just on, as an active buzzer's is."""
    is_steady = next(_steady(line, pin, end_ns, glitch_ns), None) is not None
    rises = _swings(line, _steady(line, pin, end_ns, glitch_ns))
    return not is_steady or next(rises, None) is not None


def tones(line: Line, pin: Pin, end_ns: int, glitch_ns: int, grain_ns: int) -> Iterator[Tone]:
    """Yield the tones of a buzzer's line in order of time: where it swings, and at which pitch.

    A line that is just on for longer than any period has an active buzzer, whose pitch no
    pin shows.
    """

    def swinging() -> Iterator[Tone]:
        group: list[int] = []
        for rise in _swings(line, _steady(line, pin, end_ns, glitch_ns)):
            if group and rise - group[-1] > _LONGEST_PERIOD_NS:
                yield from _of_group(group, grain_ns)
                group = []
            group.append(rise)
        yield from _of_group(group, grain_ns)

    return heapq.merge(_steady(line, pin, end_ns, glitch_ns), swinging())


def _steady(line: Line, pin: Pin, end_ns: int, glitch_ns: int) -> Iterator[Tone]:
    changes = chain(seen(line, pin, glitch_ns)[0].levels(), [(end_ns, 0)])
    return (
        Tone(start, end, UNKNOWN_HZ)
        for (start, level), (end, _level) in pairwise(changes)
        if level and end - start > _LONGEST_PERIOD_NS
    )


def _swings(line: Line, steady: Iterator[Tone]) -> Iterator[int]:
    """Yield when a line rises but for its steady tones."""
    tone = next(steady, None)
    rises = (ns for ns, level in islice(line.levels(), line.first, None) if level)
    for ns in rises:
        while tone and tone.end < ns:
            tone = next(steady, None)
        if tone is None or ns < tone.start:
            yield ns


def _of_group(rises: list[int], grain_ns: int) -> Iterable[Tone]:
    """Yield the tones that follow each other without a pause; a single swing is none."""
    from statistics import median  # here: `search --help` needs none of it

    if len(rises) < 1 + _SURE:
        return
    period = (rises[-1] - rises[0]) / (len(rises) - 1)
    # By how much a period differs from the next, but for one in ten: a rate may be no whole number
    # of ns, and an analyser may have a jitter of its own.
    steps = sorted(abs(later - one) for one, later in pairwise(_periods(rises, 1)))
    blur = max(grain_ns, steps[len(steps) * 9 // 10])
    some = math.ceil(2 * blur / (_NEW_PITCH * period))  # the mean of these is blurred little
    start = 0
    for end in [*_new_pitches(rises, some), len(rises)]:
        part = rises[start : end + 1]  # the first rise of the next tone ends the last period
        start = end
        if len(part) < 1 + _SURE:
            continue
        period = (part[-1] - part[0]) / (len(part) - 1)
        usual = median(_periods(part, min(some, len(part) // 2)))
        hz = 1e9 / (period if abs(period / usual - 1) < _NEW_PITCH else usual)
        until = part[-1] if end < len(rises) else part[-1] + round(usual)
        yield Tone(part[0], until, hz)


def _periods(rises: Sequence[int], some: int) -> list[float]:
    """Return the lengths of the periods, each the mean of some that follow each other."""
    return [(later - rise) / some for rise, later in zip(rises, rises[some:], strict=False)]


def _new_pitches(rises: list[int], some: int) -> list[int]:
    """Return the places from which on the period is another, and stays so.

    some  the number of periods in a row in each mean
    """
    from statistics import median  # here: `search --help` needs none of it

    periods = _periods(rises, some)
    places: list[int] = []
    start = 0
    place = _SURE * some
    while place + (_SURE - 1) * some < len(periods):
        usual = median(periods[start : max(start + 1, min(place - some + 1, start + 20))])
        ahead = periods[place : place + _SURE * some : some]
        if all(abs(period / usual - 1) > _NEW_PITCH for period in ahead):
            # There the mean period differs most from that before it.
            near = range(place, min(place + some, len(periods)))
            place = max(near, key=lambda at: abs(periods[at] - periods[at - some]))
            places.append(place)
            start = place
            place += _SURE * some
        place += 1
    return places
