"""Expectations that relate the edges of any device to each other: periods, delays, sequences.

Theory of operation. A device has signals: lines that are on or off, tones, and events. A rule names
edges, such as "lamp on" or "beep off"; "lamp" means "lamp on". It is measured at each occurrence of
its first edge, and each measurement is compared with limits. An expectation without a measurement
fails. An interval that the end of the observation cuts off is not measured. No rule refers to the
start of the observation, so a capture may start at any time. The rules as written in a file:

    every = "lamp on"          comes = "lamp on"          never = "motor"
    period = "1 s"             after = "button on"        while = "door"
    within = "5 ms"            within = "100 ms"
    pause = "3 s"  # optional: a longer gap ends the series

    lasts = "beep"             comes = "beep on"          sequence = ["ready on", "beep on"]
    length = "100 ms"          after = "button on"        within = "2 s"
    within = "5 ms"            at = "60 s"
                               within = "50 ms"           count = "beep on"
                                                          times = 3
    pitch = "beep"             comes = "beep on"          after = "ready on"
    hz = 3000                  of = "lamp on"             within = "2 s"
    within = "1 %"             within = "20 ms"
"""

import math
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import did_you_mean
from city_unit.desktop.forms import shortest
from city_unit.desktop.toml_reader import UNITS_MS, Reader, Table, choice, integer, list_of, text
from sim.engine.trace import UNKNOWN_HZ
from sim.lab.instrument.digital import Signals, arrays

_TIME = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(us|µs|[a-z]+)\s*")
_UNITS = {"us": 1e-3, "µs": 1e-3, **UNITS_MS}
_PARTS = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(%|ppm)\s*")
_MOST_EXPECTED = 10_000  # expectations of a file
_MANY = 100_000
_MOST_FAILURES = 4  # described in a report; all are counted


class Failure(NamedTuple):
    """A description of what happened instead, and the time of it."""

    happened: str
    around_ms: int


class Measured(NamedTuple):
    """The outcome of an expectation, with measurements if its kind has any.

    failures   the first measurements outside the limits
    failed     the number of measurements outside the limits
    values     the measurements, in `unit`
    low, high  the limits
    is_beyond  whether it is unknown because the observation ends too early
    """

    failures: tuple[Failure, ...] = ()
    failed: int = 0
    words: str = ""
    unit: str = ""
    values: array = array("d")
    low: float = 0.0
    high: float = 0.0
    is_beyond: bool = False

    @property
    def middle(self) -> float:
        """The median of the values, nan if there are none."""
        from statistics import median  # here: `check --help` does not need it

        np = arrays() if len(self.values) > _MANY else None
        if np is not None:  # `median` would take four times the memory of the values
            return float(np.median(np.frombuffer(self.values)))
        return median(self.values) if self.values else math.nan

    def row(self) -> list[str]:
        """Return the cells of a table: count, least, median, most, limits, expectation."""
        figures = (min(self.values), self.middle, max(self.values)) if self.values else ()
        digits = 2 if self.high >= 1 else 5
        cells = [shortest(each, digits) for each in figures] or ["-"] * 3
        low, high = shortest(self.low, digits), shortest(self.high, digits)
        limits = f"{low} … {high} {self.unit}".rstrip()  # no text
        return [str(len(self.values)), *cells, limits, self.words]


class Expectation(NamedTuple):
    """A parsed expectation.

    words  its text for people
    sees   the signals that an instrument must see to judge it: lines, tones and pitches of a
           device; for our unit lamps, "tone", its pitch, kinds of events and names of their fields
    judge  judges the `Signals` of a device or the `Trace` of our unit
    line   the line of the file where the block starts, 0 without a file
    since  the first ms of the unit's run that it covers
    """

    words: str
    sees: frozenset[str]
    judge: Callable[[Any], Measured]
    line: int = 0
    since: int = 0


