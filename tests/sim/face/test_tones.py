"""The buzzer's samples: every edge on its sample, the pitch right, no clicks."""

import wave
from itertools import chain, pairwise

import pytest

from city_unit.cues import CUES
from sim.face import tones

PITCHES = sorted({hz for cue in CUES.values() for hz in cue[1::2] if hz})


def rendered(changes, end_ms, **how):
    return list(chain.from_iterable(tones.render(changes, end_ms, **how)))


def crossings(samples) -> int:
    """Count how often the samples pass from below zero to zero or above."""
    return sum(a < 0 <= b for a, b in pairwise(samples))


@pytest.mark.parametrize("hz", PITCHES)
@pytest.mark.parametrize("volume", (1, 2, 3))
def test_a_tone_is_heard_from_its_first_sample_to_its_last(hz, volume):
    samples = rendered([(7, hz), (32, 0)], 40, volume=volume)
    heard = [place for place, sample in enumerate(samples) if sample]
    assert heard[0] == 7 * 32
    assert heard[-1] == 32 * 32 - 1
    assert len(samples) == 40 * 32


@pytest.mark.parametrize("rate", (8000, 22050, 32000, 44100, 48000))
def test_the_pitch_is_exact_at_every_rate(rate):
    samples = rendered([(0, 2700)], 1000, rate=rate)
    assert 2699 <= crossings(samples) <= 2700


def test_a_tone_swells_and_dies_without_a_click():
    samples = [0, *tones.tone(2700, 25 * 32), 0]
    steepest_fading = max(abs(a - b) for a, b in pairwise(samples[:11]))
    steepest = max(abs(a - b) for a, b in pairwise(samples))
    assert steepest_fading < steepest / 5


def test_each_volume_is_louder_than_the_one_before():
    loudness = [max(rendered([(0, 2300)], 20, volume=volume)) for volume in range(4)]
    assert loudness[0] == 0
    assert loudness == sorted(set(loudness))


def test_one_tone_may_follow_another_at_once():
    samples = rendered([(0, 2000), (100, 2700), (200, 0)], 200)
    assert 199 <= crossings(samples[:3200]) <= 200
    assert 269 <= crossings(samples[3200:]) <= 270


def test_a_file_holds_what_was_rendered(tmp_path):
    path = tmp_path / "beep.wav"
    tones.write_wav(path, [(10, 440), (20, 0)], 30)
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 32000)
        assert file.readframes(2000) == b"".join(
            tones.little_endian(block) for block in tones.render([(10, 440), (20, 0)], 30)
        )


def test_a_file_that_cannot_be_finished_leaves_nothing(tmp_path):
    def broken():
        yield 0, 2700
        raise KeyError

    with pytest.raises(KeyError):
        tones.write_wav(tmp_path / "beep.wav", broken(), 30)
    assert not list(tmp_path.iterdir())
