"""Beside talk and dice as loud as the beeps, they are found, and hardly anything else."""

import shutil

import pytest

from tests.helpers.needs import needs, needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402

from sim.lab.listen import listening  # noqa: E402
from sim.lab.listen.recording import RATE  # noqa: E402
from tests.bench import listen, noise  # noqa: E402
from tests.helpers.sounds import assert_all  # noqa: E402
from tests.sim.lab.check import changed  # noqa: E402

SEED = 211  # no threshold was chosen on it
SECONDS = 180


@pytest.mark.slow
def test_at_equal_loudness(tmp_path):
    """Nine of ten within 10 ms."""
    needs(shutil.which("espeak-ng"), "espeak-ng")
    table = noise.at_a_table(SEED, SECONDS, tmp_path)
    score = listen.listen(SEED, table, 0)
    assert score.there.total() > 30
    assert score.found.total() >= 0.9 * score.there.total(), score
    assert score.false <= 2


@pytest.mark.slow
def test_a_voice_that_sings_once_is_no_buzzer(tmp_path):
    """Of this minute one syllable, 62 ms at 1227 Hz, was once taken for a beep."""
    needs(shutil.which("espeak-ng"), "espeak-ng")
    table = noise.at_a_table(104, 300, tmp_path)[: 60 * RATE]
    assert listening.beeps(listen.quiet(table)) == []


@pytest.mark.slow
def test_changed_cues_ten_times_as_loud_as_the_noise(tmp_path):
    needs(shutil.which("espeak-ng"), "espeak-ng")
    there = changed.played(0)
    table = noise.at_a_table(0, (there[-1][0] + there[-1][1]) // 1000 + 2, tmp_path)
    mixed = table + 10 * listen.sound(there, len(table) // RATE)
    assert_all(listening.beeps((mixed * 0.05).astype(np.float32)), there)
