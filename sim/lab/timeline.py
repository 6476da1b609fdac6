"""A trace as a picture: a time line, readable for a second and for an hour.

A lane for each lamp that was lit, one for the sound, whose height is its pitch,
and above them the events. Changes closer together than a pixel are drawn as one
bar, which keeps the file of an hour small; where there is no room to name all
events, those that say most are named.
"""

from collections.abc import Iterable
from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.programs import Program
from sim.engine.edges import Change, Edges, Event, spans
from sim.lab.picture import Boxes, Line, Picture, TimeAxis, Words, clock, tick_step

WIDTH = 1400
_LEFT, _RIGHT, _TOP = 124, 90, 100
_LANE, _GAP = 26, 12
_SOUND = 56
_STRIP = 7  # expected edges, above the observed
_LABEL_PX = 24  # the least distance of two slanted labels
_PITCH_PX = 48  # the least width of a bar that has room for its pitch
_COLOURS = {"auction": "#d3302f"}
_PERMIT, _TONE = "#e08a00", "#1f6f8b"
_INK, _GREY, _PALE, _EVENT, _DUE = "#333333", "#6b6b6b", "#f6f6f4", "#9a9a9a", "#2e7d32"

# The events that are named first where there is little room, those that say most before others.
_TELLING = (
    *("hour-ended", "time-called", "last-round", "phase-started", "switched-on", "switched-off"),
    *("hour-beep", "auction-ended", "auction-cancelled", "auction-warning", "permit-granted"),
    *("refused", "auction-started", "permit-started"),
)


def draw(
    edges: Edges,
    title: str,
    start_ms: int = 0,
    end_ms: int | None = None,
    due: Edges | None = None,
) -> Picture:
    """Return the picture of the trace from `start_ms` to `end_ms`, its end if None.

    due  the expected edges, drawn as a pale strip above the observed bars of each line
    """
    axis = TimeAxis(start_ms, edges.end_ms if end_ms is None else end_ms, _LEFT, WIDTH - _RIGHT)

    def seen(changes: Iterable[Change], until_ms: int) -> list[tuple[int, int, int]]:
        """Return the stretches that are in the picture, cut to it."""
        return [
            (max(start, axis.start), min(end, axis.end), value)
            for start, end, value in spans(changes, until_ms)
            if start < axis.end and end > axis.start
        ]

    def bars(stretches: Iterable[tuple[int, int, float]], ground: float) -> list:
        """Return a box for each stretch `(start, end, height)`; neighbours become one."""
        boxes: list[tuple[float, float, float, float]] = []
        for start, end, height in stretches:
            left = axis.x(start)
            right = max(axis.x(end), left + 1)
            top = ground - height
            if boxes and boxes[-1][1] == top and left - boxes[-1][0] - boxes[-1][2] < 0.6:
                left = boxes.pop()[0]
            boxes.append((left, top, round(right - left, 2), height))
        return boxes

    lit = {name: seen(changes, edges.end_ms) for name, changes in edges.lamps.items()}
    lit = {name: on for name, on in lit.items() if on or (due and due.lamps[name])}
    tops = {name: _TOP + n * (_LANE + _GAP) for n, name in enumerate(lit)}
    sound_y = _TOP + len(lit) * (_LANE + _GAP)
    bottom = sound_y + _SOUND + 10
    shapes: list = [Words(16, 24, title, _INK, 15, True)]
    for name, y, height in (
        *((n, y, _LANE) for n, y in tops.items()),
        (_("sound"), sound_y, _SOUND),
    ):
        shapes.append(Boxes([(_LEFT, y, WIDTH - _LEFT - _RIGHT, height)], _PALE))
        shapes.append(Words(_LEFT - 10, y + height / 2 + 4, name, _INK, 12, True, "end"))
    step = tick_step(axis)
    shapes += axis.lines(step, _TOP - 6, bottom, lambda ms: clock(ms, step))
    for name, on in lit.items():
        boxes = bars([(a, b, _LANE) for a, b, _ in on], tops[name] + _LANE)
        shapes.append(Boxes(boxes, _COLOURS.get(name, _PERMIT)))
    heard = seen(edges.tones, edges.end_ms)
    highest = max((hz for _, _, hz in heard), default=1)
    ground = sound_y + _SOUND
    tall = [(a, b, round(_SOUND * hz / highest, 1)) for a, b, hz in heard]
    shapes.append(Boxes(bars(tall, ground), _TONE))
    for start, end, hz in heard:
        left, right = axis.x(start), axis.x(end)
        if right - left >= _PITCH_PX:
            middle = (left + right) / 2
            shapes.append(Words(middle, ground - 8, f"{hz} Hz", "#ffffff", 11, anchor="middle"))
    if due:
        for changes, top in (*((due.lamps[n], y) for n, y in tops.items()), (due.tones, sound_y)):
            strips = [(a, b, _STRIP) for a, b, _ in seen(changes, due.end_ms)]
            shapes.append(Boxes(bars(strips, top - 1), _DUE))
        words = _("narrow strip: expected; bar: observed")
        shapes.append(Words(WIDTH - _RIGHT, 24, words, _DUE, 12, anchor="end"))
    ranks = {kind: rank for rank, kind in enumerate(_TELLING)}
    inside = [event for event in edges.events if axis.start <= event[0] <= axis.end]
    named: list[Event] = []  # that there is room to name
    for event in sorted(inside, key=lambda event: ranks.get(event[1], len(ranks))):
        x = axis.x(event[0])
        if all(abs(x - axis.x(other[0])) >= _LABEL_PX for other in named):
            named.append(event)
    for ms, kind, fields in sorted(named, key=lambda event: event[0]):
        x = axis.x(ms)
        label = f"{kind} {fields['permit']}" if "permit" in fields else kind
        shapes.append(Line(x, _TOP - 6, x, bottom - 10, _EVENT, True))
        shapes.append(Words(x + 3, _TOP - 10, label, _GREY, 11, slant=32))
    return Picture(WIDTH, bottom + 34, shapes)


def title(path: str, program: Program) -> str:
    """Return the title of the picture of a scenario's file."""
    words = _("{file}, program {program}")
    return words.format(file=Path(path).name, program=program.title or program.name)


_COLUMNS = 60
_AROUND_MS = 1000


def in_text(shown: Edges, around_ms: int) -> str:
    """Return the picture of the second before and the second after a time."""
    start = max(0, around_ms - _AROUND_MS)
    step = 2 * _AROUND_MS / _COLUMNS
    lines = []
    for name, changes in (*shown.lamps.items(), (_("sound"), shown.tones)):
        cells = ["."] * _COLUMNS
        for begin, end, _value in spans(changes, shown.end_ms):
            for column in range(_COLUMNS if begin < start + 2 * _AROUND_MS else 0):
                if begin < start + (column + 1) * step and end > start + column * step:
                    cells[column] = "#"
        if "#" in cells:
            lines.append(f"    {name:>14} {''.join(cells)}")
    mark = int((around_ms - start) / step)
    lines.append(f"    {'':>14} {' ' * mark}^ {around_ms} ms")
    for ms, kind, _fields in shown.events:
        if start <= ms <= start + 2 * _AROUND_MS:
            lines.append(f"    {ms:>11} ms {kind}")
    return "\n".join(lines)
