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
from sim.lab.listen.beeps.listening import Beep
from sim.lab.listen.cues import certain, phrases, places
from sim.lab.listen.cues.phrases import Phrase

_ROUND_MS = 10  # to which the times of a game are known from a recording
_ALIKE = 0.01  # by which part two lengths of an auction may differ
_HIDDEN_MS = 50  # by how much a hidden edge may be off: seen so in a codec of voices
_MOST_MARKS = 100
_MOST_STRANGE = 1 / 3  # of the beeps of a unit: it has other patterns, or something else beeps too
_RIFF_MS = 10_000  # a tune's riff comes again sooner, and may go as an auction does
OFF_MS = 20  # by how much the times of a game may be off, or
OFF_PART = 0.0005  # by this part of them
_WAITED_MS = 1500  # a game's end that comes so soon after an auction's has waited for it


class Learned(NamedTuple):
    """A program with what was heard.

    values, cues  name what was heard
    strange       beeps that are like no cue of the program
    by_place      cues known by when they came: they sound like another, or like none
    unsure        beeps of presses of which nothing shows which button it was
    doubtful      cues that were heard, but not so that it is known what they are
    hz            the pitch of a buzzer that has a single one, as all cues then; else None
    lengths       how long each auction and each warning was, in ms
    either        beeps that may be a permit's or the clock's
    is_unit       whether a unit was heard: an auction from its press by its warning to its end, or
                  two as long without a warning. Anything else that beeps has the rest as well.
    """

    program: Program
    values: tuple[str, ...]
    cues: tuple[str, ...]
    strange: tuple[Beep, ...]
    by_place: tuple[str, ...]
    unsure: tuple[Beep, ...]
    doubtful: tuple[str, ...]
    hz: float | None
    lengths: dict[str, tuple[int, ...]]
    either: tuple[Beep, ...]
    is_unit: bool


def learn(beeps: Sequence[Beep], base: Program, name: str) -> Learned:
    """Return `base` as it was heard, called `name`."""
    like, hz, pitches = phrases.find(beeps, base)
    heard, by_place, unsure, either = places.place(like, base)
    sure = [phrase for phrase in heard if phrase not in (*unsure, *either)]
    times = {
        cue: [phrase.beeps for phrase in sure if phrase.cue == cue]
        for cue in base.cues
        if any(phrase.cue == cue for phrase in sure)
    }
    doubtful = certain.doubtful(times)
    cues = {cue: _cue(base.cues[cue], times[cue]) for cue in times if cue not in doubtful}
    others = {cue: _at(base.cues[cue], pitches) for cue in base.cues}
    lengths = _lengths(heard, doubtful)
    values = {**_auction(lengths, base), **_clock(heard, base)}
    everything = {**_values(base), **values, "cues": {**others, **cues}}
    nothing = [phrase for phrase in heard if not phrase.cue and phrase not in either]
    strange, presses, permits = (_beeps(phrases) for phrases in (nothing, unsure, either))
    program = Program(name, **everything)
    known_by_place = tuple(cue for cue in by_place if cue in cues)
    return Learned(
        program,
        tuple(values),
        tuple(cues),
        strange,
        known_by_place,
        presses,
        doubtful,
        hz,
        {name: tuple(_rounded(ms) for ms in each) for name, each in lengths.items()},
        permits,
        _is_unit(heard, values, strange, base),
    )


def spread(lengths: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths that differ by more than a recording's uncertainty, the shortest first."""
    found: list[list[int]] = []
    for ms in sorted(lengths):
        if found and ms - found[-1][0] <= max(OFF_MS, ms * OFF_PART):
            found[-1].append(ms)
        else:
            found.append([ms])
    return tuple(_rounded(median(alike)) for alike in found)


def _beeps(heard: Sequence[Phrase]) -> tuple[Beep, ...]:
    return tuple(beep for phrase in heard for beep in phrase.beeps)


def _is_unit(heard: Sequence[Phrase], values: dict, strange: Sequence[Beep], base: Program) -> bool:
    """Return whether what was heard is a unit's, and no tune or other thing that beeps."""
    count = sum(len(phrase.beeps) for phrase in heard)
    if "auction_ms" not in values or len(strange) > _MOST_STRANGE * count:
        return False
    if values["auction_ms"][0] < min(_RIFF_MS, base.auction_ms[0] / 2):
        return False
    warned = ended = 0
    since: list[str] = []
    for phrase in heard:
        if phrase.cue == "auction-ended":
            ended += since[:1] == ["auction-started"]
            warned += since == ["auction-started", "auction-warning"]
            since = []
        elif phrase.cue == "auction-started":
            since = [phrase.cue]
        elif phrase.cue == "auction-warning":
            since.append(phrase.cue)
    return bool(warned) or ended > 1


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


def _lengths(heard: Sequence[Phrase], doubtful: Sequence[str]) -> dict[str, list[float]]:
    """Return how long each auction and its warning was, as far as that was measured.

    doubtful  cues of which it is not known what they are: an auction between two of these, heard
              once, may be none
    """
    found = {}
    for name, first in (("auction_ms", "auction-started"), ("warning_ms", "auction-warning")):
        each = _distances(heard, first, "auction-ended")
        if {first, "auction-ended"}.isdisjoint(doubtful) or len(each) > 1:
            found[name] = each
    return found


def _auction(lengths: dict[str, list[float]], base: Program) -> dict:
    """Return the lengths of the auction and of its warning, as far as they agree."""
    values: dict = {}
    values.update(("auction_ms", (ms, ms)) for ms in _agreed(lengths.get("auction_ms", ())))
    values.update(("warning_ms", ms) for ms in _agreed(lengths.get("warning_ms", ())))
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
    return [_rounded(_most_heard(alike))] if len(alike) > len(distances) / 2 else []


def _most_heard(lengths: Sequence[float]) -> float:
    """Return the length that was heard most often, of equals the shortest: no average was heard."""
    near = ([ms for ms in lengths if first <= ms <= first + OFF_MS] for first in sorted(lengths))
    return median(max(near, key=len))


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
    """Return the ms from each `first` to the `last` that follows, none other between.

    Of those with a hidden edge only what is so long that it is known all the same.
    """
    found = []
    begun: Phrase | None = None
    for phrase in heard:
        if phrase.cue in (first, "auction-cancelled"):
            begun = phrase if phrase.cue == first else None
        elif phrase.cue == last and begun is not None:
            is_measured = begun.beeps[0].is_measured and phrase.beeps[0].is_measured
            ms = phrase.onset_ms - begun.onset_ms
            if is_measured or ms * _ALIKE >= _HIDDEN_MS:
                found.append(ms)
            begun = None
    return found


def _values(program: Program) -> dict:
    names = [name for name in vars(Program) if not name.startswith("_")]
    return {name: getattr(program, name) for name in names}


def _rounded(ms: float) -> int:
    return max(_ROUND_MS, round(ms / _ROUND_MS) * _ROUND_MS)
