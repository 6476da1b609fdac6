"""Find the beeps in a recording, at any pitch, despite speech and rolling dice.

`pulse.py` proposes pulses, each with a score. A pulse with a high score is accepted. A weaker one
is accepted only if other pulses share its pitch: a buzzer has few pitches and repeats
them to the hertz, and a voice does not. The score required there depends on how strong the
pulses at neighbouring pitches are, where the buzzer has none. In a room with an echo, `room.py`
finds the beeps instead.

The notes of music repeat as exactly, but at many more pitches. A buzzer plays a square wave, which
has no octave; the notes of instruments and voices have octaves and other overtones. If there are
too many pitches, only beeps without such overtones are accepted.

The edges of a beep are measured if they are sharp: the level rises from almost nothing to that of
the whole beep within a few milliseconds. A voice at the same pitch and level hides an edge, and a
speech codec, which works in frames, blurs it. The steepness of sharp edges shows how long the
buzzer takes to fade in and out.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from city_unit.desktop.forms import number
from sim.lab.listen import room
from sim.lab.listen.pulse import BASE_STEP, PAUSE, Pulse, baseband, blur, overlap, pulses
from sim.lab.listen.recording import RATE, Samples

_CLEAR = 190.0  # score of a beep that needs one other beep of its pitch
_CLEAREST = 400.0  # score of a beep that needs no other
_SECOND = 100.0  # lowest score of that other beep,
_SECOND_WITHIN = 150 * RATE  # and longest distance: in an hour, noise yields one
_NOTABLE = 60.0  # lowest score that counts as evidence for a pitch
_NAMED = 400.0  # total evidence from which a pitch is the buzzer's
_COMPANY = 50.0  # lowest score accepted at a pitch of the buzzer
_SURE = 130.0  # a recording without any score this high has no buzzer
_FAINT_DB = 14.0  # a beep this far below the median level needs the score `_CLEAR`
_CHANCE = 0.1  # false beeps allowed for each pitch of the buzzer in ten minutes
_HIGHEST_HARMONIC = 13
_TOGETHER = 0.006 * RATE  # a tone and its harmonic start within this time
_COMPANIONS = 3  # level pulses of the same pitch that an uneven pulse needs
_OWN_DB = 5.0  # tolerance of its level against theirs

_MOST_PITCHES = 6  # of a unit; ours has six
_OVERTONES = (2.0, 1 / 2, 3 / 2, 2 / 3, 4 / 3, 3 / 4, 5 / 4, 4 / 5)
_PURE_DB = -20.0  # highest level at these overtones, against the beep
_PURE_IN_COMPANY_DB = -10.0  # the same at a pitch of the buzzer
_WIDTH = 3.0  # spectral width of a beep, times the inverse of its length
_FEW = 3  # beeps that show a buzzer's pitch in music
_LEVEL_DB = 3.0  # by how much their levels may differ,
_ALIKE = 0.7  # for this fraction of them
_MOSTLY = 2 / 3  # fraction of the pulses at a buzzer's pitch that is pure
_LEAST_PURE = 0.25  # the same for all beeps of a recording, speech included
_LONG = 20 * RATE  # shorter recordings may consist of a cue or two
_MANY = 25  # beeps a minute in a long recording, above which it is busy
_MOST_SOUNDING = 0.4  # of the time; our cues, played a second apart, sound for 0.3 of it

_EDGE = 0.00125 * RATE  # an edge is found inside the fade, by half its length
_LATE = 0.0002 * RATE  # both edges are found late by this

_MS = RATE // BASE_STEP // 1000  # samples of a band in a millisecond
_AROUND = 22 * _MS  # span examined on each side of an edge
_EARLY = 5 * _MS  # a tone may start to rise this long before its edge
_OUTSIDE = slice(_AROUND - 17 * _MS, _AROUND - 3 * _MS)  # before the beep
_INSIDE = _AROUND + 2 * _MS  # first sample at the beep's full level
_INSIDE_SHORTEST, _INSIDE_LONGEST = 4 * _MS, 15 * _MS
_MOST_OUTSIDE = 0.55  # highest RMS before the beep, against its level
_MOST_UNEVEN = 0.75  # the same with the standard deviation of its level added
_RISEN, _RISING = 0.8, 0.2  # levels between which the rise is timed, against that of the beep
_SLOWEST = 6 * _MS  # longest rise between them
_SHORTEST = 12 * _MS  # shortest sound on each side of a pause inside a pulse
_STEADY = 0.2  # highest standard deviation of the level there, against the level

FADE = 0.0025 * RATE  # time in which the lab's own sounds fade in and out
# Lengths of a fade, and the rise from 0.2 to 0.8 of the level that each one shows. Without a fade
# the band-pass alone causes the rise.
_FADES = (0.0, 0.4 * FADE, FADE)
_RISES = (0.85 * _MS, 0.93 * _MS, 1.45 * _MS)
_FEWEST_EDGES = 10  # from which the fade is estimated
_SPREAD = 0.3 * _MS  # widest interquartile range of their rises; above, something blurs them


class Beep(NamedTuple):
    """A tone that was heard.

    level_db     level against a sine of full scale
    is_measured  False if an edge is hidden or not sharp: onset and length are then estimates
    """

    onset_ms: float
    length_ms: float
    hz: float
    level_db: float
    is_measured: bool = True


def clock(ms: float) -> str:
    """Return a time as minutes, seconds and tenths of a millisecond."""
    minutes, rest = divmod(round(ms * 10), 600_000)
    return f"{minutes}:{number(rest / 10_000, 4).zfill(7)}"


def beeps(
    samples: Samples,
    progress: Callable[[float], None] = lambda part: None,
) -> list[Beep]:
    """Return the beeps in samples at `RATE`, in order of time.

    progress  is called from time to time with the fraction of the work that is done
    """
    candidates = pulses(samples, progress)
    level = [pulse for pulse in candidates if pulse.is_level]
    fade = FADE
    if room.has_echo(samples, level):
        heard = room.beeps(samples, candidates)
    else:
        found = _without_overlaps(_accepted(level, len(samples)))
        # If few beeps are pure, an instrument plays them. A buzzer that overdrives the recorder
        # may have a faint octave too, but is silent for longer.
        is_busy = len(samples) > _LONG and len(found) > _MANY * len(samples) / RATE / 60
        most_db = _PURE_DB if is_busy else _PURE_IN_COMPANY_DB
        pure = sum(_is_pure(samples, pulse, most_db) for pulse in found)
        is_played = len(found) >= _FEW and pure < _LEAST_PURE * len(found)
        if is_played or len(_groups(found)) > _MOST_PITCHES:
            found = _without_overlaps(_beside_music(samples, found, level))
        else:
            found = _with_uneven(found, candidates)
        found = [part for pulse in found for part in _parts(samples, pulse)]
        rises = [edge_rises(samples, pulse) for pulse in found]
        heard = []
        for pulse, each in zip(found, rises, strict=True):
            # Where a pitch occurs once and is an odd harmonic of another, one sound may have cut in
            # on another, so that the fundamental was not level.
            others = [other.hz for other in found if other is not pulse]
            is_lone = all(abs(pulse.hz - hz) > blur(hz) for hz in others)
            is_harmonic = any(room.is_odd_harmonic(pulse.hz, hz) for hz in others)
            heard.append((pulse, len(each) == 2 and not (is_lone and is_harmonic)))
        plain = [rise for each in rises if len(each) == 2 for rise in each]
        if len(plain) >= _FEWEST_EDGES:
            low, usual, high = np.quantile(plain, (0.25, 0.5, 0.75)).tolist()
            fade = float(np.interp(usual, _RISES, _FADES)) if high - low <= _SPREAD else FADE
    # A unit is silent most of the time; a melody is not.
    found = sorted(pulse for pulse, _ in heard)
    span = max(pulse.end for pulse in found) - found[0].onset if found else 0
    if span > _LONG and sum(pulse.end - pulse.onset for pulse in found) > _MOST_SOUNDING * span:
        return []
    result = []
    for pulse, is_measured in sorted(heard):
        # With a shorter fade, less of the beep lies beyond the edge that was found.
        edge = _EDGE - (FADE - fade) / 2 * is_measured
        onset, length = max(0.0, pulse.onset - edge - _LATE), pulse.end - pulse.onset + 2 * edge
        result.append(
            Beep(
                onset_ms=round(onset * 1000 / RATE, 1),
                length_ms=round(length * 1000 / RATE, 1),
                hz=round(float(pulse.hz), 1),
                level_db=round(float(20 * np.log10(max(pulse.amplitude, 1e-9))), 1),
                is_measured=is_measured,
            )
        )
    return result


def _accepted(found: list[Pulse], length: int) -> list[Pulse]:
    """Return the pulses with a high score, and weaker ones at the pitches of the buzzer.

    A voice may sound like a buzzer once, but hardly twice at the same pitch.
    """
    if not found:
        return []
    onset, _, hz, amplitude, scores, _ = np.array(found).T
    notable = scores >= _NOTABLE
    quiet = _without_overlaps([pulse for pulse in found if pulse.score >= _NOTABLE])
    # Without speech or music, a lower score suffices.
    is_sure = scores >= (_SURE if len(_groups(quiet)) <= _MOST_PITCHES else _CLEAREST)
    for at in np.flatnonzero((scores >= _CLEAR) & ~is_sure):
        away = np.abs(onset - onset[at])
        seconds = (np.abs(hz - hz[at]) < blur(hz[at])) & (scores >= _SECOND)
        is_sure[at] = np.any(seconds & (away > 0) & (away < _SECOND_WITHIN))
    # The buzzer's pitches are those that enough pulses agree on.
    weight = np.where(notable, np.minimum(scores, 300), 0)
    pitches: list[float] = []
    for at in np.argsort(-scores, kind="stable"):
        pitch = float(hz[at])
        if not notable[at] or any(abs(pitch - other) < 2 * blur(other) for other in pitches):
            continue
        here = weight[np.abs(hz - pitch) < blur(pitch)].sum()
        common = weight[_beside(pitch, pitches, hz)].sum() * _share(pitch)
        if is_sure[at] or here - 4 * common > _NAMED:
            pitches.append(pitch)
    accepted = is_sure.copy()
    for pitch in pitches:
        # Noise seldom reaches this score at a pitch.
        others = np.sort(scores[_beside(pitch, pitches, hz)])[::-1]
        allowed = int(_CHANCE * length / RATE / 600 / _share(pitch))
        chance = others[allowed] if allowed < len(others) else 0.0
        accepted |= (np.abs(hz - pitch) < blur(pitch)) & (scores >= max(_COMPANY, chance))
    if not np.any(accepted & (scores >= _SURE)):
        return []
    # There is one buzzer, and its level is constant.
    faintest = np.median(amplitude[accepted]) * 10 ** (-_FAINT_DB / 20)
    accepted &= (amplitude > faintest) | (scores >= _CLEAR)
    # The odd harmonics of a square wave start and end with it. If the buzzer's resonance makes a
    # harmonic clearer than the fundamental, the beep still has the fundamental's pitch.
    for high in [found[at] for at in np.flatnonzero(accepted)]:
        for at in np.flatnonzero((np.abs(onset - high.onset) < _TOGETHER) & (scores >= _COMPANY)):
            accepted[at] |= _is_harmonic(high, found[at]) and round(high.hz / hz[at]) % 2 == 1
    return [found[at] for at in np.flatnonzero(accepted)]


def _beside(pitch: float, pitches: list[float], hz: np.ndarray) -> np.ndarray:
    """Return which pulses are near a pitch, but not at a pitch of the buzzer."""
    beside = (np.abs(np.log(hz / pitch)) < np.log(1.25)) & (np.abs(hz - pitch) > 2 * blur(pitch))
    for other in pitches:
        beside &= np.abs(hz - other) > 2 * blur(other)
    return beside


def _share(pitch: float) -> float:
    """Return the fraction of the pulses beside a pitch that coincide with it by chance."""
    return 2 * blur(pitch) / (pitch * (1.25 - 1 / 1.25))


def _without_overlaps(found: Sequence[Pulse]) -> list[Pulse]:
    """Return the pulses, in order of time, of a single buzzer: without overlaps.

    Of two that overlap, the one with the higher score remains; of a tone and its harmonics, the
    lowest. Pulses that noise has cut in two are joined.
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
    """Return whether `high` is a harmonic of `low` that starts and ends with it."""
    order = round(high.hz / low.hz)
    return (
        2 <= order <= _HIGHEST_HARMONIC
        and abs(high.hz / order - low.hz) < blur(low.hz)
        and abs(high.onset - low.onset) < _TOGETHER
        and abs(high.end - low.end) < 0.012 * RATE
    )


