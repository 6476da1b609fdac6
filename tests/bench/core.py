"""The core on this interpreter: an hour in virtual time."""

import time
from argparse import Namespace
from collections.abc import Iterator

from city_unit.draws import Draws
from city_unit.drive import replay
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.settings import Settings
from city_unit.unit import Unit
from tests.bench.figure import Figure

HOUR_MS = 3_600_000


def run(_options: Namespace) -> Iterator[Figure]:
    """Trace an hour with 30 auctions and 60 permits; beside it, a bare loop over its lines."""
    changes = [(0, SWITCH)]
    for place in range(30):
        at = 1000 + place * 115_000
        for ms, button in ((at, AUCTION), (at + 60_000, BUILD), (at + 85_000, BUILD)):
            changes += [(ms, SWITCH | button), (ms + 80, SWITCH)]
    seconds, lines = min(_timed(changes) for _ in range(5))
    begun = time.perf_counter()
    assert len([f'{{"ms": {place}, "lamp": "auction"}}' for place in range(lines)]) == lines
    loop = time.perf_counter() - begun
    times = HOUR_MS / 1000 / seconds
    yield Figure(
        "an hour with 30 auctions and 60 permits, traced",
        f"{times:,.0f} times real time ({seconds * 1000:.1f} ms, {lines} lines)",
        "50,000 times",
        times >= 50_000,
        f"formatting as many lines: {loop * 1000:.1f} ms",
    )


def _timed(changes: list[tuple[int, int]]) -> tuple[float, int]:
    lines: list[str] = []
    unit = Unit(Settings(), Draws(7).below)
    begun = time.perf_counter()
    replay(unit, changes, 0, HOUR_MS, lines.append)
    return time.perf_counter() - begun, len(lines)
