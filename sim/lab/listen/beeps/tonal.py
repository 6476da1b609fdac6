"""Where a recording holds something like a steady tone: a wide net, thrown fast.

Each candidate is a stretch of time in which one narrow band stands out of its
neighbours. Voices give many; `pulse.py` finds the beeps among them.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from sim.lab.listen.sound.samples import RATE

LOWEST_HZ = 400
HIGHEST_HZ = 5500

_WINDOW = 512  # 32 ms: longer than the shortest beep, shorter than twice
HOP = 64  # 4 ms
_SHAPE = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)
_BIN_HZ = RATE / _WINDOW
_FIRST = int(LOWEST_HZ / _BIN_HZ)
_LAST = int(HIGHEST_HZ / _BIN_HZ) + 1
_NEAR = 3  # bins on each side that a tone itself fills
_FAR = 12  # bins on each side that it is compared with
_STANDS_OUT = 7.0  # times the power of its neighbours
_SHORTEST = 4  # frames
_WEAKEST = 0.005  # of all the power in its frame: 23 dB below what else is heard
_RUMBLE = 6  # bins from 0 Hz on that do not count as heard
_FAINTEST = 1e-10  # power: nothing below -100 dB of full scale is looked at


class Candidate(NamedTuple):
    """A stretch from sample `start` to sample `end` with a steady tone near `hz`."""

    start: int
    end: int
    hz: float
    strength: float


def candidates(samples: np.ndarray) -> list[Candidate]:
    """Return the candidates in a block of samples, in order of time."""
    if len(samples) < _WINDOW:
        return []
    power = _spectrogram(samples)
    peaks = _peaks(power)
    return _thin(_runs(peaks, power))


def _spectrogram(samples: np.ndarray) -> np.ndarray:
    frames = sliding_window_view(samples, _WINDOW)[::HOP] * _SHAPE
    spectrum = np.fft.rfft(frames, axis=1)[:, : _LAST + _FAR + 1]
    return (spectrum.real**2 + spectrum.imag**2) / (_WINDOW / 4) ** 2 / 2


def _peaks(power: np.ndarray) -> np.ndarray:
    """Return where a bin is the highest around and stands out of its neighbours."""
    total = np.cumsum(np.pad(power, ((0, 0), (_FAR + 1, 0))), axis=1)

    def band(low: int, high: int) -> np.ndarray:
        """Return the power summed over the bins from `low` to `high` beside each."""
        at = np.arange(_FIRST, _LAST)
        return total[:, at + high + _FAR + 1] - total[:, at + low + _FAR]

    around = band(-_FAR, _FAR) - band(-_NEAR, _NEAR)
    cells = 2 * (_FAR - _NEAR)
    here = power[:, _FIRST:_LAST]
    highest = (here >= power[:, _FIRST - 1 : _LAST - 1]) & (
        here >= power[:, _FIRST + 1 : _LAST + 1]
    )
    heard = power[:, _RUMBLE:].sum(axis=1, keepdims=True)
    stands_out = (here * cells > around * _STANDS_OUT) & (here > heard * _WEAKEST)
    return highest & stands_out & (here > _FAINTEST)


def _runs(peaks: np.ndarray, power: np.ndarray) -> list[Candidate]:
    """Return the stretches of time in which a band of three bins keeps holding a peak."""
    wide = peaks.copy()
    wide[:, 1:] |= peaks[:, :-1]
    wide[:, :-1] |= peaks[:, 1:]
    wide[1:-1] |= wide[:-2] & wide[2:]  # one frame may be missing
    padded = np.pad(wide, ((1, 1), (0, 0))).astype(np.int8)
    edges = np.diff(padded, axis=0).T
    bins, starts = np.nonzero(edges == 1)
    _, ends = np.nonzero(edges == -1)
    long = ends - starts >= _SHORTEST
    middle = _WINDOW // 2
    found = []
    for place, start, end in zip(
        (bins[long] + _FIRST).tolist(), starts[long].tolist(), ends[long].tolist(), strict=True
    ):
        beside = power[start:end, place - 1 : place + 2].sum(axis=1).tolist()
        strength = float(power[start:end, place].sum())
        for first, last in _loud(beside):
            found.append(
                Candidate(
                    (start + first) * HOP + middle,
                    (start + last) * HOP + middle,
                    place * _BIN_HZ,
                    strength,
                )
            )
    return found


def _loud(powers: list[float]) -> list[tuple[int, int]]:
    """Return the first and last of each stretch that is not much below the usual power.

    Plain lists: most runs are of a dozen frames, for which numpy is slower.
    """
    enough = _usual(powers) / 4
    places = [place for place, power in enumerate(powers) if power >= enough]
    stretches = []
    first = places[0]
    for place, after in pairwise(places):
        if after - place > 2:
            stretches.append((first, place))
            first = after
    return [*stretches, (first, places[-1])]


def _usual(powers: list[float]) -> float:
    """Return what seven in ten of them do not reach."""
    ordered = sorted(powers)
    place = 0.7 * (len(ordered) - 1)
    below = int(place)
    return ordered[below] + (ordered[below + 1] - ordered[below]) * (place - below)


def _thin(found: list[Candidate]) -> list[Candidate]:
    """Leave out candidates of the same tone as a stronger neighbour."""
    kept: dict[tuple[int, int], list[Candidate]] = {}  # by bin and second
    thinned = []
    for candidate in sorted(found, key=lambda candidate: -candidate.strength):
        start, end = candidate.start, candidate.end
        place = round(candidate.hz / _BIN_HZ)
        seconds = range(start // RATE, end // RATE + 1)
        half = (end - start) / 2
        near = (
            other
            for bin_ in range(place - 2, place + 3)
            for second in seconds
            for other in kept.get((bin_, second), ())
        )
        if any(min(end, other.end) - max(start, other.start) > half for other in near):
            continue
        thinned.append(candidate)
        for second in seconds:
            kept.setdefault((place, second), []).append(candidate)
    return sorted(thinned)
