"""Find beeps in a room with an echo, as pairs of a step up and a step down.

`pulse.py` expects silence at the pitch of a beep before and after it. In a room the level keeps
growing after the start of a beep and decays slowly after its end. The direct sound, however, starts
and stops at once, and always has the same level. In the band around the buzzer's pitch, moved to
0 Hz, a beep adds a complex number at its start and subtracts the same number at its end. Each
such step is the difference of two short means. Dynamic programming chooses the pairs of steps
with the highest total score. The echo of these beeps is then estimated and removed, and the search
repeated.
"""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from scipy.signal import find_peaks, oaconvolve, welch

from sim.lab.listen.pulse import BASE_STEP, HIGHEST_HZ, LOWEST_HZ, Pulse, baseband, overlap
from sim.lab.listen.recording import RATE, Samples

_MS = RATE // BASE_STEP // 1000  # samples of a band in a millisecond
_BLOCK = 20 * RATE

_TAIL_FROM, _TAIL_TO = 8 * _MS, 30 * _MS  # span beside a beep that shows an echo
_TAIL_DB = -25.0  # level there, against the beep, above which it has an echo
_MOST = 0.5  # fraction of such beeps above which the recording has an echo
_LIKELY = 40.0  # lowest score of a pulse that is examined for an echo
_LONG = 0.02 * RATE  # its shortest length
_LOUD_ENOUGH = 0.25  # its lowest level against the 0.9 quantile; fainter ones may be echoes
_FEWEST_EXAMINED = 3
_MOST_PITCHES = 6  # of a unit
_PITCHES_APART = 0.06  # least distance of two pitches, as a fraction; short beeps have wide spectra

_FRAME = 1 << 13  # half a second: resolves long beeps from the wide spectrum of short ones
_BIN_HZ = RATE / _FRAME
_PROMINENT_DB = 8.0  # least prominence of a pitch
_FAINTEST_DB = 30.0  # level of the faintest pitch, below the loudest one

_GAP = 3  # half milliseconds left out on each side of a step: filter slope and fade
_MEAN = 9  # half milliseconds averaged on each side of a step
_SHORTEST = 16 * _MS  # shortest beep; the end of a beep is found 3 ms early
_EXPLAINED = 0.1  # fraction of a pitch's energy left unexplained at which the search stops
_AROUND = 9 * _MS  # half the span over which the level of a tone is averaged
_FIRST_SHORTEST = (18 * _MS, 45 * _MS, 100 * _MS)  # shortest beeps of the first round, as tried
_LONGEST = 2000 * _MS
_APART = 4 * _MS  # least distance of two steps
_LEAST = 0.5  # smallest step, against the direct sound
_TRIED = 0.84 ** np.arange(9)  # levels tried for the direct sound, against the greatest step
_TRIED_NEAR = 0.84 ** np.arange(-1, 2)  # the same, against the level of the round before
_OVER_NOISE = 6.0  # lowest level of the direct sound against the median step
_RISE = 0.7  # score for a start at which the level grows by a factor of ten
_RISE_FROM, _RISE_TO = 3, 20  # half milliseconds compared for this
_STILL = 0.6  # lowest coherence (power of the mean over mean power) after a start,
_STILL_FOR = 10 * _MS  # for this long
_SILENT = 0.05  # level, against the direct sound, below which there is no beep
_MOST_SILENT = 0.25  # highest fraction of a pair that may be silent
_MOVED_HZ = 10.0  # by which an echo shifts the pitch of a pulse at most
_AS_SURE = 0.5  # lowest score of a pulse that gives the pitch, against the highest
_NEAR_HZ = tuple(range(-14, 15, 2))  # corrections of a pitch tried: half the width of a 40 ms beep
_OFF_HZ = np.arange(-0.5, 0.55, 0.1)  # fine corrections tried in each round
_ROUNDS = 3
_ECHO_FROM, _ECHO_TO = 8, 300  # half milliseconds after a step that hold its echo
_BEFORE = 16  # half milliseconds by which the filter shows a step early
_PLAIN_SCORE = 2.0  # lowest score of a pair from which the echo is estimated
_SEVERAL = 3  # pairs from which any echo is believed
_NO_NOTE = 60  # half milliseconds; from fewer pairs, a large step later than this is a note
_UNSURE = 0.1  # standard deviation of a step, against the direct sound
_DIES = 58.0  # half milliseconds in which the power of an echo of T60 0.4 s falls by a factor of e

