"""Every beep of a clean recording is found, and none that is not there.

Edges that a voice or a codec hides are marked as not measured.
"""

import json
import random

import pytest

from sim import cli
from tests.helpers.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402
import soundfile  # noqa: E402

from sim.lab.listen import listening  # noqa: E402
from sim.lab.listen.pulse import Pulse  # noqa: E402
from sim.lab.listen.recording import RATE  # noqa: E402
from tests.helpers.quick import some_quick  # noqa: E402
from tests.helpers.sounds import assert_all, every_cue, hear, is_heard_as, sound  # noqa: E402
from tests.sim.lab.listen import units  # noqa: E402

FORMATS = [
    (8000, "PCM_U8"),
    (11025, "PCM_16"),
    (44100, "PCM_24"),
    (48000, "PCM_32"),
    (96000, "FLOAT"),
]


@pytest.mark.parametrize(("rate", "subtype"), FORMATS)
def test_every_cue_comes_back(tmp_path, rate, subtype):
    beeps, end_ms = every_cue()
    assert_all(hear(tmp_path / "a.wav", sound(beeps, end_ms, rate), rate, subtype), beeps)


@pytest.mark.parametrize("seed", some_quick(range(6), 2))
def test_a_changed_cue_is_told_as_it_sounds(tmp_path, seed):
    """A beep is reported as it sounds, even if it differs from the unit's own cues."""
    beeps, end_ms = every_cue(units.unit(seed).cues)
    heard = hear(tmp_path / "a.wav", sound(beeps, end_ms))
    assert_all(heard, beeps)
    assert all(beep.is_measured for beep in heard)


@pytest.fixture(scope="module")
def long_sound():
    """Return every cue as samples at the lab's own rate, and its beeps."""
    beeps, end_ms = every_cue()
    return sound(beeps, end_ms, RATE).astype(np.float32), beeps


