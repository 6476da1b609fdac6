"""Beeps as phrases: which cue of a program each is most like, in rhythm and in pitch.

The unit pauses after each cue, so beeps further apart than any pause within one
belong to different cues, and those closer than the unit's own pause to the same; in
between, what is more like the program decides. A cheap buzzer has one pitch, whatever
it should play: such a unit is recognised by its rhythm.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from city_unit.programs import Program
from sim.lab.listen.beeps.listening import Beep

_WITHIN_MS = 170  # so close, they are of one cue: the unit pauses 200 ms after each
_APART_MS = 340  # so far, they are not
_STRANGE = 0.45  # the mean of the logarithms by which a cue may be unlike: about half as much again
_EACH = 0.1  # what a phrase costs, so that a cue is not taken for several shorter ones
_CUT = 0.5  # what it costs more that one begins before another has ended, and cuts it off
_PITCH = 3  # how much more a pitch weighs than a length
_ONE_PITCH = 0.03  # how far the pitch of a buzzer with a single one may seem to stray
_BETTER = 0.8  # so much less unlike must cues be at other pitches than at the program's own
_MOST_ROUNDS = 8  # of finding the pitches of another buzzer
_SETUP = "choice"  # is heard in the setup only


class Note(NamedTuple):
    """A tone of a cue: the pause before it in the cue (ms), its length (ms), its pitch (Hz)."""

    pause: int
    ms: int
    hz: int


class Phrase(NamedTuple):
    """Beeps that belong together, and the cue that they are most like, "" for none."""

    beeps: tuple[Beep, ...]
    cue: str

    @property
    def onset_ms(self) -> float:
        return self.beeps[0].onset_ms


class Phrases(NamedTuple):
    """All phrases in order of time.

    hz       the pitch of a buzzer that has a single one, or None
    pitches  what a buzzer with other pitches plays for each of the program's, as far as heard
    """

    all: tuple[Phrase, ...]
    hz: float | None
    pitches: dict[int, float]


def find(beeps: Sequence[Beep], base: Program) -> Phrases:
    """Return the beeps, in order of time, as phrases of the cues of `base`."""
    press = base.cues["auction-started"]  # BUILD's may sound the same: `places.py` tells them apart
    cues = {
        name: notes(cue)
        for name, cue in base.cues.items()
        if name != _SETUP and (name != "permit-started" or cue[1:] != press[1:])
    }
    cost, found = _split(beeps, cues, _PITCH)
    hz = _one_pitch(beeps)
    if hz is not None:
        rhythm_cost, by_rhythm = _split(beeps, cues, 0)
        if rhythm_cost < cost:
            return Phrases(tuple(by_rhythm), hz, dict.fromkeys(_pitches(cues), hz))
        return Phrases(tuple(found), None, {})
    other_cost, by_rhythm, pitches = _at_other_pitches(beeps, cues)
    if other_cost < cost * _BETTER:
        return Phrases(tuple(by_rhythm), None, pitches)
    return Phrases(tuple(found), None, {})


def notes(cue: tuple[int, ...]) -> list[Note]:
    """Return the tones of a cue `(rank, hz, ms, hz, ms, ...)`."""
    found = []
    pause = 0
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        if not hz:
            pause += ms
            continue
        found.append(Note(pause, ms, hz))
        pause = 0
    return found


def most_like(beeps: Sequence[Beep], cues: dict[str, list[Note]]) -> str:
    """Return the cue of as many notes that beeps are most like, however unlike, "" for none."""
    far = {name: _unlikeness(beeps, cue, _PITCH) for name, cue in cues.items()}
    name = min(far, key=lambda cue: far[cue], default="")
    return name if name and far[name] < math.inf else ""


def has_rhythm(beeps: Sequence[Beep], cue: list[Note]) -> bool:
    """Return whether beeps may be a cue, at whatever pitches."""
    return _unlikeness(beeps, cue, 0) < _STRANGE


def gap(before: Beep, after: Beep) -> float:
    """Return the pause between two beeps in ms."""
    return max(0.0, after.onset_ms - before.onset_ms - before.length_ms)


def _at_other_pitches(
    beeps: Sequence[Beep], cues: dict[str, list[Note]]
) -> tuple[float, list[Phrase], dict[int, float]]:
    """Return the phrases of a buzzer with pitches of its own: their cost, and its pitches.

    At first the rhythm alone shows which cue is which; from these follows what is played for
    each of the program's pitches, and with that the cues are sought again, until it stays.
    """
    _cost, found = _split(beeps, cues, 0)
    pitches: dict[int, float] = {}
    best: tuple[float, list[Phrase], dict[int, float]] = (math.inf, found, pitches)
    for _again in range(_MOST_ROUNDS):
        heard = _played_for(found, cues)
        if heard == pitches:
            break
        pitches = heard
        played = {
            name: [note._replace(hz=round(pitches.get(note.hz, note.hz))) for note in notes]
            for name, notes in cues.items()
        }
        cost, found = _split(beeps, played, _PITCH)
        if cost < best[0]:
            best = cost, found, pitches
    return best


def _played_for(found: Sequence[Phrase], cues: dict[str, list[Note]]) -> dict[int, float]:
    """Return what was heard most for each of the program's pitches."""
    heard: dict[int, list[float]] = {}
    for phrase in found:
        notes = cues.get(phrase.cue, [])
        for beep, note in zip(phrase.beeps, notes, strict=False):
            heard.setdefault(note.hz, []).append(beep.hz)
    return {hz: _usual(others) for hz, others in heard.items()}


