"""Where a tone of a known pitch steps up and down again, also in a room with an echo.

The direct sound of a buzzer begins and ends at once, always as loudly; the echo of a room grows
and fades. So at the buzzer's pitch, moved to 0 Hz, a beep is a step up by some complex
number and later a step down by the same one, and a step is a difference of two short means,
whatever still sounds from before. Of all pairs of such steps those are taken that together are
likeliest (dynamic programming). The steps that a single reflection makes come after each beep in
the same way: the steps after the first pairs show that way, and are taken away before the pairs
are sought again.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_toeplitz
from scipy.signal import find_peaks

from sim.lab.listen.beeps.pulse import BASE_STEP, baseband
from sim.lab.listen.sound.samples import RATE, Samples

STEPS_A_MS = RATE // BASE_STEP // 1000
_GAP = 3  # half milliseconds left out on both sides of a place: the band's own slope and the fade
_MEAN = 9  # that each mean takes
_SHORTEST = 12 * STEPS_A_MS
_LONGEST = 2000 * STEPS_A_MS
_APART = 4 * STEPS_A_MS  # two steps are no nearer
_LEAST = 0.5  # of the direct sound: a fainter step is none
_TRIED = 0.84 ** np.arange(9)  # of the greatest step, for how loud the direct sound is
_OVER_NOISE = 6.0  # times the usual difference the direct sound must be
_RISE = 0.7  # the score of a beep that begins ten times as loud as the sound before
_COST = 1.0  # of a pair, so that chance makes none
_RISE_FROM, _RISE_TO = 3, 20
_STILL = 0.6  # of its power is of one phase
_STILL_FOR = 10 * STEPS_A_MS
_ECHO_FROM, ECHO_TO = 8, 300  # half milliseconds after a step in which a room answers
_PLAIN_STEP = 0.75  # of the direct sound: such steps show how the room answers
_SEVERAL = 3  # beeps show it
_BEFORE = 16  # half milliseconds before a step in which the band shows it already
_RIDGE = 0.05  # for least squares that are not led astray by noise
_LOUDEST_ECHO = 1.1  # a louder step is another beep
_ANSWERED = 0.6  # of the direct sound: such steps are answered
_FIRST_HZ = (0.0, -0.7, 0.7, -1.5, 1.5, -3.0, 3.0)  # that a pitch may be off
_DOUBT_HZ = 8.0  # so far off, a pitch is believed no more
_OFF_HZ = np.arange(-1.5, 1.55, 0.1)  # that a pitch may be off
_ROUNDS = 3
_MANY, _NEARLY = 8, 0.7  # beeps at least, and the part of them that must have it
_BLOCK = 20 * RATE


class Walk(NamedTuple):
    """How a pitch changes: for each half millisecond the complex step, and the rise in it.

    rise   of the power, as a power of ten from -1 to 1
    still  whether a tone of just this pitch follows
    """

    hz: float
    step: np.ndarray
    rise: np.ndarray
    still: np.ndarray


class Pair(NamedTuple):
    """A step up and the step down that belongs to it, as places of a walk.

    score  how much it is like a beep, at most about 2.7
    """

    onset: int
    end: int
    score: float


class Pairs(NamedTuple):
    """The beeps of a pitch, how loud their direct sound is, and how much of the steps they are."""

    pairs: tuple[Pair, ...]
    direct: float
    weight: float


NONE = Pairs((), 0.0, 0.0)


def walk(samples: Samples, hz: float) -> Walk:
    """Return how a pitch changes in samples at `RATE`."""
    steps, rises, stills = [], [], []
    margin = (_RISE_TO + 8) * BASE_STEP
    for start in range(0, max(len(samples), 1), _BLOCK):
        first = max(0, start - margin)
        piece = samples[first : start + _BLOCK + margin]
        base, _ = baseband(piece, 0, len(piece) // BASE_STEP, hz)
        base = base * np.exp(-2j * np.pi * hz * first / RATE)
        own = slice((start - first) // BASE_STEP, (start - first + _BLOCK) // BASE_STEP)
        steps.append(_steps(base)[own].astype(np.complex64))
        rises.append(_rises(base)[own].astype(np.float32))
        stills.append(_stills(base)[own])
    return Walk(hz, np.concatenate(steps), np.concatenate(rises), np.concatenate(stills))


def pairs(walk: Walk) -> tuple[Walk, Pairs]:
    """Return the beeps of a pitch, and the walk without the echo that they have left in it."""
    noise = _OVER_NOISE * float(np.median(np.abs(walk.step)))
    turned = [_turned(walk, off) for off in _FIRST_HZ]
    found, walk = max(
        ((_likeliest(other, noise), other) for other in turned),
        key=lambda pairs_and_walk: (
            pairs_and_walk[0].weight * (1 - ((pairs_and_walk[1].hz - walk.hz) / _DOUBT_HZ) ** 2)
        ),
    )
    for _again in range(_ROUNDS):
        if not found.pairs:
            break
        tuned = walk if is_uniform(found) else _tuned(walk, found)
        walk = _without(tuned, found, _answer(tuned, found))
        found = _likeliest(walk, noise)
    return walk, found


def is_uniform(found: Pairs) -> bool:
    """Return whether nearly all of several beeps have one length, as no unit's have.

    Then each is a step and its reflection, which comes always so long after it.
    """
    onsets, ends = _places(found.pairs)
    if len(onsets) < _MANY:
        return False
    lengths = ends - onsets
    return bool(np.mean(abs(lengths - np.median(lengths)) <= STEPS_A_MS) > _NEARLY)


def rivals(walk: Walk, found: Pairs) -> list[float]:
    """Return for each pair the score of the likeliest other with its onset or its end, 0 if none.

    Where a reflection is as loud as the end itself, either may be the end.
    """
    step = walk.step / max(found.direct, 1e-12)
    places, _ = find_peaks(np.abs(step), height=_LEAST, distance=_APART)

    def best(onset: np.ndarray | int, end: np.ndarray | int) -> float:
        likely = _likelihood(np.abs(step[onset])) + _likelihood(np.abs(step[end]))
        unlike = np.abs(step[onset] + step[end]) ** 2
        scores = likely + _RISE * walk.rise[onset] + 1 - unlike - _COST
        return float(np.max(scores, initial=0.0))

    scores = []
    before = 0
    for number, (onset, end, _score) in enumerate(found.pairs):
        after = min([onset + _LONGEST, *(pair.onset for pair in found.pairs[number + 1 :][:1])])
        others = places[np.minimum(abs(places - onset), abs(places - end)) > _APART]
        ends = others[(others >= onset + _SHORTEST) & (others < after)]
        onsets = others[(others > before) & (others <= end - _SHORTEST) & walk.still[others]]
        scores.append(max(best(onset, ends), best(onsets, end)))
        before = end
    return scores


def _steps(base: np.ndarray) -> np.ndarray:
    places = np.arange(len(base))
    return _between(base, places + _GAP, places + _GAP + _MEAN) - _between(
        base, places - _GAP - _MEAN, places - _GAP
    )


def _rises(base: np.ndarray) -> np.ndarray:
    power = np.abs(base) ** 2
    places = np.arange(len(base))
    after = _between(power, places + _RISE_FROM, places + _RISE_TO)
    before = _between(power, places - _RISE_TO, places - _RISE_FROM)
    return np.clip(np.log10((after + 1e-12) / (before + 1e-12)), -1, 1)


def _stills(base: np.ndarray) -> np.ndarray:
    places = np.arange(len(base)) + _GAP
    tone = _between(base, places, places + _STILL_FOR)
    power = _between(np.abs(base) ** 2, places, places + _STILL_FOR)
    return np.abs(tone) ** 2 > _STILL * power


def _between(values: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return the mean from each first place to each last, 0 where there is nothing."""
    total = np.concatenate(([0], np.cumsum(values)))
    first, last = (np.clip(places, 0, len(values)) for places in (first, last))
    return (total[last] - total[first]) / np.maximum(last - first, 1)


