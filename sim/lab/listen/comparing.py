"""Which cue is which: beeps that were heard, against the cues of a program."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from city_unit.programs import Program
from sim.lab.listen import structure
from sim.lab.listen.learning import OFF_MS, OFF_PART, Learned, every, in_words, length_of
from sim.lab.listen.listening import Beep

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


_NAMES = ("auction_ms", "warning_ms", "clock_ms")
_NOTE_MS = 3
_PITCH_PART = 0.01


class Row(NamedTuple):
    """A value of both units, in words; "" where it was not heard."""

    name: str
    first: str
    second: str
    is_same: bool


def compare(first: Learned, second: Learned) -> list[Row]:
    """Return a row for each length, then for each cue, that was heard of either unit."""
    rows = [
        Row(name.removesuffix("_ms"), in_words(each), in_words(others), _are_near(each, others))
        for name in _NAMES
        for each, others in [(every(first, name), every(second, name))]
        if each or others
    ]
    for cue in first.program.cues:
        notes = first.program.cues[cue] if cue in first.cues else ()
        others = second.program.cues[cue] if cue in second.cues else ()
        if notes or others:
            rows.append(Row(cue, _spoken(notes), _spoken(others), _is_like(notes, others)))
    return rows


def clock_part(first: Learned, second: Learned) -> float | None:
    """Return by which part all lengths of the second are longer, None if each by another part."""
    pairs = list(_lengths(first, second))
    if len(pairs) < 2:
        return None
    whole = sum(ms for ms, _other_ms in pairs)
    part = sum(other_ms - ms for ms, other_ms in pairs) / whole
    is_shared = all(abs(other_ms - ms * (1 + part)) <= OFF_MS for ms, other_ms in pairs)
    return part if is_shared and abs(part) * whole > 2 * OFF_MS else None


def _lengths(first: Learned, second: Learned) -> Iterator[tuple[int, int]]:
    """Yield each length of a game that was heard of both."""
    for name in _NAMES:
        ms, other_ms = (length_of(unit, name) for unit in (first, second))
        if ms and other_ms:
            yield ms, other_ms


def _are_near(lengths: tuple[int, ...], others: tuple[int, ...]) -> bool:
    return len(lengths) == len(others) and all(
        abs(ms - other) <= max(OFF_MS, ms * OFF_PART)
        for ms, other in zip(lengths, others, strict=True)
    )


def _is_like(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    if len(first) != len(second):
        return False
    for place, (a, b) in enumerate(zip(first[1:], second[1:], strict=True)):
        off = abs(a - b)
        if off > (_NOTE_MS if place % 2 else a * _PITCH_PART):
            return False
    return True


def _spoken(cue: tuple[int, ...]) -> str:
    notes = zip(cue[1::2], cue[2::2], strict=True)
    return ", ".join(f"{hz} Hz {ms} ms" if hz else f"{ms} ms" for hz, ms in notes)