_FEWEST = 2  # beeps of a pitch
_LIGHTEST = 0.01  # lowest weight of a pitch, against the heaviest
_BESIDE_HZ = 150.0  # distance within which a tone leaks into the steps of another pitch
_OWN = 0.5  # lowest fraction of a pitch's beeps that overlap none of a heavier pitch
_ACCEPTED = 1.3  # lowest score of a beep
_THROUGHOUT = 0.9  # fraction of a beep during which its tone must sound
_NEAR = 0.34 * RATE  # distance within which two beeps may belong to one cue
_PLAIN = 2.5  # lowest score of a beep whose edges are measured,
_RIVAL = 1.0  # unless a pair that shares one edge, and has the other nearby, scores this
_NEARBY = 25 * _MS
_EARLY = 0.05e-3 * RATE  # a step is found late by this, apart from half the fade


class _Walk(NamedTuple):
    """The band around a pitch, and its changes, every half millisecond.

    band   moved to 0 Hz
    step   difference of the means after and before
    rise   decimal logarithm of the change in power, from -1 to 1
    loud   the band's level
    still  whether a steady tone of this pitch follows
    """

    hz: float
    band: np.ndarray
    step: np.ndarray
    rise: np.ndarray
    loud: np.ndarray
    still: np.ndarray


class _Pair(NamedTuple):
    """A step up and the matching step down, as indices of a walk.

    score  at most about 2.7
    rival  the score of the best other pair that shares one edge and has the other edge nearby
    """

    onset: int
    end: int
    score: float
    rival: float


class _Pairs(NamedTuple):
    """The beeps of a pitch, the level of their direct sound, and their total weight."""

    walk: _Walk
    pairs: tuple[_Pair, ...]
    direct: float
    weight: float


def has_echo(samples: Samples, pulses: Sequence[Pulse]) -> bool:
    """Return whether there are few pitches and most beeps are followed or preceded by an echo.

    Speech and music seem to have an echo too, but have many pitches. The harmonics of a square wave
    are no pitches of their own.
    """
    likely = [pulse for pulse in pulses if pulse.score >= _LIKELY]
    loud = _LOUD_ENOUGH * np.quantile([pulse.amplitude for pulse in likely] or [0.0], 0.9)
    examined = [
        pulse for pulse in likely if pulse.amplitude >= loud and pulse.end - pulse.onset > _LONG
    ]
    pitches = _apart([pulse.hz for pulse in sorted(examined, key=lambda pulse: -pulse.amplitude)])
    own = [hz for hz in pitches if not any(is_odd_harmonic(hz, other) for other in pitches)]
    if len(examined) < _FEWEST_EXAMINED or len(own) > _MOST_PITCHES:
        return False
    sounding_on = sum(_sounds_on(samples, pulse) for pulse in examined)
    return sounding_on > _MOST * len(examined)


def _sounds_on(samples: Samples, pulse: Pulse) -> bool:
    """Return whether the pitch of a beep also sounds before or after it."""
    first, last = round(pulse.onset / BASE_STEP), round(pulse.end / BASE_STEP)
    start = max(0, first - _TAIL_TO - 8)
    base, _ = baseband(samples, start, last + _TAIL_TO + 16, pulse.hz)
    power = np.concatenate((np.abs(base) ** 2, [1e-12]))
    onset, end = first - start, last - start
    beside = max(
        float(np.mean(power[places])) if len(power[places]) else 0.0
        for places in (
            slice(max(0, onset - _TAIL_TO), max(1, onset - _TAIL_FROM)),
            slice(end + _TAIL_FROM, end + _TAIL_TO),
        )
    )
    return beside > float(np.mean(power[onset:end])) * 10 ** (_TAIL_DB / 10)


