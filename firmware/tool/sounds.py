"""The sounds of a unit, for the self-test: each once, in words, and played from here."""

import time
from itertools import groupby, pairwise

from city_unit.cues import CUES
from firmware import texts

LOW_HZ = 1000
VERY_SHORT_MS, SHORT_MS = 50, 200  # shorter than that is very short, or short

Cue = tuple[int, ...]  # as in city_unit/cues.py: a rank, then Hz and ms in turn


def cues() -> list[tuple[str, Cue]]:
    """Return each sound of a unit once, with the names of all that it tells."""
    names: dict[Cue, list[str]] = {}
    for name, cue in CUES.items():
        names.setdefault(cue, []).append(name)
    return [(", ".join(those), cue) for cue, those in names.items()]


def described(cue: Cue) -> str:
    """Return how a sound sounds, such as "two short notes, rising"."""
    notes = [(hz, ms) for hz, ms in zip(cue[1::2], cue[2::2], strict=True) if hz]
    groups = [(words, len(list(run))) for words, run in groupby(_length(ms) for _, ms in notes)]
    rhythm = texts.THEN.join(
        texts.NOTES[min(count, 2)].format(count=texts.COUNTS[count], length=length)
        if place == 0
        else f"{texts.COUNTS[count]} {length}"
        for place, (length, count) in enumerate(groups)
    )
    return rhythm + _pitch([hz for hz, _ in notes])


def _length(ms: int) -> str:
    if ms < VERY_SHORT_MS:
        return texts.VERY_SHORT
    return texts.SHORT if ms < SHORT_MS else texts.LONG


def _pitch(hz: list[int]) -> str:
    if max(hz) < LOW_HZ:
        return texts.LOW
    steps = [after - before for before, after in pairwise(hz) if after != before]
    if not steps:
        return ""
    return texts.RISING if steps[0] > 0 else texts.FALLING


def play(unit, cue: Cue) -> None:
    """Have the unit sound a cue, tone by tone; the pauses are kept here."""
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        unit.send(f"show 0 {hz} {ms}")
        deadline = time.monotonic() + ms / 1000
        while time.monotonic() < deadline:
            unit.poll(max(0.0, deadline - time.monotonic()))
