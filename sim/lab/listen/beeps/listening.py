"""Finds the beeps in a recording, also beside people who talk and dice that roll.

The unit's own cues are found whole (`rhythm.py`), and reported as they were measured
(`refine.py`). If there are none, it is another buzzer, or none: a clear beep is
taken for itself. A fainter one is believed for the company it keeps: a buzzer has few
pitches and repeats them to the hertz, and a voice does not, so a pitch that clear beeps
have named is trusted further; and so is an even row of three. How far a pitch is
trusted depends on how much of the same comes from the recording's other pitches nearby,
where there can be no beeps.
"""

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from city_unit.cues import CUES
from sim.lab.listen.beeps import crowd, plain, refine, rhythm, room, roots
from sim.lab.listen.beeps.pulse import Pulse, fit
from sim.lab.listen.beeps.refine import EDGE, blur
from sim.lab.listen.beeps.tonal import HIGHEST_HZ, HOP, LOWEST_HZ, candidates
from sim.lab.listen.sound.samples import RATE, Samples

# The pitches of the emulated unit; an original disc has others.
PITCHES = tuple(sorted({hz for cue in CUES.values() for hz in cue[1::2] if hz}))

_BLOCK = 20 * RATE  # analysed at a time
_OVERLAP = 2 * RATE  # longer than any beep
_WORTH_KEEPING = 10.0  # the lowest score that is looked at twice
_CLEAR = 190.0  # the score that needs no company at an expected pitch
_CLEAREST = 400.0  # the score that needs none at any
_SECOND = 100.0  # the score that is company enough for a clear beep
_SECOND_WITHIN = 150 * RATE  # and how near: in an hour, chance would find as much
_CLEAR_AMONG = 140.0  # _CLEAR at the buzzer's own pitch and loudness, beside known cues
_NOTABLE = 60.0  # the score from which on a pulse speaks for its pitch
_NAMED = 400.0  # the evidence that pulses need together to name a pitch
_COMPANY = 50.0  # the lowest score taken at a named pitch
_SURE = 130.0  # without a score like this, or a row, there is no buzzer in the recording
_FAINT_DB = 14.0  # a beep this far below the others needs a clear score of its own
_TWIN = 40.0  # the score of each of two alike at a named pitch
_ROW = 110.0  # the score of three in an even row, at an expected pitch
_STRANGE_ROW = 160.0  # the same at another
_ROW_EACH = 120.0  # no single beep counts for more in it
_CHANCE = 0.1  # false beeps a named pitch may cost in ten minutes
_HIGHEST_HARMONIC = 13
_CUES_PART = 0.2  # of the time of all the work
_PLAIN = 100.0  # the score from which on a tone may grow or fade
_UNEVEN_DB = 7.0  # by so much
_COMPANIONS = 3  # this many level ones of its pitch are needed
_LATE = 0.0002 * RATE  # both edges are found this much late
_OWN_DB = 5.0  # from the buzzer's loudness
_FAINTER = 2.5  # than the buzzer: not looked at beside known cues


class Beep(NamedTuple):
    """A tone that was heard: when, how long, which pitch, how loud.

    level_db     of the tone against a sine of full scale
    is_measured  False where an edge is hidden, or is none that can be measured: onset and length
                 are then those of the cue's pattern, laid where it fits best, or a guess
    """

    onset_ms: float
    length_ms: float
    hz: float
    level_db: float
    is_measured: bool = True


