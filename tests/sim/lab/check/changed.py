"""Units with variations of our cues: other lengths, tones merged or removed."""

import random
from itertools import pairwise

from city_unit.cues import CUES

_SHORTEST_MS = 15
_PAUSE_MS = 700


def played(seed: int) -> list[tuple[int, int, int]]:
    """Return beeps (onset ms, length ms, Hz) at our pitches."""
    dice = random.Random(seed)
    beeps, at = [], 400
    for cue in dice.sample(sorted(CUES), len(CUES)):
        notes = _varied(CUES[cue][1:], dice)
        for hz, ms in notes:
            if hz:
                beeps.append((at, ms, hz))
            at += ms
        at += _PAUSE_MS + dice.randrange(300)
    return beeps


def _varied(pattern: tuple[int, ...], dice: random.Random) -> list[tuple[int, int]]:
    by = dice.choice((1.0, dice.uniform(0.6, 1.6)))  # for a whole cue, or per note
    notes = []
    for hz, ms in zip(pattern[::2], pattern[1::2], strict=True):
        factor = dice.uniform(0.6, 1.6) if by == 1.0 and dice.random() < 0.5 else by
        notes.append((hz, max(_SHORTEST_MS, round(ms * factor))))
    change = dice.choice(("", "", "", "dropped", "merged"))
    if change == "dropped" and len(notes) > 1:
        return notes[2:] if dice.random() < 0.5 else notes[:-2]
    if change == "merged":
        return _merged(notes)
    return notes


def _merged(notes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge the first two notes of equal pitch that are separated by a pause."""
    for place, ((hz, ms), (after, more)) in enumerate(pairwise(notes[::2])):
        if hz == after:
            pause = notes[2 * place + 1][1]
            return [*notes[: 2 * place], (hz, ms + pause + more), *notes[2 * place + 3 :]]
    return notes
