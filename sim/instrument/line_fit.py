"""A straight line from an instrument's times to a scenario's, through what lies where it is due."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

MOST_DRIFT_PPM = 1000.0  # what crystals and resonators may differ by; more is a fault of a clock

MOST = 0.025  # by such a part a clock may be wrong and still be recognised

_UNIT_MS = 1.0  # a unit shows an edge within a millisecond of when it is due
_NEARLY_ALL = 0.8
_NEARER_MS = 12.0  # while the line is fitted, before what strays is left out
_CLOSE_MS = 3.0  # so near to a line, a mark speaks for it and not for another
_LEAST = 6  # marks for a drift to be known
_LEAST_MS = 5000.0  # and how far they must lie apart

Times = dict[str, list[float]]  # when each kind of mark was due
Pair = tuple[float, float]  # when it was seen, when it was due


class Mark(NamedTuple):
    """Something that is seen to begin or to end: what, and when, in ms."""

    what: str
    ms: float


class Line(NamedTuple):
    """A straight line from the instrument's times to the scenario's."""

    shift: float
    slope: float = 1.0

    def at(self, ms: float) -> float:
        return self.shift + self.slope * ms


class Fitted(NamedTuple):
    """A line through what lies where it is due.

    pairs      what that is
    elsewhere  the marks that do not
    off_ppm    by how much its slope may be wrong, None if it is not known
    """

    line: Line
    pairs: list[Pair]
    elsewhere: tuple[Mark, ...]
    off_ppm: float | None

    @property
    def close(self) -> int:
        """How many lie so near that they speak for it."""
        return sum(abs(due - self.line.at(ms)) <= _CLOSE_MS for ms, due in self.pairs)


class Task(NamedTuple):
    """What a line is sought through.

    seen      the marks, in order of time
    times     when each kind of them was due
    grain_ms  the time from one sample of the instrument to the next
    anchor    through which the line must go, None for any
    """

    seen: Sequence[Mark]
    times: Times
    grain_ms: float = 0.0
    anchor: Pair | None = None


def fit(task: Task, line: Line) -> Fitted:
    """Return the straight line through what lies where it is due, beginning with another line."""
    seen, times, anchor = task.seen, task.times, task.anchor
    pairs = pairs_of(seen, times, line, _NEARER_MS)
    last, near = line, _NEARER_MS  # by what they were found
    off_ppm = None
    pairs, strays = _without_strays(pairs, task)
    is_long = len(pairs) >= _LEAST and pairs[-1][0] - pairs[0][0] >= _LEAST_MS
    for _again in range(4 * is_long):
        through, doubt_ppm = _through(pairs, task.grain_ms)
        if abs(through.slope - 1) > MOST:  # of no clock
            break
        line, off_ppm = _moved(through, anchor), doubt_ppm
        reach = _strays_from(pairs, line)
        found = pairs_of(seen, times, line, reach)
        if found:
            pairs, last, near = found, line, reach
    if pairs and not anchor:
        line = Line(median(due - line.slope * ms for ms, due in pairs), line.slope)
    elsewhere = tuple(
        mark
        for mark, due in _beside(seen, times, last, near)
        if due is None or (not is_long and mark.ms in strays)
    )
    return Fitted(line, pairs, elsewhere, off_ppm)


def _without_strays(pairs: list[Pair], task: Task) -> tuple[list[Pair], set[float]]:
    """Return the pairs without those that are late by themselves, and when these were seen.

    Where nearly all lie as if the clocks ran alike, or nearly so, the others make no drift.
    """
    if not pairs or task.anchor:
        return pairs, set()
    shift = median(due - ms for ms, due in pairs)
    middle = median(ms for ms, _due in pairs)
    alike = []
    for ms, due in pairs:
        drifted_ms = abs(ms - middle) * MOST_DRIFT_PPM / 1e6
        if abs(due - ms - shift) <= _UNIT_MS + task.grain_ms + drifted_ms:
            alike.append((ms, due))
    if len(alike) < _NEARLY_ALL * len(pairs):
        return pairs, set()
    return alike, {ms for ms, _due in pairs} - {ms for ms, _due in alike}


def pairs_of(seen: Sequence[Mark], times: Times, line: Line, near: float) -> list[Pair]:
    """Return `(when it was seen, when it was due)` of all that lie where they are due."""
    return [(mark.ms, due) for mark, due in _beside(seen, times, line, near) if due is not None]


def _beside(
    seen: Sequence[Mark], times: Times, line: Line, near: float
) -> Iterator[tuple[Mark, float | None]]:
    """Yield each mark that was seen, and when it was due, None if it lies elsewhere."""
    for mark in seen:
        at = line.at(mark.ms)
        due = nearest(times.get(mark.what, []), at)
        reach = near
        if line.slope == 1:  # the drift is not known yet
            reach += abs(mark.ms - seen[0].ms) * MOST_DRIFT_PPM / 1e6
        is_near = due is not None and abs(due - at) <= reach
        yield mark, due if is_near else None


def nearest(dues: Sequence[float], at: float) -> float | None:
    """Return which of the times is nearest to one, None if there are none."""
    place = bisect_left(dues, at)
    return min(dues[max(0, place - 1) : place + 1], key=lambda ms: abs(ms - at), default=None)


def _moved(line: Line, anchor: Pair | None) -> Line:
    return line if anchor is None else Line(anchor[1] - line.slope * anchor[0], line.slope)


def _through(pairs: Sequence[Pair], grain_ms: float) -> tuple[Line, float]:
    """Return the line through pairs, and its slope's doubt in ppm.

    What strays at random tells its doubt itself. An edge is late by up to a millisecond as well,
    and by up to a sample, and that may grow from the first to the last, which looks like a drift.
    """
    count = len(pairs)
    mean_at = sum(at for at, _due in pairs) / count
    mean_due = sum(due for _at, due in pairs) / count
    spread = sum((at - mean_at) ** 2 for at, _due in pairs) or 1.0
    slope = sum((at - mean_at) * (due - mean_due) for at, due in pairs) / spread
    line = Line(mean_due - slope * mean_at, slope)
    rest = sum((due - line.at(at)) ** 2 for at, due in pairs) / max(1, count - 2)
    tilt = sum(abs(at - mean_at) for at, _due in pairs) / 2 / spread
    doubt = math.hypot(2 * (rest / spread) ** 0.5, tilt * _UNIT_MS, tilt * grain_ms)
    return line, doubt * 1e6


def _strays_from(pairs: Sequence[Pair], line: Line) -> float:
    """Return how far from the line a mark may lie and still have a say."""
    usual = median(abs(due - line.at(at)) for at, due in pairs)
    return min(_NEARER_MS, max(1.0, 5 * usual))