def _usual(pitches: Sequence[float]) -> float:
    """Return the pitch that is heard most often, within what a buzzer may be off."""

    def near(hz: float) -> list[float]:
        return [other for other in pitches if abs(other / hz - 1) < _ONE_PITCH]

    return median(max((near(hz) for hz in pitches), key=len))


def _pitches(cues: dict[str, list[Note]]) -> set[int]:
    return {note.hz for notes in cues.values() for note in notes}


def _one_pitch(beeps: Sequence[Beep]) -> float | None:
    if not beeps:
        return None
    usual = median(beep.hz for beep in beeps)
    return usual if all(abs(beep.hz / usual - 1) < _ONE_PITCH for beep in beeps) else None


def _split(
    beeps: Sequence[Beep], cues: dict[str, list[Note]], pitch: float
) -> tuple[float, list[Phrase]]:
    """Return the phrases that are least unlike the cues, and how unlike they are in all."""
    longest = max((len(cue) for cue in cues.values()), default=1)
    best: list[tuple[float, int, str]] = [(0.0, 0, "")]
    for end in range(1, len(beeps) + 1):
        ways = []
        for start in range(end - 1, max(-1, end - 1 - longest), -1):
            if start < end - 1 and gap(beeps[start], beeps[start + 1]) > _APART_MS:
                break
            is_cut = start and gap(beeps[start - 1], beeps[start]) < _WITHIN_MS
            cost = _EACH + (_CUT if is_cut and end - start < longest else 0)
            name, unlike = _nearest(beeps[start:end], cues, pitch)
            ways.append((best[start][0] + (end - start) * unlike + cost, start, name))
        best.append(min(ways))
    found: list[Phrase] = []
    end = len(beeps)
    while end:
        _, start, name = best[end]
        found.append(Phrase(tuple(beeps[start:end]), name))
        end = start
    return best[-1][0], found[::-1]


def _nearest(beeps: Sequence[Beep], cues: dict[str, list[Note]], pitch: float) -> tuple[str, float]:
    """Return the cue that beeps are most like and how unlike they are, "" for none."""
    far = {name: _unlikeness(beeps, cue, pitch) for name, cue in cues.items()}
    name = min(far, key=lambda cue: far[cue], default="")
    return (name, far[name]) if name and far[name] < _STRANGE else ("", _STRANGE)


def _unlikeness(beeps: Sequence[Beep], cue: list[Note], pitch: float) -> float:
    """Return 0 for beeps that are just like a cue, more the less they are."""
    if len(cue) != len(beeps):
        return math.inf
    pairs = list(zip(beeps, cue, strict=True))
    parts = [_ratio(beep.length_ms, note.ms) for beep, note in pairs]
    parts += [pitch * _ratio(beep.hz, note.hz) for beep, note in pairs]
    pauses = [note.pause for note in cue[1:]]
    gaps = [gap(*pair) for pair in pairwise(beeps)]
    parts += [_ratio(heard, pause) for heard, pause in zip(gaps, pauses, strict=True)]
    return sum(parts) / len(parts)


def _ratio(heard: float, known: float) -> float:
    """Return how far two are apart, as a logarithm; less than 1 counts as 1."""
    return abs(math.log(max(heard, 1.0) / max(known, 1.0)))
