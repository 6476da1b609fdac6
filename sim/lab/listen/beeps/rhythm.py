"""Finds the unit's own cues in noise: each is a known pattern of pitches, tones and pauses.

A filter is matched to each whole cue, over its pitches and their third harmonics.
All tones of one pitch in a cue are equally loud, and its pauses and the time around
it are free of that pitch; a voice that differs from this costs score. A cue is first
believed if it is beyond doubt; those show how loud the buzzer is, and at that
loudness fainter evidence is enough.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.signal import find_peaks

from city_unit.cues import CUES
from sim.lab.listen.sound.samples import RATE, Samples, loudness

_STEP = 8  # samples of the recording for each of a band: 0.5 ms
_MS = RATE // _STEP // 1000  # samples of a band in a millisecond
_BAND_HZ = 250  # to each side of a pitch
_TRANSITION = 1 * _MS  # beside each edge: belongs to neither tone nor pause
_GUARD = 20 * _MS
_CHUNK = 80 * _MS  # a tone keeps its phase this long, whatever drives it
_INDEPENDENT = 2 * _BAND_HZ * _STEP / RATE
_FLOOR = 1e-7  # energy of a sample: -70 dB of full scale
_BLOCK = 20 * RATE
_OVERLAP = 3 * RATE  # longer than any cue
_APART = 30 * _MS  # two of one cue lie further apart

_LOWEST = 35.0  # the lowest score that is looked at
_SURE = 250.0  # the score that is beyond doubt
_SURE_COUNT = 2  # cues that show that there is a buzzer, and how loud it is
_ALIKE_COUNT = 3  # cues of one pitch that show how loud it is at that pitch
_ENOUGH = 45.0  # the score that suffices at the buzzer's loudness
_EVEN = 0.4  # the faintest tone of a cue, of their mean
_BALANCED = 0.4  # the fainter pitch of a cue, of the louder
_PER_SQUARE_DB = 12.0  # more is needed away from the buzzer's loudness
_FURTHEST_DB = 14.0
_FAINT = 0.05  # of the loudness of the whole recording: below it there is no buzzer


class Note(NamedTuple):
    """A tone of a cue: when it begins after the cue, how long it lasts (ms), its pitch (Hz)."""

    at: int
    ms: int
    hz: int


class Heard(NamedTuple):
    """A cue that was heard: `onset` in samples of the recording, `level` of its sine."""

    onset: int
    notes: tuple[Note, ...]
    score: float
    level: float


_Band = tuple[np.ndarray, np.ndarray]  # the running sums of a band, and of its energy


def notes(cue: tuple[int, ...]) -> tuple[Note, ...]:
    found, at = [], 0
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        if hz:
            found.append(Note(at, ms, hz))
        at += ms
    return tuple(found)


PATTERNS = tuple(dict.fromkeys(notes(cue) for cue in CUES.values()))


def cues(samples: Samples, progress: Callable[[float], None]) -> list[Heard]:
    """Return the cues in samples at `RATE`, in order of time; none if the buzzer is not sure.

    progress  is called from time to time with the part of the work that is done, 0 to 1
    """
    found = _distinct(_all(samples, progress))
    faintest = _FAINT * loudness(samples)
    found = [cue for cue in found if cue.level > faintest]
    sure = _one_at_a_time([cue for cue in found if cue.score >= _SURE])
    if len(sure) < _SURE_COUNT:
        return []
    believed = [cue for cue in found if cue.score >= _needed(cue, sure)]
    return sorted(_one_at_a_time(believed), key=lambda cue: cue.onset)


def _needed(cue: Heard, sure: list[Heard]) -> float:
    """Return the score that a cue needs: the more, the further it is from the buzzer's loudness."""
    alike = [other.level for other in sure if other.notes[0].hz == cue.notes[0].hz]
    usual = alike if len(alike) >= _ALIKE_COUNT else [other.level for other in sure]
    away_db = abs(20 * float(np.log10(cue.level / np.median(usual))))
    if away_db > _FURTHEST_DB:
        return float("inf")
    return min(_SURE, _ENOUGH + _PER_SQUARE_DB * away_db**2)


