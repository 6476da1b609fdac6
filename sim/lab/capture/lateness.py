"""How late a unit's edges were: figures of each kind of edge, a histogram, and a verdict.

The verdict says whether 99 of 100 edges come in time, and how sure that is. If one edge in a
hundred is late, chance may show none late among a few of them: the remaining doubt is the
probability to see no more late ones than were seen, although one in a hundred is late or more.
Nothing is supposed of how lateness is spread; edges are taken as independent, which makes a
machine that stands still look worse than it is, never better.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

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
