"""Music beside a buzzer, or in its place: too many pitches for any unit.

A unit has a handful of pitches, music has many more, as true to the hertz and as often repeated.
But a buzzer plays a square wave: it has no octave above it, and is no overtone of anything below
it, while a note of an instrument or a voice has its overtones, and each of these its neighbours.
Beeps must pass this test only where there are too many pitches.
"""

from collections.abc import Sequence

import numpy as np

from sim.lab.listen.beeps.pulse import Pulse
from sim.lab.listen.beeps.refine import blur
from sim.lab.listen.sound.samples import RATE, Samples

# Before beeps were held to purity where there are more, music alone was 45 false beeps a minute.
MOST_PITCHES = 6  # of a unit; ours has as many
_OVERTONES = (2.0, 1 / 2, 3 / 2, 2 / 3, 4 / 3, 3 / 4, 5 / 4, 4 / 5)
_PURE_DB = -20.0  # the level at these, against the beep itself
_PURE_IN_COMPANY_DB = -10.0  # the same at a pitch that is the buzzer's
_COMPANY = 50.0  # the lowest score that is believed there
_WIDTH = 3.0  # how wide a beep is, in parts of its length
_LEAST = 3  # beeps of a pitch among so much else
_LEVEL_DB = 3.0  # by how much they may differ
_LONG = 20 * RATE  # a cue or two by themselves may be no more than sound
_MOST_SOUNDING = 0.25  # of the time; an auction with all its cues is 0.05
_HIGHEST = 0.48 * RATE
_FEW = 3  # beeps: too few to show that a buzzer plays them
_MOSTLY = 2 / 3
_LEAST_PURE = 0.25  # of all beeps, beside talk as well
_MANY = 25  # beeps a minute, in a long recording


def is_crowd(pulses: Sequence[Pulse]) -> bool:
    """Return whether pulses have more pitches than a unit has."""
    return len(pitches(pulses)) > MOST_PITCHES


def is_played(samples: Samples, pulses: Sequence[Pulse]) -> bool:
    """Return whether an instrument plays them, and no buzzer.

    A buzzer that drives its recorder too hard may have a faint octave, and is silent for longer.
    """
    if len(pulses) < _FEW:
        return False
    minutes = len(samples) / RATE / 60
    is_busy = len(samples) > _LONG and len(pulses) > _MANY * minutes
    most_db = _PURE_DB if is_busy else _PURE_IN_COMPANY_DB
    return sum(_is_pure(samples, pulse, most_db) for pulse in pulses) < _LEAST_PURE * len(pulses)


def is_melody(pulses: Sequence[Pulse]) -> bool:
    """Return whether pulses of no known unit sound much of the time: a unit is silent mostly."""
    if not pulses:
        return False
    span = max(pulse.end for pulse in pulses) - min(pulse.onset for pulse in pulses)
    sounding = sum(pulse.end - pulse.onset for pulse in pulses)
    return span > _LONG and sounding > _MOST_SOUNDING * span


def buzzer(samples: Samples, pulses: Sequence[Pulse], candidates: Sequence[Pulse]) -> list[Pulse]:
    """Return the beeps of a buzzer among music, none if they do not stand out.

    candidates  all that may be beeps; at the buzzer's own pitches and as loud they are believed
    """
    pure = [pulse for pulse in pulses if _is_pure(samples, pulse, _PURE_DB)]
    groups = [
        group for group in pitches(pure) if _is_steady(group) and _is_mostly_pure(group, pulses)
    ]
    if len(groups) > MOST_PITCHES:
        return []
    names = [_median([pulse.hz for pulse in group]) for group in groups]
    loud = [_median([pulse.amplitude for pulse in group]) for group in groups]
    return [
        candidate
        for candidate in {*candidates, *(pulse for group in groups for pulse in group)}
        if any(
            abs(candidate.hz - hz) < blur(hz) and _is_as_loud(candidate, level)
            for hz, level in zip(names, loud, strict=True)
        )
        and candidate.score >= _COMPANY
        and _is_pure(samples, candidate, _PURE_IN_COMPANY_DB)
    ]


def pitches(pulses: Sequence[Pulse]) -> list[list[Pulse]]:
    """Return the pulses of each pitch."""
    groups: list[list[Pulse]] = []
    for pulse in sorted(pulses, key=lambda pulse: pulse.hz):
        if groups and pulse.hz - groups[-1][-1].hz < blur(pulse.hz):
            groups[-1].append(pulse)
        else:
            groups.append([pulse])
    return groups


def _is_steady(group: Sequence[Pulse]) -> bool:
    """Return whether pulses of a pitch are several, and as loud as each other."""
    usual = _median([pulse.amplitude for pulse in group])
    alike = [pulse for pulse in group if _is_as_loud(pulse, usual)]
    return len(alike) >= _LEAST and len(alike) >= 0.7 * len(group)


def _is_mostly_pure(group: Sequence[Pulse], pulses: Sequence[Pulse]) -> bool:
    """Return whether most of all that is heard at the pitch of a group is in it: a buzzer's is."""
    hz = _median([pulse.hz for pulse in group])
    near = sum(abs(pulse.hz - hz) < blur(hz) for pulse in pulses)
    return len(group) >= _MOSTLY * near


def _is_as_loud(pulse: Pulse, amplitude: float) -> bool:
    return abs(20 * float(np.log10(pulse.amplitude / amplitude))) < _LEVEL_DB


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))


def _is_pure(samples: Samples, pulse: Pulse, most_db: float) -> bool:
    first, last = max(0, round(pulse.onset)), min(len(samples), round(pulse.end))
    sound = np.asarray(samples[first:last], np.float64)
    if not len(sound):
        return False
    own = _level(sound, pulse.hz)
    limit = own * 10 ** (most_db / 20)
    apart = _WIDTH * RATE / len(sound)  # Hz: nearer, a short beep is heard there itself
    others = (pulse.hz * ratio for ratio in _OVERTONES)
    return all(
        _level(sound, hz) < limit for hz in others if abs(hz - pulse.hz) > apart and hz < _HIGHEST
    )


def loudness(samples: Samples, pulse: Pulse, hz: float) -> float:
    """Return the amplitude at a pitch while a pulse lasts."""
    first, last = max(0, round(pulse.onset)), min(len(samples), round(pulse.end))
    sound = np.asarray(samples[first:last], np.float64)
    return 2 * _level(sound, hz) if len(sound) else 0.0


def _level(sound: np.ndarray, hz: float) -> float:
    """Return how loud a pitch is in a sound."""
    window = np.hanning(len(sound) + 2)[1:-1]
    wave = np.exp(-2j * np.pi * hz * np.arange(len(sound)) / RATE)
    return float(abs(np.dot(sound * window, wave)) / window.sum())