def _all(samples: Samples, progress: Callable[[float], None]) -> list[Heard]:
    found = []
    for start in range(0, len(samples), _BLOCK):
        progress(start / len(samples))
        first = max(0, start - RATE)
        # Silence around the recording: a cue may begin with its first sample.
        pad = _GUARD * _STEP * 2
        block = np.pad(samples[first : start + _BLOCK + _OVERLAP], pad)
        block = block[: len(block) // _STEP * _STEP]
        bands = _bands(block)
        for pattern in PATTERNS:
            for place, score, level in _peaks(pattern, bands):
                onset = place * _STEP + first - pad
                if start <= max(onset, 0) < start + _BLOCK:
                    found.append(Heard(onset, pattern, score, level))
    return found


def _bands(block: np.ndarray) -> dict[int, _Band]:
    """Return for each pitch and third harmonic the running sums of its band and of its energy."""
    pitches = {note.hz for pattern in PATTERNS for note in pattern}
    spectrum = np.fft.rfft(block)
    size = len(block) // _STEP
    found = {}
    for hz in sorted(pitches | {3 * hz for hz in pitches}):
        if hz + _BAND_HZ > RATE / 2:
            continue
        centre = round(hz * len(block) / RATE)
        steps = np.arange(-(size // 2), size - size // 2)
        places = centre + steps
        inside = (places >= 0) & (places < len(spectrum))
        part = np.zeros(size, complex)
        part[inside] = spectrum[places[inside]]
        away = np.abs(steps) * RATE / len(block)
        part *= 0.5 - 0.5 * np.cos(np.pi * np.clip((1.15 - away / _BAND_HZ) / 0.3, 0, 1))
        off = hz - centre * RATE / len(block)
        band = np.fft.ifft(np.fft.ifftshift(part)) * (2 / _STEP)
        band *= np.exp(-2j * np.pi * off * _STEP / RATE * np.arange(size))
        energy = band.real**2 + band.imag**2 + _FLOOR
        found[hz] = (_sums(band), _sums(energy))
    return found


def _sums(values: np.ndarray) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(values)))


def _peaks(pattern: tuple[Note, ...], bands: dict[int, _Band]) -> list[tuple[int, float, float]]:
    length = pattern[-1].at + pattern[-1].ms
    size = len(next(iter(bands.values()))[0]) - 1
    count = size - length * _MS - 2 * _GUARD
    if count <= 0:
        return []
    score = np.zeros(count)
    levels = []
    for hz in {note.hz for note in pattern}:
        for harmonic in (hz, 3 * hz):
            if harmonic not in bands:
                continue
            more, amplitude, even = _match(pattern, hz, bands[harmonic], count)
            score += more
            if harmonic == hz:
                score[even < _EVEN] = -1e9
                levels.append(amplitude)
    level = np.min(levels, axis=0)
    score[level < _BALANCED * np.max(levels, axis=0)] = -1e9
    places, _ = find_peaks(score, height=_LOWEST, distance=_APART + 1)
    return [(place + _GUARD, float(score[place]), float(level[place])) for place in places.tolist()]


def _match(
    pattern: tuple[Note, ...], hz: int, band: _Band, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the score of a pattern in one band, its level and the evenness of its tones.

    All are given for `count` places of its beginning, from `_GUARD` on.
    """
    sums, energies = band
    tones = [_inside(note) for note in pattern if note.hz == hz]
    amplitudes = []
    total = np.zeros(count)
    duration = 0
    for first, last in tones:
        cuts = np.linspace(first, last, max(1, round((last - first) / _CHUNK)) + 1).astype(int)
        heard = sum(np.abs(_between(sums, a, b, count)) for a, b in pairwise(cuts.tolist()))
        amplitudes.append(heard / (last - first))
        total += heard
        duration += last - first
    energy = np.zeros(count)
    looked = 0
    for first, last in tones + _pauses(pattern, tones):
        energy += _between(energies, first, last, count)
        looked += last - first
    left = np.maximum(energy - total**2 / duration, energy * 1e-3)
    score = _INDEPENDENT * looked * np.log(energy / left)
    mean = total / duration
    return score, mean, np.min(amplitudes, axis=0) / (mean + 1e-12)


def _between(sums: np.ndarray, first: int, last: int, count: int) -> np.ndarray:
    """Return the sum from `first` to `last` after each of the places."""
    first, last = _GUARD + first, _GUARD + last
    return sums[last : last + count] - sums[first : first + count]


def _inside(note: Note) -> tuple[int, int]:
    return note.at * _MS + _TRANSITION, (note.at + note.ms) * _MS - _TRANSITION


def _pauses(pattern: tuple[Note, ...], tones: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found, free = [], -_GUARD
    end = (pattern[-1].at + pattern[-1].ms) * _MS
    for first, last in [*tones, (end + _GUARD + 2 * _TRANSITION, 0)]:
        if first - 2 * _TRANSITION > free:
            found.append((free, first - 2 * _TRANSITION))
        free = last + 2 * _TRANSITION
    return found


def _distinct(found: list[Heard]) -> list[Heard]:
    return sorted(set(found), key=lambda cue: -cue.score)


def _one_at_a_time(found: list[Heard]) -> list[Heard]:
    kept: list[Heard] = []
    for cue in found:
        if all(not _overlap(cue, other) for other in kept):
            kept.append(cue)
    return kept


def _overlap(cue: Heard, other: Heard) -> bool:
    return cue.onset < _end(other) and other.onset < _end(cue)


def _end(cue: Heard) -> int:
    last = cue.notes[-1]
    return cue.onset + (last.at + last.ms + 10) * RATE // 1000
