"""Lines of clocks that are wrong by up to what the worst resonator may be, and more.

Each goes through two marks that lie far apart and two times at which they may have been due.
Most of these lines hit nothing but their two marks: a few others judge that soon.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sim.instrument.line_fit import MOST, Line, Mark, Task, Times, fit, nearest

_NEAR_MS = 6.0  # so near, a mark is where it is due: two marks do not make a line exact
_LEAST = 6  # marks for a line
_LEAST_MS = 5000.0  # and how far they must lie apart
_WINDOW_MS = 120_000.0  # in which lines are sought; from there they are drawn on
_MARKS = 4  # at either end, the rarest and as many others
_SAMPLE = 80  # marks that judge a line
_FEW = 10  # of which so many judge it first
_HITS = 3
_MOST_LINES = 30_000
_BEST = 5  # lines that are fitted to all


class _Tried(NamedTuple):
    hits: int
    line: Line


def lines(task: Task) -> Iterator[Line]:
    """Yield the lines on which much lies, each fitted to nearly all that was seen."""
    times = task.times
    known = [mark for mark in task.seen if mark.what in times]
    window = [mark for mark in known if mark.ms - known[0].ms <= _WINDOW_MS]
    if len(window) < _LEAST or window[-1].ms - window[0].ms < _LEAST_MS:
        return
    sample = _spread(window, _SAMPLE)
    few = _spread(sample, _FEW)
    best: list[_Tried] = []
    for line in islice(_through_two(task._replace(seen=window)), _MOST_LINES):
        if _hits(few, times, line) < _HITS:
            continue
        best.append(_Tried(_hits(sample, times, line), line))
        if len(best) > 10 * _BEST:
            best = sorted(best, reverse=True)[:_BEST]
    for tried in sorted(best, reverse=True)[:_BEST]:
        yield _drawn_on(task._replace(seen=known), tried.line)


def _through_two(task: Task) -> Iterator[Line]:
    """Yield each line through two marks and times at which they may have been due."""
    times, anchor = task.times, task.anchor
    for early, late in _far_apart(task.seen, times):
        begin_ms = anchor[0] if anchor else early.ms
        far = late.ms - begin_ms
        if far < _LEAST_MS:
            continue
        dues = times[late.what]
        for begin in [anchor[1]] if anchor else times[early.what]:
            low = bisect_left(dues, begin + far * (1 - MOST))
            high = bisect_right(dues, begin + far * (1 + MOST))
            for end in dues[low:high]:
                slope = (end - begin) / far
                yield Line(begin - slope * begin_ms, slope)


def _far_apart(window: Sequence[Mark], times: Times) -> Iterator[tuple[Mark, Mark]]:
    """Yield pairs of marks of the first and the last third, the rarest kinds first."""
    third = (window[-1].ms - window[0].ms) / 3
    early = [mark for mark in window if mark.ms <= window[0].ms + third]
    late = [mark for mark in window if mark.ms >= window[-1].ms - third]
    pairs = [(first, second) for first in _some(early, times) for second in _some(late, times)]
    yield from sorted(pairs, key=lambda pair: sum(len(times[mark.what]) for mark in pair))


def _some(marks: Sequence[Mark], times: Times) -> list[Mark]:
    rarest = sorted(marks, key=lambda mark: len(times[mark.what]))[:_MARKS]
    return list(dict.fromkeys([*rarest, *_spread(marks, _MARKS)]))


def _spread(marks: Sequence[Mark], count: int) -> list[Mark]:
    """Return at most so many marks, at even distances in the list."""
    if len(marks) <= count:
        return list(marks)
    return [marks[place * (len(marks) - 1) // (count - 1)] for place in range(count)]


def _hits(marks: Sequence[Mark], times: Times, line: Line) -> int:
    hits = 0
    for mark in marks:
        at = line.at(mark.ms)
        due = nearest(times[mark.what], at)
        hits += due is not None and abs(due - at) <= _NEAR_MS
    return hits


def _drawn_on(task: Task, line: Line) -> Line:
    """Return the line fitted to more and more of what was seen."""
    known = task.seen
    length = _WINDOW_MS
    while length < known[-1].ms - known[0].ms:
        part = [mark for mark in known if mark.ms - known[0].ms <= length]
        line = fit(task._replace(seen=part), line).line
        length *= 2
    return line
