"""Is a candidate a beep? The tone with sharp edges that explains it best, and how well.

A beep is a tone of one pitch and one strength that begins and ends within a
millisecond or two, with nothing like it just before and just after. The edges
are those of greatest likelihood; the score is the logarithm of how much less
likely the same stretch would be as noise alone (a generalised likelihood
ratio with unknown strength, phase and noise). A voice glides and swells, and
brings its other harmonics with it: all that is left unexplained, and costs score.
"""

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.signal import firwin

from sim.lab.listen.beeps.tonal import Candidate
from sim.lab.listen.sound.samples import RATE

_BAND_HZ = 400  # to each side of the pitch
BASE_STEP = 8  # samples of the recording for each of the baseband: 0.5 ms
_BASE_RATE = RATE // BASE_STEP
_MARGIN = round(0.060 * _BASE_RATE)  # looked at around a candidate
GUARD = round(0.020 * _BASE_RATE)  # around a beep, must be free of its pitch
_REACH = round(0.024 * _BASE_RATE)  # how far an edge may lie from the candidate's
_FURTHEST_HZ = 60  # from the candidate's pitch
_GROWTHS = 30  # at most: enough for the longest beep from a piece of it
_SHORTEST = round(0.012 * _BASE_RATE)
_CHUNK = round(0.080 * _BASE_RATE)  # a tone keeps its phase this long, whatever drives it
NEWS = 2 * _BAND_HZ / _BASE_RATE  # how much news one baseband sample brings

_TAPS = 129
_LOW_PASS: np.ndarray = 2 * np.asarray(firwin(_TAPS, _BAND_HZ, window="hann", fs=RATE), float)
_AROUND = np.arange(_TAPS) - _TAPS // 2


class Pulse(NamedTuple):
    """A tone of `hz` from `onset` to `end` (in samples, whole ones not needed).

    amplitude  of its sine, 1 being full scale
    score      how far it is above chance, natural logarithm
    decay      how many dB it loses from its first to its last third
    """

    onset: float
    end: float
    hz: float
    amplitude: float
    score: float
    decay: float


def fit(samples: np.ndarray, candidate: Candidate) -> Pulse | None:
    """Return the beep that explains a candidate best, or None if there is none.

    A candidate may be no more than a piece of a beep: it grows until its edges
    are found.
    """
    pulse = None
    for _ in range(_GROWTHS):
        pulse, is_cut = _fit(samples, candidate)
        if pulse is None or not is_cut:
            break
        candidate = Candidate(int(pulse.onset), int(pulse.end), pulse.hz, 0)
    return pulse


