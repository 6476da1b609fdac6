"""The sounds of a unit, for the self-test: each once, in words, and played from here."""

import time
from itertools import groupby, pairwise

from city_unit import host
from city_unit.cues import CUES
from city_unit.desktop.catalogue import LazyPlural, _, lazy, nlazy

LOW_HZ = 1000
VERY_SHORT_MS, SHORT_MS = 50, 200  # shorter than that is very short, or short
VERY_SHORT = nlazy("{count} very short note", "{count} very short notes")
SHORT = nlazy("{count} short note", "{count} short notes")
LONG = nlazy("{count} long note", "{count} long notes")
# What each sound tells a player.
NEWS = {
    "switched-on": lazy("the unit is on"),
    "choice": lazy("a choice is made"),
    "auction-started": lazy("an auction begins"),
    "permit-started": lazy("a permit is drawn"),
    "refused": lazy("not now"),
    "auction-cancelled": lazy("the auction is called off"),
    "auction-warning": lazy("the auction ends soon"),
    "auction-ended": lazy("the auction is over"),
    "permit-1": lazy("one building"),
    "permit-2": lazy("two buildings"),
    "permit-3": lazy("three buildings"),
    "permit-station": lazy("a station"),
    "hour-beep": lazy("the hour passes"),
    "hour-ended": lazy("the hour is over"),
    "phase-started": lazy("a phase begins"),
    "last-round": lazy("the last round begins"),
    "time-called": lazy("time is up"),
}

Cue = tuple[int, ...]  # as in city_unit/cues.py: a rank, then Hz and ms in turn


def cues() -> list[tuple[str, Cue]]:
    """Return each sound of a unit once, with all that it tells."""
    news: dict[Cue, list[str]] = {}
    for name, cue in CUES.items():
        news.setdefault(cue, []).append(str(NEWS[name]))
    return [(", ".join(those), cue) for cue, those in news.items()]


def described(cue: Cue) -> str:
    """Return how a sound sounds, such as "2 short notes, rising"."""
    notes = [(hz, ms) for hz, ms in zip(cue[1::2], cue[2::2], strict=True) if hz]
    runs = groupby(_length(ms) for _hz, ms in notes)
    rhythm = [length.format(count=len(list(run))) for length, run in runs]
    words = rhythm[0]
    for part in rhythm[1:]:
        words = _("{notes}, then {more}").format(notes=words, more=part)
    return _with_pitch(words, [hz for hz, _ms in notes])


def _length(ms: int) -> LazyPlural:
    if ms < VERY_SHORT_MS:
        return VERY_SHORT
    return SHORT if ms < SHORT_MS else LONG


def _with_pitch(rhythm: str, hz: list[int]) -> str:
    if max(hz) < LOW_HZ:
        return _("{notes}, low").format(notes=rhythm)
    steps = [after - before for before, after in pairwise(hz) if after != before]
    if not steps:
        return rhythm
    pitch = _("{notes}, rising") if steps[0] > 0 else _("{notes}, falling")
    return pitch.format(notes=rhythm)


def play(unit: host.Client, cue: Cue) -> None:
    """Have the unit sound a cue, tone by tone; the pauses are kept here."""
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        unit.send(f"show 0 {hz} {ms}")
        deadline = time.monotonic() + ms / 1000
        while time.monotonic() < deadline:
            unit.poll(max(0.0, deadline - time.monotonic()))
