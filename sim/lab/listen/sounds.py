"""Group beeps into phrases, and number the phrases by their sound.

Beeps less than 0.22 s apart form a phrase. Two phrases are the same sound if the onsets, lengths
and pitches of their notes agree. A sound may cut in on another before that one ends, and both
then seem to be one phrase; a phrase that occurs once and consists of two known sounds is split.

`Likeness` compares phrases with the cues of a program: by rhythm, and by pitch if the unit uses
the program's pitches. It names a sound only where the order of events does not (`naming.py`).
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from city_unit.programs import Program
from sim.lab.listen.listening import Beep

APART_MS = 220  # longest pause between two notes of a phrase
_SAME_ONSET_MS, _SAME_LENGTH_MS = 15, 5  # tolerances for notes of the same sound, or
_SAME_PART, _STRICT_PART = 0.04, 0.01  # this fraction, if that is more; for splits the second
CUT_MS = 12  # a shorter pause between two notes means that a new sound cut in
_BEAT_MS, _OFF_BEAT = 500, 3  # the clock's beeps are whole half seconds apart; tolerance in ms
OFTEN = 3  # occurrences from which a sound is well known
_HIDDEN_MS = 60  # tolerance for the length of a note with a hidden edge
SAME_PITCH = 0.02  # tolerance for the pitch of a note, as a fraction
_ONE_PITCH = 0.03  # the same for all beeps of a buzzer that has a single pitch
_PITCH_WEIGHT = 3  # weight of a pitch against that of a length
MOST_UNLIKE = (
    0.45  # highest unlikeness of a phrase that still resembles a cue: a factor of about 1.6
)
SIMILAR = 0.75  # fraction of phrases that resemble a cue if the unit runs a similar program,
SIMILAR_BY_RHYTHM = 0.9  # and if its pitches do not confirm it
SETUP = "choice"  # this cue sounds only during setup


class Phrase(NamedTuple):
    """Beeps that belong together, and the name of their cue, "" if it is unknown."""

    beeps: tuple[Beep, ...]
    cue: str = ""

    @property
    def onset_ms(self) -> float:
        return self.beeps[0].onset_ms


def notes(cue: tuple[int, ...]) -> tuple[Beep, ...]:
    """Return the tones of a cue `(rank, hz, ms, hz, ms, ...)` as beeps, the first at 0 ms."""
    found, at = [], 0
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        if hz:
            found.append(Beep(at, ms, hz, 0.0))
        at += ms
    return tuple(found)


def gap(before: Beep, after: Beep) -> float:
    """Return the pause between two beeps in ms."""
    return max(0.0, after.onset_ms - before.onset_ms - before.length_ms)


def phrases(
    beeps: Sequence[Beep],
    base: Program,
    due: Sequence[float] = (),
    whole: Sequence[float] = (),
) -> list[Phrase]:
    """Group beeps, given in order of time, into phrases.

    due    times in ms at which a beep starts a new phrase
    whole  onsets of beeps that always continue a phrase
    """
    found: list[Phrase] = []
    for beep in beeps:
        if found and gap(found[-1].beeps[-1], beep) <= APART_MS:
            found[-1] = Phrase((*found[-1].beeps, beep))
        else:
            found.append(Phrase((beep,)))
    known = found
    found = []
    for phrase in known:
        is_known = sum(are_alike(phrase, other, is_strict=True) for other in known) > OFTEN
        starts = [0] + [
            place
            for place, beep in enumerate(phrase.beeps)
            if place and not is_known and beep.onset_ms not in whole
            if any(abs(beep.onset_ms - ms) < _SAME_LENGTH_MS for ms in due)
        ]
        ends = [*starts[1:], len(phrase.beeps)]
        found += [Phrase(phrase.beeps[a:b]) for a, b in zip(starts, ends, strict=True)]
    cues = [Phrase(notes(cue)) for cue in base.cues.values() if notes(cue)]
    for _again in range(2):  # parts that the first pass splits off help to split other phrases
        found = [part for phrase in found for part in _divided(phrase, found, cues, whole)]
    return found


def are_alike(phrase: Phrase, other: Phrase, is_strict: bool = False) -> bool:
    """Return whether two phrases are the same sound.

    A length that was not measured is compared with a wide tolerance.

    is_strict  use the stricter tolerances; a length that was not measured never agrees
    """
    part = _STRICT_PART if is_strict else _SAME_PART
    if len(phrase.beeps) != len(other.beeps):
        return False
    for beep, again in zip(phrase.beeps, other.beeps, strict=True):
        if abs(beep.hz / again.hz - 1) > SAME_PITCH:
            return False
        at_ms, other_ms = beep.onset_ms - phrase.onset_ms, again.onset_ms - other.onset_ms
        if abs(at_ms - other_ms) > max(_SAME_ONSET_MS, other_ms * part):
            return False
        is_measured = beep.is_measured and again.is_measured
        if is_strict and not is_measured:
            return False
        within = _SAME_LENGTH_MS if is_measured else _HIDDEN_MS
        if abs(beep.length_ms - again.length_ms) > max(within, again.length_ms * part):
            return False
    return True


def sounds(found: Sequence[Phrase]) -> list[int]:
    """Return the number of each phrase's sound.

    A sound that never occurs whole has the number of the sound that it is the beginning of.
    """
    kinds: list[Phrase] = []
    numbers = [0] * len(found)
    cutters: list[Phrase | None] = [
        after if gap(phrase.beeps[-1], after.beeps[0]) <= APART_MS else None
        for phrase, after in pairwise(found)
    ]
    cutters.append(None)
    # A phrase with hidden edges may match several sounds. It is therefore matched last, and is a
    # new sound only if it matches none, or if it was cut off and may be any of several.
    hidden = [sum(not beep.is_measured for beep in phrase.beeps) for phrase in found]
    for place in sorted(range(len(found)), key=hidden.__getitem__):
        alike = [at for at, kind in enumerate(kinds) if are_alike(found[place], kind)]
        if not alike or (hidden[place] and cutters[place] and len(alike) > 1):
            alike = [len(kinds)]
            kinds.append(found[place])
        numbers[place] = alike[0]
    alone = {number for number, after in zip(numbers, cutters, strict=False) if not after}
    for at, after in enumerate(cutters):
        if after and numbers[at] not in alone:
            wholes = [other for other in alone if is_cut_off(found[at], after, kinds[other])]
            numbers[at] = wholes[0] if len(wholes) == 1 else numbers[at]
    return numbers


class Likeness:
    """Compares phrases with the cues of a program.

    hz       the pitch of a buzzer that has a single one, else None
    is_ours  whether most beeps have pitches of the program
    """

    def __init__(self, beeps: Sequence[Beep], base: Program) -> None:
        self._cues = {name: notes(cue) for name, cue in base.cues.items() if name != SETUP}
        self.cues = tuple(self._cues)
        pitches = {note.hz for cue in self._cues.values() for note in cue}
        ours = sum(any(abs(beep.hz / hz - 1) < _ONE_PITCH for hz in pitches) for beep in beeps)
        usual = median([beep.hz for beep in beeps] or [0.0])
        is_one = all(abs(beep.hz / usual - 1) < _ONE_PITCH for beep in beeps)
        self.hz = usual if beeps and is_one and len(pitches) > 1 else None
        self.is_ours = 3 * ours >= 2 * len(beeps) and self.hz is None

    def unlikeness(self, phrase: Phrase, cue: str) -> float:
        """Return the mean logarithm of the ratios between a phrase and a cue, 0 if they agree."""
        due = self._cues.get(cue, ())
        if not due or len(due) != len(phrase.beeps):
            return math.inf
        pairs = list(zip(phrase.beeps, due, strict=True))
        parts = [_ratio(beep.length_ms, note.length_ms) for beep, note in pairs]
        if self.is_ours:
            parts += [_PITCH_WEIGHT * _ratio(beep.hz, note.hz) for beep, note in pairs]
        pauses = zip(pairwise(phrase.beeps), pairwise(due), strict=True)
        parts += [_ratio(gap(*heard), gap(*known)) for heard, known in pauses]
        return sum(parts) / len(parts)

    def nearest(self, phrase: Phrase, cues: Sequence[str]) -> str:
        """Return the cue that a phrase resembles most, "" if it resembles none."""
        best = min(cues, key=lambda cue: self.unlikeness(phrase, cue), default="")
        return best if self.unlikeness(phrase, best) < MOST_UNLIKE else ""


def _ratio(heard: float, known: float) -> float:
    """Return the absolute logarithm of a ratio; values below 1 count as 1."""
    return abs(math.log(max(heard, 1.0) / max(known, 1.0)))


def _divided(
    phrase: Phrase, known: Sequence[Phrase], cues: Sequence[Phrase], whole: Sequence[float]
) -> list[Phrase]:
    """Return the parts of a phrase, split where one sound cuts in on another.

    known  all phrases of the recording
    cues   the cues of the program
    whole  onsets of beeps before which a phrase is never split
    """
    is_known = sum(are_alike(phrase, other) for other in [*known, *cues]) > 1
    if len(phrase.beeps) < 2 or is_known:
        return [phrase]
    heard = [other for other in known if other is not phrase]
    others = [*heard, *cues]
    for place in range(1, len(phrase.beeps)):
        if phrase.beeps[place].onset_ms in whole:
            continue
        before, after = phrase.beeps[:place], phrase.beeps[place:]
        if gap(before[-1], after[0]) < CUT_MS:
            # Each sound hides the edge of the other. Both edges lie in the short gap between them,
            # and therefore count as measured in comparisons.
            before = (*before[:-1], before[-1]._replace(is_measured=True))
            after = (after[0]._replace(is_measured=True), *after[1:])
        first, last = Phrase(before), Phrase(after)
        if not _cuts(first, last, heard):
            if are_alike(first, last):
                continue  # a cue may repeat a sound
            if not any(are_alike(last, other, is_strict=True) for other in others) or not any(
                is_cut_off(first, last, other) or (len(other.beeps) > 1 and is_begun(other, first))
                for other in others
            ):
                continue
        rest = Phrase(phrase.beeps[place:])
        return [Phrase(phrase.beeps[:place]), *_divided(rest, known, cues, whole)]
    return [phrase]


def _cuts(first: Phrase, last: Phrase, heard: Sequence[Phrase]) -> bool:
    """Return whether a sound, which may be new, cuts in on one that is known.

    Either it starts without a pause, or one of the two belongs to the clock: the other sound occurs
    often and whole half seconds lie between their onsets, or all occurrences of one of them are
    whole half seconds apart.
    """
    begun = sum(is_cut_off(first, last, other) for other in heard)
    is_at_once = gap(first.beeps[-1], last.beeps[0]) < CUT_MS
    often = sum(are_alike(last, other, is_strict=True) for other in heard) if is_at_once else 0
    if is_at_once and (begun or often >= OFTEN):
        return True
    is_after = last.onset_ms - first.onset_ms > _BEAT_MS / 2 and begun >= OFTEN
    if is_after and _is_on_beat(last.onset_ms - first.onset_ms):
        return True
    # A single note may be like the clock's beep by chance; the start of two notes hardly is.
    starts = (Phrase(other.beeps[:2]) for other in heard)
    is_last_heard = any(
        are_alike(Phrase(last.beeps[:2]), start, is_strict=True) for start in starts
    )
    for part, is_other_heard in ((first, is_last_heard), (last, begun > 0)):
        times = [other.onset_ms for other in heard if are_alike(part, other, is_strict=True)]
        is_mark = len(times) >= OFTEN and all(_is_on_beat(part.onset_ms - ms) for ms in times)
        if is_mark and (len(part.beeps) > 1 or is_other_heard):
            return True
    return False


def _is_on_beat(ms: float) -> bool:
    return abs(ms - _BEAT_MS * round(ms / _BEAT_MS)) < _OFF_BEAT


def is_cut_off(first: Phrase, last: Phrase, other: Phrase) -> bool:
    """Return whether `first` is `other`, whole or cut off by `last`."""
    count = len(first.beeps)
    if not is_begun(first, other):
        return False
    if first.beeps[-1].length_ms < other.beeps[count - 1].length_ms - _SAME_LENGTH_MS:
        return gap(first.beeps[-1], last.beeps[0]) < CUT_MS
    if count == len(other.beeps):
        return True
    due = other.beeps[count].onset_ms - other.onset_ms
    return last.onset_ms - first.onset_ms < due + CUT_MS  # the next note was too short to hear


def is_begun(phrase: Phrase, other: Phrase) -> bool:
    """Return whether a phrase equals another or its beginning, whose last note may be cut off."""
    count = len(phrase.beeps)
    if count > len(other.beeps):
        return False
    begun = other.beeps[:count]
    if are_alike(phrase, Phrase(begun), is_strict=True):
        return True
    cut = begun[-1]._replace(length_ms=min(begun[-1].length_ms, phrase.beeps[-1].length_ms))
    return are_alike(phrase, Phrase((*begun[:-1], cut)), is_strict=True)
