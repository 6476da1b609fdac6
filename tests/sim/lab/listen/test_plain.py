"""Edges that can be measured, and those that a voice or a codec has hidden."""

import pytest

from tests.helpers.needs import needs_modules

needs_modules("numpy", "scipy")

import numpy as np  # noqa: E402

from sim.lab.listen import listening  # noqa: E402
from sim.lab.listen.pulse import Pulse  # noqa: E402
from sim.lab.listen.recording import RATE  # noqa: E402

HZ = 2100
ONSET, LENGTH = RATE, round(0.1 * RATE)
PULSE = Pulse(ONSET, ONSET + LENGTH, HZ, 0.3, 500.0, 0.0)


def sound(rising_ms, level=0.3):
    """Two seconds with a beep in their middle, its edges so slow."""
    ms = RATE / 1000
    at = np.arange(2 * RATE)
    fade = max(1, rising_ms * ms)
    loud = np.clip(np.minimum(at - ONSET, ONSET + LENGTH - at) / fade, 0, 1)
    return (level * loud * np.sin(2 * np.pi * HZ * at / RATE)).astype(np.float32)


VOICE = 0.25 * np.sin(2 * np.pi * HZ * np.arange(2 * RATE) / RATE)
VOICE[ONSET + LENGTH // 2 :] = 0


@pytest.mark.parametrize(
    ("heard", "onset", "are_both_plain"),
    [
        (sound(2.5), ONSET, True),  # as ours fade
        (sound(20), ONSET, False),  # in frames of a codec
        (sound(2.5) + VOICE, ONSET, False),  # a voice at its pitch goes on beyond an edge
        (sound(0)[ONSET:], 0, True),  # begins with its recording
    ],
)
def test_the_edges_that_can_be_measured(heard, onset, are_both_plain):
    pulse = PULSE._replace(onset=onset, end=onset + LENGTH)
    plain = listening.edge_rises(heard.astype(np.float32), pulse)
    assert (len(plain) == 2) == are_both_plain


def test_a_beep_of_slow_edges_is_heard_and_told_as_not_measured():
    beeps = listening.beeps(np.concatenate([sound(20), sound(20), sound(20)]))
    assert len(beeps) == 3
    assert not any(beep.is_measured for beep in beeps)


def test_a_beep_that_a_codec_begins_too_quietly_is_heard():
    """AAC does so with the second beep of a recording; it was not heard."""
    growing = sound(2.5) * (0.75 + 0.25 * (np.arange(2 * RATE) > ONSET + LENGTH / 2))
    others = [sound(2.5)] * 3
    beeps = listening.beeps(np.concatenate([growing, *others]).astype(np.float32))
    assert len(beeps) == 4


@pytest.mark.parametrize("fade_ms", [0, 1, 2.5])
def test_onset_and_length_are_true_however_sharp_the_edges_are(fade_ms):
    """Sharp ones seemed to begin 1 ms early and to last 2 ms longer."""
    beeps = listening.beeps(np.concatenate([sound(fade_ms)] * 6))
    assert len(beeps) == 6
    for place, beep in enumerate(beeps):
        assert abs(beep.onset_ms - (1000 + 2000 * place)) <= 0.5
        assert abs(beep.length_ms - 100) <= 0.5
