"""The cadence of a recorded unit, learned against a program that it resembles.

Beeps that stand close together are one phrase. A phrase is taken for the cue of
the program that it is most like, in the number of its beeps, their lengths and
pitches, and the pauses. From the phrases of one cue follow its notes; from the
distances of cues follow the auction, its warning, the clock and its marks. What
was not heard stays as the program has it.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.programs import Program, span
from sim.lab.listening import Beep

_PAUSE_MS = 250  # a longer one ends a phrase
_STRANGE = 0.45  # the mean of the logarithms by which a cue may be unlike: about half as much again
_PITCH = 3  # how much more a pitch tells than a length
_ROUND_MS = 10  # to which the times of a game are known from a recording
_MOST_MARKS = 100
_SETUP = "choice"  # sounds like an accepted press


class Phrase(NamedTuple):
    """Beeps that belong together, and the cue that they are most like, "" for none."""

    beeps: tuple[Beep, ...]
    cue: str

    @property
    def onset_ms(self) -> float:
        return self.beeps[0].onset_ms


class Learned(NamedTuple):
    """A program with what was heard; `values` and `cues` name what that is."""

    program: Program
    values: tuple[str, ...]
    cues: tuple[str, ...]


def learn(beeps: Sequence[Beep], base: Program, name: str) -> Learned:
    """Return `base` as it was heard, called `name`."""
    heard = phrases(beeps, base)
    cues = {
        cue: _notes(base.cues[cue], [one.beeps for one in heard if one.cue == cue])
        for cue in base.cues
        if any(one.cue == cue for one in heard)
    }
    if "auction-started" in cues:  # the same sound answers every accepted press
        for cue in (_SETUP, "permit-started"):
            cues.setdefault(cue, cues["auction-started"])
    values = {**_auction(heard, base), **_clock(heard, base)}
    everything = {**_values(base), **values, "cues": {**base.cues, **cues}}
    return Learned(Program(name, **everything), tuple(values), tuple(cues))


def phrases(beeps: Sequence[Beep], base: Program) -> list[Phrase]:
    """Return the beeps as phrases, each with its cue."""
    groups: list[list[Beep]] = []
    for beep in beeps:
        if groups and beep.onset_ms - _end(groups[-1][-1]) < _PAUSE_MS:
            groups[-1].append(beep)
        else:
            groups.append([beep])
    return [Phrase(tuple(group), _nearest(group, base)) for group in groups]


def _nearest(beeps: list[Beep], base: Program) -> str:
    far = {
        name: _unlikeness(beeps, cue)
        for name, cue in base.cues.items()
        if name not in (_SETUP, "permit-started")
    }
    name = min(far, key=lambda one: far[one])
    return name if far[name] < _STRANGE else ""


def _unlikeness(beeps: list[Beep], cue: tuple[int, ...]) -> float:
    """Return 0 for beeps that are just like a cue, more the less they are."""
    played = [(hz, ms) for hz, ms in zip(cue[1::2], cue[2::2], strict=True)]
    tones = [(hz, ms) for hz, ms in played if hz]
    pauses = [ms for hz, ms in played if not hz]
    if len(tones) != len(beeps):
        return math.inf
    pairs = list(zip(beeps, tones, strict=True))
    parts = [abs(math.log(max(beep.length_ms, 1.0) / ms)) for beep, (_, ms) in pairs]
    parts += [_PITCH * abs(math.log(beep.hz / hz)) for beep, (hz, _) in pairs]
    parts += [abs(math.log(gap / ms)) for gap, ms in zip(_gaps(beeps), pauses, strict=True)]
    return sum(parts) / len(parts)


def _notes(base: tuple[int, ...], heard: list[tuple[Beep, ...]]) -> tuple[int, ...]:
    """Return a cue from all times that it was heard, each value the median of what was measured.

    What noise hid every time stays as it is in `base`.
    """
    cue = list(base)
    for place in range(len(heard[0])):
        beeps = [one[place] for one in heard if one[place].is_measured]
        if beeps:
            cue[1 + 4 * place] = round(median(beep.hz for beep in beeps))
            cue[2 + 4 * place] = max(1, round(median(beep.length_ms for beep in beeps)))
        pairs = [one[place - 1 : place + 1] for one in heard if place]
        gaps = [_gaps(pair)[0] for pair in pairs if all(beep.is_measured for beep in pair)]
        if gaps:
            cue[4 * place] = max(1, round(median(gaps)))
    return tuple(cue)


def _auction(heard: list[Phrase], base: Program) -> dict:
    """Return the lengths of the auction and of its warning, as far as they were heard."""
    values: dict = {}
    lengths = _distances(heard, "auction-started", "auction-ended")
    warnings = _distances(heard, "auction-warning", "auction-ended")
    if lengths:
        values["auction_ms"] = (_rounded(median(lengths)),) * 2
    if warnings:
        values["warning_ms"] = _rounded(median(warnings))
    longest = values.get("auction_ms", base.auction_ms)[-1]
    if values.get("warning_ms", 0) >= longest:
        del values["warning_ms"]
    return values


def _clock(heard: list[Phrase], base: Program) -> dict:
    """Return the clock and its marks, if a whole game was heard, from switch-on to its end.

    A program that tells more than beeps and an end keeps its own: a name is not heard.
    """
    if any(kind not in ("hour-beep", *ENDS) for kind, *_ in base.marks):
        return {}
    ends = [one for one in heard if one.cue in ENDS]
    starts = [one for one in heard if one.cue == "switched-on"]
    if not ends or not starts or starts[-1].onset_ms > ends[0].onset_ms:
        return {}
    end = ends[0]
    start = max((one for one in starts if one.onset_ms < end.onset_ms), key=lambda o: o.onset_ms)
    clock_ms = _rounded(end.onset_ms - start.onset_ms)
    lefts = [
        _rounded(end.onset_ms - one.onset_ms)
        for one in heard
        if one.cue == "hour-beep" and start.onset_ms < one.onset_ms < end.onset_ms
    ]
    lefts = sorted(set(lefts), reverse=True)[:_MOST_MARKS]
    marks = (*(span("hour-beep", left) for left in lefts), span(end.cue, 0))
    return {"clock_ms": clock_ms, "clock_choices_ms": (), "marks": marks}


def _distances(heard: list[Phrase], first: str, last: str) -> list[float]:
    """Return the ms from each `first` to the `last` that follows, none other between."""
    found = []
    begun = None
    for one in heard:
        if one.cue in (first, "auction-cancelled"):
            begun = one.onset_ms if one.cue == first else None
        elif one.cue == last and begun is not None:
            found.append(one.onset_ms - begun)
            begun = None
    return found


def _values(program: Program) -> dict:
    names = [name for name in vars(Program) if not name.startswith("_")]
    return {name: getattr(program, name) for name in names}


def _end(beep: Beep) -> float:
    return beep.onset_ms + beep.length_ms


def _gaps(beeps: Sequence[Beep]) -> list[float]:
    return [max(1.0, after.onset_ms - _end(before)) for before, after in pairwise(beeps)]


def _rounded(ms: float) -> int:
    return max(_ROUND_MS, round(ms / _ROUND_MS) * _ROUND_MS)
