"""What pytest has of the lab, wherever City Unit is installed: two fixtures.

    def test_the_press(city_unit_trace):
        trace = city_unit_trace(("0 s", "switch on"), ("1 s", "tap auction"), ("60 s", "end"))
        trace.expect(event="auction-started", at="1016 ms")

    def test_every_press(city_unit_search):
        city_unit_search(lambda trace: len(trace.of("auction-ended")) < 12, minutes=10)

Nothing of the lab is imported until a test asks for it.
"""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.check.lab import Trace


@pytest.fixture
def city_unit_trace() -> "Callable[..., Trace]":
    """Run a scenario in virtual time: its steps, or the path of its file; returns its trace."""
    from pathlib import Path

    from sim.check import lab

    def trace(*steps: object, **settings: object) -> "Trace":
        if len(steps) == 1 and isinstance(steps[0], (str, Path)):
            return lab.run_file(steps[0])
        return lab.run(*steps, **settings)  # type: ignore[arg-type]

    return trace


@pytest.fixture
def city_unit_search() -> "Callable[..., None]":
    """Look for presses after which a property does not hold; fails with the fewest that are found.

    Takes what takes a trace and returns whether it holds, or asserts that it does.
    """
    from sim.check import search

    return search.assert_always
