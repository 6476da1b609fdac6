"""Finds the beeps in a recording, of any pitch, also beside people who talk and dice that roll.

A clear beep is taken for itself. A fainter one is believed for the company it keeps: a buzzer has
few pitches and repeats them to the hertz, and a voice does not, so a pitch that clear beeps have
named is trusted further. How far depends on how much of the same comes from the recording's other
pitches nearby, where there can be no beeps. In a room with an echo, `room.py` finds the beeps.

Music has many more pitches than a unit, as true to the hertz and as often repeated. But a buzzer
plays a square wave: it has no octave above it, and is no overtone of anything below it, while a
note of an instrument or a voice has its overtones, and each of these its neighbours. Beeps must
pass this test where there are too many pitches.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sim.lab.listen.beeps import plain, room
from sim.lab.listen.beeps.pulse import Pulse, blur, overlap, pulses
from sim.lab.listen.sound.samples import RATE, Samples

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
    fade = plain.FADE
    if room.has_echo(samples, level):
        heard = room.beeps(samples)
    else:
        found = _alone(_believed(level, len(samples)))
        if len(_groups(found)) > _MOST_PITCHES or _is_played(samples, found):
            found = _alone(_beside_music(samples, found, level))
        else:
            found = _with_uneven(found, worth)
        heard = [(pulse, plain.has_plain_edges(samples, pulse)) for pulse in found]
        fade = plain.fade(samples, [pulse for pulse, is_measured in heard if is_measured])
    if _is_melody([pulse for pulse, _ in heard]):
        return []
    heard.sort(key=lambda beep: beep[0].onset)
    sharper = (plain.FADE - fade) / 2  # a sharper buzzer goes on for less beyond its likeliest edge
    return [_beep(pulse, is_measured, _EDGE - sharper) for pulse, is_measured in heard]


def _beep(pulse: Pulse, is_measured: bool, edge: float) -> Beep:
    ms = RATE / 1000
    edge = edge if is_measured else _EDGE
    return Beep(
        onset_ms=round(max(0.0, pulse.onset - edge - _LATE) / ms, 1),
        length_ms=round((pulse.end - pulse.onset + 2 * edge) / ms, 1),
        hz=round(float(pulse.hz), 1),
        level_db=round(float(20 * np.log10(max(pulse.amplitude, 1e-9))), 1),
        is_measured=is_measured,
    )


def _believed(found: list[Pulse], length: int) -> list[Pulse]:
    """Return the pulses that are clear, or that stand at a pitch that clear ones have named."""
    hz = np.array([pulse.hz for pulse in found])
    scores = np.array([pulse.score for pulse in found])
    seconds = [pulse for pulse in found if pulse.score >= _SECOND]
    notable = _alone([pulse for pulse in found if pulse.score >= _NOTABLE])
    is_quiet = len(_groups(notable)) <= _MOST_PITCHES  # nobody talks, and nothing plays
    taken = {
        pulse for pulse in found if (is_quiet and pulse.score >= _SURE) or _is_clear(pulse, seconds)
    }
    names = _named(found, hz, scores, taken)
    for name in names:
        # The score that chance seldom reaches at a pitch.
        others = np.sort(scores[_beside(name, names, hz)])[::-1]
        allowed = int(_CHANCE * length / RATE / 600 / _share(name))
        chance = float(others[allowed]) if allowed < len(others) else 0.0
        near = np.flatnonzero((np.abs(hz - name) < blur(name)) & (scores >= max(_COMPANY, chance)))
        taken.update(found[place] for place in near.tolist())
    if not any(pulse.score >= _SURE for pulse in taken):
        return []
    # There is one buzzer, and it does not move.
    faintest = np.median([pulse.amplitude for pulse in taken]) * 10 ** (-_FAINT_DB / 20)
    return [pulse for pulse in taken if pulse.amplitude > faintest or pulse.score >= _CLEAR]


def _is_clear(pulse: Pulse, seconds: list[Pulse]) -> bool:
    """Return whether a pulse is certain by itself, without others that support it.

    A voice may sing once as a buzzer sounds, but hardly twice at the same pitch.

    seconds  all that would confirm it, itself among them
    """
    if pulse.score < _CLEAR or pulse.score >= _CLEAREST:
        return pulse.score >= _CLEAREST
    return any(
        abs(other.hz - pulse.hz) < blur(pulse.hz)
        and 0 < abs(other.onset - pulse.onset) < _SECOND_WITHIN
        for other in seconds
    )


def _named(
    found: list[Pulse],
    hz: np.ndarray,
    scores: np.ndarray,
    taken: set[Pulse],
) -> list[float]:
    """Return the pitches that enough pulses agree on, none of them twice."""
    notable = scores >= _NOTABLE
    hz, weight = hz[notable], np.minimum(scores[notable], 300)
    names: list[float] = []
    for pulse in sorted(found, key=lambda pulse: -pulse.score):
        if pulse.score < _NOTABLE:
            break
        if any(abs(pulse.hz - name) < 2 * blur(name) for name in names):
            continue
        here = float(weight[np.abs(hz - pulse.hz) < blur(pulse.hz)].sum())
        common = float(weight[_beside(pulse.hz, names, hz)].sum()) * _share(pulse.hz)
        if pulse in taken or here - 4 * common > _NAMED:
            names.append(pulse.hz)
    return names


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
    """Return pulses none of which sounds with a better one, in order of time: there is one buzzer.

    Of a tone and its harmonics the lowest is the pitch, be it the weaker one. What noise has cut
    is put together.
    """
    kept: list[Pulse] = []
    by_second: dict[int, list[int]] = {}
    for pulse in sorted(found, key=lambda pulse: -pulse.score):
        seconds = range(int(pulse.onset // RATE) - 1, int(pulse.end // RATE) + 2)
        rivals = sorted({place for second in seconds for place in by_second.get(second, ())})
        rival = next((place for place in rivals if overlap(pulse, kept[place])), None)
        if rival is None:
            by_second.setdefault(int(pulse.onset // RATE), []).append(len(kept))
            kept.append(pulse)
        elif _is_harmonic(kept[rival], pulse):
            kept[rival] = pulse
    joined: list[Pulse] = []
    for pulse in sorted(kept, key=lambda pulse: pulse.onset):
        last = joined[-1] if joined else pulse
        is_cut = pulse is not last and pulse.onset - last.end < 0.02 * RATE
        if is_cut and abs(pulse.hz - last.hz) < blur(last.hz):
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
        and abs(high.onset - low.onset) < 0.006 * RATE
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


def _is_played(samples: Samples, found: Sequence[Pulse]) -> bool:
    """Return whether an instrument plays them, and no buzzer.

    A buzzer that drives its recorder too hard may have a faint octave, and is silent for longer.
    """
    if len(found) < _FEW:
        return False
    is_busy = len(samples) > _LONG and len(found) > _MANY * len(samples) / RATE / 60
    most_db = _PURE_DB if is_busy else _PURE_IN_COMPANY_DB
    return sum(_is_pure(samples, pulse, most_db) for pulse in found) < _LEAST_PURE * len(found)


def _is_melody(found: Sequence[Pulse]) -> bool:
    """Return whether pulses sound much of the time: a unit is silent mostly."""
    if not found:
        return False
    span = max(pulse.end for pulse in found) - min(pulse.onset for pulse in found)
    return span > _LONG and sum(pulse.end - pulse.onset for pulse in found) > _MOST_SOUNDING * span


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