@pytest.mark.parametrize("seed", some_quick(range(40), 12))
def test_of_any_part_of_any_length_all_is_heard(long_sound, seed):
    """A part of a recording begins and ends on any sample; nothing is heard that is not there."""
    samples, beeps = long_sound
    draws = random.Random(seed)
    length = draws.randrange(RATE // 10, 8 * RATE)
    first = draws.randrange(len(samples) - length)
    start_ms, end_ms = first * 1000 / RATE, (first + length) * 1000 / RATE
    moved = [(at - start_ms, ms, hz) for at, ms, hz in beeps]
    whole = [
        (at, ms, hz) for at, ms, hz in moved if at > 30 and at + ms < end_ms - start_ms - 30
    ]  # within 30 ms of a cut there is too little of the pause to tell an edge
    heard = listening.beeps(samples[first : first + length])
    missed = [beep for beep in whole if not any(is_heard_as(told, beep) for told in heard)]
    false = [
        told for told in heard if not any(at - 5 <= told.onset_ms <= at + ms for at, ms, _ in moved)
    ]
    assert (missed, false) == ([], [])
    assert len(heard) >= len(whole)


def test_silence_and_hiss_hold_no_beeps(tmp_path):
    hiss = np.random.default_rng(1).normal(size=60 * 16000) * 0.1
    assert hear(tmp_path / "a.wav", np.zeros(16000 * 20), 16000) == []
    assert hear(tmp_path / "a.wav", hiss, 16000) == []


def test_what_noise_hides_is_marked(tmp_path, monkeypatch, capsys):
    """In the table and in JSON, a time that a pattern tells is not given as a measured one."""
    heard = [
        listening.Beep(1000.0, 25.0, 2700.0, -20.0),
        listening.Beep(2000.0, 60.0, 2700.0, -20.0, is_measured=False),
    ]
    soundfile.write(tmp_path / "a.wav", np.zeros(8000), 8000)
    monkeypatch.setattr(listening, "beeps", lambda samples, progress: heard)
    assert cli.main(["listen", str(tmp_path / "a.wav")]) == 0
    _, _, measured, hidden, meaning = capsys.readouterr().out.splitlines()
    assert "~" not in measured and hidden.endswith("~") and meaning.startswith("~ ")
    assert cli.main(["listen", str(tmp_path / "a.wav"), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [beep["is_measured"] for beep in told] == [True, False]
    del heard[0]
    assert cli.main(["listen", str(tmp_path / "a.wav")]) == 0
    assert "most edges are hidden" in capsys.readouterr().err


def test_beeps_that_are_as_loud_are_told_as_loud():
    """A square wave of a foreign pitch may be found by its third harmonic, a third as loud."""
    notes = [(1500, 80, 1320), (1620, 80, 2210), (4000, 200, 1320), (6000, 90, 1760)]
    notes += [(6150, 90, 1760), (8000, 130, 1760), (9000, 90, 1760), (9150, 90, 1760)]
    played = np.random.default_rng(3).normal(size=11 * RATE) * 0.0005
    for onset_ms, length_ms, hz in notes:
        time = np.arange(length_ms * RATE // 1000) / RATE
        harmonics = (order for order in (1, 3, 5) if hz * order < RATE / 2)
        tone = sum(np.sin(2 * np.pi * hz * order * time) / order for order in harmonics)
        first = onset_ms * RATE // 1000
        played[first : first + len(tone)] += 0.2 * tone
    heard = listening.beeps(played.astype(np.float32))
    assert len(heard) == len(notes)
    assert {round(beep.level_db) for beep in heard} == {-14}


def test_a_beep_whose_third_harmonic_is_clearer_is_heard_at_its_own_pitch():
    """Beside talk, beeps of 440 Hz were told as measured ones of 1320 Hz."""
    chance = np.random.default_rng(1)
    played = chance.normal(size=8 * RATE) * 0.05
    time = np.arange(round(0.06 * RATE)) / RATE
    tone = 0.05 * np.sin(2 * np.pi * 440 * time) + 0.3 * np.sin(2 * np.pi * 1320 * time)
    for at in (1, 2):
        played[at * RATE : at * RATE + len(tone)] += tone
    heard = listening.beeps(played.astype(np.float32))
    assert [round(beep.hz / 440) for beep in heard] == [1, 1]


def test_two_beeps_of_one_pitch_with_5_ms_between_them_are_two():
    """A permit that the clock cut off was measured as one of 91 ms, and learned as another."""
    beeps = [(500, 114, 996), (900, 47, 996), (952, 39, 996), (1400, 38, 996)]
    heard = listening.beeps(sound(beeps, 2000, RATE).astype(np.float32))
    assert_all(heard, beeps)
    assert [beep.is_measured for beep in heard] == [True, False, False, True]


HZ = 2100
ONSET, LENGTH = RATE, round(0.1 * RATE)
PULSE = Pulse(ONSET, ONSET + LENGTH, HZ, 0.3, 500.0, 0.0)


def tone(rising_ms):
    """Return two seconds with a beep in their middle, whose edges take `rising_ms`."""
    ms = RATE / 1000
    at = np.arange(2 * RATE)
    fade = max(1, rising_ms * ms)
    loud = np.clip(np.minimum(at - ONSET, ONSET + LENGTH - at) / fade, 0, 1)
    return (0.3 * loud * np.sin(2 * np.pi * HZ * at / RATE)).astype(np.float32)


VOICE = 0.25 * np.sin(2 * np.pi * HZ * np.arange(2 * RATE) / RATE)
VOICE[ONSET + LENGTH // 2 :] = 0


@pytest.mark.parametrize(
    ("heard", "onset", "are_both_plain"),
    [
        (tone(2.5), ONSET, True),  # as ours fade
        (tone(20), ONSET, False),  # in frames of a codec
        (tone(2.5) + VOICE, ONSET, False),  # a voice at its pitch goes on beyond an edge
        (tone(0)[ONSET:], 0, True),  # begins with its recording
    ],
)
def test_the_edges_that_can_be_measured(heard, onset, are_both_plain):
    pulse = PULSE._replace(onset=onset, end=onset + LENGTH)
    plain = listening.edge_rises(heard.astype(np.float32), pulse)
    assert (len(plain) == 2) == are_both_plain


def test_a_beep_of_slow_edges_is_heard_and_told_as_not_measured():
    beeps = listening.beeps(np.concatenate([tone(20), tone(20), tone(20)]))
    assert len(beeps) == 3
    assert not any(beep.is_measured for beep in beeps)


def test_a_beep_that_a_codec_begins_too_quietly_is_heard():
    """AAC does so with the second beep of a recording; it was not heard."""
    growing = tone(2.5) * (0.75 + 0.25 * (np.arange(2 * RATE) > ONSET + LENGTH / 2))
    others = [tone(2.5)] * 3
    beeps = listening.beeps(np.concatenate([growing, *others]).astype(np.float32))
    assert len(beeps) == 4


@pytest.mark.parametrize("fade_ms", [0, 1, 2.5])
def test_onset_and_length_are_true_however_sharp_the_edges_are(fade_ms):
    """Sharp ones seemed to begin 1 ms early and to last 2 ms longer."""
    beeps = listening.beeps(np.concatenate([tone(fade_ms)] * 6))
    assert len(beeps) == 6
    for place, beep in enumerate(beeps):
        assert abs(beep.onset_ms - (1000 + 2000 * place)) <= 0.5
        assert abs(beep.length_ms - 100) <= 0.5
