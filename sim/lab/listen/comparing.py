"""Which cue is which: beeps against the cues of a program, and a unit against another."""

from collections.abc import Sequence
from typing import NamedTuple

from city_unit.programs import Program
from sim.lab.listen import structure
from sim.lab.listen.learning import OFF_MS, OFF_PART, Learned, every, in_words, length_of
from sim.lab.listen.listening import Beep
from sim.lab.listen.sounds import SETUP, notes

_PITCH = 0.03  # a buzzer's own pitch may be this far from the program's
_NOTE_MS = 15  # that a note of a cue may begin late, or be long
_FEWEST = 3  # intervals from which another clock can be seen
_REST_MS = 5.0  # that an edge may be off


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
    patterns = [(name, notes(cue)) for name, cue in program.cues.items() if name != SETUP]
    patterns.sort(key=lambda pattern: -len(pattern[1]))
    found = []
    place = 0
    while place < len(beeps):
        fitting = ((cue, len(due)) for cue, due in patterns if _fits(beeps[place:], due))
        name, count = next(fitting, ("", 1))
        if name:
            found.append(HeardCue(name, count, beeps[place].onset_ms))
        place += count
    names, sure = structure.starts([cue.name for cue in found], program)
    return [
        cue._replace(name=name, is_sure=is_sure)
        for cue, name, is_sure in zip(found, names, sure, strict=True)
    ]


def _fits(beeps: Sequence[Beep], due: Sequence[Beep]) -> bool:
    return 0 < len(due) <= len(beeps) and all(
        abs(beep.onset_ms - beeps[0].onset_ms - note.onset_ms + due[0].onset_ms) < _NOTE_MS
        and abs(beep.length_ms - note.length_ms) < _NOTE_MS
        and abs(beep.hz / note.hz - 1) < _PITCH
        for beep, note in zip(beeps, due, strict=False)
    )


def auctions(heard: Sequence[HeardCue], program: Program) -> list[Lateness]:
    """Return how late each auction's warning and end came after the warning or the start.

    The start is the cue of the accepted press.
    """
    shortest, longest = program.auction_ms
    if shortest != longest:
        return []
    dues = (0, longest - program.warning_ms, longest)
    times: dict[str, int] = dict(zip(structure.AUCTION, dues, strict=True))
    found = []
    last = None
    for cue in heard:
        if cue.name not in times:
            continue
        if last and times[cue.name] > times[last.name]:
            expected = times[cue.name] - times[last.name]
            late = cue.onset_ms - last.onset_ms - expected
            if abs(late) < expected / 4:
                found.append(Lateness(cue, last.name, expected, late))
        last = cue
    return found


def clock_error(late: Sequence[Lateness]) -> float | None:
    """Return by which part all intervals are longer than the program's, None if each by another."""
    pairs = [(each.expected_ms, each.expected_ms + each.late_ms) for each in late]
    return _shared_part(pairs, _FEWEST, _REST_MS)


def clock_part(first: Learned, second: Learned) -> float | None:
    """Return by which part all lengths of the second are longer, None if each by another part."""
    lengths = [(length_of(first, name), length_of(second, name)) for name in _LENGTHS]
    return _shared_part([pair for pair in lengths if all(pair)], 2, OFF_MS)


def _shared_part(pairs: Sequence[tuple[int, float]], fewest: int, off_ms: float) -> float | None:
    """Return by which part the others are longer: another clock's doing, not each interval's own.

    off_ms  that may remain of the lateness of an interval without it, and that it must exceed
    """
    if len(pairs) < fewest:
        return None
    whole = sum(ms for ms, _other in pairs)
    part = sum(other - ms for ms, other in pairs) / whole
    rest = max(abs(other - ms * (1 + part)) for ms, other in pairs)
    is_shared = rest <= max(off_ms, abs(part) * min(pairs)[0] / 2)
    return part if is_shared and abs(part) * whole > off_ms * len(pairs) else None


_LENGTHS = ("auction_ms", "warning_ms", "clock_ms")


class Row(NamedTuple):
    """A value of both units, in words; "" where it was not heard."""

    name: str
    first: str
    second: str
    is_same: bool


def compare(first: Learned, second: Learned) -> list[Row]:
    """Return a row for each length, then for each cue, that was heard of either unit."""
    rows = []
    for name in _LENGTHS:
        each, others = every(first, name), every(second, name)
        is_same = len(each) == len(others) and all(
            abs(ms - other) <= max(OFF_MS, ms * OFF_PART)
            for ms, other in zip(each, others, strict=True)
        )
        rows.append(Row(name.removesuffix("_ms"), in_words(each), in_words(others), is_same))
    for cue in first.program.cues:
        one, other = (
            unit.program.cues[cue] if cue in unit.cues else () for unit in (first, second)
        )
        # A pitch differs from 1 % on, a length from 3 ms.
        is_same = len(one) == len(other) and all(
            abs(a - b) <= (3 if place % 2 else a * 0.01)
            for place, (a, b) in enumerate(zip(one[1:], other[1:], strict=True))
        )
        rows.append(Row(cue, _spoken(one), _spoken(other), is_same))
    return [row for row in rows if row.first or row.second]


def _spoken(cue: tuple[int, ...]) -> str:
    parts = zip(cue[1::2], cue[2::2], strict=True)
    return ", ".join(f"{hz} Hz {ms} ms" if hz else f"{ms} ms" for hz, ms in parts)