Measure = Callable[[Signals], Iterator[tuple[float, "float | None"]]]  # None: an edge is missing
_CUT = math.nan  # the value if the observation ends before the window does


def _measuring(
    words: str,
    sees: frozenset[str],
    unit: str,
    low: float,
    high: float,
    measure: Measure,
) -> Expectation:
    """Return an expectation that all measurements are within the limits."""

    def in_words(ms: float, value: float | None) -> str:
        at = shortest(ms, 1)
        if value is None:
            return _("at {ms} ms it is missing").format(ms=at)
        template = _("at {ms} ms it is {value}, not {limits}")
        least, most, number = (shortest(each, 3) for each in (low, high, value))
        limits = least if low == high else _("{low} to {high}").format(low=least, high=most)
        return template.format(ms=at, value=f"{number} {unit}".rstrip(), limits=limits)

    def judge(signals: Signals) -> Measured:
        values = array("d")
        failures: list[Failure] = []
        failed = cut = 0
        for ms, value in measure(signals):
            if value is not None:
                if low <= value <= high:
                    values.append(value)
                    continue
                if math.isnan(value):
                    cut += 1
                    continue
                values.append(value)
            failed += 1
            if len(failures) < _MOST_FAILURES:
                failures.append(Failure(in_words(ms, value), round(ms)))
        is_known = bool(values or failed)
        if not is_known and not cut and high:  # `never` has no measurement if it is kept
            failed = 1
            failures = [Failure(_("it was never observed"), round(signals.begin_ms))]
        is_beyond = bool(cut) and not is_known
        return Measured(tuple(failures), failed, words, unit, values, low, high, is_beyond)

    return Expectation(words, sees, judge)


Read = Callable[[Table], Expectation]


def readers(names: Iterable[str]) -> dict[str, Read]:
    """Return the parser of each kind of rule, for a device with these signals."""
    names = tuple(names)
    return {kind: partial(read, names=names) for kind, read in _READERS.items()}


def read(table: Table, readers: Mapping[str, Read], known: Sequence[str] = ()) -> list[Expectation]:
    """Parse the `[[expect]]` blocks of a file; raises UserError.

    readers  the parsers by the key that makes a block one of their kind
    known    other keys, which are not mistaken for a misspelt kind
    """
    found = []
    for block in table.tables("expect", _MOST_EXPECTED):
        kinds = [kind for kind in readers if kind in block]
        if len(kinds) != 1:
            if known and not kinds:
                for key in (*readers, *known):
                    block.take(key, lambda value: value, None)
                block.finish()  # reports a misspelt key
            words = _("an expectation must have one of {kinds}")
            raise block.error(None, words.format(kinds=", ".join(readers)))
        expectation = readers[kinds[0]](block)
        block.finish()
        found.append(expectation._replace(line=block.line(None)))
    return found


def _every(table: Table, names: Sequence[str]) -> Expectation:
    edge = table.take("every", _edge(names))
    period = table.take("period", time)
    off = table.take("within", time)
    pause = table.take("pause", time, 0.0)

    def measure(signals: Signals) -> Iterator[tuple[float, float | None]]:
        for before, ms in pairwise(signals.edges(edge)):
            if not pause or ms - before < pause:
                yield before, ms - before

    words = _("{edge} every {period} ms, within {off} ms")
    words = words.format(edge=edge, period=shortest(period, 3), off=shortest(off, 3))
    return _measuring(words, _needs(edge), "ms", period - off, period + off, measure)


