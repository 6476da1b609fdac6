"""Two recorded units compared, as what was learned of each: what is the same, and what differs."""

from collections.abc import Iterator
from typing import NamedTuple

from city_unit.desktop.forms import seconds
from city_unit.programs import Program
from sim.listen.cues.learning import Learned

_OFF_MS = 20  # by how much the times of a game may be off, or
_OFF_PART = 0.0005  # by this part of them
_NOTE_MS = 3
_PITCH_PART = 0.01


class Row(NamedTuple):
    """A value of both units, in words; "" where it was not heard."""

    name: str
    first: str
    second: str
    is_same: bool


def compare(first: Learned, second: Learned) -> list[Row]:
    """Return what was heard of either unit: its lengths first, then its cues."""
    rows = [
        Row(name, _seconds(ms), _seconds(other_ms), _is_near(ms, other_ms))
        for name, ms, other_ms in _lengths(first, second)
    ]
    for cue in first.program.cues:
        notes = first.program.cues[cue] if cue in first.cues else ()
        others = second.program.cues[cue] if cue in second.cues else ()
        if notes or others:
            rows.append(Row(cue, _notes(notes), _notes(others), _is_like(notes, others)))
    return rows


def clock_part(first: Learned, second: Learned) -> float | None:
    """Return by which part all lengths of the second are longer, None if each by another part."""
    pairs = [(ms, other_ms) for _name, ms, other_ms in _lengths(first, second) if ms and other_ms]
    if len(pairs) < 2:
        return None
    whole = sum(ms for ms, _other_ms in pairs)
    part = sum(other_ms - ms for ms, other_ms in pairs) / whole
    is_shared = all(abs(other_ms - ms * (1 + part)) <= _OFF_MS for ms, other_ms in pairs)
    return part if is_shared and abs(part) * whole > 2 * _OFF_MS else None


def _lengths(first: Learned, second: Learned) -> Iterator[tuple[str, int, int]]:
    """Yield each length of a game that was heard of either, 0 where it was not."""
    for name in ("auction_ms", "warning_ms", "clock_ms"):
        ms, other_ms = (_length(unit, name) for unit in (first, second))
        if ms or other_ms:
            yield name.removesuffix("_ms"), ms, other_ms


def _length(unit: Learned, name: str) -> int:
    if name not in unit.values:
        return 0
    program: Program = unit.program
    return program.auction_ms[0] if name == "auction_ms" else getattr(program, name)


def _is_near(first: int, second: int) -> bool:
    off = abs(first - second)
    return bool(first and second) and (off <= _OFF_MS or off <= first * _OFF_PART)


def _is_like(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    if len(first) != len(second):
        return False
    for place, (a, b) in enumerate(zip(first[1:], second[1:], strict=True)):
        off = abs(a - b)
        if off > (_NOTE_MS if place % 2 else a * _PITCH_PART):
            return False
    return True


def _seconds(ms: int) -> str:
    return seconds(ms, 2) if ms else ""


def _notes(cue: tuple[int, ...]) -> str:
    notes = zip(cue[1::2], cue[2::2], strict=True)
    return ", ".join(f"{hz} Hz {ms} ms" if hz else f"{ms} ms" for hz, ms in notes)
