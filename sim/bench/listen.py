"""Listening in noise: what is found of the beeps of whole games, louder and softer than the noise.

Needs espeak-ng. No threshold was chosen on these seeds.
"""

import shutil
import tempfile
from pathlib import Path

from sim import progress, texts_listen
from sim.bench.figure import Figure
from sim.errors import UserError

SEEDS = (101, 102)
LONG_SEEDS = (101, 102, 103, 104, 105, 106, 107, 108)
SECONDS = 300
RATIOS_DB = (-10, -5, 0, 5, 10, 15, 20)
WANTED = 0.95
FALSE_IN_TEN_MINUTES = 1


def run(long: bool = False, picture: str = "") -> list[Figure]:
    """Return a figure for each ratio and one for the noise alone; raises UserError.

    long     listens to eight recordings for each, not to two
    picture  is the file that the curve is drawn to, if any
    """
    if not shutil.which("espeak-ng"):
        raise UserError(texts_listen.NEEDS_VOICES, 1)
    from sim.lab import curve, curve_picture, listening, shapes

    if picture and not shapes.is_picture(picture):
        raise UserError(texts_listen.STRANGE_PICTURE.format(path=picture))
    seeds = LONG_SEEDS if long else SEEDS
    steps = _Steps(len(seeds) * (len(RATIOS_DB) + 2))
    noises = {seed: steps.done(_noise(seed)) for seed in seeds}
    minutes = len(seeds) * SECONDS / 60
    points = []
    for ratio in RATIOS_DB:
        scores = [steps.done(curve.listen(seed, noises[seed], ratio)) for seed in seeds]
        points.append(curve.point(ratio, scores, minutes))
    alone = sum(len(steps.done(listening.beeps(curve.quiet(noises[seed])))) for seed in seeds)
    if picture:
        shapes.save(picture, curve_picture.draw(points, alone))
    return [*(_figure(point) for point in points), _alone(alone, minutes)]


class _Steps:
    """Counts what is done of so many steps, and shows it."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._done = 0

    def done(self, result):
        self._done += 1
        progress.show(
            texts_listen.BENCH.format(done=self._done, count=self._count), self._done / self._count
        )
        return result


def _noise(seed: int):
    from sim.lab import noise

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
