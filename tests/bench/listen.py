"""Listening in noise: how many beeps of whole games are found, louder and softer than the noise.

Needs espeak-ng. No threshold was chosen on these seeds.
"""

import shutil
import tempfile
from argparse import Namespace
from pathlib import Path

from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.progress import Progress
from tests.bench.figure import Figure

SEEDS = (101, 102)
LONG_SEEDS = (101, 102, 103, 104, 105, 106, 107, 108)
SECONDS = 300
RATIOS_DB = (-10, -5, 0, 5, 10, 15, 20)
NEEDS_VOICES = "the voices of this benchmark come from espeak-ng: install it first"
WANTED = 0.95
FALSE_IN_TEN_MINUTES = 1


def run(options: Namespace) -> list[Figure]:
    """Return a figure for each ratio and one for the noise alone; raises UserError."""
    if not shutil.which("espeak-ng"):
        raise UserError(NEEDS_VOICES, FAILURE)
    from sim.lab.listen import listening
    from tests.bench import curve

    seeds = LONG_SEEDS if options.long else SEEDS
    steps = _Steps(len(seeds) * (len(RATIOS_DB) + 2))
    noises = {seed: steps.done(_noise(seed)) for seed in seeds}
    minutes = len(seeds) * SECONDS / 60
    points = []
    for ratio in RATIOS_DB:
        scores = [steps.done(curve.listen(seed, noises[seed], ratio)) for seed in seeds]
        points.append(curve.point(ratio, scores, minutes))
    alone = sum(len(steps.done(listening.beeps(curve.quiet(noises[seed])))) for seed in seeds)
    return [*(_figure(point) for point in points), _alone(alone, minutes)]


class _Steps:
    """Counts the steps that are done, and shows it."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._done = 0
        self._line = Progress()

    def done(self, result):
        self._done += 1
        self._line.show(
            f"listening in noise: {self._done} of {self._count} recordings",
            self._done / self._count,
        )
        return result


def _noise(seed: int):
    from tests.bench import noise

    with tempfile.TemporaryDirectory() as folder:
        return noise.at_a_table(seed, SECONDS, Path(folder))


def _figure(point) -> Figure:
    is_wanted = point.ratio_db == 0
    by_pitch = ", ".join(
        f"{hz} Hz {found}/{there}" for hz, (found, there) in sorted(point.by_pitch.items())
    )
    return Figure(
        f"{point.ratio_db:+d} dB, {point.minutes:g} minutes",
        f"{point.found} of {point.there} found, {point.percent:.1f} %; "
        f"{point.false} false, {point.false_in_ten_minutes:.1f} in ten minutes",
        "95 % and 1" if is_wanted else "",
        _is_reached(point) if is_wanted else None,
        by_pitch,
    )


def _is_reached(point) -> bool:
    is_found = point.found >= WANTED * point.there
    return is_found and point.false_in_ten_minutes <= FALSE_IN_TEN_MINUTES


def _alone(false: int, minutes: float) -> Figure:
    return Figure(
        "false beeps in the noise alone",
        f"{false} in {minutes:g} minutes",
        "at most 1 in ten",
        false <= FALSE_IN_TEN_MINUTES * minutes / 10,
    )
