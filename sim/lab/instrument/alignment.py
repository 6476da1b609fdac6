"""Aligns the edges an instrument observed with the edges a scenario expects.

Theory of operation. The instrument's recording starts at an unknown time, and its clock runs
slightly faster or slower than the unit's. A straight line describes both: `due = shift + slope *
seen`. Each edge of a healthy unit lies within 1.5 ms of this line. A late unit must not bend it:

1. `_initial_line` lets a sample of the observed edges vote: each edge votes for every expected edge
   of its kind. The search starts from the slope and shift with the most votes.
2. `_clusters` groups the differences that remain at a given slope into clusters that agree within
   1.5 ms. A healthy capture forms one cluster. A unit that becomes late at some point, or is late
   on one line only, forms two. They have the same slope and differ by the lateness. `_score`
   prefers slopes at which few clusters hold almost all edges. A step is therefore not mistaken for
   drift: one tilted line holds fewer edges than two parallel ones.
3. Least squares over all clusters, with a common slope and one shift per cluster, gives the drift.
4. `_reference` chooses the cluster in which the unit is on time: the first one if the clusters
   follow each other in time, else the one with both lamps and sound, else the earlier one, because
   a faulty unit is late rather than early.

Drift is corrected up to a limit. The other clusters are reported as steps; they excuse nothing.
"""

import heapq
import math
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from sim.engine.trace import Timed
from sim.lab.instrument.digital import arrays

LIMIT_PPM = 200.0  # crystals differ by less
MOST_PPM = 20_000.0  # the largest clock error that is recognised

_AGREE_MS = 1.5  # edges of a cluster lie within this of its middle
_ON_TIME_MS = 12.0  # an edge this close to a due time counts as found
_LEAST = 6  # edges needed to estimate the drift
_LEAST_MS = 5000.0  # and the time they must span
_WINDOW_MS = 60_000.0  # length of the part in which the search starts
_SAMPLE = 300  # edges scored at a time
_MOST_FITTED = 10_000  # edges fitted, on time and elsewhere each; a month has more
_VOTERS = 40
_LEAST_VOTERS = 12
_MOST_VOTES = 6000
_MOST_SPANS = 400  # spans of shifts that are searched if there are more than `_MOST_VOTES`
_MOST_SLOPES = 1000  # slopes tried on either side of 1
_BEST = 6
_LIKELY = 150
_FAR_MS = 1500.0  # the largest step that can be detected
_MOST_CLUSTERS = 4
_POOR = 0.75  # share of the edges that a wrong clock must explain to be accepted
_UNIT_MS = 1.0  # a healthy unit shows each edge within this of its due time
_SOUND = "tone"

T = TypeVar("T")
Times = Mapping[str, Sequence[float]]  # due times by kind of edge


class Mark(NamedTuple):
    """An edge: its kind, such as "auction on", and its time in ms."""

    kind: str
    ms: float


class Marks(Timed[Mark]):
    """Edges in chronological order."""

    _KIND = "d"

    def _split(self, thing: Mark) -> tuple[float, Hashable]:
        return thing.ms, thing.kind

    def _join(self, ms: Any, rest: Any) -> Mark:
        return Mark(rest, ms)

    @property
    def kinds(self) -> Collection[str]:
        """The kinds of edges present."""
        return self._rests


def times_of(due: Iterable[Mark]) -> Times:
    """Group chronological edges by kind; return the times of each."""
    times: dict[str, array] = {}
    for mark in due:
        times.setdefault(mark.kind, array("d")).append(mark.ms)
    return times


class Line(NamedTuple):
    """A linear map from the instrument's time to the scenario's, in ms."""

    shift: float
    slope: float = 1.0

    def at(self, ms: float) -> float:
        return self.shift + self.slope * ms


class Step(NamedTuple):
    """A group of edges that are late, or early, by the same amount.

    late_ms     the lateness, negative if early
    start, end  due times of the first and the last edge
    lines       the lines concerned, in order of their first edge
    edges       number of edges
    """

    late_ms: float
    start: float
    end: float
    lines: tuple[str, ...]
    edges: int


