"""Whether the edges of a beep are plain enough to be told as measured.

Before a plain edge there is next to nothing at the beep's pitch, and after it the whole beep,
within a few milliseconds. A voice as loud sounds on at that pitch; a codec of voices, in frames of
20 ms, lets a tone come and go slowly or in steps, and its edge may be anywhere in them.
"""

import numpy as np

from sim.listen.beeps.pulse import BASE_STEP, Pulse, baseband
from sim.listen.sound.samples import RATE, Samples

_MS = RATE // BASE_STEP // 1000  # samples of a band in a millisecond
_AROUND = 22 * _MS  # looked at on both sides of an edge
_EARLY = 5 * _MS  # so long before the likeliest edge a tone may have begun to rise
_OUTSIDE = slice(_AROUND - 17 * _MS, _AROUND - 3 * _MS)  # free of the beep
_INSIDE = _AROUND + 2 * _MS  # from here on it is whole
_INSIDE_SHORTEST, _INSIDE_LONGEST = 4 * _MS, 15 * _MS
_MOST_OUTSIDE = 0.55  # RMS there, of the beep's own level
_MOST_UNEVEN = 0.75  # and that RMS together with by how much the beep's own level varies
_RISEN, _RISING = 0.8, 0.2  # of that level
_SLOWEST = 6 * _MS  # between these two


def has_plain_edges(samples: Samples, pulse: Pulse) -> bool:
    """Return whether both edges of a beep can be measured."""
    inside = round((pulse.end - pulse.onset) / BASE_STEP * 0.8)
    inside = min(max(inside, _INSIDE_SHORTEST), _INSIDE_LONGEST)
    onset = _around(samples, pulse.onset, pulse.hz)
    end = _around(samples, pulse.end, pulse.hz)[::-1]
    return _is_plain(onset, inside) and _is_plain(end, inside)


def _around(samples: Samples, place: float, hz: float) -> np.ndarray:
    """Return how loud a pitch is around a place, silent where there is no recording."""
    first = round(place / BASE_STEP) - _AROUND
    last = first + 2 * _AROUND
    count = len(samples) // BASE_STEP
    # A margin of the filter's length: its edges are those of the recording only.
    start = max(0, first - _AROUND)
    piece = samples[start * BASE_STEP : min(last + _AROUND, count) * BASE_STEP]
    band, _ = baseband(piece, max(0, first - start), min(last, count) - start, hz)
    return np.pad(np.abs(band), (max(0, -first), max(0, last - count)))


def _is_plain(loud: np.ndarray, inside: int) -> bool:
    level = float(np.median(loud[_INSIDE : _INSIDE + inside]))
    outside = float(np.sqrt(np.mean(loud[_OUTSIDE] ** 2)))
    uneven = float(np.std(loud[_INSIDE : _INSIDE + inside]))
    if outside > _MOST_OUTSIDE * level or outside + uneven > _MOST_UNEVEN * level:
        return False
    risen = np.flatnonzero(loud[_AROUND - _EARLY :] > _RISEN * level)
    if not len(risen):
        return False
    place = _AROUND - _EARLY + int(risen[0])
    silent = np.flatnonzero(loud[:place] < _RISING * level)
    return len(silent) > 0 and place - int(silent[-1]) <= _SLOWEST
