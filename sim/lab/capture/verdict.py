"""Whether 99 of 100 edges come in time, and how sure that is after a number of edges.

If one edge in a hundred is late, chance may show none late among a few of them. The remaining
doubt is the probability to see no more late ones than were seen, although one in a hundred is
late or more; nothing is supposed of how lateness is spread. The edges are taken as
independent of each other; those of one stall are not, which makes a machine that stands still
look worse than it is, never better.
"""

import math
from typing import NamedTuple

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
    each = math.log(1 - PART), math.log(PART)
    return min(1.0, sum(math.exp(_log_of(edges, count, *each)) for count in range(late + 1)))


def _log_of(edges: int, count: int, log_late: float, log_in_time: float) -> float:
    ways = math.lgamma(edges + 1) - math.lgamma(count + 1) - math.lgamma(edges - count + 1)
    return ways + count * log_late + (edges - count) * log_in_time