def _likeliest(walk: Walk, least: float) -> Pairs:
    """Return the pairs with the loudness of the direct sound that explains most of the steps."""
    loud = np.abs(walk.step)
    greatest = float(loud.max(initial=0.0))
    best = NONE
    for direct in (greatest * _TRIED).tolist():
        if direct < least or direct <= 0:
            break
        places, _ = find_peaks(loud, height=_LEAST * direct, distance=_APART)
        found = _chosen(walk, places, direct)
        capped = np.minimum(loud, direct)
        weight = sum(pair.score * float(capped[pair.onset] * capped[pair.end]) for pair in found)
        if weight > best.weight:
            best = Pairs(found, direct, weight)
    return best


def _chosen(walk: Walk, places: np.ndarray, direct: float) -> tuple[Pair, ...]:
    """Return the pairs of places, none within another, of the greatest scores in all."""
    step = walk.step[places] / direct
    likely = _likelihood(np.abs(step))
    begins = np.where(walk.still[places], likely + _RISE * walk.rise[places], -np.inf)
    best = np.zeros(len(places) + 1)
    taken: list[tuple[int, float] | None] = [None] * (len(places) + 1)
    low = np.searchsorted(places, places - _LONGEST)
    high = np.searchsorted(places, places - _SHORTEST, side="right")
    for at in range(len(places)):
        best[at + 1] = best[at]
        first, last = int(low[at]), int(high[at])
        if last <= first:
            continue
        unlike = np.abs(step[first:last] + step[at]) ** 2
        scores = begins[first:last] + likely[at] + 1 - unlike - _COST
        chosen = int(np.argmax(best[first:last] + scores))
        score = float(scores[chosen])
        if score > 0 and best[first + chosen] + score > best[at + 1]:
            best[at + 1] = best[first + chosen] + score
            taken[at + 1] = first + chosen, score
    found: list[Pair] = []
    at = len(places)
    while at:
        pair = taken[at]
        if pair:
            found.append(Pair(int(places[pair[0]]), int(places[at - 1]), pair[1]))
        at = pair[0] if pair else at - 1
    return tuple(found[::-1])