class Fit(NamedTuple):
    """The result of an alignment.

    line          maps observed to scenario times; corrects the drift only if `is_corrected`
    drifting      the same line with the drift corrected in any case
    drift_ppm     how much faster the instrument's clock runs than the unit's, None if unknown
    uncertainty_ppm       its uncertainty at 95 % confidence
    found, of     number of edges at their due times (drift corrected), and of all edges
    most          number of edges in the largest cluster
    worst_ms      largest deviation of the edges found
    elsewhere     the edges not found
    is_corrected  False if the drift is over the limit, or differs between lamps and sound
    steps         groups of edges that are late or early together, the largest first
    pairs         edges in chronological order, each with its due time or None; a sample of them
                  for a long capture
    """

    line: Line
    drifting: Line
    drift_ppm: float | None
    uncertainty_ppm: float
    found: int
    of: int
    most: int
    worst_ms: float
    elsewhere: Sequence[Mark]
    is_corrected: bool
    steps: tuple[Step, ...] = ()
    pairs: "tuple[tuple[Mark, float | None], ...]" = ()


class _Cluster(NamedTuple):
    """Edges that agree: the middle of their `due - slope * seen`, and a pair (mark, due) each."""

    shift: float
    pairs: list[tuple[Mark, float]]


def align(
    seen: Marks,
    times: Times,
    first: str | None = None,
    grain_ms: float = 0.0,
    limit_ppm: float = LIMIT_PPM,
) -> Fit | None:
    """Align observed edges with due times; return None if there is nothing to align.

    first      align at the first edge of this kind, such as "auction on", instead of by votes
    grain_ms   the instrument's sampling interval
    limit_ppm  the largest drift that is corrected
    """
    known = seen
    if not times.keys() >= set(seen.kinds):
        known = Marks(mark for mark in seen if mark.kind in times)
    if not known:
        return None
    anchor = None
    if first is not None:
        began = next((mark.ms for mark in known if mark.kind == first), None)
        if began is None:
            return None
        anchor = began, times[first][0]
    near = _AGREE_MS + grain_ms
    narrow = max(limit_ppm, LIMIT_PPM) * 1.5
    wanted = sum(len(times[kind]) for kind in known.kinds)
    sample = _spread(known, _SAMPLE)
    enough = min(len(sample), wanted)
    line = _extended(known, times, _initial_line(known, times, narrow, anchor), near)
    best = _clusters(sample, times, line, near)
    if narrow < MOST_PPM and _held(best) < 0.97 * enough:
        other = _extended(known, times, _initial_line(known, times, 1.25 * MOST_PPM, anchor), near)
        there = _clusters(sample, times, other, near)
        if there and len(there[0].pairs) > max(_held(best), _POOR * enough):
            line, best = other, there
    if not best:
        return None
    return _fitted(seen, times, line, near, anchor, grain_ms, limit_ppm)