def beeps(samples: Samples, pulses: Sequence[Pulse]) -> list[tuple[Pulse, bool]]:
    """Return the beeps at the buzzer's pitches, and whether the edges of each are measured.

    They are measured only if all sound nearby belongs to a beep; otherwise it may be another note
    of the cue. Repetition proves nothing, since the echo of a room is the same each time.
    """
    found: list[_Pairs] = []
    for hz in _pitches(samples):
        # An echo may have shifted the peak; the pulses with the highest scores have the true pitch.
        # Each counts by its length, since the spectrum of a short one is wide.
        near = [pulse for pulse in pulses if abs(pulse.hz - hz) < _MOVED_HZ]
        surest = max((pulse.score for pulse in near), default=0.0)
        true = [
            pulse.hz
            for pulse in near
            if pulse.score >= _AS_SURE * surest
            for _step in range(round((pulse.end - pulse.onset) / BASE_STEP))
        ]
        pairs = _pairs(samples, float(np.median(true or [hz])))
        if pairs.pairs:
            found.append(pairs)
    heaviest = max((pairs.weight for pairs in found), default=0.0)
    # By weight, but none before a louder one beside it, and `found` is in order of level: a tone
    # slightly off the centre of a band seems to step all the time, which adds weight.
    weights: list[float] = []
    for place, pairs in enumerate(found):
        beside = [
            weights[louder]
            for louder in range(place)
            if abs(found[louder].walk.hz - pairs.walk.hz) < _BESIDE_HZ
        ]
        weights.append(min([pairs.weight, *beside]))
    kept: list[Pulse] = []
    for at in sorted(range(len(found)), key=lambda at: -weights[at]):
        pairs = found[at]
        heard = []
        for onset, end, score, rival in pairs.pairs:
            if score >= _ACCEPTED:
                # If a beep of the fundamental starts with it, it is a harmonic of that: two pitches
                # close to each other hide each other's edges; their harmonics are further apart.
                own = next(
                    (
                        low
                        for low in found
                        if is_odd_harmonic(pairs.walk.hz, low.walk.hz)
                        and any(abs(pair.onset - onset) < _APART for pair in low.pairs)
                    ),
                    pairs,
                )
                heard.append(
                    Pulse(
                        onset=onset * BASE_STEP - _EARLY,
                        end=end * BASE_STEP - _EARLY,
                        hz=own.walk.hz,
                        amplitude=own.direct,
                        score=score if rival < _RIVAL else 0.0,
                        decay=0.0,
                    )
                )
        if len(heard) < _FEWEST or pairs.weight < _LIGHTEST * heaviest:
            continue
        free = [pulse for pulse in heard if not any(overlap(pulse, other) for other in kept)]
        if len(free) >= _OWN * len(heard):
            kept += free
    pitches = {pulse.hz for pulse in kept}
    steps = max((len(pairs.walk.band) for pairs in found), default=0)  # all are as long
    is_unexplained = np.zeros(steps, bool)  # sound that belongs to no beep
    for pairs in found:
        band = pairs.walk.band.copy()
        if pairs.walk.hz not in pitches:
            # This pitch is a harmonic, occurs once, or leaks in from another pitch. Count only
            # what sounds throughout, between two clear steps, and is not the echo of a beep, which
            # starts where the beep ends.
            sounds = np.abs(_means(band, (-_AROUND, _AROUND))[0]) > _LEAST * pairs.direct
            band[:] = 0
            for onset, end, score, _rival in pairs.pairs:
                is_echo = any(abs(pulse.end / BASE_STEP - onset) < _APART for pulse in kept)
                if score >= _PLAIN and not is_echo and np.mean(sounds[onset:end]) > _THROUGHOUT:
                    band[onset:end] = pairs.direct
        for pulse in kept:
            onset, end = round(pulse.onset / BASE_STEP), round(pulse.end / BASE_STEP)
            band[max(0, onset - _APART) : end + _APART] = 0
        tone = np.abs(_means(band, (-_AROUND, _AROUND))[0])
        is_unexplained |= tone > _LEAST * pairs.direct

    def is_explained(pulse: Pulse) -> bool:
        first = int((pulse.onset - _NEAR) // BASE_STEP) + 1
        return not is_unexplained[max(0, first) : -int(-(pulse.end + _NEAR) // BASE_STEP)].any()

    return [
        (
            pulse._replace(hz=_fundamental(samples, pulse, kept)),
            pulse.score >= _PLAIN and is_explained(pulse),
        )
        for pulse in kept
    ]


def _fundamental(samples: Samples, pulse: Pulse, found: Sequence[Pulse]) -> float:
    """Return a beep's fundamental; the beep may be its third or fifth harmonic.

    If another pitch is near the fundamental, only a harmonic may show the edges of a beep.
    """

    def level(other: Pulse, hz: float) -> float:
        sound = samples[max(0, round(other.onset)) : round(other.end)]
        wave = np.exp(-2j * np.pi * hz / RATE * np.arange(len(sound)))
        return float(np.abs(np.vdot(wave, sound * np.hanning(len(sound)))))

    alike = [other for other in found if other.hz == pulse.hz]
    for order in (3, 5):
        low = pulse.hz / order
        if (
            low >= LOWEST_HZ
            and median(level(other, low) / level(other, pulse.hz) for other in alike) > 1
        ):
            return low
    return pulse.hz


def _pitches(samples: Samples) -> list[float]:
    """Return the pitches with most energy, in falling order; odd harmonics come last."""
    power = np.zeros(_FRAME // 2 + 1)
    for start in range(0, len(samples), _BLOCK):
        piece = samples[start : start + _BLOCK + _FRAME]
        if len(piece) >= _FRAME:
            power += welch(piece, nperseg=_FRAME)[1] * len(piece)
    power[: round(LOWEST_HZ / _BIN_HZ)] = 0
    power[round(HIGHEST_HZ / _BIN_HZ) :] = 0
    loud = 10 * np.log10(power + 1e-15)
    peaks, _ = find_peaks(loud, prominence=_PROMINENT_DB, height=loud.max() - _FAINTEST_DB)
    louder_first = sorted(
        (place * _BIN_HZ for place in peaks.tolist()), key=lambda hz: -loud[round(hz / _BIN_HZ)]
    )
    # The odd harmonics of a square wave must not displace other pitches.
    own: list[float] = []
    harmonics: list[float] = []
    for hz in louder_first:
        is_harmonic = any(is_odd_harmonic(hz, other) for other in own)
        (harmonics if is_harmonic else own).append(hz)
    return _apart([*_apart(own)[:_MOST_PITCHES], *harmonics])[: _MOST_PITCHES + 2]


def is_odd_harmonic(hz: float, of_hz: float) -> bool:
    """Return whether a pitch is an odd harmonic of another, as of a square wave."""
    order = round(hz / of_hz)
    return order > 1 and order % 2 == 1 and abs(hz - order * of_hz) < order * _BIN_HZ


def _apart(pitches: Sequence[float]) -> list[float]:
    """Return pitches in their order, without those near an earlier one."""
    found: list[float] = []
    for hz in pitches:
        if all(abs(hz / other - 1) > _PITCHES_APART for other in found):
            found.append(hz)
    return found


def _pairs(samples: Samples, hz: float) -> _Pairs:
    """Return the beeps of the pitch near `hz` whose beeps explain most of the sound."""
    bands = []
    for first in range(0, len(samples) // BASE_STEP, _BLOCK // BASE_STEP):
        band, _ = baseband(samples, first, first + _BLOCK // BASE_STEP, hz)
        turn = np.exp(-2j * np.pi * hz * first * BASE_STEP / RATE)
        bands.append((band * turn).astype(np.complex64))
    band = np.concatenate(bands)
    best, left = _Pairs(_walk(band, hz), (), 0.0, 0.0), float(np.vdot(band, band).real)
    enough = _EXPLAINED * left
    # Short beeps in an echo do not show their pitch to the hertz. If it is off, a tone ends in
    # another phase than it started in, and seems to step all the time. A reflection may look like
    # the end of a beep, but not if only long beeps are sought in the first round.
    for off in _likely_offs(band, hz):
        for shortest in _FIRST_SHORTEST:
            found = _without_echoes(_moved(band, off), hz + off, shortest)
            rest = found.walk.band.copy()
            for onset, end, *_scores in found.pairs:
                rest[onset:end] -= (found.walk.step[onset] - found.walk.step[end]) / 2
            unexplained = float(np.vdot(rest, rest).real)
            if unexplained < left:
                best, left = found, unexplained
            if left < enough:
                return best
    return best


def _likely_offs(band: np.ndarray, hz: float) -> Iterator[int]:
    """Yield 0, then other corrections of a pitch in Hz that may be better, the likeliest first."""
    yield 0
    weights = [_likeliest(_walk(_moved(band, off), hz + off)).weight for off in _NEAR_HZ]
    peaks, _ = find_peaks([0.0, *weights, 0.0])
    for place in sorted((peaks - 1).tolist(), key=lambda place: -weights[place]):
        if weights[place] > weights[len(weights) // 2]:
            yield _NEAR_HZ[place]


def _moved(band: np.ndarray, hz: float) -> np.ndarray:
    """Shift a band down by `hz`."""
    turn = np.exp(-2j * np.pi * hz * BASE_STEP / RATE * np.arange(len(band)))
    return (band * turn).astype(np.complex64)


def _without_echoes(band: np.ndarray, hz: float, shortest: int) -> _Pairs:
    """Find beeps, correct their pitch and remove their echo, in rounds.

    shortest  length of the shortest beep in the first round, in samples of the band
    """
    found = _likeliest(_walk(band, hz), shortest=shortest)
    for _ in range(_ROUNDS):
        if not found.pairs:
            break
        # The pitch at which steps up and down are most alike.
        places = onsets, ends = np.array([pair[:2] for pair in found.pairs]).T
        begins, stops = found.walk.step[onsets], found.walk.step[ends]
        waves = np.exp(-2j * np.pi * np.outer(_OFF_HZ, (ends - onsets) * BASE_STEP / RATE))
        off = float(_OFF_HZ[int(np.argmax(np.real(waves @ (-stops * np.conj(begins)))))])
        band, hz = _moved(band, off), hz + off
        turns = np.exp(-2j * np.pi * off * BASE_STEP / RATE * places)
        sizes = (begins * turns[0] - stops * turns[1]) / 2
        walk = _walk(_without_echo(_walk(band, hz), found, sizes), hz)
        found = _likeliest(walk, found.direct)
    return found


def _walk(band: np.ndarray, hz: float) -> _Walk:
    loud = np.abs(band)
    power = loud**2
    (before, after, sounds), (step_from, step_to, tone) = (
        _means(power, (-_RISE_TO, -_RISE_FROM), (_RISE_FROM, _RISE_TO), (_GAP, _GAP + _STILL_FOR)),
        _means(band, (-_GAP - _MEAN, -_GAP), (_GAP, _GAP + _MEAN), (_GAP, _GAP + _STILL_FOR)),
    )
    rise = np.clip(np.log10((after + 1e-12) / (before + 1e-12)), -1, 1)
    is_still = np.abs(tone) ** 2 > _STILL * sounds
    return _Walk(hz, band, step_to - step_from, rise, loud, is_still)


def _means(values: np.ndarray, *spans: tuple[int, int]) -> list[np.ndarray]:
    """Return the moving means over `spans`, relative to each sample; beyond the ends there is 0."""
    reach = max(abs(place) for span in spans for place in span)
    total = np.zeros(len(values) + 2 * reach + 1, complex if values.dtype.kind == "c" else float)
    np.cumsum(values, out=total[reach + 1 : reach + 1 + len(values)])
    total[reach + 1 + len(values) :] = total[reach + len(values)]
    parts = [[total[reach + by : reach + by + len(values)] for by in span] for span in spans]
    return [
        ((end - begin) / (last - first)).astype(values.dtype)
        for (begin, end), (first, last) in zip(parts, spans, strict=True)
    ]


def _without_echo(walk: _Walk, found: _Pairs, sizes: np.ndarray) -> np.ndarray:
    """Estimate the echo of the beeps from the steps that follow theirs, and remove it.

    Regularised least squares; the prior is an echo that decays with time.

    sizes  complex amplitude of the direct sound of each beep
    """
    step = walk.step
    onsets, ends = np.array([pair[:2] for pair in found.pairs]).T
    is_plain = np.array([pair.score >= _PLAIN_SCORE for pair in found.pairs])
    is_plain &= (onsets >= _BEFORE) & (ends < len(step) - _ECHO_TO)
    if not is_plain.any():
        return walk.band
    shown = np.concatenate((onsets[is_plain], ends[is_plain]))
    own = np.concatenate((sizes[is_plain], -sizes[is_plain]))
    order = np.argsort(shown)
    shown, own = shown[order], own[order]
    lags = np.arange(-_BEFORE, _ECHO_TO)
    follows = np.conj(own) @ step[shown[:, None] + lags]
    alike = np.zeros(len(lags), complex)
    for place, value in zip(shown.tolist(), own.tolist(), strict=True):
        near = (shown >= place) & (shown < place + len(lags))
        np.add.at(alike, shown[near] - place, np.conj(value) * own[near])
    rarely = _UNSURE**2 * found.direct**2 * np.exp(np.maximum(lags, 0) / _DIES)
    behind = np.subtract.outer(np.arange(len(lags)), np.arange(len(lags)))
    each = np.where(behind < 0, np.conj(alike[-behind]), alike[behind])
    answer = np.linalg.solve(each + np.diag(rarely), follows)
    answer = answer[_BEFORE:]
    answer[:_ECHO_FROM] = 0
    if is_plain.sum() < _SEVERAL and np.abs(answer[_NO_NOTE:]).max() >= _LEAST:
        return walk.band  # this is a note that follows each time, not an echo
    drive = np.zeros(len(step), complex)
    drive[onsets] += sizes
    drive[ends] -= sizes
    echo = np.cumsum(oaconvolve(drive, answer)[: len(step)]) / (2 * _GAP + _MEAN)
    return (walk.band - echo).astype(np.complex64)


def _likeliest(walk: _Walk, near: float = 0.0, shortest: int = _SHORTEST) -> _Pairs:
    """Return the pairs, for the level of the direct sound that gives them most weight.

    near  the approximate level, 0 if it is unknown
    """
    loud = np.abs(walk.step)
    least = _OVER_NOISE * float(np.median(loud))
    levels = near * _TRIED_NEAR if near else float(loud.max(initial=0.0)) * _TRIED
    every, _ = find_peaks(loud, height=_LEAST * levels[-1], distance=_APART)
    best = _Pairs(walk, (), 0.0, 0.0)
    for direct in levels.tolist():
        if direct < least or direct <= 0:
            break
        places = every[loud[every] >= _LEAST * direct]
        found = _chosen(walk, places, direct, shortest)
        capped = np.minimum(loud, direct)
        weight = sum(pair.score * float(capped[pair.onset] * capped[pair.end]) for pair in found)
        if weight > best.weight:
            best = _Pairs(walk, found, direct, weight)
    return best


def _chosen(walk: _Walk, places: np.ndarray, direct: float, shortest: int) -> tuple[_Pair, ...]:
    """Return the pairs of steps, without overlaps, with the highest total score."""
    step = walk.step[places] / direct
    # 1 for a step of the direct sound's size, 0 for one of half or twice that.
    loud = np.abs(step)
    likely = np.where(loud < 1, 1 - ((1 - loud) / (1 - _LEAST)) ** 2, 1 - (loud - 1) ** 2)
    begins = np.where(walk.still[places], likely + _RISE * walk.rise[places], -np.inf)
    low = np.searchsorted(places, places - _LONGEST)
    high = np.searchsorted(places, places - shortest, side="right")
    # Form all pairs of possible lengths; keep those with a positive score, in order of their ends.
    counts = np.maximum(high - low, 0)
    ends = np.repeat(np.arange(len(places)), counts)
    onsets = np.arange(len(ends)) + np.repeat(low - np.cumsum(counts) + counts, counts)
    scores = begins[onsets] + likely[ends] - np.abs(step[onsets] + step[ends]) ** 2
    silent = np.cumsum(walk.loud < _SILENT * direct)[places]
    worth = scores > 0
    worth &= silent[ends] - silent[onsets] <= _MOST_SILENT * (places[ends] - places[onsets])
    pairs = zip(onsets[worth].tolist(), ends[worth].tolist(), scores[worth].tolist(), strict=True)
    best = [0.0] * (len(places) + 1)
    taken: list[tuple[int, float] | None] = [None] * (len(places) + 1)
    reached = 0
    for onset, end, score in pairs:
        while reached <= end:
            best[reached + 1] = best[reached]
            reached += 1
        if best[onset] + score > best[end + 1]:
            best[end + 1] = best[onset] + score
            taken[end + 1] = onset, score
    found: list[_Pair] = []
    at = len(places)
    while at:
        pair = taken[at]
        if pair:
            onset, end = int(places[pair[0]]), int(places[at - 1])
            by = np.abs(np.stack((places[onsets] - onset, places[ends] - end)))
            others = scores[
                worth & (by.min(axis=0) == 0) & (by.max(axis=0) > 0) & (by.max(axis=0) < _NEARBY)
            ]
            found.append(_Pair(onset, end, pair[1], float(others.max(initial=0.0))))
        at = pair[0] if pair else at - 1
    return tuple(found[::-1])
