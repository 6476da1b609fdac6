"""Beeps in a room with an echo: steps up and down again, whatever still sounds from before.

`pulse.py` looks for a tone with nothing of its pitch before and after. In a room the tone goes on
after its end and grows after its beginning. The direct sound begins and ends at once, though,
always as loudly: at the buzzer's pitch, moved to 0 Hz, a beep is a step up by some complex number
and later a step down by the same one, and a step is a difference of two short means. Of all pairs
of such steps those are taken that together are likeliest (dynamic programming).
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

_TAIL_FROM, _TAIL_TO = 8 * _MS, 30 * _MS  # after an end: free of any beep's own edge
_TAIL_DB = -25.0  # the level there, or before the beep, that shows an echo
_MOST = 0.5  # of the beeps
_LIKELY = 40.0  # the score of a pulse that is asked
_LONG = 0.02 * RATE
_LOUD_ENOUGH = 0.25  # of the 0.9 quantile of the levels: a fainter pulse may be an echo itself
_LEAST_ASKED = 3  # beeps from which a room is judged
_MOST_PITCHES = 6  # of a unit; that are looked at
_PITCHES_APART = 0.06  # of the lower: nearer is a short beep's blur

_FRAME = 1 << 13  # half a second: no short beep's blur hides a long one's pitch
_BIN_HZ = RATE / _FRAME
_PROMINENT_DB = 8.0
_FAINTEST_DB = 30.0  # below the loudest pitch

_GAP = 3  # half milliseconds left out on both sides of a place: the band's own slope and the fade
_MEAN = 9  # that each mean takes
_SHORTEST = 16 * _MS  # a step is found 3 ms early where a beep ends
_EXPLAINED = 0.1  # of a pitch's energy may be left, then nothing better is looked for
_AROUND = 9 * _MS  # on both sides of a place, for how loud a tone is there
_FIRST_SHORTEST = (18 * _MS, 45 * _MS, 100 * _MS)
_LONGEST = 2000 * _MS
_APART = 4 * _MS  # two steps are no nearer
_LEAST = 0.5  # of the direct sound: a fainter step is none
_TRIED = 0.84 ** np.arange(9)  # of the greatest step, for how loud the direct sound is
_TRIED_NEAR = 0.84 ** np.arange(-1, 2)
_OVER_NOISE = 6.0  # times the usual difference the direct sound must be
_RISE = 0.7  # the score of a beep that begins ten times as loud as the sound before
_RISE_FROM, _RISE_TO = 3, 20
_STILL = 0.6  # of its power is of one phase
_STILL_FOR = 10 * _MS
_SILENT = 0.05  # of the direct sound: an echo never leaves so little of a tone
_MOST_SILENT = 0.25  # for so much of a beep
_MOVED_HZ = 10.0  # by which an echo moves a pitch at most
_AS_SURE = 0.5  # of the surest pulse's score
_NEAR_HZ = tuple(range(-6, 7, 2))  # that a pitch may be off at first: half an 80 ms beep's blur
_OFF_HZ = np.arange(-0.5, 0.55, 0.1)  # that a pitch may still be off
_ROUNDS = 3
_ECHO_FROM, _ECHO_TO = 8, 300  # half milliseconds after a step in which a room answers
_BEFORE = 16  # half milliseconds before a step in which the band shows it already
_PLAIN_SCORE = 2.0  # such pairs show how the room answers
_SEVERAL = 3  # beeps show it, whatever it is; fewer only if no note may be in it
_NO_NOTE = 60  # half milliseconds after which an echo has no step as great as a note's
_UNSURE = 0.1  # of the direct sound, by which a step may be off
_DIES = 58.0  # half milliseconds in which an echo of T60 0.4 s loses 8.7 dB

_FEWEST = 2  # beeps of a pitch
_LIGHTEST = 0.01  # of the steps of the pitch that has most
_BESIDE_HZ = 150.0  # so near, a tone leaks into another pitch's steps
_OWN = 0.5  # of a pitch's beeps do not sound together with those of a greater one
_BELIEVED = 1.3  # the score of a pair: of those below it, none was a beep
_THROUGHOUT = 0.9  # of a beep its tone sounds
_NEAR = 0.34 * RATE  # so near, two beeps may be of one cue
_PLAIN = 2.5  # the score from which on both edges are measured,
_RIVAL = 1.0  # unless another pair with an edge so near has as much
_NEARBY = 25 * _MS
_EARLY = 0.05e-3 * RATE  # a step is found so much late, beside the half of a fade


class _Walk(NamedTuple):
    """How a pitch changes: for each half millisecond the complex step, and the rise in it.

    band   the pitch itself, moved to 0 Hz
    rise   of the power, as a power of ten from -1 to 1
    loud   the band's level
    still  whether a tone of just this pitch follows
    """

    hz: float
    band: np.ndarray
    step: np.ndarray
    rise: np.ndarray
    loud: np.ndarray
    still: np.ndarray


class _Pair(NamedTuple):
    """A step up and the step down that belongs to it, as places of a walk.

    score  how much it is like a beep, at most about 2.7
    rival  the score of the best other pair that shares one edge, and has the other edge nearby
    """

    onset: int
    end: int
    score: float
    rival: float


class _Pairs(NamedTuple):
    """The beeps of a pitch, how loud their direct sound is, and how much of the steps they are."""

    walk: _Walk
    pairs: tuple[_Pair, ...]
    direct: float
    weight: float


def has_echo(samples: Samples, pulses: Sequence[Pulse]) -> bool:
    """Return whether there are few pitches, as of a buzzer, and most beeps sound on into others.

    Talk and music sound on as well, at many pitches.
    """
    likely = [pulse for pulse in pulses if pulse.score >= _LIKELY]
    loud = _LOUD_ENOUGH * np.quantile([pulse.amplitude for pulse in likely] or [0.0], 0.9)
    asked = [
        pulse for pulse in likely if pulse.amplitude >= loud and pulse.end - pulse.onset > _LONG
    ]
    pitches = _apart([pulse.hz for pulse in sorted(asked, key=lambda pulse: -pulse.amplitude)])
    if len(asked) < _LEAST_ASKED or len(pitches) > _MOST_PITCHES:
        return False
    sounding_on = sum(_sounds_on(samples, pulse) for pulse in asked)
    return sounding_on > _MOST * len(asked)


def _sounds_on(samples: Samples, pulse: Pulse) -> bool:
    """Return whether a beep's pitch sounds before it or after it."""
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
    """Return what steps up and down at a buzzer's pitches, and whether its edges are measured.

    They are only where all that sounds near them is part of a beep: the rest of a cue may be what
    no beep explains. A room is the same each time, so to be heard again and again proves nothing.
    """
    found: list[_Pairs] = []
    for hz in _pitches(samples):
        # An echo may have moved it: the surest pulses near it have the true one.
        near = [pulse for pulse in pulses if abs(pulse.hz - hz) < _MOVED_HZ]
        surest = max((pulse.score for pulse in near), default=0.0)
        true = [pulse.hz for pulse in near if pulse.score >= _AS_SURE * surest]
        pairs = _pairs(samples, float(np.median(true or [hz])))
        if pairs.pairs:
            found.append(pairs)
    heaviest = max((pairs.weight for pairs in found), default=0.0)
    kept: list[Pulse] = []
    for pairs in _in_order(found):
        heard = []
        for onset, end, score, rival in pairs.pairs:
            if score >= _BELIEVED:
                own = _of_harmonic(pairs, onset, found)
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
    is_strange = np.zeros(steps, bool)  # each step that no beep explains
    for pairs in found:
        band = pairs.walk.band.copy()
        if pairs.walk.hz not in pitches:
            # A harmonic, a pitch that came once, or what leaks in from another: only what sounds
            # from a plain step to the other is a beep.
            sounds = np.abs(_means(band, (-_AROUND, _AROUND))[0]) > _LEAST * pairs.direct
            band[:] = 0
            for onset, end, score, _rival in pairs.pairs:
                if score >= _PLAIN and np.mean(sounds[onset:end]) > _THROUGHOUT:
                    band[onset:end] = pairs.direct
        for pulse in kept:
            onset, end = round(pulse.onset / BASE_STEP), round(pulse.end / BASE_STEP)
            band[max(0, onset - _APART) : end + _APART] = 0
        tone = np.abs(_means(band, (-_AROUND, _AROUND))[0])
        is_strange |= tone > _LEAST * pairs.direct

    def is_explained(pulse: Pulse) -> bool:
        first = int((pulse.onset - _NEAR) // BASE_STEP) + 1
        return not is_strange[max(0, first) : -int(-(pulse.end + _NEAR) // BASE_STEP)].any()

    told = [(pulse, pulse.score >= _PLAIN and is_explained(pulse)) for pulse in kept]
    return [
        (pulse._replace(hz=_lowest(samples, pulse, kept)), is_plain) for pulse, is_plain in told
    ]


def _lowest(samples: Samples, pulse: Pulse, found: Sequence[Pulse]) -> float:
    """Return a beep's pitch, or the one that it is the third or fifth harmonic of.

    Beside another pitch nothing but a harmonic may show the edges of a beep.
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
    """Return the pitches at which there is most energy; a long beep shows its own best."""
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
    # A square wave's odd harmonics come last: they hide no other pitch.
    own: list[float] = []
    harmonics: list[float] = []
    for hz in louder_first:
        is_harmonic = any(_is_odd_harmonic(hz, other) for other in own)
        (harmonics if is_harmonic else own).append(hz)
    return _apart([*_apart(own)[:_MOST_PITCHES], *harmonics])[: _MOST_PITCHES + 2]


def _is_odd_harmonic(hz: float, of_hz: float) -> bool:
    """Return whether a pitch is one that a square wave of another has as well."""
    order = round(hz / of_hz)
    return order > 1 and order % 2 == 1 and abs(hz - order * of_hz) < order * _BIN_HZ


def _of_harmonic(high: _Pairs, onset: int, found: Sequence[_Pairs]) -> _Pairs:
    """Return the pitch of a beep: a lower one if the beep is its harmonic and begins with its beep.

    Two pitches close to each other hide each other's edges; their harmonics are further apart and
    still show them.
    """
    for low in found:
        if _is_odd_harmonic(high.walk.hz, low.walk.hz) and any(
            abs(pair.onset - onset) < _APART for pair in low.pairs
        ):
            return low
    return high


def _apart(pitches: Sequence[float]) -> list[float]:
    """Return pitches in their order, without each that lies near one before it."""
    found: list[float] = []
    for hz in pitches:
        if all(abs(hz / other - 1) > _PITCHES_APART for other in found):
            found.append(hz)
    return found


def _in_order(found: Sequence[_Pairs]) -> list[_Pairs]:
    """Return pitches, the loudest first, in order of weight, none before a louder one beside it.

    Off its pitch, a tone seems to step all the time, and weighs the more.
    """
    weights: list[float] = []
    for place, pairs in enumerate(found):
        beside = [
            weights[louder]
            for louder in range(place)
            if abs(found[louder].walk.hz - pairs.walk.hz) < _BESIDE_HZ
        ]
        weights.append(min([pairs.weight, *beside]))
    return [found[place] for place in sorted(range(len(found)), key=lambda place: -weights[place])]


def _pairs(samples: Samples, hz: float) -> _Pairs:
    """Return the beeps of the pitch near `hz` that has most plain ones."""
    bands = []
    for first in range(0, len(samples) // BASE_STEP, _BLOCK // BASE_STEP):
        band, _ = baseband(samples, first, first + _BLOCK // BASE_STEP, hz)
        turn = np.exp(-2j * np.pi * hz * first * BASE_STEP / RATE)
        bands.append((band * turn).astype(np.complex64))
    band = np.concatenate(bands)
    best, left = _Pairs(_walk(band, hz), (), 0.0, 0.0), float(np.vdot(band, band).real)
    enough = _EXPLAINED * left
    # Short beeps in an echo do not show their pitch to the hertz. Off it, a tone ends in another
    # phase than it began, and may seem to step all the time. A reflection may pass for the end of a
    # beep, but not of a long one, which then shows it.
    for off in _likely_offs(band, hz):
        for shortest in _FIRST_SHORTEST:
            found = _without_echoes(_moved(band, off), hz + off, shortest)
            unexplained = _unexplained(found)
            if unexplained < left:
                best, left = found, unexplained
            if left < enough:
                return best
    return best


def _likely_offs(band: np.ndarray, hz: float) -> Iterator[int]:
    """Yield 0, then by which other Hz a pitch may be off."""
    yield 0
    weights = [_likeliest(_walk(_moved(band, off), hz + off)).weight for off in _NEAR_HZ]
    peaks, _ = find_peaks([0.0, *weights, 0.0])
    for place in (peaks - 1).tolist():
        if weights[place] > weights[len(weights) // 2]:
            yield _NEAR_HZ[place]


def _unexplained(found: _Pairs) -> float:
    """Return the energy of a band that is left of its sound without its beeps."""
    left = found.walk.band.copy()
    for onset, end, *_scores in found.pairs:
        left[onset:end] -= (found.walk.step[onset] - found.walk.step[end]) / 2
    return float(np.vdot(left, left).real)


def _moved(band: np.ndarray, hz: float) -> np.ndarray:
    """Return a band whose 0 Hz are so much higher."""
    turn = np.exp(-2j * np.pi * hz * BASE_STEP / RATE * np.arange(len(band)))
    return (band * turn).astype(np.complex64)


def _without_echoes(band: np.ndarray, hz: float, shortest: int) -> _Pairs:
    """Return the beeps of a band, at their best pitch, without the echo of those found before.

    shortest  that are looked for at first, in samples of the band
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
    """Return the means from one place to another beside each; beyond the ends there is 0."""
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
    """Return a band without the echo of its beeps, which their steps show.

    Least squares, with the echo that a room has at most as it dies away for what is likely before.

    sizes  of the direct sound of each beep, with its phase
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
        return walk.band  # a note that follows each time is no echo
    drive = np.zeros(len(step), complex)
    drive[onsets] += sizes
    drive[ends] -= sizes
    echo = np.cumsum(oaconvolve(drive, answer)[: len(step)]) / (2 * _GAP + _MEAN)
    return (walk.band - echo).astype(np.complex64)


def _likeliest(walk: _Walk, near: float = 0.0, shortest: int = _SHORTEST) -> _Pairs:
    """Return the pairs with the loudness of the direct sound that explains most of the steps.

    near  the loudness, where it is known but for a fifth
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
    """Return the pairs of places, none within another, of the greatest scores in all."""
    step = walk.step[places] / direct
    # 1 for a step as great as the direct sound, 0 for one of half or twice that.
    loud = np.abs(step)
    likely = np.where(loud < 1, 1 - ((1 - loud) / (1 - _LEAST)) ** 2, 1 - (loud - 1) ** 2)
    begins = np.where(walk.still[places], likely + _RISE * walk.rise[places], -np.inf)
    low = np.searchsorted(places, places - _LONGEST)
    high = np.searchsorted(places, places - shortest, side="right")
    # Every pair that is near enough, then those that are worth something, by their ends.
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
