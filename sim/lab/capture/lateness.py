"""How late a unit's edges were: figures of each kind of edge, and a histogram."""

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
        times = {name: number(getattr(self, name), 2) for name in _TIMES}
        return {"kind": self.kind, "edges": self.edges, **times}


_TIMES = ("median_ms", "p99_ms", "worst_ms")


def kind_of(what: str, value: int) -> str:
    """Return the kind of an edge: what changed, and which way."""
    return f"{what} {'on' if value else 'off'}"


def summarise(kind: str, late_us: Sequence[int]) -> Lateness:
    """Return the figures of at least one edge; the worst may be one that came too early."""
    ordered = sorted(late_us)
    return Lateness(
        kind,
        len(ordered),
        _quantile(ordered, 0.5) / 1000,
        _quantile(ordered, 0.99) / 1000,
        max(ordered, key=abs) / 1000,
    )


def _quantile(ordered: Sequence[int], part: float) -> int:
    """Return the least value that at least this part of all does not exceed."""
    return ordered[max(0, -(-int(part * 1000) * len(ordered) // 1000) - 1)]


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
