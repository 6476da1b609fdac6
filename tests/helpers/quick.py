"""Of many cases that show one thing, a few are for the contributor's loop, and all for the rest."""

from collections.abc import Iterable
from typing import Any

import pytest


def some_quick(cases: Iterable[Any], quick: int) -> list[Any]:
    """Return all cases of a test, all but `quick` of them marked slow; the few lie evenly spread.

    `start.py test --fast` runs the few, `start.py test` runs all.
    """
    cases = list(cases)
    few = {place * len(cases) // quick for place in range(quick)}
    return [
        case if place in few else pytest.param(case, marks=pytest.mark.slow)
        for place, case in enumerate(cases)
    ]
