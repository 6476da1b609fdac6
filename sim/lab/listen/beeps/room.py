"""Beeps in a room with an echo: steps up and down again, whatever still sounds from before.

`pulse.py` looks for a tone with sharp edges and nothing of its pitch before and after. In a room
the tone goes on after its end and grows after its beginning, so that a short beep is not believed
at all and a long one seems to begin late. There the steps of the direct sound are looked for
(`steps.py`), at each pitch that is heard at all.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.signal import find_peaks, welch

from sim.lab.listen.beeps import crowd, steps
from sim.lab.listen.beeps.pulse import BASE_STEP, Pulse, baseband
from sim.lab.listen.beeps.steps import Pair, Pairs, Walk
from sim.lab.listen.beeps.tonal import LOWEST_HZ
from sim.lab.listen.sound.samples import RATE, Samples

_MS = RATE // BASE_STEP // 1000  # samples of a band in a millisecond

_TAIL_FROM, _TAIL_TO = 8 * _MS, 30 * _MS  # after an end: free of any beep's own edge
_TAIL_DB = -25.0  # the level there, or before the beep, that shows an echo
_MOST = 0.5  # of the beeps
_LIKELY = 40.0  # the score of a pulse that is asked
_LONG = 0.02 * RATE
_LOUD_ENOUGH = 0.25  # of the 0.9 quantile of the levels: a fainter pulse may be an echo itself
_LEAST = 3  # beeps from which a room is judged

_FRAME = 1 << 13  # half a second: no short beep's blur hides a long one's pitch
_BIN_HZ = RATE / _FRAME
_BLOCK = 20 * RATE
_MOST_PITCHES = 6  # that are looked at
_PITCHES_APART = 0.06  # of the lower: nearer is a short beep's blur
_PROMINENT_DB = 8.0
_FAINTEST_DB = 30.0  # below the loudest pitch
_FEWEST = 2  # beeps of a pitch
_LIGHTEST = 0.01  # of the steps of the pitch that has most
_BESIDE_HZ = 150.0  # so near, a tone leaks into another pitch's steps
_OWN = 0.5  # of a pitch's beeps do not sound together with those of a greater one
_BELIEVED = 1.3  # the score of a pair: of those below it, none was a beep
_PLAIN = 2.5  # the score from which on both edges are measured: 19 of 20 within 5 ms
_AHEAD = 1.0  # and of any other pair with its onset or its end
_PAUSE = 4 * _MS  # between two beeps
_EARLY = 0.05e-3 * RATE  # a step is found so much late, beside the half of a fade


class Heard(NamedTuple):
    """A beep in a room, and whether both its edges can be measured."""

    pulse: Pulse
    is_measured: bool


def has_echo(samples: Samples, pulses: Sequence[Pulse]) -> bool:
    """Return whether there are few pitches, as of a buzzer, and most beeps sound on into others.

    Talk and music sound on as well, at many pitches.
    """
    likely = [pulse for pulse in pulses if pulse.score >= _LIKELY]
    loud = _LOUD_ENOUGH * np.quantile([pulse.amplitude for pulse in likely] or [0.0], 0.9)
    asked = [
        pulse for pulse in likely if pulse.amplitude >= loud and pulse.end - pulse.onset > _LONG
    ]
    if len(asked) < _LEAST or _count(asked) > crowd.MOST_PITCHES:
        return False
    around = np.array([_around(samples, pulse) for pulse in asked])
    own, before, after = np.log10(np.maximum(around, 1e-12)).T * 10
    return bool(np.mean(np.maximum(before, after) - own > _TAIL_DB) > _MOST)


def _count(pulses: Sequence[Pulse]) -> int:
    """Return how many pitches there are, so far apart that an echo does not make two of one."""
    found: list[float] = []
    for pulse in sorted(pulses, key=lambda pulse: -pulse.amplitude):
        if all(abs(pulse.hz / hz - 1) > _PITCHES_APART for hz in found):
            found.append(pulse.hz)
    return len(found)


def _around(samples: Samples, pulse: Pulse) -> tuple[float, float, float]:
    """Return how loud a beep's pitch is in it, before it and after it."""
    first, last = round(pulse.onset / BASE_STEP), round(pulse.end / BASE_STEP)
    start = max(0, first - _TAIL_TO - 8)
    piece = samples[start * BASE_STEP : (last + _TAIL_TO + 16) * BASE_STEP]
    base, _ = baseband(piece, 0, len(piece) // BASE_STEP, pulse.hz)
    power = np.abs(base) ** 2
    onset, end = first - start, last - start
    own = _mean(power[onset:end])
    before = _mean(power[max(0, onset - _TAIL_TO) : max(1, onset - _TAIL_FROM)])
    return own, before, _mean(power[end + _TAIL_FROM : end + _TAIL_TO])


def _mean(power: np.ndarray) -> float:
    return float(power.mean()) if len(power) else 0.0


def beeps(samples: Samples) -> list[Heard]:
    """Return all that steps up and down at the pitches of a buzzer, in order of time."""
    found = _in_order([steps.pairs(steps.walk(samples, hz)) for hz in _pitches(samples)])
    heaviest = max((pairs.weight for _walk, pairs in found), default=0.0)
    kept: list[Heard] = []
    for walk, pairs in found:
        heard = [
            _heard(walk, pairs, pair, rival)
            for pair, rival in zip(pairs.pairs, steps.rivals(walk, pairs), strict=True)
            if pair.score >= _BELIEVED
        ]
        if len(heard) < _FEWEST or pairs.weight < _LIGHTEST * heaviest:
            continue
        own = [beep for beep in heard if not any(_overlap(beep, other) for other in kept)]
        if len(own) >= _OWN * len(heard):
            kept += own
    return sorted(kept, key=lambda beep: beep.pulse.onset)


def _in_order(found: Sequence[tuple[Walk, Pairs]]) -> list[tuple[Walk, Pairs]]:
    """Return pitches, the loudest first, in order of weight, none before a louder one beside it.

    Off its pitch, a tone seems to step all the time, and weighs the more.
    """
    weights: list[float] = []
    for place, (walk, pairs) in enumerate(found):
        beside = [
            weights[louder]
            for louder in range(place)
            if abs(found[louder][0].hz - walk.hz) < _BESIDE_HZ
        ]
        weights.append(min([pairs.weight, *beside]))
    return [found[place] for place in sorted(range(len(found)), key=lambda place: -weights[place])]


def _heard(walk: Walk, pairs: Pairs, pair: Pair, rival: float) -> Heard:
    pulse = Pulse(
        onset=pair.onset * BASE_STEP - _EARLY,
        end=pair.end * BASE_STEP - _EARLY,
        hz=walk.hz,
        amplitude=pairs.direct,
        score=pair.score,
        decay=0.0,
    )
    return Heard(pulse, pair.score >= _PLAIN and pair.score - rival >= _AHEAD)


def _overlap(beep: Heard, other: Heard) -> bool:
    first, last = beep.pulse, other.pulse
    pause = _PAUSE * BASE_STEP
    return first.onset < last.end + pause and last.onset < first.end + pause


def _pitches(samples: Samples) -> list[float]:
    """Return the pitches at which there is most energy; a long beep shows its own best."""
    power = _spectrum(samples)
    loud = 10 * np.log10(power + 1e-15)
    peaks, _ = find_peaks(loud, prominence=_PROMINENT_DB, height=loud.max() - _FAINTEST_DB)
    found: list[float] = []
    for place in sorted(peaks.tolist(), key=lambda place: -loud[place]):
        hz = place * _BIN_HZ
        is_beside = any(abs(hz / other - 1) < _PITCHES_APART for other in found)
        if not is_beside and not any(_is_harmonic(hz, other) for other in found):
            found.append(hz)
    return found[:_MOST_PITCHES]


def _spectrum(samples: Samples) -> np.ndarray:
    """Return the energy at each pitch over all samples, nothing below a buzzer's lowest."""
    total = np.zeros(_FRAME // 2 + 1)
    for start in range(0, len(samples), _BLOCK):
        piece = samples[start : start + _BLOCK + _FRAME]
        if len(piece) >= _FRAME:
            total += welch(piece, nperseg=_FRAME)[1] * len(piece)
    total[: round(LOWEST_HZ / _BIN_HZ)] = 0
    return total


def _is_harmonic(hz: float, root: float) -> bool:
    """Return whether a pitch is an odd harmonic, as a buzzer's square wave has them."""
    order = round(hz / root)
    return order in (3, 5, 7, 9) and abs(hz / order - root) < _BIN_HZ
