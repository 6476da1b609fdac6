"""The cadence of a recorded unit, learned against a program that it resembles.

`phrases.py` tells which beeps are like which cue, and `places.py` corrects it by when
they came. From the phrases of one cue follow its notes; from the distances of cues follow
the auction, its warning, the clock and its marks. What was not heard stays as the program
has it.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median, mode
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.programs import Program, span
from sim.lab import phrases, places
from sim.lab.listening import Beep
from sim.lab.phrases import Phrase

_ROUND_MS = 10  # to which the times of a game are known from a recording
_MOST_MARKS = 100
_WAITED_MS = 1500  # a game's end that comes so soon after an auction's has waited for it


class Learned(NamedTuple):
    """A program with what was heard.

    values, cues  name what was heard
    strange       beeps that are like no cue of the program
    by_place      cues told by when they came: they sound like another, or like none
    unsure        beeps of presses of which nothing tells which button it was
    hz            the pitch of a buzzer with but one, which all cues then have; None for another
    """

    program: Program
    values: tuple[str, ...]
    cues: tuple[str, ...]
    strange: tuple[Beep, ...]
    by_place: tuple[str, ...]
    unsure: tuple[Beep, ...]
    hz: float | None


def learn(beeps: Sequence[Beep], base: Program, name: str) -> Learned:
    """Return `base` as it was heard, called `name`."""
    like, hz = phrases.find(beeps, base)
    heard, by_place, unsure = places.place(like, base)
    sure = [one for one in heard if one not in unsure]
    cues = {
        cue: _cue(base.cues[cue], [one.beeps for one in sure if one.cue == cue])
        for cue in base.cues
        if any(one.cue == cue for one in sure)
    }
    others = {cue: _at(base.cues[cue], hz) for cue in base.cues} if hz else base.cues
    values = {**_auction(heard, base), **_clock(heard, base)}
    everything = {**_values(base), **values, "cues": {**others, **cues}}
    strange = tuple(beep for one in heard if not one.cue for beep in one.beeps)
    presses = tuple(beep for one in unsure for beep in one.beeps)
    program = Program(name, **everything)
    return Learned(program, tuple(values), tuple(cues), strange, by_place, presses, hz)


def _cue(base: tuple[int, ...], heard: list[tuple[Beep, ...]]) -> tuple[int, ...]:
    """Return a cue from all times that it was heard, each value the median of what was measured.

    What noise hid every time stays as it is in `base`. One told by its place may have
    another number of notes: then the usual number counts.
    """
    count = mode(len(one) for one in heard)
    heard = [one for one in heard if len(one) == count]
    known = phrases.notes(base)
    cue = [base[0]]
    for place, (pause, ms, hz) in enumerate(known if len(known) == count else _notes(heard[0])):
        beeps = [one[place] for one in heard if one[place].is_measured]
        pairs = [one[place - 1 : place + 1] for one in heard if place]
        gaps = [phrases.gap(*pair) for pair in pairs if all(beep.is_measured for beep in pair)]
        pause = round(median(gaps)) if gaps else pause
        cue += (0, pause) if pause else ()
        cue.append(round(median(beep.hz for beep in beeps)) if beeps else hz)
        cue.append(max(1, round(median(beep.length_ms for beep in beeps))) if beeps else ms)
    return tuple(cue)


def _notes(beeps: tuple[Beep, ...]) -> list[phrases.Note]:
    """Return beeps as the notes of a cue."""
    pauses = (0.0, *(phrases.gap(*pair) for pair in pairwise(beeps)))
    return [
        phrases.Note(round(pause), max(1, round(beep.length_ms)), round(beep.hz))
        for pause, beep in zip(pauses, beeps, strict=True)
    ]


def _at(cue: tuple[int, ...], hz: float) -> tuple[int, ...]:
    """Return a cue as a buzzer plays it that has but one pitch."""
    notes = zip(cue[1::2], cue[2::2], strict=True)
    return (cue[0], *(part for tone, ms in notes for part in (round(hz) if tone else 0, ms)))


def _auction(heard: Sequence[Phrase], base: Program) -> dict:
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


def _clock(heard: Sequence[Phrase], base: Program) -> dict:
    """Return the clock and its marks, if a whole game was heard, from switch-on to its end.

    A game that waited for its last auction does not tell its length.
    A program that tells more than beeps and an end keeps its own: a name is not heard.
    """
    if any(kind not in ("hour-beep", *ENDS) for kind, *_ in base.marks):
        return {}
    ends = [one for one in heard if one.cue in ENDS]
    starts = [one for one in heard if one.cue == "switched-on"]
    if not ends or not starts or starts[-1].onset_ms > ends[0].onset_ms:
        return {}
    end = ends[0]
    if any(
        one.cue == "auction-ended" and 0 < end.onset_ms - one.onset_ms < _WAITED_MS for one in heard
    ):
        return {}
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


def _distances(heard: Sequence[Phrase], first: str, last: str) -> list[float]:
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


def _rounded(ms: float) -> int:
    return max(_ROUND_MS, round(ms / _ROUND_MS) * _ROUND_MS)
