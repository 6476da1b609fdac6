"""The lab hears every beep of a clean recording, and nothing where there is nothing."""

import json

import pytest

from city_unit.cues import CUES
from sim import cli, tones
from sim.errors import UserError
from tests.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402
import soundfile  # noqa: E402

from sim.lab import listening, recording  # noqa: E402
from tests.sim.lab import changed  # noqa: E402


def every_cue():
    """Return each beep of each cue, a second apart: `(onset ms, length ms, hz)`."""
    heard, at = [], 500
    for cue in CUES.values():
        for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
            if hz:
                heard.append((at, ms, hz))
            at += ms
        at += 1000
    return heard, at


def sound(beeps, end_ms, rate=tones.RATE):
    changes = [change for at, ms, hz in beeps for change in ((at, hz), (at + ms, 0))]
    blocks = tones.render(changes, end_ms, rate=rate)
    return np.concatenate([np.asarray(block) for block in blocks]).astype(np.float64) / 32768


def hear(path, samples, rate=tones.RATE, subtype="PCM_16"):
    soundfile.write(path, samples, rate, subtype=subtype)
    return listening.beeps(recording.read(str(path)).samples)


def assert_all(heard, beeps):
    assert len(heard) == len(beeps)
    for beep, (at, ms, hz) in zip(heard, beeps, strict=True):
        assert abs(beep.onset_ms - at) <= 2
        assert abs(beep.length_ms - ms) <= 2
        assert abs(beep.hz / hz - 1) <= 0.01


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


@pytest.mark.parametrize("seed", range(6))
def test_a_changed_cue_is_told_as_it_sounds(tmp_path, seed):
    """What is known of the unit's own cues replaces nothing that can be heard."""
    beeps = changed.played(seed)
    heard = hear(tmp_path / "a.wav", sound(beeps, beeps[-1][0] + beeps[-1][1] + 500))
    assert_all(heard, beeps)
    assert all(beep.is_measured for beep in heard)


def test_stereo(tmp_path):
    beeps, end_ms = every_cue()
    left = sound(beeps, end_ms)
    assert_all(hear(tmp_path / "a.wav", np.stack([left, left / 2], axis=1)), beeps)


def test_silence_and_hiss_hold_no_beeps(tmp_path):
    hiss = np.random.default_rng(1).normal(size=60 * 16000) * 0.1
    assert hear(tmp_path / "a.wav", np.zeros(16000 * 20), 16000) == []
    assert hear(tmp_path / "a.wav", hiss, 16000) == []


def test_a_truncated_file_is_heard_as_far_as_it_goes(tmp_path):
    beeps, end_ms = every_cue()
    path = tmp_path / "a.wav"
    soundfile.write(path, sound(beeps, end_ms), tones.RATE, subtype="PCM_16")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    half = [beep for beep in beeps if beep[0] + beep[1] < end_ms / 2 - 50]
    heard = listening.beeps(recording.read(str(path)).samples)
    assert_all(heard[: len(half)], half)


@pytest.mark.parametrize("content", [b"", b"no sound at all", b"RIFF", b"RIFF\x24\0\0\0WAVEfmt "])
def test_another_kind_of_file_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    with pytest.raises(UserError) as told:
        recording.read(str(path))
    assert str(path) in str(told.value) and "\n" not in str(told.value)


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