def _with_uneven(found: list[Pulse], candidates: list[Pulse]) -> list[Pulse]:
    """Add the beeps whose first part a codec made too quiet or too loud.

    They have the pitch and the level of several level pulses. A harmonic gives way to them.
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
    """Return the beeps of a buzzer in music, or an empty list if they do not stand out.

    candidates  pulses; those with the buzzer's pitches and level are accepted
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
    """Group pulses by pitch."""
    groups: list[list[Pulse]] = []
    for pulse in sorted(found, key=lambda pulse: pulse.hz):
        if groups and pulse.hz - groups[-1][-1].hz < blur(pulse.hz):
            groups[-1].append(pulse)
        else:
            groups.append([pulse])
    return groups


def _is_pure(samples: Samples, pulse: Pulse, most_db: float) -> bool:
    """Return whether a pulse has no octave and no neighbour in a chord."""
    first, last = max(0, round(pulse.onset)), min(len(samples), round(pulse.end))
    sound = np.asarray(samples[first:last], np.float64)
    if not len(sound):
        return False
    apart = _WIDTH * RATE / len(sound)  # Hz; the spectrum of the beep itself fills less
    overtones = [pulse.hz * ratio for ratio in _OVERTONES]
    others = [hz for hz in overtones if abs(hz - pulse.hz) > apart and hz < 0.48 * RATE]
    window = np.hanning(len(sound) + 2)[1:-1]
    waves = np.exp(-2j * np.pi / RATE * np.outer([pulse.hz, *others], np.arange(len(sound))))
    own, *levels = np.abs(waves @ (sound * window)).tolist()
    return max(levels, default=0.0) < own * 10 ** (most_db / 20)


