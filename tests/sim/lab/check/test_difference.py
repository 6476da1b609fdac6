"""Two traces compared: each stretch that differs is found, and shown."""

import pytest

from sim.engine import edges
from sim.lab.check.comparison import Difference, find


def trace(*lit, end_ms=1000):
    shown = edges.none_yet(end_ms)
    for ms, on in lit:
        shown.lamps["auction"].append((ms, on))
    return shown


@pytest.mark.parametrize(
    ("other", "stretches"),
    [
        (trace((100, 1), (200, 0)), []),
        (trace((110, 1), (200, 0)), [(100, 110)]),
        (trace((100, 1), (230, 0)), [(200, 230)]),
        (trace((90, 1), (210, 0)), [(90, 100), (200, 210)]),
        (trace(), [(100, 200)]),
        (trace((100, 1), (150, 0), (150, 1), (200, 0)), []),  # for no time at all
        (trace((100, 1)), [(200, 1000)]),
        (trace((100, 1), (200, 0), (1000, 1)), []),  # at the end itself
    ],
)
def test_each_stretch(other, stretches):
    one = trace((100, 1), (200, 0))
    wanted = [Difference("auction", *stretch) for stretch in stretches]
    assert find(one, other) == wanted
    assert find(other, one) == wanted
