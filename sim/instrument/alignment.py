"""Lays what an instrument saw on the times of a scenario: where it begins, and its clock's drift.

An instrument begins to look at any time, and its clock runs a little faster or slower than the
unit's. Both are found from what the unit should have done: the shift under which most of what was
seen lies where the scenario has it, and then the straight line through these. Where that leaves
something over, another clock is tried (`other_clock`). What lies elsewhere has no say, so that a
fault of the unit stays a fault.
"""

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sim.instrument import other_clock
from sim.instrument.line_fit import (
    MOST_DRIFT_PPM,
    Fitted,
    Line,
    Mark,
    Task,
    Times,
    fit,
    pairs_of,
)

_FIRST = 60  # marks at the beginning from which shifts are guessed
_FEW, _MANY = 30, 300  # marks that judge all shifts, and the likely ones
_LIKELY = 150
_NEAR_MS = 4.0  # so near, a mark is where the scenario has it, drift aside
_ON_ANOTHER = 0.8  # such a part must be close to the line of another clock, for it to be one


class Fit(NamedTuple):
    """How times of the instrument become times of the scenario.

    line        how they do
    drifting    the same with the drift, whether that is taken out or not
    drift_ppm   by how much the instrument's clock is faster than the unit's, None if it
                cannot be known; it is taken out unless it is more than clocks may have
    off_ppm     by how much that may be wrong, in 95 of 100 cases at most
    found, of   how many of the marks seen lie where the scenario has them, drift aside
    worst_ms    the farthest of these
    elsewhere   the others
    """

    line: Line
    drifting: Line
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
        return self.line.at(ms)


def align(
    seen: Sequence[Mark], due: Sequence[Mark], first: str | None = None, grain_ms: float = 0.0
) -> Fit | None:
    """Return how what was seen lies on what was due, None if nothing of it does.

    seen, due  in order of time
    first      what is to be aligned at its first time, without a search: "auction on"
    grain_ms   the time from one sample of the instrument to the next
    """
    times: Times = {}
    for mark in due:
        times.setdefault(mark.what, []).append(mark.ms)
    anchor = None
    if first is not None:
        began = next((mark.ms for mark in seen if mark.what == first), None)
        if began is None or first not in times:
            return None
        anchor = began, times[first][0]
    shift = anchor[1] - anchor[0] if anchor else _best_shift(seen, times)
    if shift is None:
        return None
    task = Task(seen, times, grain_ms, anchor)
    fitted = fit(task, Line(shift))
    if fitted.elsewhere:
        fitted = _on_another_clock(task, fitted)
    return _told(task, fitted)


def _on_another_clock(task: Task, plain: Fitted) -> Fitted:
    """Return the line of another clock if more lies on it than on the plain one, and enough."""
    whats = {mark.what for mark in task.seen}
    wanted = sum(len(dues) for what, dues in task.times.items() if what in whats)
    least = _ON_ANOTHER * min(len(task.seen), wanted)
    found = [fit(task, line) for line in other_clock.lines(task)]
    best = max(found, key=lambda fitted: fitted.close, default=plain)
    is_better = best.close > plain.close and best.close >= least and best.off_ppm is not None
    return best if is_better else plain


def _told(task: Task, fitted: Fitted) -> Fit:
    line, pairs = fitted.line, fitted.pairs
    worst = max((abs(due - line.at(ms)) for ms, due in pairs), default=0.0)
    drift = None if fitted.off_ppm is None else (1 / line.slope - 1) * 1e6
    shown = line
    if drift is not None and abs(drift) > MOST_DRIFT_PPM:  # the clocks agree as it all begins
        ms = task.anchor[0] if task.anchor else pairs[0][0]
        shown = Line(line.at(ms) - ms)
    counts = len(pairs), len(task.seen)
    return Fit(shown, line, drift, fitted.off_ppm or 0.0, *counts, worst, fitted.elsewhere)


def _best_shift(seen: Sequence[Mark], times: Times) -> float | None:
    """Return the shift under which most marks lie where they are due."""
    guesses: dict[int, float] = {}
    known = [mark for mark in seen if mark.what in times]
    for mark in known[:_FIRST]:
        for ms in times[mark.what]:
            guesses.setdefault(round((ms - mark.ms) / _NEAR_MS), ms - mark.ms)

    def best(shifts: Iterable[float], some: int, count: int) -> list[float]:
        """Return so many of the shifts, those under which most of some marks lie well."""
        marks = known[:: max(1, len(known) // some)]

        def order(shift: float) -> tuple[int, float]:
            return -len(pairs_of(marks, times, Line(shift), _NEAR_MS)), abs(shift)

        return heapq.nsmallest(count, shifts, key=order)

    likely = best(guesses.values(), _FEW, _LIKELY)
    return next(iter(best(likely, _MANY, 1)), None)
