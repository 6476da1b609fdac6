"""Measures how late a live unit's edges are: statistics and a verdict.

The verdict says whether 99 of 100 edges are on time, and with what confidence. A short measurement
of a unit with 1 % late edges may show none by chance. The remaining doubt is therefore the
probability of seeing at most this many late edges if 1 % of all are late. No distribution of the
lateness is assumed. Edges are treated as independent, so a machine that stalls looks worse than it
is, never better.
"""

import contextlib
import math
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from city_unit import host
from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED
from city_unit.desktop.forms import number, percent, shortest, signed
from sim.lab import lateness_plot


class Lateness(NamedTuple):
    """Statistics of the edges of one kind."""

    kind: str
    edges: int
    median_ms: float
    p99_ms: float
    worst_ms: float

    def in_words(self) -> dict[str, str | int]:
        """Return the figures formatted for the user's language, by name."""
        times = {name: number(getattr(self, name), 2) for name in self._fields[2:]}
        return {"kind": self.kind, "edges": self.edges, **times}


def summarise(kind: str, late_us: Sequence[int]) -> Lateness:
    """Compute the statistics of at least one edge. The worst edge may be an early one."""
    ordered = sorted(late_us)
    # The least values that 50 % and 99 % of the edges do not exceed.
    middle, most = (ordered[max(0, -(-part * len(ordered) // 100) - 1)] for part in (50, 99))
    return Lateness(kind, len(ordered), middle / 1000, most / 1000, max(ordered, key=abs) / 1000)


PART = 0.99  # share of the edges that must be on time
CONFIDENCE = 0.95

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"


class Verdict(NamedTuple):
    """The verdict on a limit.

    outcome  PASS if `PART` of all edges are within it with enough confidence, FAIL if they are not,
             UNDECIDED if there were too few edges for either
    sure     the confidence of a pass or of a failure, whichever is higher: 0 to 1
    edges    number of edges judged
    late     number of edges later than the limit
    needed   number of edges that would make it a pass if no further edge is late
    """

    outcome: str
    sure: float
    edges: int
    late: int
    needed: int


def judge(edges: int, late: int) -> Verdict:
    """Judge a measurement in which `late` of `edges` edges were later than the limit."""
    passes = 1 - _at_most(late, edges)
    fails = _at_most(late - 1, edges)
    outcome = PASS if passes >= CONFIDENCE else FAIL if fails >= CONFIDENCE else UNDECIDED
    needed = edges
    while 1 - _at_most(late, needed) < CONFIDENCE:
        needed += max(1, needed // 100)
    sure = fails if outcome == FAIL or (outcome == UNDECIDED and fails > passes) else passes
    return Verdict(outcome, sure, edges, late, needed)


def _at_most(late: int, edges: int) -> float:
    """Return the probability of at most `late` late edges if the share 1 - PART is late."""
    if late < 0:
        return 0.0
    if late >= edges:
        return 1.0
    total = 0.0
    for count in range(late + 1):
        ways = math.lgamma(edges + 1) - math.lgamma(count + 1) - math.lgamma(edges - count + 1)
        total += math.exp(ways + count * math.log(1 - PART) + (edges - count) * math.log(PART))
    return min(1.0, total)


_POLL_S = 0.05
_QUERY_MS = 20  # between two queries on a busy line
_ROUND_MS = 12_000  # a busy unit issues one permit and times one auction in it
_ROUND = ((0, "tap build"), (3000, "start 8000"))


class ReportedEdge(NamedTuple):
    """An edge reported by the unit.

    kind     the line and the direction, such as "auction on"
    late_us  its lateness by the unit's own clock
    at_ms    when it was shown, on the desktop's clock, known to about a millisecond
    transit_ms  how long the report took, on the line and in this desktop
    """

    kind: str
    late_us: int
    at_ms: float
    transit_ms: float


class Measurement(NamedTuple):
    """The result of a measurement.

    edges          in order of arrival
    seconds        its duration
    error          why it ended early, "" if it did not
    drift_ppm      drift of the unit's clock, None if the unit was lost
    drift_uncertainty_ppm  the uncertainty of the drift
    """

    edges: list[ReportedEdge]
    seconds: float
    error: str = ""
    drift_ppm: float | None = None
    drift_uncertainty_ppm: float | None = None

    @property
    def late_us(self) -> dict[str, list[int]]:
        """The lateness of the edges of each kind."""
        found: dict[str, list[int]] = {}
        for edge in self.edges:
            found.setdefault(edge.kind, []).append(edge.late_us)
        return found


def measure(
    unit: host.Client,
    seconds: float,
    busy: bool,
    progress: Callable[[float], None],
) -> Measurement:
    """Record the edges of `unit`; raises host.LinkError if it never responds.

    busy  keep the unit and its line busy with queries, permits and auctions

    Ctrl-C ends the measurement early, and so does a lost or silent unit. The edges recorded until
    then are returned.
    """
    unit.send("watch on")
    if busy:
        unit.send("switch on")
    began, offset, unsure = _offset(unit)
    edges: list[ReportedEdge] = []
    start = next_query = began
    moves, is_lost = 0, False
    try:
        with contextlib.suppress(KeyboardInterrupt):
            while not is_lost and (now := unit.host_ms()) - start < seconds * 1000:
                rounds, place = divmod(moves, len(_ROUND))
                if busy and now >= start + rounds * _ROUND_MS + _ROUND[place][0]:
                    unit.ask(_ROUND[place][1])
                    moves += 1
                if busy and now >= next_query:
                    unit.ask("state")
                    next_query = max(now, next_query + _QUERY_MS)
                for news in unit.poll(_QUERY_MS / 2000 if busy else _POLL_S):
                    if isinstance(news, host.Edge):
                        received_ms = unit.host_ms()
                        at = (
                            news.due_ms
                            + news.late_us / 1000
                            - (unit.unit_time(received_ms) - received_ms)
                        )
                        kind = f"{news.what} {'on' if news.value else 'off'}"  # no text: an edge
                        edges.append(ReportedEdge(kind, news.late_us, at, received_ms - at))
                    is_lost = is_lost or isinstance(news, (host.Disconnected, host.Restarted))
                progress((now - start) / 1000 / seconds)
        if is_lost:
            return Measurement(edges, (unit.host_ms() - began) / 1000, _("the unit was lost"))
        ended, last_offset, last_unsure = _offset(unit)
        span = max(ended - began, 1.0)
        drift = (last_offset - offset) / span * 1e6
        doubt = (unsure + last_unsure) / span * 1e6
        unit.send("watch off")
        return Measurement(edges, span / 1000, "", drift, doubt)
    except host.LinkError as error:
        return Measurement(edges, (unit.host_ms() - began) / 1000, str(error))
    finally:
        progress(1)


def _offset(unit: host.Client) -> tuple[float, float, float]:
    """Return the desktop's time, the offset of the unit's clock, and its uncertainty in ms."""
    now = unit.host_ms()
    return now, unit.unit_time(now) - now, unit.uncertainty


_NOTABLE_MS = 2.0  # without a limit, later edges are counted


class Report:
    """The report of a measurement with at least one edge, as text, as JSON and as a plot.

    code  the exit status
    """

    def __init__(
        self, measurement: Measurement, limit_ms: float | None, p99_ms: float | None
    ) -> None:
        self._measurement = measurement
        self._limit_ms, self._p99_ms = limit_ms, p99_ms
        self._kinds = [
            *(summarise(kind, late) for kind, late in sorted(measurement.late_us.items())),
            summarise("all", [edge.late_us for edge in measurement.edges]),
        ]
        late_ms = [abs(edge.late_us) / 1000 for edge in measurement.edges]
        self._notable_ms = p99_ms or limit_ms or _NOTABLE_MS
        self._late = sum(ms > self._notable_ms for ms in late_ms)
        self._verdict = None if p99_ms is None else judge(len(late_ms), self._late)
        self._worst_ms = max(late_ms)
        self._transits_ms = [edge.transit_ms for edge in measurement.edges]
        self._is_within = limit_ms is None or self._worst_ms <= limit_ms
        outcome = self._verdict.outcome if self._verdict else PASS
        self.code = UNCHECKED if outcome == UNDECIDED else SUCCESS
        if not self._is_within or outcome == FAIL:
            self.code = FAILURE

    def _drift(self) -> list[str]:
        """Describe the drift, in at most one line."""
        measurement = self._measurement
        if measurement.drift_ppm is None or measurement.drift_uncertainty_ppm is None:
            return []
        words = _("drift {drift} ± {off} ppm against this desktop's clock")
        drift, off = signed(measurement.drift_ppm, 1), number(measurement.drift_uncertainty_ppm, 1)
        return [words.format(drift=drift, off=off)]

    def as_json(self) -> dict[str, object]:
        def rounded(value: float | None) -> float | None:
            return None if value is None else round(value, 1)

        measurement = self._measurement
        return {
            "seconds": round(measurement.seconds, 1),
            "edges": [kind._asdict() for kind in self._kinds],
            "drift_ppm": rounded(measurement.drift_ppm),
            "drift_uncertainty_ppm": rounded(measurement.drift_uncertainty_ppm),
            "limit_ms": self._limit_ms,
            "p99_ms": self._p99_ms,
            "verdict": self._verdict._asdict() if self._verdict else None,
            "late": self._late,
            "line_median_ms": rounded(median(self._transits_ms)),
            "line_worst_ms": rounded(max(self._transits_ms)),
            "trouble": measurement.error,
            "passed": self.code == SUCCESS,
        }

    def lines(self) -> list[str]:
        measurement = self._measurement
        head = _("edge, in {seconds:>7} s     count    median       p99     worst")
        row = _("{kind:<22} {edges:>6} {median_ms:>6} ms {p99_ms:>6} ms {worst_ms:>6} ms")
        lines = [
            head.format(seconds=number(measurement.seconds, 1)),
            *(row.format(**kind.in_words()) for kind in self._kinds),
            *self._drift(),
        ]
        words = ngettext(
            "{count} edge was later than {limit} ms",
            "{count} edges were later than {limit} ms",
            self._late,
        )
        lines.append(words.format(count=self._late, limit=shortest(self._notable_ms, 6)))
        words = _(
            "  reports of edges took {median} ms to arrive, at most {worst} ms; this is not part "
            "of the lateness"
        )
        middle, worst = number(median(self._transits_ms), 1), number(max(self._transits_ms), 1)
        lines.append(words.format(median=middle, worst=worst))
        if self._limit_ms is not None:
            words = (
                _("pass: the worst edge was {worst} ms late, the limit is {limit} ms")
                if self._is_within
                else _("FAIL: the worst edge was {worst} ms late, the limit is {limit} ms")
            )
            worst, limit = number(self._worst_ms, 2), shortest(self._limit_ms, 6)
            lines.append(words.format(worst=worst, limit=limit))
        if self._verdict:
            outcomes = {
                PASS: _(
                    "pass: 99 of 100 edges within {limit} ms, {sure} confidence, {edges} edges"
                ),
                FAIL: _(
                    "FAIL: more than 1 of 100 edges later than {limit} ms, {sure} confidence, "
                    "{late} of {edges} edges"
                ),
                UNDECIDED: _(
                    "undecided: {late} of {edges} edges later than {limit} ms; {needed} edges "
                    "would be enough if no further one is late"
                ),
            }
            fields = {
                **self._verdict._asdict(),
                "limit": shortest(self._notable_ms, 6),
                "sure": percent(self._verdict.sure),
            }
            lines.append(outcomes[self._verdict.outcome].format(**fields))
        return lines

    def plot(self) -> lateness_plot.Plot:
        measured = self._measurement.edges
        began = measured[0].at_ms - measured[0].late_us / 1000
        edges = []
        for edge in measured:
            late_ms = edge.late_us / 1000
            kind = edge.kind.rpartition(" ")[0]
            edges.append(lateness_plot.Edge(kind, edge.at_ms - late_ms - began, late_ms))
        end_ms = max(self._measurement.seconds * 1000, *(edge.due_ms for edge in edges))
        band_ms = self._p99_ms or self._limit_ms
        return lateness_plot.Plot(edges, end_ms, band_ms, self._drift())