def beeps(
    samples: Samples,
    progress: Callable[[float], None] = lambda part: None,
    expected: tuple[int, ...] = PITCHES,
) -> list[Beep]:
    """Return the beeps in samples at `RATE`, in order of time.

    expected  pitches in Hz that need not make a name for themselves first
    progress  is called from time to time with the part of the work that is done, 0 to 1
    """
    cues = rhythm.cues(samples, lambda part: progress(part * _CUES_PART))
    if roots.are_overtones(samples, cues):
        cues = []
    loudness = float(np.median([cue.level for cue in cues])) if cues else 0.0
    worth = _pulses(
        samples, lambda part: progress(_CUES_PART + part * (1 - _CUES_PART)), loudness / _FAINTER
    )
    found = [pulse for pulse in worth if _is_level(pulse)]
    uneven = [pulse for pulse in worth if not _is_level(pulse)]
    is_echoing = room.has_echo(samples, found)
    if is_echoing:
        heard = [(beep.pulse, beep.is_measured) for beep in room.beeps(samples)]
    elif refined := _cues_as_heard(samples, cues, found):
        known = _apart(refined)
        own = _own(found, [tone.pulse for tone in known], expected)
        heard = [(pulse, True) for pulse in _alone(own)]
        heard += [(tone.pulse, tone.is_measured) for tone in known]
        heard = _where_plain(samples, heard)
    else:
        heard = [(pulse, True) for pulse in _unknown(samples, found, uneven, expected)]
        heard = _where_plain(samples, heard)
    strange = [
        pulse for pulse, _ in heard if not any(abs(pulse.hz - hz) < blur(hz) for hz in expected)
    ]
    if crowd.is_melody(strange):
        heard = []
    heard.sort(key=lambda tone: tone[0].onset)
    sharp = _sharper(samples, heard) if not is_echoing else 0.0
    return [_beep(pulse, is_measured, EDGE - sharp) for pulse, is_measured in heard]


def _sharper(samples: Samples, heard: list[tuple[Pulse, bool]]) -> float:
    """Return by how many samples less a beep goes on beyond its likeliest edges than ours.

    Those lie in the middle of a fade; a buzzer that is sharper than ours has less of it.
    """
    measured = [pulse for pulse, is_measured in heard if is_measured]
    return (plain.FADE - plain.fade(samples, measured)) / 2


def _where_plain(samples: Samples, heard: list[tuple[Pulse, bool]]) -> list[tuple[Pulse, bool]]:
    """Return beeps, none of them as measured whose edges are not plain."""
    return [
        (pulse, is_measured and plain.has_plain_edges(samples, pulse))
        for pulse, is_measured in heard
    ]


def _cues_as_heard(
    samples: Samples, cues: list[rhythm.Heard], found: list[Pulse]
) -> list[refine.Tone]:
    """Return the tones of known cues as they were heard; none if most of them are not those cues.

    Another buzzer may have a pitch of ours, and a rhythm in which a pattern finds itself.
    """
    as_heard = [refine.tones(samples, cue, found) for cue in cues]
    fit = sum(refine.fits(cue, tones) for cue, tones in zip(cues, as_heard, strict=True))
    return [tone for tones in as_heard for tone in tones] if 2 * fit >= len(cues) else []


def _unknown(
    samples: Samples, found: list[Pulse], uneven: list[Pulse], expected: tuple[int, ...]
) -> list[Pulse]:
    """Return the beeps of a buzzer none of whose cues is known, be it beside music."""
    alone = _alone(_believed(samples, found, expected))
    if crowd.is_crowd(alone) or crowd.is_played(samples, alone):
        return _alone(crowd.buzzer(samples, alone, found))
    return _with_uneven(alone, uneven)


def _alone(pulses: Sequence[Pulse]) -> list[Pulse]:
    return _joined(_one_at_a_time(sorted(pulses, key=lambda pulse: -pulse.score)))


def _apart(tones: list[refine.Tone]) -> list[refine.Tone]:
    """Keep one tone where two cues overlap; prefer the measured one."""
    kept: list[refine.Tone] = []
    for tone in sorted(tones, key=lambda tone: (not tone.is_measured, -tone.pulse.score)):
        if not any(_overlap(tone.pulse, other.pulse) for other in kept):
            kept.append(tone)
    return kept


def _own(pulses: list[Pulse], known: list[Pulse], expected: tuple[int, ...]) -> list[Pulse]:
    """Return the tones of the buzzer outside its known cues."""
    loudness = float(np.median([pulse.amplitude for pulse in known]))
    return [pulse for pulse in pulses if _is_own(pulse, loudness, known, expected)]


