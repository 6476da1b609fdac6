"""A buzzer of other pitches in a room with an echo, and one that has the harmonics of ours."""

import pytest

from tests.helpers.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402
from scipy.signal import resample_poly  # noqa: E402

from sim.lab.listen import listening  # noqa: E402
from tests.bench import hard  # noqa: E402
from tests.helpers.sounds import sound  # noqa: E402

pytestmark = pytest.mark.slow

LENGTHS = (60, 120, 300)
BEEPS = [
    (500 + 900 * place + 300 * (place % 2), LENGTHS[place % 3], hz)
    for place, hz in enumerate((616, 1321, 616, 3151) * 5)
]
SECONDS = 20


def played(condition, seed=1):
    chance = np.random.default_rng(seed)
    dry = resample_poly(sound(BEEPS, SECONDS * 1000, rate=48_000), 1, 3)
    dry = dry + chance.normal(size=len(dry)) * 0.0006
    return listening.beeps(condition(dry, chance, seed).astype(np.float32))


def found(heard):
    return sum(
        any(abs(beep.onset_ms - at) <= 10 and abs(beep.hz / hz - 1) <= 0.02 for beep in heard)
        for at, _ms, hz in BEEPS
    )


def test_without_an_echo_each_is_measured_at_its_own_pitch():
    """1321 Hz is three times one of our own pitches, and yet no harmonic of it."""
    heard = played(hard.clean)
    assert found(heard) == len(BEEPS) == len(heard)
    assert all(beep.is_measured for beep in heard)


ROOMS = [hard.room(0.4, 0), hard.room(0.6, 0)]


@pytest.mark.parametrize("room", ROOMS, ids=["T60 0.4 s", "T60 0.6 s"])
def test_in_a_room_they_are_found_and_what_is_measured_is_right(room):
    heard = played(room)
    assert found(heard) >= 0.9 * len(BEEPS)
    assert len(heard) <= 1.2 * len(BEEPS)
    measured = [beep for beep in heard if beep.is_measured]
    right = [
        any(abs(beep.onset_ms - at) <= 5 and abs(beep.length_ms - ms) <= 5 for at, ms, _hz in BEEPS)
        for beep in measured
    ]
    assert len(measured) >= len(BEEPS) / 2
    assert sum(right) >= 0.8 * len(measured)
