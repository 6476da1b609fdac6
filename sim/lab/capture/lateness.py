"""How late a live unit's edges are: figures of each kind of edge, a histogram, and a verdict.

The verdict says whether 99 of 100 edges come in time, and how sure that is. If one edge in a
hundred is late, chance may show none late among a few of them: the remaining doubt is the
probability to see no more late ones than were seen, although one in a hundred is late or more.
Nothing is supposed of how lateness is spread; edges are taken as independent, which makes a
machine that stands still look worse than it is, never better.
"""

import contextlib
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from city_unit import host
from city_unit.desktop.catalogue import lazy
from city_unit.desktop.forms import number

_COLUMNS = 40
_MOST_BARS = 20
_STEPS_US = (50, 100, 250, 500, 1000, 2500, 5000, 10_000, 100_000, 1_000_000, 100_000_000)


class Lateness(NamedTuple):
    """Of the edges of one kind, how many there were and how late they were, in ms."""

    kind: str
    edges: int
    median_ms: float
    p99_ms: float
    worst_ms: float

    def in_words(self) -> dict[str, str | int]:
        """Return the figures as the language sets them, by their names."""
        times = {name: number(getattr(self, name), 2) for name in self._fields[2:]}
        return {"kind": self.kind, "edges": self.edges, **times}


