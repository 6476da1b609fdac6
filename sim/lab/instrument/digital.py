"""Digital lines of a capture, and the unit's pins on them: glitch removal and pitch measurement.

A capture is a set of lines, each an initial level and the times of its edges. A pin of the unit is
mapped to a line by name and may be inverted. A buzzer's line either swings at the pitch of its
tones, or is just high while an active buzzer sounds; `tones` tells the two apart.
"""

import heapq
import math
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from operator import sub
from typing import Any, NamedTuple, overload

from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.errors import UserError, did_you_mean
from city_unit.desktop.forms import number, shortest
from sim.engine.trace import UNKNOWN_HZ
from sim.lab.instrument import NAMES

MOST_EDGES = 50_000_000  # 8 bytes each; a file with more is damaged or hostile
MOST_LINES = 4096
PITCH, EVENTS = "pitch_hz", "events"  # columns of our own CSV export that are not digital lines

MOST_HZ = 100_000_000_000
LONGEST_NS = 2**62  # over a hundred years
_RATE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?) *([kMG]?)(?:Hz)?", re.IGNORECASE)
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def arrays() -> Any:
    """Return numpy, or None if it is not installed. Without it results are equal but slower."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def sample_rate(words: str) -> float:
    """Parse a sample rate such as "24 MHz"; raises ValueError."""
    found = _RATE.fullmatch(words.strip())
    rate = float(found[1]) * _TIMES[found[2].lower()] if found else 0
    if not 0.01 <= rate <= MOST_HZ:
        raise ValueError(_("its sample rate is missing or invalid"))
    return rate


class Intervals(Sequence[tuple[float, float]]):
    """Chronological intervals `(start, end)` in ms, at 16 bytes each."""

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
    """A digital line: its initial level, and the times of its edges in ns from the start."""

    first: int
    turns: array

    def intervals(self, until_ms: float) -> Intervals:
        """Return the intervals in ms in which it is high; an open last one ends at `until_ms`."""
        found, np = Intervals(), arrays()
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
        """Yield `(0, 1)` if it starts high, then each edge as `(ns, new level)`."""
        level = self.first
        if level:
            yield 0, 1
        for ns in self.turns:
            level = 1 - level
            yield ns, level


class Capture(NamedTuple):
    """The lines of a capture, by the names the analyser's program gave them.

    end_ns     the length of the capture
    grain_ns   the sampling interval, 0 if the file does not give it
    has_end    whether the file tells when the capture ended; else `end_ns` is the last change
    buses      the width in bits of each multi-bit variable; these cannot be pins
    ambiguous  names that several lines share, each with the longer names used instead
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
            words = _('several lines of this capture are called "{name}"; use one of {names}')
            raise UserError(words.format(name=name, names=", ".join(self.ambiguous[name])))
        if name in self.buses:
            words = _(
                'the line "{name}" is a bus of {count} bits; export the single bit of the pin'
            )
            raise UserError(words.format(name=name, count=self.buses[name]))
        if name not in self.lines:
            words = _('there is no line "{name}" in this capture{hint}')
            raise UserError(words.format(name=name, hint=did_you_mean(name, self.lines)))
        return self.lines[name]


class Signals(NamedTuple):
    """The observed signals of a device; times are ms by the clock of the source.

    spans     the intervals in which each signal was on; one that was cut off starts at `begin_ms`
              or ends at `end_ms`
    hz        the pitch of each interval of each tone
    end_ms    when the observation ended
    notes     remarks for people
    begin_ms  when the observation started, 0 unless a board printed the times
    """

    spans: Mapping[str, Intervals]
    hz: Mapping[str, Sequence[float]]
    end_ms: float
    notes: tuple[str, ...] = ()
    begin_ms: float = 0.0

    def edges(self, edge: str) -> Sequence[float]:
        """Return the times of an edge such as "lamp on"."""
        name, _space, way = edge.rpartition(" ")
        found = self.spans[name]
        if way == "off":
            is_cut = bool(found) and found.ends[-1] >= self.end_ms
            return found.ends[:-1] if is_cut else found.ends
        is_cut = bool(found) and found.starts[0] <= self.begin_ms
        return found.starts[1:] if is_cut else found.starts