def _is_own(pulse: Pulse, loudness: float, known: list[Pulse], expected: tuple[int, ...]) -> bool:
    """Return whether a pulse is a tone of the buzzer outside its known cues.

    It belongs to a cue that was cut off, or that the owner has changed.
    """
    is_expected = any(abs(pulse.hz - hz) < blur(hz) for hz in expected)
    if pulse.score < (_CLEAR_AMONG if is_expected else _CLEAREST):
        return False
    if abs(20 * np.log10(pulse.amplitude / loudness)) >= _OWN_DB:
        return False
    return not any(_overlap(pulse, other) for other in known)


def _pulses(samples: Samples, progress: Callable[[float], None], faintest: float) -> list[Pulse]:
    """Return all that may be beeps of at least that amplitude."""
    found = []
    for start in range(0, max(len(samples), 1), _BLOCK):
        progress(start / max(len(samples), 1))
        first = max(0, start - _OVERLAP)
        block = samples[first : start + _BLOCK + _OVERLAP]
        for candidate in candidates(block):
            middle = first + (candidate.start + candidate.end) // 2
            if not start <= middle < start + _BLOCK:
                continue
            frames = (candidate.end - candidate.start) / HOP + 1
            if candidate.strength / frames < faintest**2 / 2:
                continue
            pulse = fit(block, candidate)
            if pulse and _is_worth_keeping(pulse):
                found.append(pulse._replace(onset=pulse.onset + first, end=pulse.end + first))
    progress(1.0)
    return _distinct(found)