def _parts(samples: Samples, pulse: Pulse) -> list[Pulse]:
    """Split a pulse at a pause that is too short for `pulse.py` to see."""
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
    is_steady = float(np.std(loud[sounds])) < _STEADY * level  # else noise may make the pause
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
    """Return the rise time, in samples of the band, of each edge of a beep that is not hidden."""
    inside = round((pulse.end - pulse.onset) / BASE_STEP * 0.8)
    inside = slice(_INSIDE, _INSIDE + min(max(inside, _INSIDE_SHORTEST), _INSIDE_LONGEST))
    rises = []
    for place, way in ((pulse.onset, 1), (pulse.end, -1)):
        first = round(place / BASE_STEP) - _AROUND
        band, start = baseband(samples, first, first + 2 * _AROUND, pulse.hz)
        # There is silence before and after the recording.
        loud = np.pad(np.abs(band), (start - first, first + 2 * _AROUND - start - len(band)))[::way]
        level = float(np.median(loud[inside]))
        outside = float(np.sqrt(np.mean(loud[_OUTSIDE] ** 2)))
        uneven = float(np.std(loud[inside]))
        if outside > _MOST_OUTSIDE * level or outside + uneven > _MOST_UNEVEN * level:
            continue
        risen = np.flatnonzero(loud[_AROUND - _EARLY :] > _RISEN * level) + _AROUND - _EARLY
        silent = np.flatnonzero(loud[: risen[0]] < _RISING * level) if len(risen) else risen
        if len(silent) and risen[0] - silent[-1] <= _SLOWEST:
            # Interpolate the crossing of each level.
            passed = [
                at - 1 + (part * level - loud[at - 1]) / (loud[at] - loud[at - 1])
                for at, part in ((risen[0], _RISEN), (silent[-1] + 1, _RISING))
            ]
            rises.append(float(passed[0] - passed[1]))
    return rises
