"""Recordings of every kind and length, as one channel in little memory."""

import errno
import io
import shutil
import struct
import subprocess
import tracemalloc

import numpy as np
import pytest

from city_unit.desktop.errors import UserError
from sim.face import tones
from tests.helpers.needs import needs, needs_modules

needs_modules("numpy", "scipy", "soundfile")

import soundfile  # noqa: E402

from sim.lab.listen import listening, recording  # noqa: E402
from tests.helpers.sounds import assert_all, every_cue, hear, sound  # noqa: E402


@pytest.mark.parametrize("in_memory", [1 << 20, 16])
def test_stored_samples_are_sliced_as_an_array_is(monkeypatch, in_memory):
    monkeypatch.setattr(recording, "IN_MEMORY", in_memory)
    whole = np.random.default_rng(1).normal(size=1000).astype(np.float32)
    stored = recording.Stored()
    for first in range(0, 1000, 300):
        stored.append(whole[first : first + 300])
    assert len(stored) == 1000
    for part in (slice(0, 1000), slice(17, 18), slice(950, 2000), slice(5, 5), slice(None, 30)):
        assert np.array_equal(stored[part], whole[part])


@pytest.mark.parametrize("other", [-1.0, 0.0, 0.3])
def test_channels_do_not_cancel(tmp_path, other):
    beeps, end_ms = every_cue()
    one = sound(beeps, end_ms)
    assert_all(hear(tmp_path / "a.wav", np.stack([other * one, one], axis=1)), beeps)


def test_a_thousand_channels_are_read_in_the_memory_of_a_few(tmp_path, monkeypatch):
    path = tmp_path / "a.wav"
    monkeypatch.setattr(recording, "_MOST_VALUES", 1 << 16)
    soundfile.write(path, np.zeros((40_000, 100), np.float32), 16000, "PCM_U8")
    tracemalloc.start()
    assert recording.read(str(path)).seconds == 2.5
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000  # and not four bytes for each sample of each channel


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_head_that_promises_more_than_any_file_holds_puts_no_traceback_into_the_terminal(
    tmp_path, capfd
):
    path = tmp_path / "a.wav"
    sizes = struct.pack("<IQQQI", 28, 1 << 63, (1 << 63) - 1, (1 << 63) - 1, 0)
    form = struct.pack("<IHHIIHH", 16, 1, 1, 16000, 32000, 2, 16)
    head = b"RF64\xff\xff\xff\xffWAVEds64" + sizes + b"fmt " + form + b"data\xff\xff\xff\xff"
    path.write_bytes(head + bytes(2000))
    assert len(recording.read(str(path)).samples) == 1000
    assert capfd.readouterr().err == ""


def test_a_disk_that_fails_while_a_recording_is_read_is_told(tmp_path, monkeypatch, capfd):
    """The sound up to there is not a recording: its end would be taken for silence."""
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(200_000), 32_000, subtype="PCM_16")

    class Failing(io.FileIO):
        def readinto(self, buffer):
            if self.tell() > 100_000:
                raise OSError(errno.EIO, "Input/output error")
            return super().readinto(buffer)

    monkeypatch.setattr(recording.io, "FileIO", Failing)
    with pytest.raises(UserError, match="input/output error"):
        recording.read(str(path))
    assert capfd.readouterr().err == ""


def test_what_a_slow_recording_cannot_hold_is_told(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(8000), 4000)
    assert "no pitch above 2000 Hz" in recording.read(str(path)).notes[0]
    soundfile.write(path, np.zeros(8000), 8000)
    assert recording.read(str(path)).notes == ()


def test_a_recording_that_was_too_loud_is_told(tmp_path):
    """It used to be learned from without a warning."""
    path = tmp_path / "a.wav"
    beeps, end_ms = every_cue()
    whole = sound(beeps, end_ms)
    whole /= np.abs(whole).max()
    for loud, said in ((1, 0), (6, 1)):
        soundfile.write(path, np.clip(loud * whole, -1, 1), tones.RATE)
        notes = recording.read(str(path)).notes
        assert len(notes) == said and all("clipped" in note for note in notes)


def test_a_wav_that_is_cut_short_is_told(tmp_path):
    path = tmp_path / "a.wav"
    beeps, end_ms = every_cue()
    soundfile.write(path, sound(beeps, end_ms), tones.RATE)
    whole = path.read_bytes()
    assert recording.read(str(path)).notes == ()
    path.write_bytes(whole[: len(whole) // 3])
    found = recording.read(str(path))
    assert "cut short" in found.notes[0]
    assert found.seconds == pytest.approx(end_ms / 3000, rel=0.01)
    there = [beep for beep in beeps if beep[0] + beep[1] < end_ms / 3 - 50]
    assert_all(listening.beeps(found.samples)[: len(there)], there)
    streamed = whole[:4] + b"\xff\xff\xff\xff" + whole[8:]
    path.write_bytes(streamed)
    assert recording.read(str(path)).notes == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "codec"),
    [("a.m4a", ["-c:a", "aac", "-b:a", "64k"]), ("a.mp4", ["-c:a", "aac", "-b:a", "96k"])],
)
def test_a_telephones_recording_and_a_film_are_read_by_ffmpeg(tmp_path, name, codec):
    needs(shutil.which("ffmpeg"), "ffmpeg")
    beeps, end_ms = every_cue()
    wav, out = tmp_path / "a.wav", tmp_path / name
    soundfile.write(wav, sound(beeps, end_ms), tones.RATE)
    film = ["-f", "lavfi", "-i", "color=c=black:s=64x64:r=5", "-shortest"] * (name == "a.mp4")
    words = ["ffmpeg", "-loglevel", "error", "-i", str(wav), *film, *codec, str(out)]
    subprocess.run(words, check=True)
    found = listening.beeps(recording.read(str(out)).samples)
    assert len(found) == len(beeps)


def test_what_holds_no_sound_is_told_in_one_line(tmp_path, monkeypatch):
    """Without ffmpeg, the message suggests it."""
    path = tmp_path / "a.m4a"

    def told(content):
        path.write_bytes(content)
        with pytest.raises(UserError) as error:
            recording.read(str(path))
        assert str(path) in str(error.value) and "\n" not in str(error.value)
        return str(error.value)

    strange = (b"", b"RIFF1234WAVEjunk", b"RIFF\x24\0\0\0WAVEfmt ", b"#EXTM3U\n/etc/passwd\n")
    with monkeypatch.context() as without:
        without.setattr(shutil, "which", lambda name: None)
        for content in (*strange, b"\0\0\0\x20ftypM4A " + bytes(99)):
            assert "install ffmpeg" in told(content)
    needs(shutil.which("ffmpeg"), "ffmpeg")
    for content in strange:
        told(content)


def test_reading_and_listening_tell_how_far_they_are(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(50 * 8000), 8000)
    read, heard = [], []
    found = recording.read(str(path), read.append)
    listening.beeps(found.samples, heard.append)
    for parts in (read, heard):
        assert parts == sorted(parts) and 0 <= parts[0] < parts[-1] == 1.0