def _fit(samples: np.ndarray, candidate: Candidate) -> tuple[Pulse | None, bool]:
    """Return the beep, and whether an edge may lie further out than was looked."""
    hz = candidate.hz
    first = candidate.start // BASE_STEP - _MARGIN
    base, origin = baseband(samples, first, candidate.end // BASE_STEP + _MARGIN, hz)
    rough = (candidate.start // BASE_STEP - origin, candidate.end // BASE_STEP - origin)
    edges = rough
    for coarseness in (2, 1):
        off = _pitch(base[max(0, edges[0]) : edges[1] + 1])
        base = base * _turn(-off, len(base))
        hz += off
        found = _edges(base, rough, coarseness)
        if found is None:
            return None, False
        edges = found
    is_cut = edges[0] == rough[0] - _REACH or edges[1] == rough[1] + _REACH
    return _judge(base, edges, hz, origin), is_cut


def baseband(samples: np.ndarray, first: int, last: int, hz: float) -> tuple[np.ndarray, int]:
    """Return the band around `hz`, moved to 0 Hz, and its first sample's place."""
    first = max(first, 0)
    last = min(last, len(samples) // BASE_STEP)
    start = first * BASE_STEP - _TAPS // 2
    stop = (last - 1) * BASE_STEP + _TAPS // 2 + 1
    piece = samples[max(start, 0) : stop]
    if start < 0 or stop > len(samples):
        piece = np.pad(piece, (max(-start, 0), max(stop - len(samples), 0)))
    band = sliding_window_view(piece, _TAPS)[::BASE_STEP] @ _filter(hz)
    return (band[:, 0] + 1j * band[:, 1]) * _turn(-hz, len(band)), first


@lru_cache(maxsize=256)
def _filter(hz: float) -> np.ndarray:
    """Return the band-pass around `hz`, its real and its imaginary part as columns."""
    taps = _LOW_PASS * np.exp(-2j * np.pi * hz / RATE * _AROUND)
    return np.stack((np.real(taps), np.imag(taps)), axis=1).astype(np.float32)


def _turn(hz: float, length: int) -> np.ndarray:
    return np.exp(2j * np.pi * hz / _BASE_RATE * np.arange(length))


def _pitch(tone: np.ndarray) -> float:
    """Return how far the tone's pitch is from 0 Hz."""
    if len(tone) < 4:
        return 0.0
    size = 1024 if len(tone) <= 256 else 4096
    spectrum = np.fft.fft(tone * _window(len(tone)), size)
    reach = round(_FURTHEST_HZ * size / _BASE_RATE)
    near = np.abs(np.concatenate((spectrum[-reach:], spectrum[: reach + 1])))
    peak = int(np.clip(np.argmax(near), 1, 2 * reach - 1))
    a, b, c = near[peak - 1 : peak + 2].tolist()
    curve = a - 2 * b + c
    shift = 0.5 * (a - c) / curve if curve else 0.0
    return (peak - reach + shift) * _BASE_RATE / size


@lru_cache(maxsize=1024)
def _window(length: int) -> np.ndarray:
    return np.hanning(length + 2)[1:-1]


def _edges(base: np.ndarray, rough: tuple[int, int], step: int) -> tuple[int, int] | None:
    """Return the likeliest edges; for a long tone each is sought by itself.

    step  samples from one place that is tried for an edge to the next
    """
    start, end = rough
    total = np.concatenate(([0], np.cumsum(base)))
    if end - start <= 2 * _CHUNK:
        starts = np.arange(max(0, start - _REACH), min(start + _REACH, len(base)), step)
        ends = np.arange(max(0, end - _REACH), min(end + _REACH, len(base)) + 1, step)
        if not len(starts) or not len(ends):
            return None
        gain = _gain(total, starts[:, None], ends[None, :])
        best = np.unravel_index(np.argmax(gain), gain.shape)
        if gain[best] <= 0:
            return None
        return int(starts[best[0]]), int(ends[best[1]])
    starts = np.arange(max(0, start - _REACH), start + _REACH, step)
    ends = np.arange(end - _REACH, min(end + _REACH, len(base)) + 1, step)
    onset = starts[np.argmax(_gain(total, starts, np.array(start + _CHUNK)))]
    return int(onset), int(ends[np.argmax(_gain(total, np.array(end - _CHUNK), ends))])


def _gain(total: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the energy that a steady tone between each pair of edges explains."""
    length = ends - starts
    tone = total[ends] - total[starts]
    energy = (np.real(tone) ** 2 + np.imag(tone) ** 2) / np.maximum(length, 1)
    energy[length < _SHORTEST] = 0
    return energy


def _judge(base: np.ndarray, edges: tuple[int, int], hz: float, origin: int) -> Pulse:
    start, end = edges
    tone = base[start:end]
    of_tone = explained(tone)
    around = base[max(0, start - GUARD) : end + GUARD]
    energy = float(np.vdot(around, around).real)
    left = max(energy - of_tone, energy * 1e-6)
    news = len(around) * NEWS
    first, _, last = (abs(sum_) / length + 1e-12 for sum_, length in _parts(tone, 3))
    return Pulse(
        onset=(start + origin) * BASE_STEP,
        end=(end + origin) * BASE_STEP,
        hz=hz,
        amplitude=float(np.sqrt(of_tone / len(tone))),
        score=float(news * np.log(energy / left)),
        decay=float(20 * np.log10(first / last)),
    )


def explained(tone: np.ndarray) -> float:
    """Return the energy that a steady tone explains of a stretch of baseband."""
    if not len(tone):
        return 0.0
    chunks = max(1, round(len(tone) / _CHUNK))
    return float(sum(abs(sum_) ** 2 / length for sum_, length in _parts(tone, chunks)))


def _parts(tone: np.ndarray, count: int) -> list[tuple[complex, int]]:
    """Return the sum and the length of each of `count` parts, as equal as can be."""
    cuts = [len(tone) * place // count for place in range(count)]
    sums = np.add.reduceat(tone, cuts)
    return [
        (complex(sum_), b - a)
        for sum_, (a, b) in zip(sums, pairwise([*cuts, len(tone)]), strict=True)
    ]