def _comes(table: Table, names: Sequence[str]) -> Expectation:
    edge = table.take("comes", _edge(names))
    off = table.take("within", time)
    if ("of" in table) == ("after" in table):
        raise table.error("comes", _("comes: needs one of after and of"))
    is_near = "of" in table
    other = table.take("of" if is_near else "after", _edge(names))
    at = 0.0 if is_near else table.take("at", time, 0.0)
    is_same = edge == other  # an edge does not follow itself
    low, high = (at - off, at + off) if is_near or "at" in table else (0.0, off)

    def measure(signals: Signals) -> Iterator[tuple[float, float | None]]:
        found = signals.edges(edge)
        aim = (low + high) / 2
        furthest = math.inf if is_near else max(2 * high, 1000)
        for ms in signals.edges(other):
            if is_near:
                place = bisect_left(found, ms)
                after = place + is_same
                near = [*found[max(0, place - 1) : place], *found[after : after + 1]]
            else:  # the edge nearest to the window, but not before the other edge
                first = (bisect_right if is_same else bisect_left)(found, ms)
                place = bisect_left(found, ms + aim, first)
                near = found[max(first, place - 1) : place + 1]
            value = None
            for each in near:  # plain comparisons: there may be millions
                if value is None or abs(each - ms - aim) < abs(value - aim):
                    value = each - ms
            if value is not None and value > furthest:
                value = None
            if value is not None and low <= value <= high:
                yield ms, value
            elif ms + high > signals.end_ms:
                yield ms, _CUT
            elif ms + low >= signals.begin_ms:
                yield ms, value

    if is_near:
        words = _("{edge} within {off} ms of {other}")
    elif low:
        words = _("{edge} comes {at} ms after {other}, within {off} ms")
    else:
        words = _("{edge} comes within {off} ms after {other}")
    fields = {"edge": edge, "other": other, "off": shortest(off, 3), "at": shortest(at, 3)}
    needs = _needs(edge, other)
    return _measuring(words.format(**fields), needs, "ms", low, high, measure)


def _never(table: Table, names: Sequence[str]) -> Expectation:
    name = table.take("never", choice(names))
    other = table.take("while", choice(names), None)

    def measure(signals: Signals) -> Iterator[tuple[float, float | None]]:
        others = signals.spans[other] if other else [(signals.begin_ms, signals.end_ms)]
        place = 0
        for start, end in signals.spans[name]:
            while place < len(others) and others[place][1] <= start:
                place += 1
            near = place
            while near < len(others) and others[near][0] < end:
                begin, until = max(start, others[near][0]), min(end, others[near][1])
                if until > begin:
                    yield begin, until - begin
                near += 1

    words = _("never {name} while {other}") if other else _("never {name}")
    needs = frozenset(each for each in (name, other) if each)
    return _measuring(words.format(name=name, other=other), needs, "ms", 0.0, 0.0, measure)


def _lasts(table: Table, names: Sequence[str]) -> Expectation:
    name = table.take("lasts", choice(names))
    length = table.take("length", time)
    off = table.take("within", time)

    def measure(signals: Signals) -> Iterator[tuple[float, float | None]]:
        for start, end in signals.spans[name]:
            if start > signals.begin_ms:
                yield start, end - start if end < signals.end_ms else _CUT

    words = _("{name} lasts {length} ms, within {off} ms")
    words = words.format(name=name, length=shortest(length, 3), off=shortest(off, 3))
    sees = frozenset([name])
    return _measuring(words, sees, "ms", length - off, length + off, measure)


def _pitch(table: Table, names: Sequence[str]) -> Expectation:
    name = table.take("pitch", choice(names))
    hz = table.take("hz", integer(1, 20_000))
    off = hz * table.take("within", part)

    def measure(signals: Signals) -> Iterator[tuple[float, float | None]]:
        for (start, _end), pitch in zip(
            signals.spans[name], signals.hz.get(name, ()), strict=False
        ):
            if pitch != UNKNOWN_HZ:
                yield start, pitch

    words = _("{name} has {hz} Hz, within {off} Hz")
    words = words.format(name=name, hz=hz, off=shortest(off, 1))
    sees = frozenset([name, pitch_of(name)])
    return _measuring(words, sees, "Hz", hz - off, hz + off, measure)


