"""Find tones of constant pitch with sharp edges, and score them.

A fast first pass over the spectrogram finds runs: periods in which a narrow band stands out from
its neighbours. Speech yields many of them. A second pass fits a beep to each run: a tone of
constant pitch and level that starts and ends within a millisecond or two, with silence at its pitch
just before and after. The edges are those of greatest likelihood. The score is a generalised
likelihood ratio: the logarithm of how much more likely the samples are as a beep in noise than as
noise alone, with level, phase and noise unknown. A voice glides, swells and has harmonics nearby.
The fit does not explain these, which lowers the score.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.signal import firwin

from sim.lab.listen.recording import RATE, Samples

LOWEST_HZ = 400
HIGHEST_HZ = 5500
BASE_STEP = 8  # decimation of a baseband, whose samples are 0.5 ms apart

_WINDOW = 512  # 32 ms: longer than the shortest beep, but not twice as long
_HOP = 64  # 4 ms
_SHAPE = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)
_BIN_HZ = RATE / _WINDOW
_FIRST = int(LOWEST_HZ / _BIN_HZ)
_LAST = int(HIGHEST_HZ / _BIN_HZ) + 1
_NEAR = 3  # bins on each side that the tone itself fills
_FAR = 12  # bins on each side that a peak is compared with
_STANDS_OUT = 7.0  # least power of a peak against the mean of these bins
_SHORTEST_RUN = 4  # frames
_WEAKEST = 0.005  # least power of a peak against its frame: -23 dB
_RUMBLE = 6  # lowest bins, left out of the frame's power
_FAINTEST = 1e-10  # least power of a peak: -100 dB of full scale

_BAND_HZ = 400  # half the width of a baseband
_BASE_RATE = RATE // BASE_STEP
_MARGIN = round(0.060 * _BASE_RATE)  # examined on each side of a run
PAUSE = 0.004 * RATE  # shortest pause between two pulses
_GUARD = round(0.020 * _BASE_RATE)  # silence expected on each side of a beep
_REACH = round(0.024 * _BASE_RATE)  # greatest distance of an edge from that of the run
_FURTHEST_HZ = 60  # greatest distance of the pitch from that of the run
_GROWTHS = 30  # most steps of a search: enough to find the longest beep from a part of it
_SHORTEST = round(0.012 * _BASE_RATE)
_CHUNK = round(0.080 * _BASE_RATE)  # any buzzer keeps its phase for this long
_NEWS = 2 * _BAND_HZ / _BASE_RATE  # independent samples per sample of the baseband

_TAPS = 129
_LOW_PASS: np.ndarray = 2 * np.asarray(firwin(_TAPS, _BAND_HZ, window="hann", fs=RATE), float)
_AROUND = np.arange(_TAPS) - _TAPS // 2

_BLOCK = 20 * RATE  # analysed at a time
_OVERLAP = 2 * RATE  # longer than any beep
_WORTH_KEEPING = 10.0  # lowest score of a pulse
_PLAIN = 100.0  # lowest score of a pulse whose level changes, as a codec may change it,
_UNEVEN_DB = 7.0  # by at most this


class Pulse(NamedTuple):
    """A tone of `hz` from `onset` to `end`, in samples.

    amplitude  of its sine; 1 is full scale
    score      logarithm of its likelihood against noise
    decay      loss of level from its first to its last third, in dB
    """

    onset: float
    end: float
    hz: float
    amplitude: float
    score: float
    decay: float

    @property
    def is_level(self) -> bool:
        """Whether its level is constant; that of struck glass is not."""
        return abs(self.decay) < 2 + 60 / self.score


def blur(hz: float) -> float:
    """Return the tolerance, in Hz, between the measured pitches of the same tone."""
    return 4 + hz * 0.0012


def overlap(pulse: Pulse, other: Pulse, pause: float = PAUSE) -> bool:
    """Return whether two pulses overlap, or less than a pause lies between them."""
    return min(pulse.end, other.end) - max(pulse.onset, other.onset) > -pause


def pulses(samples: Samples, progress: Callable[[float], None]) -> list[Pulse]:
    """Return a pulse for each tone in samples at `RATE`, in falling order of score.

    progress  is called from time to time with the fraction of the work that is done
    """
    found = []
    for start in range(0, max(len(samples), 1), _BLOCK):
        progress(start / max(len(samples), 1))
        first = max(0, start - _OVERLAP)
        block = samples[first : start + _BLOCK + _OVERLAP]
        for run in _runs(block):
            if not start <= first + (run.onset + run.end) // 2 < start + _BLOCK:
                continue
            pulse = _grown(block, run)
            if pulse and LOWEST_HZ / 1.1 < pulse.hz < HIGHEST_HZ * 1.1:
                found.append(pulse._replace(onset=pulse.onset + first, end=pulse.end + first))
    progress(1.0)
    found = [
        pulse
        for pulse in found
        if pulse.score >= _WORTH_KEEPING
        and (pulse.is_level or (pulse.score >= _PLAIN and abs(pulse.decay) < _UNEVEN_DB))
    ]
    return _thinned(found, 40, lambda length: -PAUSE)


def _thinned(found: list[Pulse], near_hz: float, least: Callable[[float], float]) -> list[Pulse]:
    """Sort pulses by score; of two that overlap at one pitch, keep the first.

    least  the overlap, in samples, that a pulse of a given length may have
    """
    found = sorted(found, key=lambda pulse: -pulse.score)
    onset, end, hz = np.array([pulse[:3] for pulse in found]).reshape(-1, 3).T
    is_kept = np.zeros(len(found), bool)
    for at, pulse in enumerate(found):
        together = np.minimum(end[:at], pulse.end) - np.maximum(onset[:at], pulse.onset)
        is_rival = (together > least(pulse.end - pulse.onset)) & (
            np.abs(hz[:at] - pulse.hz) < near_hz
        )
        is_kept[at] = not np.any(is_rival & is_kept[:at])
    return [found[at] for at in np.flatnonzero(is_kept)]


def _runs(samples: np.ndarray) -> list[Pulse]:
    """Return the periods in which a band of three bins holds a peak of the spectrum.

    Their edges and pitches are rough. Their score is their power.
    """
    if len(samples) < _WINDOW:
        return []
    frames = sliding_window_view(samples, _WINDOW)[::_HOP] * _SHAPE
    spectrum = np.fft.rfft(frames, axis=1)[:, : _LAST + _FAR + 1]
    power = (spectrum.real**2 + spectrum.imag**2) / (_WINDOW / 4) ** 2 / 2
    # A peak is higher than the two bins beside it, and stands out from those further away.
    total = np.cumsum(np.pad(power, ((0, 0), (_FAR + 1, 0))), axis=1)
    at = np.arange(_FIRST, _LAST) + _FAR
    far, near = (total[:, at + bins + 1] - total[:, at - bins] for bins in (_FAR, _NEAR))
    here = power[:, _FIRST:_LAST]
    peaks = (here >= power[:, _FIRST - 1 : _LAST - 1]) & (here >= power[:, _FIRST + 1 : _LAST + 1])
    peaks &= here * 2 * (_FAR - _NEAR) > (far - near) * _STANDS_OUT
    peaks &= (here > power[:, _RUMBLE:].sum(axis=1, keepdims=True) * _WEAKEST) & (here > _FAINTEST)
    wide = peaks.copy()
    wide[:, 1:] |= peaks[:, :-1]
    wide[:, :-1] |= peaks[:, 1:]
    wide[1:-1] |= wide[:-2] & wide[2:]  # one frame may be missing
    edges = np.diff(np.pad(wide, ((1, 1), (0, 0))).astype(np.int8), axis=0).T
    bins, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    found = []
    for place, start, end in zip(
        (bins + _FIRST).tolist(), starts.tolist(), ends.tolist(), strict=True
    ):
        if end - start < _SHORTEST_RUN:
            continue
        # Plain lists: most runs are of a dozen frames, for which numpy is slower.
        beside = power[start:end, place - 1 : place + 2].sum(axis=1).tolist()
        strength = float(power[start:end, place].sum())
        least = sorted(beside)[int(0.7 * (len(beside) - 1))] / 4  # a fourth of the usual power
        loud = [start + frame for frame, strong in enumerate(beside) if strong >= least]
        cuts = [at for at, (frame, after) in enumerate(pairwise(loud), 1) if after - frame > 2]
        for first, last in pairwise([0, *cuts, len(loud)]):
            onset, stop = (frame * _HOP + _WINDOW // 2 for frame in (loud[first], loud[last - 1]))
            found.append(Pulse(onset, stop, place * _BIN_HZ, 0.0, strength, 0.0))
    return sorted(_thinned(found, 2.5 * _BIN_HZ, lambda length: length / 2))


def _grown(samples: np.ndarray, run: Pulse) -> Pulse | None:
    """Fit a beep to a run. If the run is only part of it, extend the search to find both edges."""
    pulse = run
    for _ in range(_GROWTHS):
        hz = pulse.hz
        first, last = (int(place) // BASE_STEP for place in (pulse.onset, pulse.end))
        base, origin = baseband(samples, first - _MARGIN, last + _MARGIN, hz)
        rough = start, end = first - origin, last - origin
        for coarseness in (2, 1):
            off = _pitch(base[max(0, start) : end + 1])
            base = base * _turn(-off, len(base))
            hz += off
            edges = _edges(base, rough, coarseness)
            if edges is None:
                return None
            start, end = edges
        tone = base[start:end]
        chunks = max(1, round(len(tone) / _CHUNK))
        of_tone = sum(abs(sum_) ** 2 / length for sum_, length in _parts(tone, chunks))
        around = base[max(0, start - _GUARD) : end + _GUARD]
        energy = float(np.vdot(around, around).real)
        left = max(energy - of_tone, energy * 1e-6)
        begins, _, ends = (abs(sum_) / length + 1e-12 for sum_, length in _parts(tone, 3))
        pulse = Pulse(
            onset=(start + origin) * BASE_STEP,
            end=(end + origin) * BASE_STEP,
            hz=hz,
            amplitude=float(np.sqrt(of_tone / len(tone))),
            score=float(len(around) * _NEWS * np.log(energy / left)),
            decay=float(20 * np.log10(begins / ends)),
        )
        if start != rough[0] - _REACH and end != rough[1] + _REACH:
            break  # neither edge lies at the limit of the search
    return pulse


def baseband(samples: Samples, first: int, last: int, hz: float) -> tuple[np.ndarray, int]:
    """Return the band around `hz`, moved to 0 Hz, and the index of its first sample."""
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
    """Return the taps of the band-pass around `hz`, real and imaginary parts as columns."""
    taps = _LOW_PASS * np.exp(-2j * np.pi * hz / RATE * _AROUND)
    return np.stack((np.real(taps), np.imag(taps)), axis=1).astype(np.float32)


def _turn(hz: float, length: int) -> np.ndarray:
    return np.exp(2j * np.pi * hz / _BASE_RATE * np.arange(length))


def _pitch(tone: np.ndarray) -> float:
    """Return the frequency of a tone near 0 Hz."""
    if len(tone) < 4:
        return 0.0
    size = 1024 if len(tone) <= 256 else 4096
    spectrum = np.fft.fft(tone * np.hanning(len(tone) + 2)[1:-1], size)
    reach = round(_FURTHEST_HZ * size / _BASE_RATE)
    near = np.abs(np.concatenate((spectrum[-reach:], spectrum[: reach + 1])))
    peak = int(np.clip(np.argmax(near), 1, 2 * reach - 1))
    a, b, c = near[peak - 1 : peak + 2].tolist()
    curve = a - 2 * b + c
    shift = 0.5 * (a - c) / curve if curve else 0.0
    return (peak - reach + shift) * _BASE_RATE / size


def _edges(base: np.ndarray, rough: tuple[int, int], step: int) -> tuple[int, int] | None:
    """Return the likeliest edges; those of a long tone are found independently.

    step  distance, in samples, of the positions that are tried
    """
    start, end = rough
    total = np.concatenate(([0], np.cumsum(base)))

    def gain(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Return the energy of a steady tone between each pair of edges."""
        length = ends - starts
        energy = np.abs(total[ends] - total[starts]) ** 2 / np.maximum(length, 1)
        energy[length < _SHORTEST] = 0
        return energy

    starts = np.arange(max(0, start - _REACH), min(start + _REACH, len(base)), step)
    ends = np.arange(max(0, end - _REACH), min(end + _REACH, len(base)) + 1, step)
    if not len(starts) or not len(ends):
        return None
    if end - start > 2 * _CHUNK:
        onset = starts[np.argmax(gain(starts, np.array(start + _CHUNK)))]
        return int(onset), int(ends[np.argmax(gain(np.array(end - _CHUNK), ends))])
    gains = gain(starts[:, None], ends[None, :])
    best = np.unravel_index(np.argmax(gains), gains.shape)
    return (int(starts[best[0]]), int(ends[best[1]])) if gains[best] > 0 else None


def _parts(tone: np.ndarray, count: int) -> list[tuple[complex, int]]:
    """Return the sum and the length of each of `count` nearly equal parts."""
    cuts = [len(tone) * place // count for place in range(count)]
    sums = np.add.reduceat(tone, cuts)
    return [
        (complex(sum_), b - a)
        for sum_, (a, b) in zip(sums, pairwise([*cuts, len(tone)]), strict=True)
    ]
