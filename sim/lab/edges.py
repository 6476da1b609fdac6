"""A trace as what shows and sounds: each lamp's and the tone's changes, and the events."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from city_unit.trace import LAMPS


class Edges(NamedTuple):
    """What a trace holds, each in order of time; times are ms from its start.

    lamps   for each of `LAMPS` its changes `(ms, lit)`
    tones   the changes `(ms, hz)` of the buzzer, 0 being silence
    events  `(ms, kind, fields)`
    end_ms  when the run ended
    """

    lamps: dict[str, list[tuple[int, bool]]]
    tones: list[tuple[int, int]]
    events: list[tuple[int, str, dict]]
    end_ms: int


def of_lines(lines: Iterable[str], end_ms: int) -> Edges:
    """Read a trace from its lines."""
    edges = Edges({lamp: [] for lamp in LAMPS}, [], [], end_ms)
    for line in lines:
        told = json.loads(line)
        ms = told.pop("ms")
        if "lamp" in told:
            edges.lamps[told["lamp"]].append((ms, told["on"]))
        elif "tone" in told:
            edges.tones.append((ms, told["tone"]))
        else:
            edges.events.append((ms, told.pop("event"), told))
    return edges


def spans(changes: list[tuple[int, int]], end_ms: int) -> list[tuple[int, int, int]]:
    """Return each stretch `(start, end, value)` in which a value is not 0."""
    found = []
    start = value = 0
    for ms, new in [*changes, (end_ms, 0)]:
        if value and ms > start:
            found.append((start, ms, value))
        start, value = ms, new
    return found