def _fitted(
    seen: Marks,
    times: Times,
    line: Line,
    near: float,
    anchor: "tuple[float, float] | None",
    grain_ms: float,
    limit_ppm: float,
) -> Fit:
    """Fit the clusters by least squares, starting from `line`; report drift and steps."""
    uncertainty_ppm: float | None = None
    chosen, count = _chosen(seen, times, line, near)
    clusters = _clusters(chosen, times, line, near)
    for _again in range(2):
        supported = [cluster for cluster in clusters if len(cluster.pairs) >= 3]
        fitted = _slope_through(supported, grain_ms)
        if fitted is None:
            break
        slope, uncertainty_ppm = fitted
        line = Line(line.shift, slope)
        clusters = _clusters(chosen, times, line, near)
    right = _reference(clusters)
    line = Line(right.shift, line.slope)
    if anchor:
        line = Line(anchor[1] - line.slope * anchor[0], line.slope)
    drift = None if uncertainty_ppm is None else (1 / line.slope - 1) * 1e6
    is_corrected = drift is None or (
        abs(drift) <= limit_ppm + (uncertainty_ppm or 0)
        and _is_alike(seen, times, line, near, limit_ppm)
    )
    shown = line
    if not is_corrected:  # let the clocks agree at the first edge
        ms = anchor[0] if anchor else right.pairs[0][0].ms
        shown = Line(line.at(ms) - ms)
    elsewhere, worst = Marks(), 0.0

    def due_of(mark: Mark) -> float | None:
        at = line.at(mark.ms)
        due = nearest(times.get(mark.kind, ()), at)
        return due if due is not None and abs(due - at) <= _ON_TIME_MS else None

    for mark in seen:
        due = due_of(mark)
        if due is None:
            elsewhere.append(mark)
        else:
            worst = max(worst, abs(due - line.at(mark.ms)))
    of_cluster = {mark: due for cluster in clusters for mark, due in cluster.pairs}
    pairs = []
    for mark in chosen:
        due = due_of(mark)
        pairs.append((mark, of_cluster.get(mark) if due is None else due))
    steps = []
    for cluster in (cluster for cluster in clusters if cluster is not right):
        lates = sorted(line.at(mark.ms) - due for mark, due in cluster.pairs)
        late_ms = lates[len(lates) // 2]
        if abs(late_ms) > 2 * near:
            dues = [due for _mark, due in cluster.pairs]
            lines, edges = tuple(_lines(cluster)), count(cluster)
            steps.append(Step(late_ms, min(dues), max(dues), lines, edges))
    most = max(map(count, clusters))
    return Fit(
        shown, line, drift, uncertainty_ppm or 0.0, len(seen) - len(elsewhere), len(seen), most,
        worst, elsewhere, is_corrected, tuple(steps), tuple(pairs),
    )  # fmt: skip


def _chosen(
    seen: Sequence[Mark], times: Times, line: Line, near: float
) -> "tuple[Sequence[Mark], Callable[[_Cluster], int]]":
    """Sample the edges of a long capture; also return a function that estimates a cluster's size.

    Edges on time and edges elsewhere are sampled separately, so that the few late edges of a
    month are not missed.
    """
    if len(seen) <= _MOST_FITTED:
        return seen, lambda cluster: len(cluster.pairs)
    groups = array("I"), array("I")  # indices of edges on time, and of those elsewhere
    for place, mark in enumerate(seen):
        at = line.at(mark.ms)
        due = nearest(times.get(mark.kind, ()), at)
        groups[due is None or abs(due - at) > 2 * near].append(place)
    few = [_spread(group, _MOST_FITTED) for group in groups]
    stands_for = {
        seen[place]: len(group) / len(some)
        for group, some in zip(groups, few, strict=True)
        for place in some
    }

    def count(cluster: _Cluster) -> int:
        return round(sum(stands_for[mark] for mark, _due in cluster.pairs))

    return sorted(stands_for, key=lambda mark: mark.ms), count


def _is_alike(seen: Marks, times: Times, line: Line, near: float, limit_ppm: float) -> bool:
    """Return whether lamps, sound and presses drift alike: no other slope fits one far better."""
    for group in set(map(_group, seen.kinds)):
        places = array("I", (n for n, mark in enumerate(seen) if _group(mark.kind) == group))
        marks = [seen[place] for place in _spread(places, _SAMPLE)]
        span = marks[-1].ms - marks[0].ms
        if len(marks) < _LEAST or span < _LEAST_MS:
            continue
        step = max(2 * near / span, limit_ppm / 1e6 / 10)
        scores = [
            _score(_clusters(marks, times, _turned(line, marks[0].ms, place * step), near))
            for place in range(-10, 11)
        ]
        if max(scores) > scores[10] + max(3, 0.2 * len(marks)):
            return False
    return True


def nearest(dues: Sequence[float], at: float) -> float | None:
    """Return the time nearest to `at`, or None if `dues` is empty."""
    place = bisect_left(dues, at)
    return min(dues[max(0, place - 1) : place + 1], key=lambda ms: abs(ms - at), default=None)


def _initial_line(
    known: Marks, times: Times, most_ppm: float, anchor: "tuple[float, float] | None"
) -> Line:
    """Return the line for which most edges of the first window vote."""
    until = max(known[0].ms + _WINDOW_MS, known[min(len(known), _VOTERS) - 1].ms)
    window = known[: bisect_right(known.times, until)]
    origin = window[0].ms
    rare = sorted(window, key=lambda mark: len(times[mark.kind]))[: _VOTERS // 2]
    voters = list(dict.fromkeys([*_spread(window, _VOTERS), *rare]))
    while (many := sum(len(times[mark.kind]) for mark in voters)) > _MOST_VOTES:
        if len(voters) < 2 * _LEAST_VOTERS:
            break
        voters = voters[::2]
    np = arrays()  # finds a wrong clock ten times faster, with the same result
    span = max(window[-1].ms - origin, 1.0)
    width = 2 * (most_ppm / 1e6 * span + 4)  # of the range of shifts that one line has at slope 1
    likely = _likely(voters, times, width) if many > _MOST_VOTES else None
    votes = [
        (mark.ms - origin, due)
        for mark in voters
        for due in times[mark.kind]
        if likely is None or (due - mark.ms) // width in likely
    ]
    columns: Any = zip(*votes, strict=True)
    ats, dues = columns if np is None else map(np.array, columns)
    step = max(3.0 / span, most_ppm / 1e6 / _MOST_SLOPES, 1e-6)
    count = math.ceil(most_ppm / 1e6 / step) if span >= _LEAST_MS else 0

    def hits(line: Line) -> int:
        hits = 0
        for mark in voters:
            dues, at = times[mark.kind], line.at(mark.ms)
            place = bisect_left(dues, at - 4)
            hits += place < len(dues) and dues[place] <= at + 4
        return hits

    tried = []
    for place in range(-count, count + 1):
        slope = 1 + place * step
        offs = 0 if np is None else dues - slope * ats
        if anchor:
            shifts = [anchor[1] - slope * (anchor[0] - origin)]
        elif np is None:
            bins = Counter([(due - slope * ms) // 3 for ms, due in votes])
            pairs = [(bins[bin] + bins.get(bin + 1, 0), bin) for bin in bins]
            shifts = [bin * 3 + 3 for _count, bin in heapq.nlargest(_BEST, pairs)]
        else:
            bins, counts = np.unique(offs // 3, return_counts=True)
            counts[:-1] += counts[1:] * (np.diff(bins) == 1)
            best = np.lexsort((bins, counts))[: -_BEST - 1 : -1]
            shifts = (bins[best] * 3 + 3).tolist()
        for shift in shifts:
            line = Line(shift - slope * origin, slope)
            tried.append((hits(line), -abs(place), line))
    tried.sort(key=lambda one: one[:2], reverse=True)
    sample = _spread(window, _SAMPLE)
    near = 2 * _AGREE_MS
    voters.sort(key=lambda mark: mark.ms)
    best = heapq.nlargest(
        2 * _BEST,
        (line for _hits, _place, line in tried[:_LIKELY]),
        key=lambda line: _score(_clusters(voters, times, line, near)),
    )
    return max(best, key=lambda line: _score(_clusters(sample, times, line, near)))


def _likely(voters: Sequence[Mark], times: Times, width: float) -> set[float]:
    """Return the spans of shifts, as multiples of `width`, that get the most votes.

    A month has thousands of due times. Trying every slope on all of them would dominate the run
    time, and counting all spans at once would need much memory.
    """
    first = min((times[mark.kind][0] - mark.ms) // width for mark in voters)
    last = max((times[mark.kind][-1] - mark.ms) // width for mark in voters)
    many = sum(len(times[mark.kind]) for mark in voters)
    some = (last - first + 1) * _MOST_VOTES // many + 1  # spans counted at a time
    best: list[tuple[int, float]] = []
    while first <= last:
        counts: Counter[float] = Counter()
        for mark in voters:
            dues, start = times[mark.kind], first * width + mark.ms
            # Includes the span after these: a line's shifts may straddle a boundary.
            low = bisect_left(dues, start - width)
            high = bisect_right(dues, start + (some + 2) * width)
            counts.update({(due - mark.ms) // width for due in dues[low:high]})
        joined = (
            (count + counts.get(place + 1, 0), place)
            for place, count in counts.items()
            if first <= place < first + some
        )
        best = heapq.nlargest(_MOST_SPANS, chain(best, joined))
        first += some
    return {place + n for _count, place in best for n in (0, 1)}


def _extended(known: Marks, times: Times, line: Line, near: float) -> Line:
    """Refine the slope over windows of doubling length, up to the whole capture."""
    length = _WINDOW_MS
    while True:
        inside = bisect_right(known.times, known[0].ms + length)
        window = _spread(known, _SAMPLE, inside)
        span = window[-1].ms - window[0].ms
        if len(window) >= _LEAST and span >= _LEAST_MS:
            step = _AGREE_MS / span / 2
            lines = [_turned(line, window[0].ms, place * step) for place in range(-6, 7)]
            scored = [
                (_score(found), -abs(one.slope - line.slope), one, found)
                for one in lines
                for found in [_clusters(window, times, one, near)]
            ]
            _points, _off, line, found = max(scored, key=lambda one: one[:2])
            through = _slope_through([one for one in found if len(one.pairs) >= 3], 0)
            if through and found:
                slope = through[0]
                shifts = sorted(due - slope * mark.ms for mark, due in found[0].pairs)
                line = Line(shifts[len(shifts) // 2], slope)
        if length > known[-1].ms - known[0].ms:
            return line
        length *= 2


def _turned(line: Line, ms: float, by: float) -> Line:
    """Return the line with its slope changed by `by`, keeping its value at `ms`."""
    return Line(line.shift - by * ms, line.slope + by)


def _clusters(marks: Sequence[Mark], times: Times, line: Line, near: float) -> list[_Cluster]:
    """Return clusters of edges that agree within `near` of their middle, the largest first.

    An edge may match any due time of its kind within `_FAR_MS`. It joins at most one cluster.
    """
    offers = []
    for mark in marks:
        dues = times.get(mark.kind, ())
        at = line.at(mark.ms)
        low, high = bisect_left(dues, at - _FAR_MS), bisect_right(dues, at + _FAR_MS)
        offers += [(due - at, mark, due) for due in dues[low:high]]
    offers.sort(key=lambda offer: offer[0])
    found: list[_Cluster] = []
    while offers and len(found) < _MOST_CLUSTERS:
        best, begin, place = (0, 0.0), 0, 0
        offs = [off for off, _mark, _due in offers]
        for end, off in enumerate(offs):
            while off - offs[begin] > 2 * near:
                begin += 1
            count = end - begin + 1
            if count >= best[0] and (fit := (count, -abs(off + offs[begin]) / 2)) > best:
                best, place = fit, begin
        inside = offers[place : place + best[0]]
        if len(inside) < 3 and found:
            break
        shift = (inside[0][0] + inside[-1][0]) / 2 + line.shift
        taken = {mark for _off, mark, _due in inside}
        pairs = sorted((mark, due) for _off, mark, due in inside)
        found.append(_Cluster(shift, sorted(pairs, key=lambda pair: pair[0].ms)))
        offers = [offer for offer in offers if offer[1] not in taken]
    return found


def _held(clusters: Sequence[_Cluster]) -> int:
    return sum(len(cluster.pairs) for cluster in clusters[:2])


def _score(clusters: Sequence[_Cluster]) -> float:
    """Count the pairs, less a penalty for each cluster: 4 % of all pairs, at least 2."""
    whole = sum(len(cluster.pairs) for cluster in clusters)
    cost = max(2.0, 0.04 * whole)
    return sum(max(0.0, len(cluster.pairs) - cost) for cluster in clusters)


def _slope_through(clusters: Sequence[_Cluster], grain_ms: float) -> tuple[float, float] | None:
    """Return the common slope of the clusters and its uncertainty in ppm; None if unknown.

    The uncertainty has three parts: the random deviations, and two systematic ones. A unit shows an
    edge up to 1 ms late and the instrument up to one sample late. If these grow from the first edge
    to the last, they look like drift.
    """
    rows = []
    for cluster in clusters:
        ats = [mark.ms for mark, _due in cluster.pairs]
        mean_at = sum(ats) / len(ats)
        mean_due = sum(due for _mark, due in cluster.pairs) / len(ats)
        for mark, due in cluster.pairs:
            rows.append((mark.ms - mean_at, due - mean_due))
    spread = sum(at * at for at, _due in rows)
    longest = max((one.pairs[-1][0].ms - one.pairs[0][0].ms for one in clusters), default=0.0)
    if len(rows) < _LEAST or not spread or longest < _LEAST_MS:
        return None
    slope = sum(at * due for at, due in rows) / spread
    tilt = sum(abs(at) for at, _due in rows) / 2 / spread
    rest = sum((due - slope * at) ** 2 for at, due in rows) / max(1, len(rows) - 1 - len(clusters))
    doubt = math.hypot(2 * (rest / spread) ** 0.5, tilt * _UNIT_MS, tilt * grain_ms)
    return slope, doubt * 1e6


def _reference(clusters: Sequence[_Cluster]) -> _Cluster:
    """Return the cluster in which the unit is on time."""
    best = clusters[0]
    marks = sorted((mark.ms, n) for n, one in enumerate(clusters) for mark, _due in one.pairs)
    for n, other in enumerate(clusters[1:], 1):
        if len(other.pairs) < 3:
            continue
        shared = _lines(best) & _lines(other)
        if shared.total() >= max(2, 0.1 * len(other.pairs)):  # they follow each other in time
            begins = best.pairs[0][0].ms
            before = [owner for ms, owner in marks if ms < begins]
            if before.count(n) >= 3 and before.count(n) >= 0.8 * len(before):
                best = other
        elif (_witnesses(other), other.shift) > (_witnesses(best), best.shift):
            best = other
    return best


def _witnesses(cluster: _Cluster) -> int:
    """Return how many of the groups lamps, sound and presses occur in a cluster."""
    return len({_group(mark.kind) for mark, _due in cluster.pairs})


def _lines(cluster: _Cluster) -> "Counter[str]":
    return Counter(_line(mark.kind) for mark, _due in cluster.pairs)


def _line(kind: str) -> str:
    return kind.rpartition(" ")[0]


def _group(kind: str) -> str:
    line = _line(kind)
    return line if line == _SOUND else line.partition("-")[0] if "press" in line else "lamps"


def _spread(marks: Sequence[T], count: int, of: int | None = None) -> list[T]:
    """Return at most `count` evenly spaced marks, of the first `of` if given."""
    of = len(marks) if of is None else of
    if of <= count:
        return list(marks[:of])
    return [marks[place * (of - 1) // (count - 1)] for place in range(count)]