def _likelihood(loud: np.ndarray) -> np.ndarray:
    """Return 1 for a step as great as the direct sound, 0 for one of half or twice that."""
    return np.where(loud < 1, 1 - ((1 - loud) / (1 - _LEAST)) ** 2, 1 - (loud - 1) ** 2)


def _tuned(walk: Walk, found: Pairs) -> Walk:
    """Return a walk at the pitch at which steps up and down are most alike."""
    onsets, ends = _places(found.pairs)
    turns = -walk.step[ends] * np.conj(walk.step[onsets])
    seconds = (ends - onsets) * BASE_STEP / RATE
    alike = [
        float(np.sum(turns * np.exp(-2j * np.pi * off * seconds)).real) for off in _OFF_HZ.tolist()
    ]
    return _turned(walk, float(_OFF_HZ[int(np.argmax(alike))]))


def _turned(walk: Walk, off: float) -> Walk:
    """Return a walk at a pitch that is so much higher."""
    turn = np.exp(-2j * np.pi * off * np.arange(len(walk.step)) * BASE_STEP / RATE)
    return walk._replace(hz=walk.hz + off, step=(walk.step * turn).astype(np.complex64))


def _places(found: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([pair.onset for pair in found]), np.array([pair.end for pair in found])


def _answer(walk: Walk, found: Pairs) -> np.ndarray:
    """Return the echo of a step, as parts of it: the least squares over all plain beeps."""
    step = walk.step
    loud = np.abs(step) / found.direct
    plain = [pair for pair in found.pairs if min(loud[pair.onset], loud[pair.end]) > _PLAIN_STEP]
    places = np.array(
        [place for place in _own(found, plain) if _BEFORE <= place < len(step) - ECHO_TO],
        int,
    )
    answer = np.zeros(ECHO_TO, np.complex64)
    if len(places) < 2 * _SEVERAL:
        return answer
    own = step[places]
    lags = np.arange(-_BEFORE, ECHO_TO)
    follows = np.conj(own) @ step[places[:, None] + lags]
    alike = np.zeros(len(lags), complex)
    for place, value in zip(places.tolist(), own.tolist(), strict=True):
        near = (places >= place) & (places < place + len(lags))
        np.add.at(alike, places[near] - place, np.conj(value) * own[near])
    alike[0] *= 1 + _RIDGE
    answer[:] = solve_toeplitz(alike, follows)[_BEFORE:]
    answer[:_ECHO_FROM] = 0
    answer[np.abs(answer) > _LOUDEST_ECHO] = 0
    return answer


def _own(found: Pairs, some: Sequence[Pair]) -> list[int]:
    """Return the steps of some of the pairs that are no reflection of another."""
    if is_uniform(found):
        return [pair.onset for pair in some]
    return [place for pair in some for place in (pair.onset, pair.end)]


def _without(walk: Walk, found: Pairs, answer: np.ndarray) -> Walk:
    """Return a walk without the answers to its steps, taken away in order of time."""
    step = walk.step.copy()
    for place in sorted(_own(found, found.pairs)):
        near = step[max(0, place - _GAP) : place + _GAP + 1]
        own = near[int(np.argmax(np.abs(near)))]
        if abs(own) >= _ANSWERED * found.direct:
            count = min(ECHO_TO, len(step) - place)
            step[place : place + count] -= own * answer[:count]
    return walk._replace(step=step)
