"""Of many cases that show one thing, the usual run takes a few, `--all` takes all."""

from collections.abc import Iterable
from typing import Any

import pytest


def some_quick(cases: Iterable[Any], quick: int) -> list[Any]:
    """Return all cases of a test, all but `quick` of them marked slow; the few lie evenly spread.

    `start.py test` runs the few, `start.py test --all` runs all.
    """
    cases = list(cases)
    few = {place * len(cases) // quick for place in range(quick)}
    return [
        case if place in few else pytest.param(case, marks=pytest.mark.slow)
        for place, case in enumerate(cases)
    ]
