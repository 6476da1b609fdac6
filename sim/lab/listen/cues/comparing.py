"""Which cue is which: beeps that were heard, against the cues of a program."""

from collections.abc import Sequence
from typing import NamedTuple

from city_unit.programs import Program
from sim.lab.listen.beeps.listening import Beep
from sim.lab.listen.cues import structure

_PITCH = 0.03  # a buzzer's own pitch may be this far from the program's
_LENGTH_MS = 15
_GAP_MS = 15
_LEAST = 3  # intervals from which another clock can be seen
_REST_MS = 5.0  # that an edge may be off
_SETUP = "choice"  # sounds like an accepted press, and is heard in the setup only


class HeardCue(NamedTuple):
    """A cue, the number of beeps that it has, and when the first began.

    is_sure  False for a press if nothing shows which button it was
    """

    name: str
    beeps: int
    onset_ms: float
    is_sure: bool = True


class Lateness(NamedTuple):
    """An interval that the program gives, as it was heard: `late_ms` longer than it should be."""

    cue: HeardCue
    since: str
    expected_ms: int
    late_ms: float


def cues(beeps: Sequence[Beep], program: Program) -> list[HeardCue]:
    """Return the cues in the beeps, the longest that fits first, a press by the next cue."""
    patterns = sorted(
        ((name, _notes(cue)) for name, cue in program.cues.items() if name != _SETUP),
        key=lambda named: -len(named[1]),
    )
    found = []
    place = 0
    while place < len(beeps):
        name = next((cue for cue, notes in patterns if _fits(beeps[place:], notes)), None)
        if name is None:
            place += 1
            continue
        count = len(dict(patterns)[name])
        found.append(HeardCue(name, count, beeps[place].onset_ms))
        place += count
    names, sure = structure.starts([cue.name for cue in found], program)
    return [
        cue._replace(name=name, is_sure=is_sure)
        for cue, name, is_sure in zip(found, names, sure, strict=True)
    ]


def auctions(heard: Sequence[HeardCue], program: Program) -> list[Lateness]:
    """Return how late each auction's warning and end came after the warning or the start.

    The start is the cue of the accepted press.
    """
    shortest, longest = program.auction_ms
    if shortest != longest:
        return []
    found = []
    times = {
        "auction-started": 0,
        "auction-warning": longest - program.warning_ms,
        "auction-ended": longest,
    }
    last = None
    for cue in heard:
        if cue.name not in times:
            continue
        if last and times[cue.name] > times[last[0]]:
            expected = times[cue.name] - times[last[0]]
            late = cue.onset_ms - last[1] - expected
            if abs(late) < expected / 4:
                found.append(Lateness(cue, last[0], expected, late))
        last = (cue.name, cue.onset_ms)
    return found


def clock_error(late: Sequence[Lateness]) -> float | None:
    """Return by which part all intervals are longer than the program's, None if each by another.

    It is another clock's doing, and not each interval's own, if little remains of their lateness
    without it.
    """
    if len(late) < _LEAST:
        return None
    whole = sum(interval.expected_ms for interval in late)
    part = sum(interval.late_ms for interval in late) / whole
    rests = (abs(interval.late_ms - part * interval.expected_ms) for interval in late)
    is_shared = max(rests) <= max(
        _REST_MS, abs(part) * min(interval.expected_ms for interval in late) / 2
    )
    return part if is_shared and abs(part) * whole / len(late) > _REST_MS else None


def _notes(cue: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Return each beep of a cue: its onset in the cue and its length in ms, and its pitch."""
    notes = []
    at = 0
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        if hz:
            notes.append((at, ms, hz))
        at += ms
    return notes


def _fits(beeps: Sequence[Beep], notes: list[tuple[int, int, int]]) -> bool:
    if len(beeps) < len(notes) or not notes:
        return False
    first = beeps[0].onset_ms
    return all(
        abs(beep.onset_ms - first - at) < _GAP_MS
        and abs(beep.length_ms - ms) < _LENGTH_MS
        and abs(beep.hz / hz - 1) < _PITCH
        for beep, (at, ms, hz) in zip(beeps, notes, strict=False)
    )