def _distinct(pulses: list[Pulse]) -> list[Pulse]:
    """Of several pulses of the same tone keep the one with the best score."""
    kept: dict[int, list[Pulse]] = {}
    for pulse in sorted(pulses, key=lambda pulse: -pulse.score):
        second = int(pulse.onset // RATE)
        rivals = (rival for at in (second - 1, second, second + 1) for rival in kept.get(at, ()))
        if not any(_overlap(pulse, rival) and abs(pulse.hz - rival.hz) < 40 for rival in rivals):
            kept.setdefault(second, []).append(pulse)
    return [pulse for group in kept.values() for pulse in group]


def _is_worth_keeping(pulse: Pulse) -> bool:
    in_range = LOWEST_HZ / 1.1 < pulse.hz < HIGHEST_HZ * 1.1
    return in_range and pulse.score >= _WORTH_KEEPING and (_is_level(pulse) or _is_uneven(pulse))


def _is_uneven(pulse: Pulse) -> bool:
    """Return whether it may be a beep that a codec has made uneven."""
    return pulse.score >= _PLAIN and abs(pulse.decay) < _UNEVEN_DB


def _is_level(pulse: Pulse) -> bool:
    """Return whether it is as strong at its end as at its start: struck glass is not."""
    return abs(pulse.decay) < 2 + 60 / pulse.score


def _with_uneven(alone: list[Pulse], uneven: list[Pulse]) -> list[Pulse]:
    """Return beeps with those that a codec begins too quietly or too loudly.

    They have a pitch of several others and are as loud; a harmonic passes for none of them.
    """
    found = list(alone)
    for pulse in uneven:
        like = [other for other in alone if abs(other.hz - pulse.hz) < blur(pulse.hz)]
        if len(like) < _COMPANIONS:
            continue
        loudness = float(np.median([other.amplitude for other in like]))
        rivals = [other for other in found if _overlap(other, pulse)]
        is_as_loud = abs(20 * np.log10(pulse.amplitude / loudness)) < _OWN_DB
        if is_as_loud and all(_is_harmonic(rival, pulse) for rival in rivals):
            found = [other for other in found if other not in rivals] + [pulse]
    return found


def _believed(samples: Samples, pulses: list[Pulse], expected: tuple[int, ...]) -> list[Pulse]:
    rows = _rows(pulses, expected)
    taken = set(rows)
    hz = np.array([pulse.hz for pulse in pulses])
    scores = np.array([pulse.score for pulse in pulses])
    seconds = [pulse for pulse in pulses if pulse.score >= _SECOND]
    taken.update(pulse for pulse in pulses if _is_clear(pulse, seconds, expected))
    names = _named(pulses, hz, scores, taken, expected)
    for name in names:
        lowest = max(_COMPANY, _chance_score(name, names, hz, scores, len(samples)))
        near = np.nonzero((np.abs(hz - name) < blur(name)) & (scores >= lowest))[0]
        taken.update(pulses[place] for place in near)
        taken.update(_pairs([pulse for pulse in pulses if abs(pulse.hz - name) < blur(name)]))
    if not any(pulse.score >= _SURE for pulse in taken) and not rows:
        return []
    at_root = (_at_root(samples, pulse, names, expected) for pulse in _loud_enough(taken))
    return sorted(at_root, key=lambda pulse: -pulse.score)


def _is_clear(pulse: Pulse, seconds: list[Pulse], expected: tuple[int, ...]) -> bool:
    """Return whether a pulse is certain by itself, without others that support it.

    A voice may sing once as a buzzer sounds, but hardly twice at the same pitch.

    seconds  all that would confirm it, itself among them
    """
    if pulse.score < _CLEAR or pulse.score >= _CLEAREST:
        return pulse.score >= _CLEAREST
    is_expected = any(abs(pulse.hz - hz) < blur(hz) for hz in expected)
    return is_expected or any(
        abs(other.hz - pulse.hz) < blur(pulse.hz)
        and 0 < abs(other.onset - pulse.onset) < _SECOND_WITHIN
        for other in seconds
    )


def _loud_enough(pulses: set[Pulse]) -> list[Pulse]:
    """Leave out pulses far fainter than the rest: there is one buzzer, and it does not move."""
    if not pulses:
        return []
    faintest = np.median([pulse.amplitude for pulse in pulses]) * 10 ** (-_FAINT_DB / 20)
    return [pulse for pulse in pulses if pulse.amplitude > faintest or pulse.score >= _CLEAR]


def _at_root(
    samples: Samples, pulse: Pulse, names: list[float], expected: tuple[int, ...]
) -> Pulse:
    """Return the pulse at its root: its pitch may be the third, fifth or seventh harmonic.

    A buzzer is driven by a square wave, which has no even ones; a voice may
    cover the tone itself and leave the harmonic. Then there is more at the root than at it.
    """
    if any(abs(pulse.hz - name) < blur(name) for name in expected):
        return pulse
    for order in (3, 5, 7):
        root = pulse.hz / order
        is_named = any(abs(root - name) < blur(name) / 2 for name in names)
        loud = crowd.loudness(samples, pulse, root) if is_named else 0.0
        if loud > pulse.amplitude:
            return pulse._replace(hz=root, amplitude=loud)
    return pulse


def _rows(pulses: list[Pulse], expected: tuple[int, ...]) -> list[Pulse]:
    """Return all that stand in an even row of three of one pitch and length."""
    found = []
    ordered = sorted(pulses, key=lambda pulse: pulse.onset)
    for place, first in enumerate(ordered):
        is_expected = any(abs(first.hz - hz) < 5 + hz * 0.02 for hz in expected)
        lowest = _ROW if is_expected else _STRANGE_ROW
        like = []
        for later in range(place + 1, len(ordered)):
            other = ordered[later]
            if other.onset - first.onset > 0.6 * RATE:
                break
            if _alike(first, other):
                like.append(other)
        for second, third in combinations(like, 2):
            uneven = third.onset - 2 * second.onset + first.onset
            row = (first, second, third)
            if abs(uneven) < 0.004 * RATE and _row_score(row) >= lowest:
                found.extend(row)
    return found


def _pairs(pulses: list[Pulse]) -> list[Pulse]:
    """Return those of one pitch that have a twin close by."""
    found = []
    ordered = sorted(
        (pulse for pulse in pulses if pulse.score >= _TWIN), key=lambda pulse: pulse.onset
    )
    for first, second in pairwise(ordered):
        if second.onset - first.onset < 0.3 * RATE and _alike(first, second):
            found += [first, second]
    return found


def _alike(first: Pulse, other: Pulse) -> bool:
    length = first.end - first.onset
    return (
        other.onset - first.end > 0.015 * RATE
        and abs(other.end - other.onset - length) < 0.006 * RATE
        and abs(other.hz - first.hz) < 5 + first.hz * 0.02
    )


def _row_score(row: tuple[Pulse, ...]) -> float:
    return sum(min(pulse.score, _ROW_EACH) for pulse in row)


def _named(
    pulses: list[Pulse],
    hz: np.ndarray,
    scores: np.ndarray,
    taken: set[Pulse],
    expected: tuple[int, ...],
) -> list[float]:
    """Return the expected pitches and those that enough pulses agree on, none of them twice."""
    notable = scores >= _NOTABLE
    hz, weight = hz[notable], np.minimum(scores[notable], 300)
    names: list[float] = list(expected)
    for pulse in sorted(pulses, key=lambda pulse: -pulse.score):
        if pulse.score < _NOTABLE:
            break
        if any(abs(pulse.hz - name) < 2 * blur(name) for name in names):
            continue
        here = float(weight[np.abs(hz - pulse.hz) < blur(pulse.hz)].sum())
        beside = _beside(pulse.hz, names, hz)
        common = float(weight[beside].sum()) * _share(pulse.hz)
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


def _chance_score(
    name: float, names: list[float], hz: np.ndarray, scores: np.ndarray, length: int
) -> float:
    """Return the score that chance seldom reaches at a pitch."""
    others = np.sort(scores[_beside(name, names, hz)])[::-1]
    tens = length / RATE / 600
    allowed = int(_CHANCE * tens / _share(name))
    return float(others[allowed]) if allowed < len(others) else 0.0


def _one_at_a_time(pulses: list[Pulse]) -> list[Pulse]:
    """Leave out pulses that sound at the same time as a better one: there is one buzzer.

    Of a tone and its harmonics the lowest is the pitch, be it the weaker one.
    """
    kept: list[Pulse] = []
    by_second: dict[int, list[int]] = {}
    for pulse in pulses:
        seconds = range(int(pulse.onset // RATE) - 1, int(pulse.end // RATE) + 2)
        rivals = {place for second in seconds for place in by_second.get(second, ())}
        rival = next((place for place in sorted(rivals) if _overlap(pulse, kept[place])), None)
        if rival is None:
            by_second.setdefault(int(pulse.onset // RATE), []).append(len(kept))
            kept.append(pulse)
        elif _is_harmonic(kept[rival], pulse):
            kept[rival] = pulse
    return sorted(kept, key=lambda pulse: pulse.onset)


def _overlap(pulse: Pulse, other: Pulse) -> bool:
    return min(pulse.end, other.end) - max(pulse.onset, other.onset) > -0.004 * RATE


def _is_harmonic(high: Pulse, low: Pulse) -> bool:
    """Return whether `high` is a harmonic of `low`, beginning and ending with it."""
    order = round(high.hz / low.hz)
    return (
        2 <= order <= _HIGHEST_HARMONIC
        and abs(high.hz / order - low.hz) < blur(low.hz)
        and abs(high.onset - low.onset) < 0.006 * RATE
        and abs(high.end - low.end) < 0.012 * RATE
    )


def _joined(pulses: list[Pulse]) -> list[Pulse]:
    """Put together what noise has cut: one pitch, with less than a pause between."""
    joined: list[Pulse] = []
    for pulse in pulses:
        last = joined[-1] if joined else None
        if last and _goes_on(last, pulse):
            joined[-1] = last._replace(end=max(last.end, pulse.end))
        else:
            joined.append(pulse)
    return joined


def _goes_on(last: Pulse, pulse: Pulse) -> bool:
    return pulse.onset - last.end < 0.02 * RATE and abs(pulse.hz - last.hz) < blur(last.hz)


def _beep(pulse: Pulse, is_measured: bool, edge: float) -> Beep:
    ms = RATE / 1000
    edge = edge if is_measured else EDGE
    return Beep(
        onset_ms=round(max(0.0, pulse.onset - edge - _LATE) / ms, 1),
        length_ms=round((pulse.end - pulse.onset + 2 * edge) / ms, 1),
        hz=round(float(pulse.hz), 1),
        level_db=round(float(20 * np.log10(max(pulse.amplitude, 1e-9))), 1),
        is_measured=is_measured,
    )
