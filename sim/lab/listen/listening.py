"""Finds the beeps in a recording, of any pitch, also beside people who talk and dice that roll.

A clear beep is taken for itself. A fainter one is believed for the company it keeps: a buzzer has
few pitches and repeats them to the hertz, and a voice does not, so a pitch that clear beeps have
named is trusted further. How far depends on how much of the same comes from the recording's other
pitches nearby, where there can be no beeps. In a room with an echo, `room.py` finds the beeps.

Music has many more pitches than a unit, as true to the hertz and as often repeated. But a buzzer
plays a square wave: it has no octave above it, and is no overtone of anything below it, while a
note of an instrument or a voice has its overtones, and each of these its neighbours. Beeps must
pass this test where there are too many pitches.

A beep's edges are measured where they are plain: before one there is next to nothing at the beep's
pitch, and after it the whole beep, within a few milliseconds. A voice as loud sounds on at that
pitch; a codec of voices lets a tone come and go in frames. Plain edges show by how fast they rise
for how long a buzzer fades in and out.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sim.lab.listen import room
from sim.lab.listen.pulse import BASE_STEP, PAUSE, Pulse, baseband, blur, overlap, pulses
from sim.lab.listen.recording import RATE, Samples

_CLEAR = 190.0  # the score that needs one other beep of its pitch
_CLEAREST = 400.0  # the score that needs none
_SECOND = 100.0  # the score that is company enough for a clear beep
_SECOND_WITHIN = 150 * RATE  # and how near: in an hour, chance would find as much
_NOTABLE = 60.0  # the score from which on a pulse speaks for its pitch
_NAMED = 400.0  # the evidence that pulses need together to name a pitch
_COMPANY = 50.0  # the lowest score taken at a named pitch
_SURE = 130.0  # without a score like this there is no buzzer in the recording
_FAINT_DB = 14.0  # a beep this far below the others needs a clear score of its own
_CHANCE = 0.1  # false beeps a named pitch may cost in ten minutes
_HIGHEST_HARMONIC = 13
_TOGETHER = 0.006 * RATE  # so near, a tone and its harmonic begin
_COMPANIONS = 3  # this many level ones of its pitch are needed for an uneven one
_OWN_DB = 5.0  # from their loudness

_MOST_PITCHES = 6  # of a unit; ours has as many
_OVERTONES = (2.0, 1 / 2, 3 / 2, 2 / 3, 4 / 3, 3 / 4, 5 / 4, 4 / 5)
_PURE_DB = -20.0  # the level at these, against the beep itself
_PURE_IN_COMPANY_DB = -10.0  # the same at a pitch that is the buzzer's
_WIDTH = 3.0  # how wide a beep is, in parts of its length
_FEW = 3  # beeps of a pitch among so much else; fewer show no buzzer that plays them
_LEVEL_DB = 3.0  # by how much they may differ
_ALIKE = 0.7  # of them
_MOSTLY = 2 / 3  # of what is heard at a buzzer's pitch is pure
_LEAST_PURE = 0.25  # of all beeps, beside talk as well
_LONG = 20 * RATE  # a cue or two by themselves may be no more than sound
_MANY = 25  # beeps a minute, in a long recording
_MOST_SOUNDING = 0.4  # of the time; each cue of ours, a second apart, is 0.3

_EDGE = 0.00125 * RATE  # the likeliest edges lie inside the fades: half a fade on each side
_LATE = 0.0002 * RATE  # both edges are found this much late

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
_SHORTEST = 12 * _MS  # that a beep sounds on each side of a pause
_STEADY = 0.2  # of its level, by which a beep varies beside a pause

FADE = 0.0025 * RATE  # the time in which the lab's own sounds fade in, and out
_FADES = (0.0, 0.4 * FADE, FADE)  # a fade's length, by the samples from 0.2 to 0.8 of the level:
_RISES = (0.85 * _MS, 0.93 * _MS, 1.45 * _MS)  # the band itself takes the first of them
_FEWEST_EDGES = 10
_SPREAD = 0.3 * _MS  # of half of the edges around the middle: else something else blurs them


class Beep(NamedTuple):
    """A tone that was heard: when, how long, which pitch, how loud.

    level_db     of the tone against a sine of full scale
    is_measured  False where an edge is hidden, or is none that can be measured: onset and length
                 are then a guess
    """

    onset_ms: float
    length_ms: float
    hz: float
    level_db: float
    is_measured: bool = True


def beeps(
    samples: Samples,
    progress: Callable[[float], None] = lambda part: None,
) -> list[Beep]:
    """Return the beeps in samples at `RATE`, in order of time.

    progress  is called from time to time with the part of the work that is done, 0 to 1
    """
    worth = pulses(samples, progress)
    level = [pulse for pulse in worth if pulse.is_level]
    fade = FADE
    if room.has_echo(samples, level):
        heard = room.beeps(samples, worth)
    else:
        found = _alone(_believed(level, len(samples)))
        # An instrument plays them, and no buzzer, if few are pure. A buzzer that drives its
        # recorder too hard may have a faint octave, and is silent for longer.
        is_busy = len(samples) > _LONG and len(found) > _MANY * len(samples) / RATE / 60
        most_db = _PURE_DB if is_busy else _PURE_IN_COMPANY_DB
        pure = sum(_is_pure(samples, pulse, most_db) for pulse in found)
        is_played = len(found) >= _FEW and pure < _LEAST_PURE * len(found)
        if is_played or len(_groups(found)) > _MOST_PITCHES:
            found = _alone(_beside_music(samples, found, level))
        else:
            found = _with_uneven(found, worth)
        found = [part for pulse in found for part in _parts(samples, pulse)]
        rises = [edge_rises(samples, pulse) for pulse in found]
        heard = [(pulse, len(each) == 2) for pulse, each in zip(found, rises, strict=True)]
        plain = [rise for each in rises if len(each) == 2 for rise in each]
        if len(plain) >= _FEWEST_EDGES:
            low, usual, high = np.quantile(plain, (0.25, 0.5, 0.75)).tolist()
            fade = float(np.interp(usual, _RISES, _FADES)) if high - low <= _SPREAD else FADE
    # A unit is silent mostly, and a melody is not.
    found = sorted(pulse for pulse, _ in heard)
    span = max(pulse.end for pulse in found) - found[0].onset if found else 0
    if span > _LONG and sum(pulse.end - pulse.onset for pulse in found) > _MOST_SOUNDING * span:
        return []
    told = []
    for pulse, is_measured in sorted(heard):
        # A sharper buzzer goes on for less beyond its likeliest edge.
        edge = _EDGE - (FADE - fade) / 2 * is_measured
        onset, length = max(0.0, pulse.onset - edge - _LATE), pulse.end - pulse.onset + 2 * edge
        told.append(
            Beep(
                onset_ms=round(onset * 1000 / RATE, 1),
                length_ms=round(length * 1000 / RATE, 1),
                hz=round(float(pulse.hz), 1),
                level_db=round(float(20 * np.log10(max(pulse.amplitude, 1e-9))), 1),
                is_measured=is_measured,
            )
        )
    return told


def _believed(found: list[Pulse], length: int) -> list[Pulse]:
    """Return the pulses that are clear, or that stand at a pitch that clear ones have named.

    A voice may sing once as a buzzer sounds, but hardly twice at the same pitch.
    """
    if not found:
        return []
    onset, _, hz, amplitude, scores, _ = np.array(found).T
    notable = scores >= _NOTABLE
    quiet = _alone([pulse for pulse in found if pulse.score >= _NOTABLE])
    # Where nobody talks, and nothing plays, less will do.
    is_sure = scores >= (_SURE if len(_groups(quiet)) <= _MOST_PITCHES else _CLEAREST)
    for at in np.flatnonzero((scores >= _CLEAR) & ~is_sure):
        away = np.abs(onset - onset[at])
        seconds = (np.abs(hz - hz[at]) < blur(hz[at])) & (scores >= _SECOND)
        is_sure[at] = np.any(seconds & (away > 0) & (away < _SECOND_WITHIN))
    # The pitches that enough pulses agree on, none of them twice.
    weight = np.where(notable, np.minimum(scores, 300), 0)
    names: list[float] = []
    for at in np.argsort(-scores, kind="stable"):
        name = float(hz[at])
        if not notable[at] or any(abs(name - other) < 2 * blur(other) for other in names):
            continue
        here = weight[np.abs(hz - name) < blur(name)].sum()
        common = weight[_beside(name, names, hz)].sum() * _share(name)
        if is_sure[at] or here - 4 * common > _NAMED:
            names.append(name)
    taken = is_sure.copy()
    for name in names:
        # The score that chance seldom reaches at a pitch.
        others = np.sort(scores[_beside(name, names, hz)])[::-1]
        allowed = int(_CHANCE * length / RATE / 600 / _share(name))
        chance = others[allowed] if allowed < len(others) else 0.0
        taken |= (np.abs(hz - name) < blur(name)) & (scores >= max(_COMPANY, chance))
    if not np.any(taken & (scores >= _SURE)):
        return []
    # There is one buzzer, and it does not move.
    faintest = np.median(amplitude[taken]) * 10 ** (-_FAINT_DB / 20)
    taken &= (amplitude > faintest) | (scores >= _CLEAR)
    # A square wave's odd harmonics begin and end with it. Where one of them is clearer than the
    # pitch itself, as a buzzer's own sounding body has it, it is no beep of its own.
    for high in [found[at] for at in np.flatnonzero(taken)]:
        for at in np.flatnonzero((np.abs(onset - high.onset) < _TOGETHER) & (scores >= _COMPANY)):
            taken[at] |= _is_harmonic(high, found[at]) and round(high.hz / hz[at]) % 2 == 1
    return [found[at] for at in np.flatnonzero(taken)]


def _beside(name: float, names: list[float], hz: np.ndarray) -> np.ndarray:
    """Return which pulses lie near a pitch but at no pitch of the buzzer."""
    beside = (np.abs(np.log(hz / name)) < np.log(1.25)) & (np.abs(hz - name) > 2 * blur(name))
    for other in names:
        beside &= np.abs(hz - other) > 2 * blur(other)
    return beside


def _share(name: float) -> float:
    """Return what part of the pulses beside a pitch falls on it by chance."""
    return 2 * blur(name) / (name * (1.25 - 1 / 1.25))


def _alone(found: Sequence[Pulse]) -> list[Pulse]:
    """Return pulses in order of time; of two that overlap, the better one: there is one buzzer.

    Of a tone and its harmonics the lowest is the pitch, be it the weaker one. What noise has cut
    is put together.
    """
    kept: list[Pulse] = []
    edges = np.empty((len(found), 2))
    for pulse in sorted(found, key=lambda pulse: -pulse.score):
        onsets, ends = edges[: len(kept)].T
        together = np.minimum(ends, pulse.end) - np.maximum(onsets, pulse.onset)
        rivals = np.flatnonzero(together > -PAUSE)
        if not len(rivals):
            edges[len(kept)] = pulse[:2]
            kept.append(pulse)
        elif _is_harmonic(kept[rivals[0]], pulse):
            kept[rivals[0]], edges[rivals[0]] = pulse, pulse[:2]
    joined: list[Pulse] = []
    for pulse in sorted(kept):
        last = joined[-1] if joined else None
        is_cut = last and pulse.onset - last.end < 0.02 * RATE
        if last and is_cut and abs(pulse.hz - last.hz) < blur(last.hz):
            joined[-1] = last._replace(end=max(last.end, pulse.end))
        else:
            joined.append(pulse)
    return joined


def _is_harmonic(high: Pulse, low: Pulse) -> bool:
    """Return whether `high` is a harmonic of `low`, beginning and ending with it."""
    order = round(high.hz / low.hz)
    return (
        2 <= order <= _HIGHEST_HARMONIC
        and abs(high.hz / order - low.hz) < blur(low.hz)
        and abs(high.onset - low.onset) < _TOGETHER
        and abs(high.end - low.end) < 0.012 * RATE
    )


def _with_uneven(found: list[Pulse], candidates: list[Pulse]) -> list[Pulse]:
    """Return beeps with those that a codec begins too quietly or too loudly.

    They have a pitch of several others and are as loud; a harmonic passes for none of them.
    """
    level = found
    for pulse in candidates:
        if pulse.is_level:
            continue
        like = [other for other in level if abs(other.hz - pulse.hz) < blur(pulse.hz)]
        usual = float(np.median([other.amplitude for other in like])) if like else 0.0
        if len(like) < _COMPANIONS or not _is_as_loud(pulse, usual, _OWN_DB):
            continue
        rivals = [other for other in found if overlap(other, pulse)]
        if all(_is_harmonic(rival, pulse) for rival in rivals):
            found = [other for other in found if other not in rivals] + [pulse]
    return found


def _is_as_loud(pulse: Pulse, amplitude: float, within_db: float) -> bool:
    return abs(20 * float(np.log10(pulse.amplitude / amplitude))) < within_db


def _beside_music(
    samples: Samples, found: Sequence[Pulse], candidates: Sequence[Pulse]
) -> list[Pulse]:
    """Return the beeps of a buzzer among music, none if they do not stand out.

    candidates  all that may be beeps; at the buzzer's own pitches and as loud they are believed
    """
    pure = [pulse for pulse in found if _is_pure(samples, pulse, _PURE_DB)]
    buzzers: list[tuple[float, float]] = []
    for group in _groups(pure):
        hz, loud = (float(value) for value in np.median([pulse[2:4] for pulse in group], axis=0))
        alike = sum(_is_as_loud(pulse, loud, _LEVEL_DB) for pulse in group)
        near = sum(abs(pulse.hz - hz) < blur(hz) for pulse in found)
        if alike >= max(_FEW, _ALIKE * len(group)) and len(group) >= _MOSTLY * near:
            buzzers.append((hz, loud))
    if len(buzzers) > _MOST_PITCHES:
        return []
    return [
        pulse
        for pulse in {*candidates, *pure}
        if any(
            abs(pulse.hz - hz) < blur(hz) and _is_as_loud(pulse, loud, _LEVEL_DB)
            for hz, loud in buzzers
        )
        and pulse.score >= _COMPANY
        and _is_pure(samples, pulse, _PURE_IN_COMPANY_DB)
    ]


def _groups(found: Sequence[Pulse]) -> list[list[Pulse]]:
    """Return the pulses of each pitch."""
    groups: list[list[Pulse]] = []
    for pulse in sorted(found, key=lambda pulse: pulse.hz):
        if groups and pulse.hz - groups[-1][-1].hz < blur(pulse.hz):
            groups[-1].append(pulse)
        else:
            groups.append([pulse])
    return groups


def _is_pure(samples: Samples, pulse: Pulse, most_db: float) -> bool:
    """Return whether nothing sounds with a pulse at its octave or among its neighbours."""
    first, last = max(0, round(pulse.onset)), min(len(samples), round(pulse.end))
    sound = np.asarray(samples[first:last], np.float64)
    if not len(sound):
        return False
    apart = _WIDTH * RATE / len(sound)  # Hz: nearer, a short beep is heard there itself
    others = [pulse.hz * ratio for ratio in _OVERTONES]
    asked = [hz for hz in others if abs(hz - pulse.hz) > apart and hz < 0.48 * RATE]
    window = np.hanning(len(sound) + 2)[1:-1]
    waves = np.exp(-2j * np.pi / RATE * np.outer([pulse.hz, *asked], np.arange(len(sound))))
    own, *levels = np.abs(waves @ (sound * window)).tolist()
    return max(levels, default=0.0) < own * 10 ** (most_db / 20)


def _parts(samples: Samples, pulse: Pulse) -> list[Pulse]:
    """Return a pulse, or two where a pause parts it that is too short for the window of pulses."""
    first = round(pulse.onset / BASE_STEP)
    band, start = baseband(samples, first, round(pulse.end / BASE_STEP), pulse.hz)
    loud = np.abs(band)
    level = float(np.median(loud))
    inside = loud[_EARLY:-_EARLY]
    if not len(inside) or inside.min() > _RISING * level:
        return [pulse]
    pause = _EARLY + int(np.argmin(inside))
    sounds = np.flatnonzero(loud > level / 2)
    before, after = sounds[sounds < pause], sounds[sounds > pause]
    is_steady = float(np.std(loud[sounds])) < _STEADY * level  # no noise makes the pause
    if not is_steady or min(len(before), len(after)) < _SHORTEST:
        return [pulse]
    parts = []
    for onset, end in ((0, before[-1] + 1), (after[0], len(band))):
        tone = band[onset:end]
        turn = float(np.angle(np.vdot(tone[:-1], tone[1:])))
        parts.append(
            pulse._replace(
                onset=(start + int(onset)) * BASE_STEP,
                end=(start + int(end)) * BASE_STEP,
                hz=pulse.hz + turn / (2 * np.pi) * RATE / BASE_STEP,
            )
        )
    return parts


def edge_rises(samples: Samples, pulse: Pulse) -> list[float]:
    """Return in how many samples of the band the edges of a beep rise, without hidden ones."""
    inside = round((pulse.end - pulse.onset) / BASE_STEP * 0.8)
    inside = slice(_INSIDE, _INSIDE + min(max(inside, _INSIDE_SHORTEST), _INSIDE_LONGEST))
    rises = []
    for place, way in ((pulse.onset, 1), (pulse.end, -1)):
        first = round(place / BASE_STEP) - _AROUND
        band, start = baseband(samples, first, first + 2 * _AROUND, pulse.hz)
        # Silent where there is no recording.
        loud = np.pad(np.abs(band), (start - first, first + 2 * _AROUND - start - len(band)))[::way]
        level = float(np.median(loud[inside]))
        outside = float(np.sqrt(np.mean(loud[_OUTSIDE] ** 2)))
        uneven = float(np.std(loud[inside]))
        if outside > _MOST_OUTSIDE * level or outside + uneven > _MOST_UNEVEN * level:
            continue
        risen = np.flatnonzero(loud[_AROUND - _EARLY :] > _RISEN * level) + _AROUND - _EARLY
        silent = np.flatnonzero(loud[: risen[0]] < _RISING * level) if len(risen) else risen
        if len(silent) and risen[0] - silent[-1] <= _SLOWEST:
            # A level is passed between a place and the one before it.
            passed = [
                at - 1 + (part * level - loud[at - 1]) / (loud[at] - loud[at - 1])
                for at, part in ((risen[0], _RISEN), (silent[-1] + 1, _RISING))
            ]
            rises.append(float(passed[0] - passed[1]))
    return rises
