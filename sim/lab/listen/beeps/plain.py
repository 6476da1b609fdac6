"""Whether the edges of a beep are plain enough to be reported as measured.

Before a plain edge there is next to nothing at the beep's pitch, and after it the whole beep,
within a few milliseconds. A voice as loud sounds on at that pitch; a codec of voices, in frames of
20 ms, lets a tone come and go slowly or in steps, and its edge may be anywhere in them.

Plain edges show by how fast they rise for how long a buzzer fades in and out.
"""

from collections.abc import Sequence

import numpy as np

from sim.lab.listen.beeps.pulse import BASE_STEP, Pulse, baseband
from sim.lab.listen.sound.samples import RATE, Samples

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

FADE = 0.0025 * RATE  # the time in which the lab's own sounds fade in, and out
_FADES = (0.0, 0.4 * FADE, FADE)  # a fade's length, by the samples from 0.2 to 0.8 of the level:
_RISES = (0.85 * _MS, 0.93 * _MS, 1.45 * _MS)  # the band itself takes the first of them
_CLEAN = 0.1  # RMS outside of an edge by which that is measured, of the level
_FEWEST_CLEAN = 10  # edges
_MOST_LOOKED_AT = 100  # beeps
_SPREAD = 0.3 * _MS  # of half of the edges around the middle: else something else blurs them


def has_plain_edges(samples: Samples, pulse: Pulse) -> bool:
    """Return whether both edges of a beep can be measured."""
    inside = round((pulse.end - pulse.onset) / BASE_STEP * 0.8)
    inside = min(max(inside, _INSIDE_SHORTEST), _INSIDE_LONGEST)
    onset = _around(samples, pulse.onset, pulse.hz)
    end = _around(samples, pulse.end, pulse.hz)[::-1]
    return _is_plain(onset, inside) and _is_plain(end, inside)


def fade(samples: Samples, pulses: Sequence[Pulse]) -> float:
    """Return in how many samples beeps fade in and out, `FADE` where that is not plain."""
    rises = []
    for pulse in pulses[:_MOST_LOOKED_AT]:
        onset = _around(samples, pulse.onset, pulse.hz)
        end = _around(samples, pulse.end, pulse.hz)[::-1]
        rises += [rise for rise in (_rise(onset), _rise(end)) if rise is not None]
    if len(rises) < _FEWEST_CLEAN:
        return FADE
    low, usual, high = np.quantile(rises, (0.25, 0.5, 0.75)).tolist()
    return float(np.interp(usual, _RISES, _FADES)) if high - low <= _SPREAD else FADE


def _rise(loud: np.ndarray) -> float | None:
    """Return in how many samples of the band a clean edge rises, None of another."""
    level = float(np.median(loud[_INSIDE : _INSIDE + _INSIDE_SHORTEST]))
    outside = float(np.sqrt(np.mean(loud[_OUTSIDE] ** 2)))
    if outside >= _CLEAN * level:
        return None
    near = loud[_AROUND - _EARLY : _INSIDE] / level
    risen = int(np.argmax(near > _RISEN))
    silent = np.flatnonzero(near[:risen] < _RISING)
    if not len(silent):
        return None
    return _crossing(near, risen, _RISEN) - _crossing(near, int(silent[-1]) + 1, _RISING)


def _crossing(loud: np.ndarray, after: int, level: float) -> float:
    """Return where a level is passed between a place and the one before it."""
    before = float(loud[after - 1])
    return after - 1 + (level - before) / (float(loud[after]) - before)


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
