"""Run only a few of many similar cases in the usual run, and all with `--all`."""

from collections.abc import Iterable
from typing import Any

import pytest


def some_quick(cases: Iterable[Any], quick: int) -> list[Any]:
    """Return all cases of a test, with all but `quick` of them, evenly spread, marked slow."""
    cases = list(cases)
    few = {place * len(cases) // quick for place in range(quick)}
    return [
        case if place in few else pytest.param(case, marks=pytest.mark.slow)
        for place, case in enumerate(cases)
    ]