_INVERTED = "!"
_LONGEST_PERIOD_NS = 8_000_000  # no tone is below 125 Hz; pauses are longer
_NEW_PITCH = 0.04  # a relative change of the period above this is a new tone, not jitter
_LEAST_PERIODS = 3  # consecutive periods that make a tone
_COUNTED = 0.005  # the largest relative error of a pitch that is counted over the whole tone


class Pin(NamedTuple):
    """A pin of the unit and its line on the analyser.

    is_inverted  whether the pin is active low
    """

    name: str
    line: str
    is_inverted: bool


class Tone(NamedTuple):
    """A tone: its start and end in ns of the capture, and its pitch."""

    start: int
    end: int
    hz: float


def read_pins(words: Iterable[str]) -> list[Pin]:
    """Parse pins such as "auction=D0", or "auction=!D0" for active low; raises UserError."""
    pins: list[Pin] = []
    for word in words:
        name, _equals, line = word.partition("=")
        if name not in NAMES:
            unknown = _('--pin {word}: the pin "{name}" is unknown{hint}')
            raise UserError(unknown.format(word=word, name=name, hint=did_you_mean(name, NAMES)))
        is_inverted = line.startswith(_INVERTED)
        line = line.removeprefix(_INVERTED)
        if not line:
            nothing = _(
                "--pin {word}: the line is missing; write {name}=D0, or {name}=!D0 if low is on"
            )
            raise UserError(nothing.format(word=word, name=name))
        if name in [pin.name for pin in pins]:
            raise UserError(_("--pin {word}: this pin is given twice").format(word=word))
        pins.append(Pin(name, line, is_inverted))
    return pins


def guessed(capture: Capture) -> list[Pin]:
    """Return the pins for which there is a line of the same name; `_` may stand for `-`."""
    there = (*capture.buses, *capture.ambiguous, *capture.lines)
    lines = {name.lower().replace("_", "-"): name for name in there}
    return [Pin(name, lines[name], False) for name in NAMES if name in lines]


def deglitched(line: Line, pin: Pin, glitch_ns: int) -> tuple[Line, int]:
    """Remove pulses shorter than `glitch_ns`; return the line, high for on, and their number."""
    first = line.first ^ pin.is_inverted
    gaps = map(sub, islice(line.turns, 1, None), line.turns)
    if min(gaps, default=glitch_ns) >= glitch_ns:
        return Line(first, line.turns), 0  # shared, not copied: there may be millions
    kept = array("q")
    for ns in line.turns:
        if kept and ns - kept[-1] < glitch_ns:
            kept.pop()  # the level is back to the one before the pulse
        else:
            kept.append(ns)
    return Line(first, kept), (len(line.turns) - len(kept)) // 2


def glitch_note(count: int, us: float) -> list[str]:
    """Return a remark on the removed pulses, shorter than `us`, if there were any."""
    if not count:
        return []
    words = ngettext(
        "{count} pulse shorter than {us} µs was ignored",
        "{count} pulses shorter than {us} µs were ignored",
        count,
    )
    return [words.format(count=number(count), us=shortest(us, 3))]


def least_rate(notes: Iterable[tuple[int, int]]) -> int:
    """Return the least sample rate that distinguishes these notes `(Hz, ms)`.

    Two conditions apply. Each half period must be sampled. And since a pitch is the number of
    periods over an interval known to one sample, a sample must be short against the note.
    """
    return math.ceil(max((max(2 * hz, 1000 / ms / _COUNTED) for hz, ms in notes), default=0))


def grain_of(line: Line, grain_ns: int) -> int:
    """Return the sampling interval of a swinging line in ns, 1 if it cannot be determined.

    A file may have a finer time unit than the analyser had. All its times then share a divisor.
    """
    return max(grain_ns, common_ns(line.turns), 1)


