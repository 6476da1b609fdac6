"""A trace around a moment as text: for each lamp that was lit, and the sound, a row of signs."""

from city_unit.desktop.catalogue import _
from sim.engine.edges import Edges, spans

_COLUMNS = 60
_AROUND_MS = 1000


def draw(shown: Edges, around_ms: int) -> str:
    """Return the picture of the second before and the second after a time."""
    start = max(0, around_ms - _AROUND_MS)
    step = 2 * _AROUND_MS / _COLUMNS
    rows = [*shown.lamps.items(), (_("sound"), shown.tones)]
    lines = []
    for name, changes in rows:
        stretches = [
            (begin, end)
            for begin, end, _value in spans(changes, shown.end_ms)
            if end > start and begin < start + 2 * _AROUND_MS
        ]
        cells = "".join(
            "#"
            if any(
                begin < start + (column + 1) * step and end > start + column * step
                for begin, end in stretches
            )
            else "."
            for column in range(_COLUMNS)
        )
        if "#" in cells:
            lines.append(f"    {name:>14} {cells}")
    mark = int((around_ms - start) / step)
    lines.append(f"    {'':>14} {' ' * mark}^ {around_ms} ms")
    for ms, kind, _fields in shown.events:
        if start <= ms <= start + 2 * _AROUND_MS:
            lines.append(f"    {ms:>11} ms {kind}")
    return "\n".join(lines)
