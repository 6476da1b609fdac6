"""Beside talk and dice as loud as the beeps, they are found, and hardly anything else."""

import shutil

from tests.needs import needs, needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402

from sim.lab import curve, listening, noise  # noqa: E402

SEED = 211  # no threshold was chosen on it
SECONDS = 180


def test_at_equal_loudness(tmp_path):
    """95 % within 10 ms, and no more than one false beep in ten minutes: none in these three."""
    needs(shutil.which("espeak-ng"), "espeak-ng")
    table = noise.at_a_table(SEED, SECONDS, tmp_path)
    score = curve.listen(SEED, table, 0)
    found, there = score.total
    assert there > 30
    assert found >= 0.95 * there, score.found
    assert score.false == []
    assert listening.beeps((table * 0.1).astype(np.float32)) == []
