"""The cadence of a recorded unit: its times by the structure of its play, its cues by their sound.

`sounds.py` makes phrases of beeps and `structure.py` finds the play in them. From the phrases of a
cue follow its notes, from the distances of cues the auction, its warning, the clock and its marks.
The rest stays as the program has it.

A cue is known if each of its notes and pauses was measured, and if it was the same whenever it was
heard. An echo or a codec changes each beep in another way: where cues that were heard several times
are not themselves again, or where edges are hidden, a cue that was heard once is not known.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median, mode
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import refuse_no_folder, write_whole
from city_unit.desktop.forms import all_of, seconds
from city_unit.programs import Program, span
from sim.engine import program_file, program_text
from sim.engine.program_file import plain_name
from sim.engine.program_text import SOURCES
from sim.lab.listen import sounds, structure
from sim.lab.listen.listening import Beep
from sim.lab.listen.sounds import Phrase, gap
from sim.lab.listen.structure import Heard, Play

_ROUND_MS = 10  # to which the times of a game are known from a recording
_ALIKE = 0.01  # by which part two lengths of an auction may differ
_HIDDEN_MS = 50  # by how much a hidden edge may be off: seen so in a codec of voices
_MOST_MARKS = 100
_MOST_STRANGE = 1 / 3  # of the sounds of a unit: it has other patterns, or something else beeps too
OFF_MS = 20  # by how much the times of a game may be off, or
OFF_PART = 0.0005  # by this part of them
_WAITED_MS = 1500  # a game's end that comes so soon after an auction's has waited for it
_ALIKE_MS = 5.0  # two that were measured of the same note, or
_ALIKE_PART = 0.01  # this part of it
_MOST_HIDDEN = 0.25  # of the beeps of a recording in which a cue that was heard once is believed
_LEAST_ALIKE = 0.95  # and this part of the lengths that were measured several times is alike
_USUAL = 2 / 3  # of the times that a cue was heard, so often it is the same: it may be cut off
_PLAIN_GAIN = 1.0  # nats from which on two sounds are rather one
_CUT_MS = 220  # so soon after a cue another one may have cut it off
_MOST_TIMES = 1.25  # as long as the shortest: a longer one is of another kind
_OF_END = ("auction_ms", "auction-ended")

Times = Sequence[tuple[Beep, ...]]  # each time that a cue was heard


class Learned(NamedTuple):
    """A program with the values and cues that were heard.

    values, cues  names of those that were heard
    assumed       values and cues that are right only if the last sound of an auction is its end
    strange       beeps that are like no cue of the program
    by_place      cues known by when they came: they sound like another, or like none
    unsure        beeps of presses for which nothing shows the button
    doubtful      cues that were heard, but whose kind is not known
    hz            the pitch of a buzzer that has a single one, as all cues then; else None
    lengths       how long each auction and each warning was, in ms
    either        beeps that may be a permit's or the clock's
    is_unit       whether a unit was heard: auctions that recur, or one that sounds as the
                  program's does from its press by its warning to its end
    """

    program: Program
    values: tuple[str, ...]
    assumed: tuple[str, ...]
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
    like = sounds.Likeness(beeps, base)
    found, play = _played(beeps, like, base)
    heard, by_place, unsure, either = structure.name(found, base, play)
    sure, cut = _whole([phrase for phrase in heard if phrase not in unsure], beeps)
    times = {
        cue: [phrase.beeps for phrase in sure if phrase.cue == cue]
        for cue in base.cues
        if any(phrase.cue == cue for phrase in sure)
    }
    doubtful = tuple(cue for cue in times if cue in cut or cue in _doubtful(times))
    cues = {cue: _cue(base.cues[cue], times[cue]) for cue in times if cue not in doubtful}
    pitches = {} if like.is_ours else _pitches(heard, base)
    others = {cue: _at(base.cues[cue], pitches) for cue in base.cues}
    lengths = _lengths(heard, play, doubtful)
    values = {**_auction(lengths, base), **_clock(heard, base, play)}
    is_sure = "auction_ms" not in values or structure.is_end_known(found, play)
    nothing = [phrase for phrase in heard if not phrase.cue and phrase not in either]
    strange, presses, permits = (_beeps(each) for each in (nothing, unsure, either))
    return Learned(
        Program(name, **{**_values(base), **values, "cues": {**others, **cues}}),
        tuple(value for value in values if is_sure or value not in _OF_END),
        () if is_sure else _OF_END,
        tuple(cue for cue in cues if is_sure or cue not in _OF_END),
        strange,
        tuple(cue for cue in by_place if cue in cues),
        presses,
        doubtful,
        like.hz,
        {name: tuple(_rounded(ms) for ms in each) for name, each in lengths.items()},
        permits,
        structure.is_known(found, play)
        and "auction_ms" in values
        and len(nothing) <= _MOST_STRANGE * len(heard),
    )


def _played(beeps: Sequence[Beep], like: sounds.Likeness, base: Program) -> tuple[Heard, Play]:
    """Return the phrases and the play of most evidence in them."""

    def way(due: Sequence[float], whole: Sequence[float] = ()) -> tuple[float, Heard, Play]:
        found = sounds.phrases(beeps, base, due, whole)
        heard = Heard(found, sounds.sounds(found), like)
        play = structure.search(heard, base)
        return play.score + play.of_others, heard, play

    first = way(())
    due = structure.due(*first[1:])
    best = max(first, way(due), key=lambda each: each[0])
    if best is first:
        due = []
    # Where one sound was taken for two it may be one after all.
    found, kinds = best[1].found, best[1].kinds
    pairs: dict[tuple[int, int], list[float]] = {}
    for at, (before, phrase) in enumerate(pairwise(found)):
        if gap(before.beeps[-1], phrase.beeps[0]) <= sounds.APART_MS:
            pairs.setdefault((kinds[at], kinds[at + 1]), []).append(phrase.onset_ms)
    whole: list[float] = []
    for onsets in pairs.values():
        joined = way(due, [*whole, *onsets])
        if joined[0] >= best[0] + _PLAIN_GAIN:
            best, whole = joined, [*whole, *onsets]
    return best[1:]


def _whole(heard: Sequence[Phrase], beeps: Sequence[Beep]) -> tuple[list[Phrase], set[str]]:
    """Leave out phrases that another sound cuts off, of cues that were heard whole as well.

    Cues that were never heard whole are returned beside.
    """
    begins = {first: after.onset_ms for first, after in pairwise(beeps)}

    def is_cut(phrase: Phrase) -> bool:
        last = phrase.beeps[-1]
        return begins.get(last, math.inf) - last.onset_ms - last.length_ms < _CUT_MS

    whole = {phrase.cue for phrase in heard if not is_cut(phrase)}
    kept = [phrase for phrase in heard if phrase.cue not in whole or not is_cut(phrase)]
    return kept, {phrase.cue for phrase in kept} - whole


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


def _cue(base: tuple[int, ...], heard: list[tuple[Beep, ...]]) -> tuple[int, ...]:
    """Return a cue from all times that it was heard, each value the median of its measurements.

    A cue known by its place may have another number of notes: then the usual number counts.
    """
    alike = _of_usual_count(heard)
    cue = [base[0]]
    for place in range(len(alike[0])):
        notes = [beeps[place] for beeps in alike if beeps[place].is_measured]
        pairs = [beeps[place - 1 : place + 1] for beeps in alike if place]
        gaps = [gap(*pair) for pair in pairs if all(beep.is_measured for beep in pair)]
        pause = round(median(gaps)) if gaps else 0
        cue += (0, pause) if pause else ()
        cue.append(round(median(note.hz for note in notes)))
        cue.append(max(1, round(median(note.length_ms for note in notes))))
    return tuple(cue)


def _pitches(heard: Sequence[Phrase], base: Program) -> dict[float, float]:
    """Return the pitch that was heard for each pitch of the program, as far as one was."""
    found: dict[float, list[float]] = {}
    for phrase in heard:
        for beep, note in zip(
            phrase.beeps, sounds.notes(base.cues.get(phrase.cue, ())), strict=False
        ):
            found.setdefault(note.hz, []).append(beep.hz)
    every = {note.hz for cue in base.cues.values() for note in sounds.notes(cue)}
    usual = {hz: median(others) for hz, others in found.items()}
    is_one = len({round(hz / 20) for hz in usual.values()}) == 1
    return dict.fromkeys(every, max(usual.values())) if is_one else usual


def _at(cue: tuple[int, ...], pitches: dict[float, float]) -> tuple[int, ...]:
    """Return a cue as a buzzer plays it that has other pitches, as far as they were heard."""
    notes = zip(cue[1::2], cue[2::2], strict=True)
    return (cue[0], *(part for hz, ms in notes for part in (round(pitches.get(hz, hz)), ms)))


def _lengths(
    heard: Sequence[Phrase], play: Play, doubtful: Sequence[str]
) -> dict[str, list[float]]:
    """Return how long each auction and its warning was, as far as that was measured.

    doubtful  cues whose kind is not known: an auction between two of these, heard once, may be
              none
    """
    warned = [(a.warning, a.end) for a in play.auctions if a.warning is not None]
    # An auction whose press was not heard tells of its warning all the same.
    ends = {auction.end for auction in play.auctions}
    warning = None
    for at, phrase in enumerate(heard):
        if phrase.cue == "auction-ended":
            if warning is not None and at not in ends:
                warned.append((warning, at))
            warning = None
        elif phrase.cue in ("auction-warning", "auction-started", "auction-cancelled"):
            warning = at if phrase.cue == "auction-warning" else None
    spans = {
        "auction_ms": ("auction-started", [(a.start, a.end) for a in play.auctions]),
        "warning_ms": ("auction-warning", warned),
    }
    found = {}
    for value, (first, pairs) in spans.items():
        each = [ms for start, end in pairs if (ms := _distance(heard[start], heard[end]))]
        if {first, "auction-ended"}.isdisjoint(doubtful) or len(each) > 1:
            found[value] = each
    return found


def _distance(first: Phrase, last: Phrase) -> float:
    """Return the ms between phrases, 0 if a hidden edge may be off by too large a part of them."""
    ms = last.onset_ms - first.onset_ms
    is_measured = first.beeps[0].is_measured and last.beeps[0].is_measured
    return ms if is_measured or ms * _ALIKE >= _HIDDEN_MS else 0.0


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


def _clock(heard: Sequence[Phrase], base: Program, play: Play) -> dict:
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
        for at, phrase in enumerate(heard)
        if phrase.cue == "hour-beep" and start.onset_ms < phrase.onset_ms < end.onset_ms
        if at in play.marks or not play.marks
    ]
    lefts = sorted(set(lefts), reverse=True)[:_MOST_MARKS]
    marks = (*(span("hour-beep", left) for left in lefts), span(end.cue, 0))
    return {"clock_ms": clock_ms, "clock_choices_ms": (), "marks": marks}


def _values(program: Program) -> dict:
    names = [name for name in vars(Program) if not name.startswith("_")]
    return {name: getattr(program, name) for name in names}


def _rounded(ms: float) -> int:
    return max(_ROUND_MS, round(ms / _ROUND_MS) * _ROUND_MS)


def _doubtful(cues: Mapping[str, Times]) -> tuple[str, ...]:
    """Return the cues whose kind is not known."""
    # A recording is plain if few edges are hidden and equal notes are mostly equally long.
    beeps = [beep for heard in cues.values() for beeps in heard for beep in beeps]
    hidden = sum(not beep.is_measured for beep in beeps)
    several = [
        times
        for heard in cues.values()
        for times in _measured(_of_usual_count(heard))
        if len(times) > 1
    ]
    alike = sum(_are_alike(times) for times in several)
    is_plain = hidden <= _MOST_HIDDEN * len(beeps) and alike >= _LEAST_ALIKE * len(several)
    return tuple(cue for cue, heard in cues.items() if not _is_known(heard, is_plain))


def _of_usual_count(heard: Times) -> Times:
    """Return the times that a cue was heard with its usual number of notes."""
    count = mode(len(beeps) for beeps in heard)
    return [beeps for beeps in heard if len(beeps) == count]


def _is_known(heard: Times, is_plain: bool) -> bool:
    alike = _of_usual_count(heard)
    if len(alike) < _USUAL * len(heard):
        return False
    lengths = list(_measured(alike))
    if not all(lengths):
        return False
    return is_plain or all(len(times) > 1 and _are_alike(times) for times in lengths)


def _measured(alike: Times) -> Iterator[list[float]]:
    """Yield the measured lengths of each note and of each pause of a cue, in ms."""
    for place in range(len(alike[0])):
        yield [beeps[place].length_ms for beeps in alike if beeps[place].is_measured]
    for place in range(1, len(alike[0])):
        pairs = [beeps[place - 1 : place + 1] for beeps in alike]
        yield [gap(*pair) for pair in pairs if all(beep.is_measured for beep in pair)]


def _are_alike(times: Sequence[float]) -> bool:
    """Return whether a length measured several times is the same but when it was cut off."""
    usual_ms = median(times)
    within = max(_ALIKE_MS, usual_ms * _ALIKE_PART)
    return sum(abs(ms - usual_ms) <= within for ms in times) >= _USUAL * len(times)


EXISTS = lazy("{path} is there already; another name, or --force to write over it")
DOUBTFUL = lazy("heard, but not well enough to know them: {cues}")
AUCTIONS = lazy("auctions of different lengths were heard: {lengths}")
WARNINGS = lazy("the warning came at different times before the end: {lengths}")
ASSUMED = lazy(
    "assumed: the last sound of an auction is its end; to know it, record a press right after it"
)
BY_PLACE = lazy("known by when they came, for they sound otherwise: {cues}")


def refuse(path: str, is_forced: bool) -> None:
    """Raise UserError if no program may be written there."""
    if Path(path).suffix.lower() != ".toml":
        raise UserError(_("{path}: a program is written as a .toml").format(path=path))
    if Path(path).exists() and not is_forced:
        raise UserError(EXISTS.format(path=path))
    refuse_no_folder(path)


def write(path: str, beeps: list[Beep], base: Program, recording: str) -> Learned:
    """Write the program that was heard; raises UserError, also if nothing was recognised."""
    stem = Path(path).stem
    learned = learn(beeps, base, plain_name(stem))
    learned.program.title = stem if learned.program.name != stem else ""
    if not learned.is_unit:
        words = _(
            "nothing was learned: a unit is known by an auction; record two of them, each from its "
            "press to its end, and nothing else that beeps"
        )
        raise UserError(words, FAILURE)
    text = program_text.write(learned.program, _sources(learned, base, recording))
    program_file.read(toml_reader.parse(text.encode(), path))  # the written file can be read
    write_whole(path, text)
    return learned


def _sources(learned: Learned, base: Program, recording: str) -> dict[str, str]:
    """Return where each value comes from: this recording, or where the program had it from."""
    printable = "".join(sign if sign.isprintable() else "?" for sign in recording)
    source = _("learned from {path}").format(path=printable)
    sources = {name: str(known) for name, known in SOURCES.get(base.name, {}).items()}
    others = sources.get("cues", base.name)
    sources.update(dict.fromkeys(learned.values, source))
    for name, words in spreads(learned):
        sources[name] = f"{sources.get(name, base.name)}; {words}"
    for value in learned.assumed[:1]:
        sources[value] = f"{source}; {ASSUMED}"
    if learned.cues:
        sources["cues"] = "; ".join(_of_cues(learned, source, others))
    return sources


def spreads(learned: Learned) -> Iterator[tuple[str, str]]:
    """Yield each length that was not always the same, and the values that were heard."""
    said = {"auction_ms": AUCTIONS, "warning_ms": WARNINGS}
    for name, words in said.items():
        each = every(learned, name)
        if len(each) > 1:
            yield name, words.format(lengths=in_words(each))


def _of_cues(learned: Learned, source: str, others: str) -> Iterator[str]:
    """Say where the cues come from.

    others  where those come from that were not heard
    """
    yield f"{source}: {', '.join(learned.cues)}"
    if learned.hz:
        words = _("the others: {source}, at the one pitch heard, {hz:.0f} Hz")
        yield words.format(source=others, hz=learned.hz)
    else:
        yield _("the others: {source}").format(source=others)
    if learned.by_place:
        yield BY_PLACE.format(cues=", ".join(learned.by_place))
    if learned.doubtful:
        yield DOUBTFUL.format(cues=", ".join(learned.doubtful))
    if learned.unsure:
        words = _("not learned, presses that may be an auction's or another's: {count}")
        yield words.format(count=len(learned.unsure))


def every(unit: Learned, name: str) -> tuple[int, ...]:
    """Return each length of a game that was heard, one alone where all are alike, none if none."""
    usual = length_of(unit, name)
    lengths = spread(unit.lengths.get(name, ()))
    if len(lengths) > 1 and lengths[-1] <= _MOST_TIMES * lengths[0]:
        return lengths
    return (usual,) if usual else ()


def in_words(lengths: tuple[int, ...]) -> str:
    return all_of([seconds(ms, 2) for ms in lengths]) if lengths else ""


def length_of(unit: Learned, name: str) -> int:
    if name not in unit.values:
        return 0
    program: Program = unit.program
    return program.auction_ms[0] if name == "auction_ms" else getattr(program, name)
