"""The cadence of a recorded unit, learned against a program that it resembles.

`phrases.py` says which beeps are like which cue, and `places.py` corrects it by when
they came. From the phrases of one cue follow its notes; from the distances of cues follow
the auction, its warning, the clock and its marks. What was not heard stays as the program
has it.
"""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.programs import Program, span
from sim.listen.beeps.listening import Beep
from sim.listen.cues import certain, phrases, places
from sim.listen.cues.phrases import Phrase

_ROUND_MS = 10  # to which the times of a game are known from a recording
_ALIKE = 0.01  # by which part two lengths of an auction may differ
_MOST_MARKS = 100
_WAITED_MS = 1500  # a game's end that comes so soon after an auction's has waited for it


class Learned(NamedTuple):
    """A program with what was heard.

    values, cues  name what was heard
    strange       beeps that are like no cue of the program
    by_place      cues known by when they came: they sound like another, or like none
    unsure        beeps of presses of which nothing shows which button it was
    doubtful      cues that were heard, but not so that it is known what they are
    hz            the pitch of a buzzer that has a single one, as all cues then; else None
    """

    program: Program
    values: tuple[str, ...]
    cues: tuple[str, ...]
    strange: tuple[Beep, ...]
    by_place: tuple[str, ...]
    unsure: tuple[Beep, ...]
    doubtful: tuple[str, ...]
    hz: float | None


def learn(beeps: Sequence[Beep], base: Program, name: str) -> Learned:
    """Return `base` as it was heard, called `name`."""
    like, hz, pitches = phrases.find(beeps, base)
    heard, by_place, unsure = places.place(like, base)
    sure = [phrase for phrase in heard if phrase not in unsure]
    times = {
        cue: [phrase.beeps for phrase in sure if phrase.cue == cue]
        for cue in base.cues
        if any(phrase.cue == cue for phrase in sure)
    }
    doubtful = certain.doubtful(times)
    cues = {cue: _cue(base.cues[cue], times[cue]) for cue in times if cue not in doubtful}
    others = {cue: _at(base.cues[cue], pitches) for cue in base.cues}
    values = {**_auction(heard, base, doubtful), **_clock(heard, base)}
    everything = {**_values(base), **values, "cues": {**others, **cues}}
    strange = tuple(beep for phrase in heard if not phrase.cue for beep in phrase.beeps)
    presses = tuple(beep for phrase in unsure for beep in phrase.beeps)
    program = Program(name, **everything)
    known_by_place = tuple(cue for cue in by_place if cue in cues)
    return Learned(
        program, tuple(values), tuple(cues), strange, known_by_place, presses, doubtful, hz
    )


def _cue(base: tuple[int, ...], heard: list[tuple[Beep, ...]]) -> tuple[int, ...]:
    """Return a cue from all times that it was heard, each value the median of what was measured.

    A cue known by its place may have another number of notes: then the usual number counts.
    """
    alike = certain.usual(heard)
    cue = [base[0]]
    for place in range(len(alike[0])):
        notes = [beeps[place] for beeps in alike if beeps[place].is_measured]
        pairs = [beeps[place - 1 : place + 1] for beeps in alike if place]
        gaps = [phrases.gap(*pair) for pair in pairs if all(beep.is_measured for beep in pair)]
        pause = round(median(gaps)) if gaps else 0
        cue += (0, pause) if pause else ()
        cue.append(round(median(note.hz for note in notes)))
        cue.append(max(1, round(median(note.length_ms for note in notes))))
    return tuple(cue)


def _at(cue: tuple[int, ...], pitches: dict[int, float]) -> tuple[int, ...]:
    """Return a cue as a buzzer plays it that has other pitches, as far as they were heard."""
    notes = zip(cue[1::2], cue[2::2], strict=True)
    return (cue[0], *(part for hz, ms in notes for part in (round(pitches.get(hz, hz)), ms)))


def _auction(heard: Sequence[Phrase], base: Program, doubtful: Sequence[str]) -> dict:
    """Return the lengths of the auction and of its warning, as far as they are known.

    doubtful  cues of which it is not known what they are: an auction between two of these, heard
              once, may be none
    """
    values: dict = {}
    lengths = _distances(heard, "auction-started", "auction-ended")
    warnings = _distances(heard, "auction-warning", "auction-ended")
    if {"auction-started", "auction-ended"}.isdisjoint(doubtful) or len(lengths) > 1:
        values.update(("auction_ms", (length, length)) for length in _agreed(lengths))
    if {"auction-warning", "auction-ended"}.isdisjoint(doubtful) or len(warnings) > 1:
        values.update(("warning_ms", warning) for warning in _agreed(warnings))
    longest = values.get("auction_ms", base.auction_ms)[-1]
    if values.get("warning_ms", 0) >= longest:
        del values["warning_ms"]
    return values


def _agreed(distances: Sequence[float]) -> list[int]:
    """Return what more than half of the distances are, rounded; nothing if there is no such."""
    if not distances:
        return []
    usual = median(distances)
    alike = [ms for ms in distances if abs(ms - usual) <= usual * _ALIKE]
    return [_rounded(usual)] if len(alike) > len(distances) / 2 else []


def _clock(heard: Sequence[Phrase], base: Program) -> dict:
    """Return the clock and its marks, if a whole game was heard, from switch-on to its end.

    A game that waited for its last auction does not show its length.
    A program that has more marks than beeps and an end keeps its own: a name is not heard.
    """
    if any(kind not in ("hour-beep", *ENDS) for kind, *_ in base.marks):
        return {}
    ends = [phrase for phrase in heard if phrase.cue in ENDS]
    starts = [phrase for phrase in heard if phrase.cue == "switched-on"]
    if not ends or not starts or starts[-1].onset_ms > ends[0].onset_ms:
        return {}
    end = ends[0]
    if any(
        phrase.cue == "auction-ended" and 0 < end.onset_ms - phrase.onset_ms < _WAITED_MS
        for phrase in heard
    ):
        return {}
    begun = [phrase for phrase in starts if phrase.onset_ms < end.onset_ms]
    start = max(begun, key=lambda phrase: phrase.onset_ms)
    clock_ms = _rounded(end.onset_ms - start.onset_ms)
    lefts = [
        _rounded(end.onset_ms - phrase.onset_ms)
        for phrase in heard
        if phrase.cue == "hour-beep" and start.onset_ms < phrase.onset_ms < end.onset_ms
    ]
    lefts = sorted(set(lefts), reverse=True)[:_MOST_MARKS]
    marks = (*(span("hour-beep", left) for left in lefts), span(end.cue, 0))
    return {"clock_ms": clock_ms, "clock_choices_ms": (), "marks": marks}


def _distances(heard: Sequence[Phrase], first: str, last: str) -> list[float]:
    """Return the ms from each `first` to the `last` that follows, none other between."""
    found = []
    begun = None
    for phrase in heard:
        if phrase.cue in (first, "auction-cancelled"):
            begun = phrase.onset_ms if phrase.cue == first else None
        elif phrase.cue == last and begun is not None:
            found.append(phrase.onset_ms - begun)
            begun = None
    return found


def _values(program: Program) -> dict:
    names = [name for name in vars(Program) if not name.startswith("_")]
    return {name: getattr(program, name) for name in names}


def _rounded(ms: float) -> int:
    return max(_ROUND_MS, round(ms / _ROUND_MS) * _ROUND_MS)
