"""Recordings of a unit in rooms, over telephones, overdriven or with music, and their scores.

A beep is found if one is heard within 10 ms of its onset and 2 % of its pitch. All other beeps that
are heard are false. The beeps reported as measured are counted too, and how many of them are right.
"""

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import soundfile
from scipy.signal import fftconvolve, resample_poly

from sim.lab.listen import recording
from sim.lab.listen.listening import Beep
from sim.lab.listen.recording import RATE
from tests.sim.lab.listen.music import music

NEAR_MS, NEAR_PITCH = 10, 0.02

Sound = np.ndarray
Span = tuple[int, int, int]  # from one ms to another, a pitch in Hz
Condition = Callable[[Sound, np.random.Generator, int], Sound]


class Heard(NamedTuple):
    """Numbers of beeps in a recording.

    there  beeps that were played
    found  beeps of these that were heard
    false  beeps heard that were not played
    told   beeps reported as measured
    right  beeps of these that were played, within `NEAR_MS`
    """

    there: int
    found: int
    false: int
    told: int
    right: int


def compare(there: Sequence[Span], heard: Sequence[Beep]) -> Heard:
    left = list(heard)
    found = right = 0
    for played in there:
        near = [beep for beep in left if _is_near(beep, played)]
        if near:
            nearest = min(near, key=lambda beep: abs(beep.onset_ms - played[0]))
            left.remove(nearest)
            found += 1
            right += nearest.is_measured
    told = sum(beep.is_measured for beep in heard)
    return Heard(len(there), found, len(left), told, right)


def _is_near(beep: Beep, played: Span) -> bool:
    start, _end, hz = played
    return abs(beep.onset_ms - start) <= NEAR_MS and abs(beep.hz / hz - 1) <= NEAR_PITCH


def clean(sound: Sound, _chance: np.random.Generator, _seed: int) -> Sound:
    return sound


def room(t60: float, direct_db: float) -> Condition:
    """Return a room whose echo decays by 60 dB in `t60` s, `direct_db` below the direct sound."""

    def echoing(sound: Sound, chance: np.random.Generator, _seed: int) -> Sound:
        size = round(t60 * RATE)
        tail = chance.normal(size=size) * 10 ** (-3 * np.arange(size) / size)
        tail[: round(0.004 * RATE)] = 0
        tail *= 10 ** (-direct_db / 20) / np.sqrt(np.sum(tail**2))
        tail[0] = 1
        return fftconvolve(sound, tail)[: len(sound)]

    return echoing


def overdriven(sound: Sound, _chance: np.random.Generator, _seed: int) -> Sound:
    """Clipped, six times too loud for the recorder."""
    return np.clip(sound * 6 / np.abs(sound).max(), -1, 1)


def telephone(sound: Sound, _chance: np.random.Generator, _seed: int) -> Sound:
    """8000 samples a second."""
    return resample_poly(resample_poly(sound, 1, 2), 2, 1)


def ordinary(sound: Sound, chance: np.random.Generator, _seed: int) -> Sound:
    """As a telephone records it: with pink noise 30 dB below, in AAC of 32 kbit/s."""
    spectrum = np.fft.rfft(chance.normal(size=len(sound)))
    pink = np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)), len(sound))
    loud = np.sqrt(np.mean(sound[np.abs(sound) > 0.02] ** 2))
    noisy = sound + pink * loud * 10 ** (-30 / 20) / np.sqrt(np.mean(pink**2))
    with tempfile.TemporaryDirectory() as folder:
        wav, m4a = Path(folder) / "a.wav", Path(folder) / "a.m4a"
        soundfile.write(wav, noisy, RATE)
        command = ["ffmpeg", "-loglevel", "error", "-i", wav, "-c:a", "aac", "-b:a", "32k", m4a]
        subprocess.run([str(word) for word in command], check=True)
        return recording.read(str(m4a)).samples[: len(sound)]


def beside_music(sound: Sound, _chance: np.random.Generator, seed: int) -> Sound:
    """Beside music that is 5 dB fainter than the beeps while they sound."""
    loud = np.sqrt(np.mean(sound[np.abs(sound) > 0.02] ** 2))
    beside = music(seed, len(sound) / RATE)[: len(sound)]
    return sound + beside / np.sqrt(np.mean(beside**2)) * loud * 10 ** (-5 / 20)


CONDITIONS: dict[str, Condition] = {
    "clean": clean,
    "room of T60 0.4 s": room(0.4, 0),
    "room of T60 0.6 s": room(0.6, -1.5),
    "overdriven": overdriven,
    "ordinary telephone": ordinary,
    "telephone": telephone,
    "beside music": beside_music,
}
