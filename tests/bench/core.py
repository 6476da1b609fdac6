"""The core on this interpreter: an hour in virtual time, and bouncing contacts."""

import random
import time
from argparse import Namespace

from city_unit.contacts import Button
from city_unit.draws import Draws
from city_unit.drive import replay
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.settings import Settings
from city_unit.unit import Unit
from tests.bench.figure import Figure

HOUR_MS = 3_600_000
BOUNCES = 100_000
LONGEST_BOUNCE_MS = 15
LATEST_ACCEPT_MS = 20


def run(_options: Namespace) -> list[Figure]:
    return [hour(), bounces()]


def hour() -> Figure:
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
    return Figure(
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


def bounces() -> Figure:
    """Press a button with 100,000 different bounces; count the presses it takes them for."""
    draw = random.Random(20090801)
    wrong = 0
    latest = 0
    for _ in range(BOUNCES):
        edges = sorted(draw.sample(range(1, LONGEST_BOUNCE_MS), draw.randrange(LONGEST_BOUNCE_MS)))
        presses = _presses([0, *edges, *([LONGEST_BOUNCE_MS] if len(edges) % 2 else [])])
        wrong += len(presses) != 1
        latest = max([latest, *presses])
    return Figure(
        f"{BOUNCES:,} presses with up to {LONGEST_BOUNCE_MS} ms of bounce",
        f"{wrong} taken wrongly, the latest accepted after {latest} ms",
        f"0, after at most {LATEST_ACCEPT_MS} ms",
        wrong == 0 and latest <= LATEST_ACCEPT_MS,
    )


def _presses(edges: list[int]) -> list[int]:
    """Return when a button whose contact changes at `edges`, closing first, is pressed."""
    button = Button("press", "release")
    pressed = []
    closed = False
    for ms in [*edges, 1000]:
        if button.due is not None and button.due <= ms:
            due = button.due
            if button.fire(due) == "press":
                pressed.append(due)
        closed = not closed
        if ms < 1000:
            button.sense(ms, closed)
    return pressed