def summarise(kind: str, late_us: Sequence[int]) -> Lateness:
    """Return the figures of at least one edge; the worst may be one that came too early."""
    ordered = sorted(late_us)
    # The least values that at least 50 and 99 of 100 do not exceed.
    middle, most = (ordered[max(0, -(-part * len(ordered) // 100) - 1)] for part in (50, 99))
    return Lateness(kind, len(ordered), middle / 1000, most / 1000, max(ordered, key=abs) / 1000)


def counts(late_us: Sequence[int]) -> tuple[int, dict[int, int]]:
    """Return a width in us, and how many edges were late by each multiple of it."""
    span = max(late_us) - min(late_us)
    step_us = next(step for step in _STEPS_US if span // step < _MOST_BARS or step == _STEPS_US[-1])
    found: dict[int, int] = {}
    for late in late_us:
        found[late // step_us] = found.get(late // step_us, 0) + 1
    return step_us, found


def histogram(late_us: Sequence[int]) -> list[str]:
    """Return a bar for each step of lateness, from the earliest to the latest."""
    step_us, found = counts(late_us)
    most = max(found.values())
    lines = []
    for place in range(min(found), max(found) + 1):
        count = found.get(place, 0)
        bar = "#" * -(-count * _COLUMNS // most)
        lines.append(f"{number(place * step_us / 1000, 2):>8} ms {count:6} {bar}".rstrip())
    return lines


PART = 0.99  # of the edges that must be in time
SURE = 0.95

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"


class Verdict(NamedTuple):
    """The verdict on a limit.

    outcome  PASS if it is sure enough that `PART` of all edges are within it, FAIL if it is sure
             enough that they are not, UNDECIDED if there were too few edges for either
    sure     0 to 1: how sure a pass is, or a failure, whichever is the more probable
    edges    how many were judged
    late     how many of them were later than the limit
    needed   edges that would be enough for a pass if no more of them are late than were
    """

    outcome: str
    sure: float
    edges: int
    late: int
    needed: int


def judge(edges: int, late: int, wanted: float = SURE) -> Verdict:
    """Return the verdict on `edges` edges, `late` of them too late.

    wanted  how sure a verdict must be, 0.5 to 1
    """
    passes = 1 - _at_most(late, edges)
    fails = _at_most(late - 1, edges)  # that fewer would be late, if just one in a hundred were
    outcome = PASS if passes >= wanted else FAIL if fails >= wanted else UNDECIDED
    needed = edges
    while 1 - _at_most(late, needed) < wanted:
        needed += max(1, needed // 100)
    sure = fails if outcome == FAIL or (outcome == UNDECIDED and fails > passes) else passes
    return Verdict(outcome, sure, edges, late, needed)


def _at_most(late: int, edges: int) -> float:
    """Return how probable `late` late ones or fewer are, if 1 - PART of all are late."""
    if late < 0:
        return 0.0
    if late >= edges:
        return 1.0
    total = 0.0
    for count in range(late + 1):
        ways = math.lgamma(edges + 1) - math.lgamma(count + 1) - math.lgamma(edges - count + 1)
        total += math.exp(ways + count * math.log(1 - PART) + (edges - count) * math.log(PART))
    return min(1.0, total)


LOST = lazy("the unit was lost")

_POLL_S = 0.05
_QUESTION_MS = 20  # between two commands of a busy line
_ROUND_MS = 12_000  # in which a busy unit gives a permit and times an auction
_ROUND = ((0, "tap build"), (3000, "start 8000"))


class Shown(NamedTuple):
    """An edge of the unit.

    kind     what changed, and which way
    late_us  how much later than due it was shown, on the unit's own clock
    at_ms    when it was shown, on the desktop's clock, which is known to a millisecond or so
    way_ms   how long the news of it took to arrive: over the line, and in this desktop
    """

    kind: str
    late_us: int
    at_ms: float
    way_ms: float


class Captured(NamedTuple):
    """The measurements of a capture.

    edges      in the order in which they came
    seconds    for how long
    error      why it ended before its time, "" if it did not
    drift_ppm  of the unit's clock, and by how much that may be wrong; None if it is lost
    """

    edges: list[Shown]
    seconds: float
    error: str = ""
    drift_ppm: float | None = None
    drift_off_ppm: float | None = None

    @property
    def late_us(self) -> dict[str, list[int]]:
        """The lateness of each edge, by their kinds."""
        found: dict[str, list[int]] = {}
        for edge in self.edges:
            found.setdefault(edge.kind, []).append(edge.late_us)
        return found


def capture(
    unit: host.Client,
    seconds: float,
    busy: bool,
    progress: Callable[[float], None],
) -> Captured:
    """Record the edges of `unit` for a while; raises host.LinkError if the first never comes.

    busy  keep it and its line busy: questions without pause, permits and auctions in turn

    Ctrl-C ends it before its time, and so does the loss of the unit, or its silence: the
    measurements until then are returned.
    """
    unit.send("watch on")
    if busy:
        unit.send("switch on")
    began, offset, unsure = _offset(unit)
    edges: list[Shown] = []
    start = question = began
    moves, is_lost = 0, False
    try:
        with contextlib.suppress(KeyboardInterrupt):
            while not is_lost and (now := unit.host_ms()) - start < seconds * 1000:
                rounds, place = divmod(moves, len(_ROUND))
                if busy and now >= start + rounds * _ROUND_MS + _ROUND[place][0]:
                    unit.ask(_ROUND[place][1])
                    moves += 1
                if busy and now >= question:
                    unit.ask("state")
                    question = max(now, question + _QUESTION_MS)
                for news in unit.poll(_QUESTION_MS / 2000 if busy else _POLL_S):
                    if isinstance(news, host.Edge):
                        came = unit.host_ms()
                        at = news.due_ms + news.late_us / 1000 - (unit.unit_time(came) - came)
                        kind = f"{news.what} {'on' if news.value else 'off'}"  # no text: an edge
                        edges.append(Shown(kind, news.late_us, at, came - at))
                    is_lost = is_lost or isinstance(news, (host.Disconnected, host.Restarted))
                progress((now - start) / 1000 / seconds)
        if is_lost:
            return Captured(edges, (unit.host_ms() - began) / 1000, str(LOST))
        ended, last_offset, last_unsure = _offset(unit)
        span = max(ended - began, 1.0)
        drift = (last_offset - offset) / span * 1e6
        doubt = (unsure + last_unsure) / span * 1e6
        unit.send("watch off")
        return Captured(edges, span / 1000, "", drift, doubt)
    except host.LinkError as error:
        return Captured(edges, (unit.host_ms() - began) / 1000, str(error))
    finally:
        progress(1)


def _offset(unit: host.Client) -> tuple[float, float, float]:
    """Return the desktop's time, how far the unit's clock is ahead of it, and the doubt; ms."""
    now = unit.host_ms()
    return now, unit.unit_time(now) - now, unit.uncertainty
