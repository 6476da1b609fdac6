"""Generates captures, healthy or with one injected fault, and judges them."""

import random
from array import array
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from city_unit.facts import LAMPS
from sim.engine import edges, virtual
from sim.engine.edges import spans
from sim.lab.check import checking
from sim.lab.check.reporting import SLACK_OF_CAPTURE
from sim.lab.instrument import capture_file, witness
from sim.lab.instrument.digital import Capture, Line
from sim.lab.instrument.witness import Options

KINDS = ("healthy", "one edge", "one line", "from T on", "from T on, lamps", "whole auction")
RATES = (8_000, 24_000, 100_000, 1_000_000, 24_000_000, 100_000_000)
DRIFTS = (0, 20, 150, 800, 5000, 20_000)  # ppm, at most
_LEAST_MS, _MOST_MS = 22.0, 60.0

STEPS = """program = "{program}"
seed = {seed}
steps = [
  {{ at = "0 s", do = "switch on" }},
  {{ at = "2 s", do = "tap build" }},
  {{ at = "{press} ms", do = "tap auction" }},
  {{ at = "{build} ms", do = "tap build" }},
  {{ at = "{end} ms", do = "end" }},
]
"""


class Case(NamedTuple):
    """A generated capture, with the violated and the reported expectations."""

    kind: str
    rate: int
    drift_ppm: float
    violated: set[int]
    named: set[int]
    estimated_ppm: float | None
    uncertainty_ppm: float
    fault: str


def _expectations(due: edges.Edges) -> str:
    """Return expectations of each tone and of each lamp's first and last span."""
    blocks = []
    for start, _end, hz in spans(due.tones, due.end_ms):
        blocks.append(f'tone = {hz}\nat = "{start} ms"')
    for lamp in LAMPS:
        lit = list(spans(due.lamps[lamp], due.end_ms))
        for start, end, _on in (lit[:1] + lit[-1:]) if lit else []:
            if end - start > 100:
                blocks.append(
                    f'lamp = "{lamp}"\nis = "on"\nfrom = "{start + 1} ms"\nto = "{end - 1} ms"'
                )
    return "".join(f"[[expect]]\n{block}\n" for block in blocks)


def generate(seed: int, folder: Path) -> Case:
    """Generate and judge the capture of a seed."""
    chance = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    path = folder / "game.toml"
    press = 5000 + chance.randrange(4000)
    steps = STEPS.format(
        program=chance.choice(["timed", "city", "championship", "world"]),
        seed=chance.randrange(1000),
        press=press,
        build=press + 56_000,
        end=press + 62_000,
    )
    path.write_text(steps)
    told = checking.scenarios.load(str(path))
    due = virtual.shown(told)
    path.write_text(steps + _expectations(due))
    case = checking.load(str(path), SLACK_OF_CAPTURE)
    most = chance.choice(DRIFTS)
    drift = chance.uniform(-most, most)
    rate = chance.choice(RATES)
    fault, moved = _fault(kind, chance, due, press)
    capture = _captured(due, moved, drift, rate, chance, told.end_ms)
    late = edges.none_yet(told.end_ms)
    for lamp in LAMPS:
        for ms, on in due.lamps[lamp]:
            late.lamps[lamp].append((round(moved(lamp, ms)), on))
    for ms, hz in due.tones:
        late.tones.append((round(moved("tone", ms)), hz))
    truth = {broken.expectation.line for broken, _failure in checking.broken(case, late)}
    original, capture_file.load = capture_file.load, lambda _path: capture
    try:
        options = Options(limit_ppm=20_000 if abs(drift) > 180 else 200)
        found = witness.of_capture("capture", case.scenario, options)
    finally:
        capture_file.load = original
    judged = checking.judge(
        case.expectations, found.shown, found.sees, found.begins_ms, found.ends_ms
    )
    named = {one.expectation.line for one in judged if one.failure}
    fit = found.fit
    return Case(kind, rate, drift, truth, named, fit.drift_ppm, fit.uncertainty_ppm, fault)


def _fault(kind, chance, due, press):
    """Return a description of a fault, and a function from (line, due ms) to the actual ms."""
    late = chance.uniform(_LEAST_MS, _MOST_MS)
    ends = [(lamp, ms) for lamp in LAMPS for ms, _ in due.lamps[lamp]]
    ends += [("tone", ms) for ms, _ in due.tones]
    if kind == "one edge":
        if chance.random() < 0.7:  # an edge with an expectation
            ends = [("tone", start) for start, _, _ in spans(due.tones, due.end_ms)]
        edge = chance.choice(ends)
        while not _is_free(due, edge, late):
            edge = chance.choice(ends)
        return f"{edge} {late:.1f}", lambda line, ms: ms + late * ((line, ms) == edge)
    if kind == "one line":
        name = chance.choice(["auction", "tone"])
        return f"{name} {late:.1f}", lambda line, ms: ms + late * (line == name)
    begin = chance.uniform(press + 500, press + 52_000)
    if kind == "from T on":
        sign = chance.choice([1, 1, 1, -1])
        begin = _quiet(due, begin)
        return f"{begin:.0f} {sign * late:.1f}", lambda line, ms: ms + sign * late * (ms >= begin)
    if kind == "from T on, lamps":
        return (
            f"{begin:.0f} {late:.1f}",
            lambda line, ms: ms + late * (ms >= begin and line != "tone"),
        )
    if kind == "whole auction":
        return (
            f"{press} {late:.1f}",
            lambda line, ms: ms + late * (press - 1 <= ms <= press + 54_000),
        )
    return "", lambda line, ms: ms


def _quiet(due, begin):
    """Return a time after `begin` that follows a pause."""
    times = sorted({ms for changes in (*due.lamps.values(), due.tones) for ms, _ in changes})
    for before, after in pairwise(times):
        if after >= begin and after - before > 65:
            return after
    return begin


def _is_free(due, edge, late):
    """Return whether an edge delayed by this would not pass the next edge of its line."""
    line, at = edge
    changes = due.tones if line == "tone" else due.lamps[line]
    return not any(at < ms <= at + late + 1 for ms, _ in changes)


def _captured(due, moved, drift, rate, chance, end_ms):
    """Sample the lines as an analyser of this rate does."""
    before = chance.uniform(100, 3000)
    speed = 1 + drift / 1e6

    def sample(ms, jitter=0.3):
        seconds = (before + ms + chance.random() * jitter) / 1000 * speed
        return -(-int(seconds * 1e9) * rate // 1_000_000_000) * 1_000_000_000 // rate

    lines = {}
    for lamp in LAMPS:
        turns = sorted(sample(moved(lamp, ms)) for ms, _ in due.lamps[lamp])
        lines[lamp] = _line(turns)
    turns = []
    changes = [(moved("tone", ms), hz) for ms, hz in due.tones]
    for start, end, hz in spans(changes, end_ms):
        half = 500 / hz
        count = 2 * int((end - start) / half / 2)
        first = chance.random() * 0.3
        turns += [sample(start + first + place * half, 0) for place in range(count)]
    lines["buzzer"] = _line(turns)
    return Capture(lines, sample(end_ms + 500), round(1e9 / rate), True)


def _line(turns):
    counts = Counter(turns)
    return Line(0, array("q", sorted(ns for ns, count in counts.items() if count % 2)))
