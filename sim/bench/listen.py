"""Listening in noise: what is found of the beeps of whole games, louder and softer than the noise.

Needs espeak-ng. The seeds are those of the figures in docs/timing.md; no
threshold was chosen on them.
"""

import shutil
import tempfile
import time
from pathlib import Path

from sim.bench.figure import Figure
from sim.errors import UserError

SEEDS = (101, 102, 103, 104)
SECONDS = 300
RATIOS_DB = (-10, -5, 0, 5, 10, 20)
FALSE_IN_TEN_MINUTES = 1


def run() -> list[Figure]:
    if not shutil.which("espeak-ng"):
        raise UserError("the voices of this benchmark come from espeak-ng: install it first", 1)
    from sim.lab import curve, noise
    from sim.lab.listening import beeps

    with tempfile.TemporaryDirectory() as folder:
        noises = {seed: noise.at_a_table(seed, SECONDS, Path(folder)) for seed in SEEDS}
    figures = []
    tens = len(SEEDS) * SECONDS / 600
    for ratio in RATIOS_DB:
        begun = time.perf_counter()
        scores = [curve.listen(seed, noises[seed], ratio) for seed in SEEDS]
        took = (time.perf_counter() - begun) / len(SEEDS)
        figures.append(_figure(ratio, scores, tens, took))
    alone = sum(len(beeps((one * 0.1).astype("float32"))) for one in noises.values())
    figures.append(
        Figure(
            "false beeps in the noise alone", f"{alone} in {tens * 10:.0f} minutes", "0", not alone
        )
    )
    return figures


def _figure(ratio: int, scores: list, tens: float, took: float) -> Figure:
    found, there = (sum(part) for part in zip(*(one.total for one in scores), strict=True))
    false = sum(len(one.false) for one in scores) / tens
    by_pitch = ", ".join(f"{hz} Hz {_of(hz, scores)}" for hz in _pitches(scores))
    return Figure(
        f"{ratio:+d} dB",
        f"{found} of {there} found, {100 * found / there:.1f} %; {false:.1f} false in ten minutes",
        "95 % and 1" if ratio == 0 else "",
        found >= 0.95 * there and false <= FALSE_IN_TEN_MINUTES if ratio == 0 else None,
        f"{by_pitch}; {took:.1f} s for five minutes",
    )


def _pitches(scores: list) -> list[int]:
    return sorted({hz for score in scores for hz in score.found})


def _of(hz: int, scores: list) -> str:
    pairs = [score.found.get(hz, (0, 0)) for score in scores]
    return f"{sum(found for found, _ in pairs)}/{sum(there for _, there in pairs)}"
