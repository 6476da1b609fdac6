"""Lays what an instrument saw on the times of a scenario: where it begins, and its clock's drift.

An instrument begins to look at any time, and its clock runs a little faster or slower than the
unit's. Both are found from what the unit should have done: the shift under which most of what was
seen lies where the scenario has it, and then the straight line through these. What lies
elsewhere has no say, so that a fault of the unit stays a fault.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

MOST_DRIFT_PPM = 1000.0  # what crystals and resonators may differ by; more is a fault of a clock

_FIRST = 60  # marks at the beginning from which shifts are guessed
_NEAR_MS = 4.0  # so near, a mark is where the scenario has it, drift aside
_FITTED_NEAR_MS = 12.0  # the same while the line is fitted, before what strays is left out
_ROUNDS = 4  # of a line through what is near, and what is near that line
_LEAST = 6  # marks for a drift to be known
_LEAST_MS = 5000.0  # and how far they must lie apart


class Mark(NamedTuple):
    """Something that is seen to begin or to end: what, and when, in ms."""

    what: str
    ms: float


class Fit(NamedTuple):
    """How times of the instrument become times of the scenario.

    shift_ms    where the instrument's time 0 is in the scenario
    drift_ppm   by how much the instrument's clock is faster than the unit's, None if it
                cannot be known; it is taken out unless it is more than clocks may have
    off_ppm     by how much that may be wrong, two standard errors
    found, of   how many of the marks seen lie where the scenario has them
    worst_ms    the farthest of these
    elsewhere   the others
    """

    shift_ms: float
    drift_ppm: float | None
    off_ppm: float
    found: int
    of: int
    worst_ms: float
    elsewhere: tuple[Mark, ...] = ()

    @property
    def is_taken_out(self) -> bool:
        return self.drift_ppm is not None and abs(self.drift_ppm) <= MOST_DRIFT_PPM

    def scenario_ms(self, ms: float) -> float:
        """Return the scenario's time of a time of the instrument."""
        drift = (self.drift_ppm or 0.0) if self.is_taken_out else 0.0
        return self.shift_ms + ms * (1 - drift / 1e6)


def align(seen: Sequence[Mark], due: Sequence[Mark], first: str | None = None) -> Fit | None:
    """Return how what was seen lies on what was due, None if nothing of it does.

    seen, due  in order of time
    first      what is to be aligned at its first time, without a search: "auction on"
    """
    times: dict[str, list[float]] = {}
    for mark in due:
        times.setdefault(mark.what, []).append(mark.ms)
    if first is not None:
        began = next((mark.ms for mark in seen if mark.what == first), None)
        if began is None or first not in times:
            return None
        shift = times[first][0] - began
    else:
        shift = _best_shift(seen, times)
        if shift is None:
            return None
    return _fitted(seen, times, shift, first is not None)


def _best_shift(seen: Sequence[Mark], times: dict[str, list[float]]) -> float | None:
    """Return the shift under which most marks lie where they are due."""
    guesses: dict[int, float] = {}
    known = [mark for mark in seen if mark.what in times]
    for mark in known[:_FIRST]:
        for ms in times[mark.what]:
            guesses.setdefault(round((ms - mark.ms) / _NEAR_MS), ms - mark.ms)
    some = known[:: max(1, len(known) // 300)]
    rows = [(times[mark.what], mark.ms, _reach_ms(mark, some[0])) for mark in some]
    return max(
        guesses.values(),
        key=lambda shift: (_count(rows, shift), -abs(shift)),
        default=None,
    )


def _count(rows: Sequence[tuple[list[float], float, float]], shift: float) -> int:
    """Return how many marks lie where they are due; hundreds of shifts are tried.

    rows  for each mark: when its like is due, when it was seen, how near that must be
    """
    count = 0
    for due, ms, reach in rows:
        at = shift + ms
        place = bisect_left(due, at)
        is_before = place < len(due) and due[place] - at <= reach
        count += is_before or (place > 0 and at - due[place - 1] <= reach)
    return count


def _reach_ms(mark: Mark, first: Mark) -> float:
    """Return how near a mark must lie, before the drift is known."""
    return _NEAR_MS + abs(mark.ms - first.ms) * MOST_DRIFT_PPM / 1e6


def _pairs(
    seen: Sequence[Mark], times: dict[str, list[float]], shift: float, near: float, slope: float = 1
) -> list[tuple[float, float]]:
    """Return `(when it was seen, when it was due)` of all that lie where they are due."""
    return [
        (mark.ms, due) for mark, due in _beside(seen, times, shift, near, slope) if due is not None
    ]


def _beside(
    seen: Sequence[Mark], times: dict[str, list[float]], shift: float, near: float, slope: float
) -> Iterator[tuple[Mark, float | None]]:
    """Yield each mark that was seen, and when it was due, None if it lies elsewhere."""
    for mark in seen:
        due = times.get(mark.what, [])
        at = shift + slope * mark.ms
        place = bisect_left(due, at)
        nearest = min(due[max(0, place - 1) : place + 1], key=lambda ms: abs(ms - at), default=None)
        reach = near + abs(mark.ms - seen[0].ms) * MOST_DRIFT_PPM / 1e6 * (slope == 1)
        is_near = nearest is not None and abs(nearest - at) <= reach
        yield mark, nearest if is_near else None


def _fitted(
    seen: Sequence[Mark], times: dict[str, list[float]], shift: float, is_fixed: bool
) -> Fit:
    """Return the straight line through what lies where it is due."""
    slope, off_ppm, drift = 1.0, 0.0, None
    pairs = _pairs(seen, times, shift, _FITTED_NEAR_MS)
    last = shift, _FITTED_NEAR_MS, slope  # by what the pairs were found
    is_long = len(pairs) >= _LEAST and pairs[-1][0] - pairs[0][0] >= _LEAST_MS
    if is_long:
        for _again in range(_ROUNDS):
            slope, middle, off_ppm = _line(pairs)
            moved = shift if is_fixed else middle
            near = _strays_from(pairs, slope, moved)
            found = _pairs(seen, times, moved, near, slope)
            if found:
                pairs, last = found, (moved, near, slope)
        drift = (1 - slope) * 1e6
        if abs(drift) > MOST_DRIFT_PPM:
            slope = 1.0
    elif not is_fixed and pairs:
        shift = median(due - at for at, due in pairs)
    if is_long and not is_fixed:
        shift = median(due - slope * at for at, due in pairs)
    worst = max((abs(due - shift - slope * at) for at, due in pairs), default=0.0)
    elsewhere = tuple(mark for mark, due in _beside(seen, times, *last) if due is None)
    return Fit(shift, drift, off_ppm, len(pairs), len(seen), worst, elsewhere)


def _line(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Return slope and shift of the line through pairs, and the slope's doubt in ppm."""
    count = len(pairs)
    mean_at = sum(at for at, _due in pairs) / count
    mean_due = sum(due for _at, due in pairs) / count
    spread = sum((at - mean_at) ** 2 for at, _due in pairs) or 1.0
    slope = sum((at - mean_at) * (due - mean_due) for at, due in pairs) / spread
    shift = mean_due - slope * mean_at
    rest = sum((due - shift - slope * at) ** 2 for at, due in pairs) / max(1, count - 2)
    return slope, shift, 2 * (rest / spread) ** 0.5 * 1e6


def _strays_from(pairs: Sequence[tuple[float, float]], slope: float, shift: float) -> float:
    """Return how far from the line a mark may lie and still have a say."""
    usual = median(abs(due - shift - slope * at) for at, due in pairs)
    return min(_FITTED_NEAR_MS, max(1.0, 5 * usual))
