"""The figures of lateness, and the verdict on 99 of 100: right as often as it says it is."""

import random

import pytest

from sim.lab import lateness
from sim.lab.lateness import FAIL, PASS, UNDECIDED


@pytest.mark.parametrize(
    ("edges", "late", "outcome"),
    [
        (298, 0, UNDECIDED),  # the known figure: 299 without any for 95 %
        (299, 0, PASS),
        (412, 1, UNDECIDED),
        (473, 1, PASS),
        (100, 5, FAIL),
        (3, 3, FAIL),
        (100_000, 900, PASS),
        (100_000, 1000, UNDECIDED),
        (100_000, 1100, FAIL),
    ],
)
def test_the_outcome(edges, late, outcome):
    judged = lateness.judge(edges, late)
    assert judged.outcome == outcome
    assert (judged.sure >= 0.95) == (outcome != UNDECIDED)


def test_it_says_how_many_edges_would_be_enough():
    assert lateness.judge(100, 0).needed == pytest.approx(299, rel=0.01)
    needed = lateness.judge(412, 1).needed
    assert lateness.judge(needed, 1).outcome == PASS
    assert lateness.judge(needed * 98 // 100, 1).outcome == UNDECIDED


@pytest.mark.slow
@pytest.mark.parametrize("edges", [150, 412, 3000])
def test_a_bad_unit_passes_in_one_of_twenty_cases_at_most(edges):
    """A unit that is just not good enough: one edge in a hundred is late."""
    chance = random.Random(5)
    passes = sum(
        lateness.judge(edges, sum(chance.random() < 0.01 for _ in range(edges))).outcome == PASS
        for _ in range(1000)
    )
    assert passes <= 1000 * 0.05 + 20


def test_median_p99_and_worst():
    found = lateness.summarise("tone on", [*range(1000, 100_001, 1000)])
    assert found == ("tone on", 100, 50.0, 99.0, 100.0)
    assert lateness.summarise("x", [5]) == ("x", 1, 0.005, 0.005, 0.005)
    assert lateness.summarise("x", [-3000, 1000, 2000]).worst_ms == -3.0


def test_histogram_counts_all():
    lines = lateness.histogram([-100, 0, 40, 60, 20_000])
    assert sum(int(line.split()[2]) for line in lines) == 5
    assert len(lines) <= 21
    assert lateness.histogram([10_000_000_000, 0])
    assert lateness.histogram([-1, 0, 1, 60]) == [
        *("   -0.05 ms      1 " + "#" * 20, "    0.00 ms      2 " + "#" * 40),
        "    0.05 ms      1 " + "#" * 20,
    ]
    assert (lateness.counts([0, 999])[0], lateness.counts([0, 1000])[0]) == (50, 100)
