"""Music and other things that beep are no unit: hardly a beep is heard, and no program is made."""

import pytest

from city_unit.programs import PROGRAMS
from tests.helpers.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402
import soundfile  # noqa: E402

from sim import cli  # noqa: E402
from sim.lab.listen import listening  # noqa: E402
from sim.lab.listen.learning import learn  # noqa: E402
from sim.lab.listen.listening import Beep  # noqa: E402
from tests.sim.lab.listen import music  # noqa: E402

SECONDS = 60


@pytest.mark.slow
def test_chords_and_a_melody_whose_notes_decay_are_no_beeps():
    assert _heard(music.chords(55, SECONDS)) == []


def test_short_notes_with_an_octave_are_no_beeps():
    assert _heard(music.blips(41, SECONDS)) == []


@pytest.mark.slow
def test_a_melody_that_fills_the_time_is_no_units():
    assert _heard(music.square_melody(42, SECONDS)) == []


def _heard(sound):
    hiss = np.random.default_rng(1).normal(size=len(sound)) * 0.0005
    return listening.beeps((sound + hiss).astype(np.float32))


@pytest.mark.parametrize(
    "seed",
    [
        *(0, 1, 2, 3, 5, 6, 8, 9, 10, 11),
        *(1213, 1268),  # two riffs that go as auctions do
        # A hundred sounds of twenty kinds, where thousands of intervals recur.
        pytest.param(4, marks=pytest.mark.slow),
    ],
)
def test_no_tune_is_learned_as_a_unit(seed):
    """Heard perfectly, of one to five pitches, as a riff that comes again or without end."""
    beeps = _tune(seed)[:100]
    assert len(beeps) > 10
    assert not learn(beeps, PROGRAMS[0], "mine").is_unit


def _tune(seed):
    chance = np.random.default_rng(seed)
    pitches = 500 * 2 ** (chance.choice(30, int(chance.integers(1, 6)), replace=False) / 12)
    beat_ms, staccato = chance.uniform(200, 800), chance.uniform(0.3, 0.95)
    rests = chance.choice((0.1, 0.4, 0.7))
    length = int(chance.choice((4, 8, 16, 400)))
    riff = [
        (chance.choice(pitches), chance.choice((0.25, 0.5, 1, 2)), chance.random() < rests)
        for _ in range(length - 1)
    ]
    riff.append((pitches[0], 0.5, False))
    beeps, at = [], 500.0
    while at < 90_000:
        for hz, beats, is_rest in riff:
            if not is_rest:
                beeps.append(Beep(at, beats * beat_ms * staccato, float(hz), -20.0))
            at += beats * beat_ms
    return beeps


def test_another_thing_that_beeps_makes_no_program_and_it_is_said_why(tmp_path, capsys):
    """Two beeps alike, every eight seconds: an oven's."""
    time = np.arange(round(0.11 * music.RATE)) / music.RATE
    beep = 0.2 * np.sign(np.sin(2 * np.pi * 2300 * time))
    sound = np.zeros(40 * music.RATE)
    for at in (2, 10, 18, 26, 34):
        for first in (at * music.RATE, round((at + 0.24) * music.RATE)):
            sound[first : first + len(beep)] = beep
    wav, out = tmp_path / "oven.wav", tmp_path / "oven.toml"
    soundfile.write(wav, sound, music.RATE)
    assert cli.main(["listen", str(wav), "--learn", str(out)]) == 1
    told = capsys.readouterr()
    assert told.out.startswith("10 beeps")
    assert "a unit is known by an auction" in told.err
    assert not out.exists()
