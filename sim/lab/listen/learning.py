"""Learn a unit's program from its beeps: the times of a game, and the notes of each cue.

`sounds.py` groups the beeps into phrases, `structure.py` finds auctions, permits and the clock
among them, and `naming.py` names each phrase. The phrases of a cue give its notes. The intervals
between cues give the lengths of auction and warning, the clock and its marks. All else is copied
from a base program.

A cue is learned if each of its notes and pauses was measured, and was the same each time. An echo
or a codec distorts each beep differently. Therefore a cue that was heard only once is not learned
from a recording in which many edges are hidden, or in which repeated cues differ.
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
from city_unit.desktop.files import ask_before_overwriting, require_folders, write_whole
from city_unit.desktop.forms import all_of, seconds
from city_unit.programs import Program, span
from sim.engine import program_file, program_text
from sim.engine.program_file import plain_name
from sim.engine.program_text import SOURCES
from sim.lab.listen import naming, sounds, structure
from sim.lab.listen.listening import Beep, clock
from sim.lab.listen.sounds import Phrase, gap
from sim.lab.listen.structure import Heard, Play

_ROUND_MS = 10  # the times of a game are rounded to this
_ALIKE = 0.01  # tolerance between the lengths of auctions, as a fraction
_MOST_MARKS = 100
_MOST_UNEXPLAINED = 1 / 2  # of the phrases: with more, something else beeps
OFF_MS = 20  # tolerance of the times of a game, or
OFF_PART = 0.0005  # this fraction of them, if that is more
_WAITED_MS = 1500  # a game that ends this soon after an auction has waited for the auction
_ALIKE_MS = 5.0  # tolerance between two measurements of a note, or
_ALIKE_PART = 0.01  # this fraction of it, if that is more
_MOST_HIDDEN = 0.25  # a cue heard once is learned if no more beeps than this have hidden edges,
_LEAST_ALIKE = 0.95  # and this fraction of repeated notes has the same length each time
_USUAL = 2 / 3  # fraction of a cue's occurrences that must agree; the others may be cut off
_CUT_MS = 220  # a sound that starts this soon after a cue may have cut it off
_MOST_TIMES = 1.25  # an auction longer than the shortest by this factor is of another kind
_SURER = 1.0  # nats that a reading must gain by splitting phrases at due times
_NEARLY = 0.4  # nats that a reading may lose by joining sounds

Times = Sequence[tuple[Beep, ...]]  # the occurrences of a cue


class Learned(NamedTuple):
    """A program with the values and cues of a recording.

    values, cues  names of those that were measured
    assumed       values and cues that are right only if the first sound of an auction is its press
                  and the last one its end
    unexplained   beeps that belong to no cue
    by_place      cues recognised by their time alone: they sound like another cue, or like none
    unsure        beeps of presses that may be AUCTION or BUILD
    doubtful      cues that were recognised but not measured well enough
    hz            the pitch of a buzzer that has a single one, else None
    lengths       the length of each auction and each warning, in ms
    ambiguous     beeps that may be a permit's or the clock's
    is_unit       whether the recording holds a unit: auctions that recur, or a single one whose
                  press, warning and end sound like the program's
    """

    program: Program
    values: tuple[str, ...]
    assumed: tuple[str, ...]
    cues: tuple[str, ...]
    unexplained: tuple[Beep, ...]
    by_place: tuple[str, ...]
    unsure: tuple[Beep, ...]
    doubtful: tuple[str, ...]
    hz: float | None
    lengths: dict[str, tuple[int, ...]]
    ambiguous: tuple[Beep, ...]
    is_unit: bool


def learn(beeps: Sequence[Beep], base: Program, name: str) -> Learned:
    """Return `base` with all that was learned from the beeps, called `name`."""
    like = sounds.Likeness(beeps, base)
    found, play = _played(beeps, like, base)
    heard, by_place, unsure, ambiguous = naming.name(found, base, play)
    # A phrase that may be cut off counts only for a cue that was never heard whole.
    begins = {first: after.onset_ms for first, after in pairwise(beeps)}
    sure = [phrase for phrase in heard if phrase not in unsure]
    lasts = [phrase.beeps[-1] for phrase in sure]
    pauses = [begins.get(last, math.inf) - last.onset_ms - last.length_ms for last in lasts]
    whole = {each.cue for each, pause in zip(sure, pauses, strict=True) if pause >= _CUT_MS}
    times: dict[str, Times] = {}
    for cue in base.cues:
        own = [
            phrase.beeps
            for phrase, pause in zip(sure, pauses, strict=True)
            if phrase.cue == cue and (pause >= _CUT_MS or cue not in whole)
        ]
        if own:
            times[cue] = own
    unknown = _doubtful(times)
    for phrase in sure:  # one that may be cut off shows which notes a whole one begins with
        heard_whole = times.get(phrase.cue, [phrase.beeps])
        begun = Phrase(phrase.beeps[:-1])
        if not any(
            sounds.are_alike(begun, Phrase(beeps[: len(begun.beeps)])) for beeps in heard_whole
        ):
            unknown.add(phrase.cue)
    for cue, own in times.items():  # sounds that only happen to adjoin rarely do so often
        is_like = found.is_similar and like.nearest(Phrase(own[0]), [cue])
        is_lone = len(own) == 1 and not is_like
        if len(own) < sounds.OFTEN and any(_may_be_two(each, found.found, is_lone) for each in own):
            unknown.add(cue)
    doubtful = tuple(cue for cue in times if cue not in whole or cue in unknown)
    cues = {cue: _cue(base.cues[cue][0], times[cue]) for cue in times if cue not in doubtful}
    # The other cues are transposed to the pitches at which this buzzer plays those of the program.
    heard_hz: dict[float, list[float]] = {}
    for phrase in () if like.is_ours else heard:
        due = sounds.notes(base.cues.get(phrase.cue, ()))
        for beep, note in zip(phrase.beeps, due, strict=False):
            heard_hz.setdefault(note.hz, []).append(beep.hz)
    pitches = {hz: median(each) for hz, each in heard_hz.items()}
    if len({round(hz / 20) for hz in pitches.values()}) == 1:  # it has a single pitch
        every_hz = {note.hz for cue in base.cues.values() for note in sounds.notes(cue)}
        pitches = dict.fromkeys(every_hz, max(pitches.values()))
    others = {}
    for cue, (rank, *parts) in base.cues.items():
        parts[::2] = [round(pitches.get(hz) or hz) for hz in parts[::2]]
        others[cue] = (rank, *parts)
    intervals = _intervals(heard, play)
    lengths = {}
    for value, first in (("auction_ms", "auction-started"), ("warning_ms", "auction-warning")):
        pairs = intervals[value]
        if value == "warning_ms":
            pairs = [pair for pair in pairs if _is_measured(heard, *pair)] or pairs
        each = [heard[end].onset_ms - heard[start].onset_ms for start, end in pairs]
        # A single one may be none, if the cues at its ends were not measured well enough.
        if {first, "auction-ended"}.isdisjoint(doubtful) or len(each) > 1:
            lengths[value] = each
    values: dict = {}
    values.update(("auction_ms", (ms, ms)) for ms in _agreed(lengths.get("auction_ms", ())))
    longest = values.get("auction_ms", base.auction_ms)[-1]
    warnings = _agreed(lengths.get("warning_ms", ()))
    values.update(("warning_ms", ms) for ms in warnings if ms < longest)
    values.update(_clock(heard, base, play))
    assumed = structure.assumed(found, play)
    for value, pairs in intervals.items():  # each could be between echoes, which recur
        if value in values and not any(_is_measured(heard, *pair) for pair in pairs):
            assumed = (value, *(other for other in assumed if other != value))
    unexplained = [phrase for phrase in heard if not phrase.cue and phrase not in ambiguous]
    fields = [field for field in vars(Program) if not field.startswith("_")]
    kept = {field: getattr(base, field) for field in fields}
    return Learned(
        program=Program(name, **{**kept, **values, "cues": {**others, **cues}}),
        values=tuple(value for value in values if value not in assumed),
        assumed=assumed,
        cues=tuple(cue for cue in cues if cue not in assumed),
        unexplained=_beeps(unexplained),
        by_place=tuple(cue for cue in by_place if cue in cues),
        unsure=_beeps(unsure),
        doubtful=doubtful,
        hz=like.hz,
        lengths={name: tuple(_rounded(ms) for ms in each) for name, each in lengths.items()},
        ambiguous=_beeps(ambiguous),
        is_unit=structure.is_known(found, play)
        and "auction_ms" in values
        and len(unexplained) <= _MOST_UNEXPLAINED * len(heard),
    )


def _played(beeps: Sequence[Beep], like: sounds.Likeness, base: Program) -> tuple[Heard, Play]:
    """Return the phrases, and the play with the highest score."""

    def way(due: Sequence[float], whole: Sequence[float] = ()) -> tuple[float, Heard, Play]:
        found = sounds.phrases(beeps, base, due, whole)
        heard = Heard(found, sounds.sounds(found), like)
        play = structure.search(heard, base)
        return play.score + play.of_others, heard, play

    first = way(())
    due = structure.due(*first[1:])
    best = way(due)
    if best[0] < first[0] + _SURER:
        best, due = first, []
    # Join sounds that always follow each other, if that costs no evidence.
    found, kinds = best[1].found, best[1].kinds
    pairs: dict[tuple[int, int], list[float]] = {}
    for at, (before, phrase) in enumerate(pairwise(found)):
        if sounds.CUT_MS <= gap(before.beeps[-1], phrase.beeps[0]) <= sounds.APART_MS:
            pairs.setdefault((kinds[at], kinds[at + 1]), []).append(phrase.onset_ms)
    whole: list[float] = []
    for onsets in pairs.values():
        joined = way(due, [*whole, *onsets])
        if joined[0] >= best[0] - _NEARLY:
            best, whole = joined, [*whole, *onsets]
    return best[1:]


def _beeps(heard: Sequence[Phrase]) -> tuple[Beep, ...]:
    return tuple(beep for phrase in heard for beep in phrase.beeps)


def _doubtful(cues: Mapping[str, Times]) -> set[str]:
    """Return the cues that were not measured well enough.

    A recording is plain if few edges are hidden and repeated notes mostly have the same length. A
    note whose hidden lengths differ from its measured ones may mix two sounds.
    """
    usual = {cue: _of_usual_count(heard) for cue, heard in cues.items()}
    lengths = {cue: _measured(alike) for cue, alike in usual.items()}
    beeps = [beep for heard in cues.values() for beeps in heard for beep in beeps]
    hidden = sum(not beep.is_measured for beep in beeps)
    several = [times for each in lengths.values() for times in each if len(times) > 1]
    alike = sum(_are_alike(times) for times in several)
    is_plain = hidden <= _MOST_HIDDEN * len(beeps) and alike >= _LEAST_ALIKE * len(several)

    def is_usual(note: Sequence[Beep], times: Sequence[float]) -> bool:
        off_ms = median(beep.length_ms for beep in note) - median(times)
        usual_hz = median(beep.hz for beep in note)
        of_one_pitch = sum(abs(beep.hz / usual_hz - 1) <= sounds.SAME_PITCH for beep in note)
        is_long = abs(off_ms) <= max(_ALIKE_MS, median(times) * _ALIKE_PART)
        return is_long and of_one_pitch >= _USUAL * len(note)

    return {
        cue
        for cue, heard in cues.items()
        if len(usual[cue]) < _USUAL * len(heard)
        or not all(times and _are_alike(times, 1 if is_plain else 2) for times in lengths[cue])
        or not all(map(is_usual, zip(*usual[cue], strict=True), lengths[cue]))
    }


def _may_be_two(beeps: tuple[Beep, ...], heard: Sequence[Phrase], is_lone: bool) -> bool:
    """Return whether a cue may be two sounds, the second soon after the first.

    is_lone  whether nothing but this occurrence tells that the notes belong together
    """

    def is_heard(part: Phrase) -> bool:
        return any(sounds.are_alike(part, other, is_strict=True) for other in heard)

    for place in range(1, len(beeps)):
        first, last = Phrase(beeps[:place]), Phrase(beeps[place:])
        is_cut = gap(beeps[place - 1], beeps[place]) < sounds.CUT_MS
        is_repeated = sounds.are_alike(first, last)  # a cue may repeat a sound
        if is_heard(last) and (is_cut or (not is_repeated and (is_lone or is_heard(first)))):
            return True
        if is_lone and any(
            is_heard(Phrase(beeps[place:end])) for end in range(place + 2, len(beeps))
        ):
            return True  # few cues contain a sound of several notes by chance
    return False


def _of_usual_count(heard: Times) -> Times:
    """Return the occurrences of a cue that have its usual number of notes."""
    count = mode(len(beeps) for beeps in heard)
    return [beeps for beeps in heard if len(beeps) == count]


def _measured(alike: Times) -> list[list[float]]:
    """Return the measured lengths in ms of each note of a cue, then of each pause."""
    notes = list(zip(*alike, strict=True))
    lengths = [[beep.length_ms for beep in note if beep.is_measured] for note in notes]
    for before, after in pairwise(notes):
        pairs = zip(before, after, strict=True)
        lengths.append([gap(*pair) for pair in pairs if all(beep.is_measured for beep in pair)])
    return lengths


def _are_alike(times: Sequence[float], fewest: int = 1) -> bool:
    """Return whether there are enough measurements and most of them agree."""
    usual_ms = median(times)
    within = max(_ALIKE_MS, usual_ms * _ALIKE_PART)
    alike = sum(abs(ms - usual_ms) <= within for ms in times)
    return len(times) >= fewest and alike >= _USUAL * len(times)


def _cue(rank: int, heard: Times) -> tuple[int, ...]:
    """Return a cue, each value the median of its measurements.

    Occurrences with another than the usual number of notes are left out.
    """
    alike = _of_usual_count(heard)
    count = len(alike[0])
    ms = [median(times or [0]) for times in _measured(alike)]
    cue = [rank]
    for place, beeps in enumerate(zip(*alike, strict=True)):
        pause = round(ms[count + place - 1]) if place else 0
        hz = median(beep.hz for beep in beeps if beep.is_measured)
        cue += [*((0, pause) if pause else ()), round(hz), max(1, round(ms[place]))]
    return tuple(cue)


def _intervals(heard: Sequence[Phrase], play: Play) -> dict[str, list[tuple[int, int]]]:
    """Return the first and last phrase of each auction and of each warning."""
    warned = [(a.warning, a.end) for a in play.auctions if a.warning is not None]
    # A warning counts even if its auction's press was missed.
    ends = {auction.end for auction in play.auctions}
    warning = None
    for at, phrase in enumerate(heard):
        if phrase.cue == "auction-ended":
            if warning is not None and at not in ends:
                warned.append((warning, at))
            warning = None
        elif phrase.cue in ("auction-warning", "auction-started", "auction-cancelled"):
            warning = at if phrase.cue == "auction-warning" else None
    return {"auction_ms": [(a.start, a.end) for a in play.auctions], "warning_ms": warned}


def _is_measured(heard: Sequence[Phrase], *places: int) -> bool:
    return all(heard[at].beeps[0].is_measured for at in places)


def _agreed(lengths: Sequence[float]) -> list[int]:
    """Return the length that more than half of `lengths` agree on, rounded, or an empty list.

    It is the most frequent length, not an average; of equally frequent ones it is the shortest.
    """
    if not lengths:
        return []
    usual = median(lengths)
    alike = [ms for ms in lengths if abs(ms - usual) <= usual * _ALIKE]
    near = ([ms for ms in alike if first <= ms <= first + OFF_MS] for first in sorted(alike))
    most = max(near, key=len, default=[usual])
    return [_rounded(median(most))] if len(alike) > len(lengths) / 2 else []


def _clock(heard: Sequence[Phrase], base: Program, play: Play) -> dict:
    """Return the clock and its marks, if the game was recorded from switch-on to its end.

    A game that waited for its last auction does not show its length. Marks other than beeps and an
    end cannot be recognised; a program with such marks keeps them all.
    """
    end = next((phrase for phrase in heard if phrase.cue in ENDS), None)
    starts = [phrase.onset_ms for phrase in heard if phrase.cue == "switched-on"]
    if (
        end is None
        or not starts
        or starts[-1] > end.onset_ms
        or any(kind not in ("hour-beep", *ENDS) for kind, *_ in base.marks)
        or any(
            phrase.cue == "auction-ended" and 0 < end.onset_ms - phrase.onset_ms < _WAITED_MS
            for phrase in heard
        )
    ):
        return {}
    lefts = {
        _rounded(end.onset_ms - phrase.onset_ms)
        for at, phrase in enumerate(heard)
        if phrase.cue == "hour-beep" and starts[-1] < phrase.onset_ms < end.onset_ms
        if at in play.marks or not play.marks
        if len(phrase.beeps) > 1
        or not any(
            gap(before.beeps[-1], after.beeps[0]) <= sounds.APART_MS  # it may belong to another
            for before, after in pairwise(heard[max(at - 1, 0) : at + 2])
        )
    }
    marks = [span("hour-beep", left) for left in sorted(lefts, reverse=True)[:_MOST_MARKS]]
    clock_ms = _rounded(end.onset_ms - starts[-1])
    return {"clock_ms": clock_ms, "clock_choices_ms": (), "marks": (*marks, span(end.cue, 0))}


def _rounded(ms: float) -> int:
    return max(_ROUND_MS, round(ms / _ROUND_MS) * _ROUND_MS)


NO_UNIT = lazy(
    "nothing was learned: no auction was recognised; record two, each from its press to its end, "
    "and nothing else that beeps"
)
DOUBTFUL = lazy(
    "recognised, but not measured well enough: {cues}; record each twice, nearer to the unit"
)
AUCTIONS = lazy("auctions of different lengths were heard: {lengths}")
WARNINGS = lazy("the warning came at different times before the end: {lengths}")
ASSUMED = lazy("assumed: {value}; to make sure, record {what}")
MISSING = lazy("not heard, and copied: {value}; record {what}")
_REMEDIES = {
    "auction-started": lazy("a permit"),  # it has the same press
    "auction-warning": lazy("an auction with nothing else between its press and its end"),
    "auction-ended": lazy("a press right after an end"),
    "auction_ms": lazy("two more auctions, nearer to the unit"),
    "warning_ms": lazy("the warnings and ends of two more auctions, nearer to the unit"),
    "clock_ms": lazy("a whole game, with no auction near its end"),
}
BY_PLACE = lazy("recognised by their time, since they sound different: {cues}")


def refuse(path: str, is_forced: bool) -> None:
    """Raise UserError if `path` cannot be written as a program file."""
    if Path(path).suffix.lower() != ".toml":
        raise UserError(_("{path}: a program is written as a .toml").format(path=path))
    ask_before_overwriting(is_forced, path)
    require_folders(path)


def write(path: str, beeps: list[Beep], base: Program, recording: str) -> Learned:
    """Write the learned program; raises UserError, also if no unit was recognised."""
    stem = Path(path).stem
    learned = learn(beeps, base, plain_name(stem))
    learned.program.title = stem if learned.program.name != stem else ""
    if not learned.is_unit:
        raise UserError(str(NO_UNIT), FAILURE)
    text = program_text.write(learned.program, _sources(learned, base, recording))
    program_file.read(toml_reader.parse(text.encode(), path))  # the written file can be read
    write_whole(path, text)
    return learned


def report(learned: Learned, path: str, count: int) -> list[str]:
    """Return lines about what was learned of `count` beeps and written to `path`."""

    def times(beeps: Sequence[Beep]) -> str:
        return ", ".join(clock(beep.onset_ms) for beep in beeps)

    what = ", ".join((*learned.values, *learned.cues))
    lines = [_("wrote {path}; learned: {what}").format(path=path, what=what)]
    used = count - sum(map(len, (learned.unexplained, learned.unsure, learned.ambiguous)))
    lines.append(_("{used} of {all} beeps were used").format(used=used, all=count))
    if learned.unexplained:
        lines.append(_("unexplained beeps: at {times}").format(times=times(learned.unexplained)))
    if learned.unsure:
        words = _("not learned, presses of an unknown button: at {times}")
        lines.append(words.format(times=times(learned.unsure)))
    if learned.ambiguous:
        words = _("not learned, either permits or the clock's beeps: at {times}")
        lines.append(words.format(times=times(learned.ambiguous)))
    lines += [words for _name, words in spreads(learned)]
    lines += remedies(learned).values()
    if learned.by_place:
        lines.append(BY_PLACE.format(cues=", ".join(learned.by_place)))
    if learned.doubtful:
        lines.append(DOUBTFUL.format(cues=", ".join(learned.doubtful)))
    return lines


def remedies(learned: Learned) -> dict[str, str]:
    """Return a line for each assumed or missing value that says what to record."""
    what: dict[str, str] = {value: str(words) for value, words in _REMEDIES.items()}
    if doubts := [what[cue] for cue in structure.AUCTION if cue in learned.assumed]:
        what["auction_ms"] = all_of(doubts)
    found = {
        value: ASSUMED.format(value=value, what=what[value]) for value in sorted(learned.assumed)
    }
    known = {*learned.values, *learned.cues, *learned.assumed, *learned.doubtful}
    for value in ("warning_ms", "clock_ms"):
        if value not in known:
            found[value] = MISSING.format(value=value, what=what[value])
    if missing := [cue for cue in learned.program.cues if cue not in known]:
        found["cues"] = MISSING.format(value=", ".join(missing), what=_("each of them"))
    return found


def spreads(learned: Learned) -> Iterator[tuple[str, str]]:
    """Yield each length that varied, and its values in words."""
    said = {"auction_ms": AUCTIONS, "warning_ms": WARNINGS}
    for name, words in said.items():
        each = every(learned, name)
        if len(each) > 1:
            yield name, words.format(lengths=in_words(each))


def _sources(learned: Learned, base: Program, recording: str) -> dict[str, str]:
    """Return the source of each value: this recording, or the base program's own source."""
    printable = "".join(sign if sign.isprintable() else "?" for sign in recording)
    source = _("learned from {path}").format(path=printable)
    sources = {name: str(known) for name, known in SOURCES.get(base.name, {}).items()}
    others = sources.get("cues", base.name)
    sources.update(dict.fromkeys(learned.values, source))
    for name, words in spreads(learned):
        sources[name] = f"{sources.get(name, base.name)}; {words}"
    for name in {"auction_ms", "warning_ms"}.intersection(learned.assumed):
        if learned.lengths.get(name):
            sources[name] = f"{source}; {remedies(learned)[name]}"
    if not learned.cues:
        return sources
    words = _("the others: {source}").format(source=others)
    if learned.hz:
        words = _("the others: {source}, at the only pitch heard, {hz:.0f} Hz")
        words = words.format(source=others, hz=learned.hz)
    parts = [f"{source}: {', '.join(learned.cues)}", words]
    if learned.by_place:
        parts.append(BY_PLACE.format(cues=", ".join(learned.by_place)))
    if learned.doubtful:
        parts.append(DOUBTFUL.format(cues=", ".join(learned.doubtful)))
    if learned.unsure:
        words = _("presses of an unknown button, not learned: {count}")
        parts.append(words.format(count=len(learned.unsure)))
    sources["cues"] = "; ".join(parts)
    return sources


def every(unit: Learned, name: str) -> tuple[int, ...]:
    """Return the different lengths measured for a value: one if all agree, none if not heard."""
    usual = length_of(unit, name)
    found: list[list[int]] = []
    for ms in sorted(unit.lengths.get(name, ())):
        if found and ms - found[-1][0] <= max(OFF_MS, ms * OFF_PART):
            found[-1].append(ms)
        else:
            found.append([ms])
    lengths = tuple(_rounded(median(alike)) for alike in found)
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