def _sequence(table: Table, names: Sequence[str]) -> Expectation:
    edges = table.take("sequence", list_of(_edge(names), 2, 20))
    off = table.take("within", time)

    def measure(signals: Signals) -> Iterator[tuple[float, float | None]]:
        found = [signals.edges(edge) for edge in edges]
        begins = found[0]
        repeats = edges[0] in edges[1:]  # as with three beeps: the others do not start a sequence
        number = 0
        while number < len(begins):
            ms = begin = begins[number]
            number += 1
            later = begins[number] if number < len(begins) else signals.end_ms
            for before, edge, times in zip(edges, edges[1:], found[1:], strict=False):
                place = (bisect_right if edge == before else bisect_left)(times, ms)
                is_there = place < len(times) and (
                    times[place] <= begin + off if repeats else times[place] < later
                )
                if not is_there:
                    yield begin, None if begin + off <= signals.end_ms else _CUT
                    break
                ms = times[place]
            else:
                yield begin, ms - begin
            if repeats:
                number = bisect_right(begins, max(ms, begin))

    words = _("in this order within {off} ms: {edges}")
    words = words.format(off=shortest(off, 3), edges=", ".join(edges))
    return _measuring(words, _needs(*edges), "ms", 0.0, off, measure)


def _count(table: Table, names: Sequence[str]) -> Expectation:
    edge = table.take("count", _edge(names))
    times = table.take("times", integer(0, 1_000_000))
    other = table.take("after", _edge(names), None)
    span = table.take("within", time) if other else 0.0

    def measure(signals: Signals) -> Iterator[tuple[float, float | None]]:
        found = signals.edges(edge)
        if other is None:
            yield signals.begin_ms, float(len(found))
            return
        for ms in signals.edges(other):
            number = float(bisect_right(found, ms + span) - bisect_left(found, ms))
            yield ms, number if ms + span <= signals.end_ms else _CUT

    words = (
        _("{edge} {times} times within {span} ms after {other}")
        if other
        else _("{edge} {times} times")
    )
    words = words.format(edge=edge, times=times, span=shortest(span, 3), other=other)
    needs = _needs(edge, *([other] if other else []))
    return _measuring(words, needs, "", times, times, measure)


_READERS = {
    "every": _every,
    "comes": _comes,
    "never": _never,
    "lasts": _lasts,
    "pitch": _pitch,
    "sequence": _sequence,
    "count": _count,
}


def _edge(names: Sequence[str]) -> Reader[str]:
    """Return a parser of edges: "lamp on", "lamp off", or "lamp" for "lamp on"."""

    def read_edge(value: object) -> str:
        name, _space, way = text(value).rpartition(" ")
        if way not in ("on", "off") or not name:
            name, way = text(value), "on"
        if name not in names:
            words = _('"{word}" is unknown{hint}')
            raise ValueError(words.format(word=name, hint=did_you_mean(name, names)))
        return f"{name} {way}"  # no text: as it is written

    return read_edge


def time(value: object) -> float:
    """Parse a time such as "1.5 s" or "20 us" to ms."""
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if not found or found[2] not in _UNITS:
        words = _('"{value}" is not a time; write for example "45 s", with a unit ({units})')
        raise ValueError(words.format(value=value, units=", ".join(_UNITS)))
    return float(found[1]) * _UNITS[found[2]]


def part(value: object) -> float:
    """Parse a relative tolerance such as "2 %" or "500 ppm"."""
    found = _PARTS.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise ValueError(
            _('"{value}" is not a relative tolerance; write for example "2 %" or "500 ppm"').format(
                value=value
            )
        )
    return float(found[1]) / (100 if found[2] == "%" else 1_000_000)


def pitch_of(name: str) -> str:
    """Return the name of a tone's pitch among the signals that an instrument sees."""
    return f"{name} hz"  # no text: a name in `sees`


def _needs(*edges: str) -> frozenset[str]:
    return frozenset(edge.rpartition(" ")[0] for edge in edges)