def common_ns(turns: Iterable[int], common: int = 0) -> int:
    """Return the greatest common divisor of the times and `common`."""
    for ns in turns:
        common = math.gcd(common, ns)
        if common == 1:
            break
    return common


def swings(line: Line, pin: Pin, end_ns: int, glitch_ns: int) -> bool:
    """Return whether a buzzer's line swings. An active buzzer's is only switched on and off."""
    is_steady = next(_steady(line, pin, end_ns, glitch_ns), None) is not None
    rises = _swings(line, _steady(line, pin, end_ns, glitch_ns))
    return not is_steady or next(rises, None) is not None


def tones(line: Line, pin: Pin, end_ns: int, glitch_ns: int, grain_ns: int) -> Iterator[Tone]:
    """Yield the tones of a buzzer's line in chronological order.

    A level that is high for longer than any period is an active buzzer, whose pitch is unknown.
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
    changes = chain(deglitched(line, pin, glitch_ns)[0].levels(), [(end_ns, 0)])
    return (
        Tone(start, end, UNKNOWN_HZ)
        for (start, level), (end, _level) in pairwise(changes)
        if level and end - start > _LONGEST_PERIOD_NS
    )


def _swings(line: Line, steady: Iterator[Tone]) -> Iterator[int]:
    """Yield the rising edges outside the steady tones."""
    tone = next(steady, None)
    rises = (ns for ns, level in islice(line.levels(), line.first, None) if level)
    for ns in rises:
        while tone and tone.end < ns:
            tone = next(steady, None)
        if tone is None or ns < tone.start:
            yield ns


def _of_group(rises: list[int], grain_ns: int) -> Iterable[Tone]:
    """Yield the tones of rising edges without a pause between them; one swing is not a tone."""
    from statistics import median  # here: `search --help` does not need it

    if len(rises) < 1 + _LEAST_PERIODS:
        return
    period = (rises[-1] - rises[0]) / (len(rises) - 1)
    # The 90th percentile of the difference between neighbouring periods. It exceeds the sampling
    # interval if that is not a whole number of ns, or if the analyser itself jitters.
    steps = sorted(abs(later - one) for one, later in pairwise(_periods(rises, 1)))
    blur = max(grain_ns, steps[len(steps) * 9 // 10])
    some = math.ceil(2 * blur / (_NEW_PITCH * period))  # periods whose mean is precise enough
    start = 0
    for end in [*_new_pitches(rises, some), len(rises)]:
        part = rises[start : end + 1]  # the next tone's first edge ends the last period
        start = end
        if len(part) < 1 + _LEAST_PERIODS:
            continue
        period = (part[-1] - part[0]) / (len(part) - 1)
        usual = median(_periods(part, min(some, len(part) // 2)))
        hz = 1e9 / (period if abs(period / usual - 1) < _NEW_PITCH else usual)
        until = part[-1] if end < len(rises) else part[-1] + round(usual)
        yield Tone(part[0], until, hz)


def _periods(rises: Sequence[int], some: int) -> list[float]:
    """Return the moving average of the period over `some` periods."""
    return [(later - rise) / some for rise, later in zip(rises, rises[some:], strict=False)]


def _new_pitches(rises: list[int], some: int) -> list[int]:
    """Return the indices at which the period changes and stays changed.

    some  number of periods averaged
    """
    from statistics import median  # here: `search --help` does not need it

    periods = _periods(rises, some)
    places: list[int] = []
    start = 0
    place = _LEAST_PERIODS * some
    while place + (_LEAST_PERIODS - 1) * some < len(periods):
        usual = median(periods[start : max(start + 1, min(place - some + 1, start + 20))])
        ahead = periods[place : place + _LEAST_PERIODS * some : some]
        if all(abs(period / usual - 1) > _NEW_PITCH for period in ahead):
            # The change is where the averages before and after differ most.
            near = range(place, min(place + some, len(periods)))
            place = max(near, key=lambda at: abs(periods[at] - periods[at - some]))
            places.append(place)
            start = place
            place += _LEAST_PERIODS * some
        place += 1
    return places
