"""Two recorded units compared by the programs learned of them: equal parts, and differences."""

from collections.abc import Iterator
from typing import NamedTuple

from city_unit.desktop.forms import all_of, seconds
from city_unit.programs import Program
from sim.lab.listen.cues.learning import OFF_MS, OFF_PART, Learned, spread

_NAMES = ("auction_ms", "warning_ms", "clock_ms")
_MOST_TIMES = 1.25  # as long as the shortest: a longer one is of another kind
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
            rows.append(Row(cue, _notes(notes), _notes(others), _is_like(notes, others)))
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


def every(unit: Learned, name: str) -> tuple[int, ...]:
    """Return each length of a game that was heard, one alone where all are alike, none if none."""
    usual = _length(unit, name)
    lengths = spread(unit.lengths.get(name, ()))
    if len(lengths) > 1 and lengths[-1] <= _MOST_TIMES * lengths[0]:
        return lengths
    return (usual,) if usual else ()


def in_words(lengths: tuple[int, ...]) -> str:
    return all_of([seconds(ms, 2) for ms in lengths]) if lengths else ""


def _lengths(first: Learned, second: Learned) -> Iterator[tuple[int, int]]:
    """Yield each length of a game that was heard of both."""
    for name in _NAMES:
        ms, other_ms = (_length(unit, name) for unit in (first, second))
        if ms and other_ms:
            yield ms, other_ms


def _length(unit: Learned, name: str) -> int:
    if name not in unit.values:
        return 0
    program: Program = unit.program
    return program.auction_ms[0] if name == "auction_ms" else getattr(program, name)


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


def _notes(cue: tuple[int, ...]) -> str:
    notes = zip(cue[1::2], cue[2::2], strict=True)
    return ", ".join(f"{hz} Hz {ms} ms" if hz else f"{ms} ms" for hz, ms in notes)
