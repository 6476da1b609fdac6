"""Where a known cue and a measurement disagree, the sound decides.

A cue that was found by its pattern shows where tones should be. Each tone that can be
measured is reported as it was measured; a unit that plays the cue in another way shows by
how much better its own edges explain the sound. Only where noise hides an edge does
the pattern stand in for it, and the tone says so.
"""

from typing import NamedTuple

import numpy as np

from sim.lab.listen.beeps.pulse import BASE_STEP, GUARD, NEWS, Pulse, baseband, explained, fit
from sim.lab.listen.beeps.rhythm import Heard, Note
from sim.lab.listen.beeps.tonal import Candidate
from sim.lab.listen.sound.samples import RATE, Samples

EDGE = 0.00125 * RATE  # the likeliest edges lie inside the fades: half a fade on each side
_AROUND = RATE // 2  # is read on both sides of a cue
_NEAR = 0.004 * RATE  # edges so near to those of the pattern are the same, better measured
_PLAIN = 60.0  # the gain (natural logarithm) beyond which it is not the work of noise


class Tone(NamedTuple):
    """A tone of a cue; `is_measured` is False where its edges are those of the pattern."""

    pulse: Pulse
    is_measured: bool


def tones(samples: Samples, cue: Heard, pulses: list[Pulse]) -> list[Tone]:
    """Return the tones of a cue as they were really heard.

    pulses  of the recording, measured without any pattern
    """
    found = [Tone(_expected(cue, note), False) for note in cue.notes]
    end = max(tone.pulse.end for tone in found)
    beside = [pulse for pulse in pulses if pulse.onset < end and pulse.end > cue.onset]
    first = max(0, int(min([cue.onset, *(pulse.onset for pulse in beside)])) - _AROUND)
    piece = samples[first : int(max([end, *(pulse.end for pulse in beside)])) + _AROUND]
    measured = [_moved(pulse, -first) for pulse in beside]
    found = [tone._replace(pulse=_moved(tone.pulse, -first)) for tone in found]
    measured.sort(key=lambda pulse: -pulse.score)
    for pulse in measured:
        found = _settled(piece, found, [pulse])
    found = [tone if tone.is_measured else _fitted(piece, tone) for tone in found]
    for hz in {note.hz for note in cue.notes}:
        hidden = [tone.pulse for tone in found if tone.pulse.hz == hz and not tone.is_measured]
        together = _apart([pulse for pulse in measured if _touches(pulse, hidden)])
        found = _settled(piece, found, together)
    return [tone._replace(pulse=_moved(tone.pulse, first)) for tone in found]


def fits(cue: Heard, found: list[Tone]) -> bool:
    """Return whether each tone of a cue that could be measured is where the pattern has it."""
    patterns = [_expected(cue, note) for note in cue.notes]
    return all(
        any(_is_near(pattern, tone.pulse) for pattern in patterns)
        for tone in found
        if tone.is_measured
    )


def _expected(cue: Heard, note: Note) -> Pulse:
    onset = cue.onset + note.at * RATE / 1000
    end = onset + note.ms * RATE / 1000
    return Pulse(onset + EDGE, end - EDGE, note.hz, cue.level, cue.score, 0.0)


def _moved(pulse: Pulse, by: int) -> Pulse:
    return pulse._replace(onset=pulse.onset + by, end=pulse.end + by)


def _fitted(piece: np.ndarray, tone: Tone) -> Tone:
    """Return a tone of the pattern as it is measured at its own place, if it is there."""
    onset, end, hz, *_ = tone.pulse
    pulse = fit(piece, Candidate(int(onset), int(end), hz, 0))
    return Tone(pulse, True) if pulse and _is_near(tone.pulse, pulse) else tone


def _settled(piece: np.ndarray, tones: list[Tone], pulses: list[Pulse]) -> list[Tone]:
    """Return the tones with measured ones in place of those that they show to be wrong."""
    touched = [tone for tone in tones if _touches(tone.pulse, pulses)]
    if not touched or any(tone.is_measured for tone in touched):
        return tones
    patterns = [tone.pulse for tone in touched]
    is_near = len(patterns) == len(pulses) == 1 and _is_near(patterns[0], pulses[0])
    if not is_near and _gain(piece, patterns, pulses) < _PLAIN:
        return tones
    rest = [tone for tone in tones if tone not in touched]
    return [*rest, *(Tone(pulse, True) for pulse in pulses)]


def _apart(pulses: list[Pulse]) -> list[Pulse]:
    """Return those that do not overlap, the first before the others."""
    kept: list[Pulse] = []
    for pulse in pulses:
        if all(pulse.end <= other.onset or pulse.onset >= other.end for other in kept):
            kept.append(pulse)
    return kept


def _touches(tone: Pulse, others: list[Pulse]) -> bool:
    return any(_is_same(tone, other) for other in others)


def _is_same(tone: Pulse, pulse: Pulse) -> bool:
    """Return whether they sound at one time, at pitches too near to be two."""
    shortest = min(tone.end - tone.onset, pulse.end - pulse.onset)
    blurred = blur(tone.hz) + RATE / (2 * shortest)
    overlap = min(tone.end, pulse.end) - max(tone.onset, pulse.onset)
    return overlap > 0 and abs(tone.hz - pulse.hz) < blurred


def _is_near(tone: Pulse, pulse: Pulse) -> bool:
    return (
        abs(tone.onset - pulse.onset) < _NEAR
        and abs(tone.end - pulse.end) < _NEAR
        and abs(tone.hz - pulse.hz) < blur(tone.hz)
    )


def blur(hz: float) -> float:
    """Return how far two pulses of one pitch may seem apart, in Hz."""
    return 4 + hz * 0.0012


def _gain(piece: np.ndarray, patterns: list[Pulse], pulses: list[Pulse]) -> float:
    """Return how much better measured pulses explain the sound than tones of a pattern."""
    everything = patterns + pulses
    first = int(min(pulse.onset for pulse in everything)) // BASE_STEP - GUARD
    last = int(max(pulse.end for pulse in everything)) // BASE_STEP + GUARD
    base, origin = baseband(piece, first, last, pulses[0].hz)
    energy = float(np.vdot(base, base).real)

    def left(tones: list[Pulse]) -> float:
        of_tones = sum(explained(_part(base, origin, tone)) for tone in tones)
        return max(energy - of_tones, energy * 1e-6)

    return float(len(base) * NEWS * np.log(left(patterns) / left(pulses)))


def _part(base: np.ndarray, origin: int, pulse: Pulse) -> np.ndarray:
    first = max(0, round(pulse.onset / BASE_STEP) - origin)
    return base[first : max(0, round(pulse.end / BASE_STEP) - origin)]
