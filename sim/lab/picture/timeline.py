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
from sim.engine.edges import Edges, spans
from sim.lab.picture.shapes import Boxes, Line, Picture, TimeAxis, Words, clock, tick_step

WIDTH = 1400
_LEFT, _RIGHT, _TOP = 124, 90, 100
_LANE, _GAP = 26, 12
_SOUND = 56
_STRIP = 7  # expected edges, above the observed
_LABEL_PX = 24  # the least distance of two slanted labels
_PITCH_PX = 48  # the least width of a bar that has room for its pitch
_COLOURS = {"auction": "#d3302f"}
_PERMIT, _TONE = "#e08a00", "#1f6f8b"
_INK, _GREY, _GRID, _PALE, _EVENT, _DUE = (
    *("#333333", "#6b6b6b", "#e0e0e0", "#f6f6f4", "#9a9a9a", "#2e7d32"),
)

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
    end = edges.end_ms if end_ms is None else end_ms
    return _Drawing(edges, start_ms, end, due).picture(title)


def title(path: str, program: Program) -> str:
    """Return the title of the picture of a scenario's file."""
    words = _("{file}, program {program}")
    return words.format(file=Path(path).name, program=program.title or program.name)


class _Drawing:
    def __init__(self, edges: Edges, start_ms: int, end_ms: int, due: Edges | None) -> None:
        self._edges = edges
        self._due = due
        self._axis = TimeAxis(start_ms, end_ms, _LEFT, WIDTH - _RIGHT)
        lit = {
            name: self._seen(spans(changes, edges.end_ms)) for name, changes in edges.lamps.items()
        }
        expected = due.lamps if due else {}
        self._lit = {name: lit[name] for name in lit if lit[name] or expected.get(name)}
        self._heard = self._seen(spans(edges.tones, edges.end_ms))
        self._sound_y = _TOP + len(self._lit) * (_LANE + _GAP)
        self._bottom = self._sound_y + _SOUND + 10

    def picture(self, title: str) -> Picture:
        shapes = [
            Words(16, 24, title, _INK, 15, True),
            *self._lanes(),
            *self._times(),
            *self._lamps(),
            *self._sound(),
            *self._expected(),
            *self._events(),
        ]
        return Picture(WIDTH, self._bottom + 34, shapes)

    def _seen(self, stretches: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
        """Return the stretches that are in the picture, cut to it."""
        return [
            (max(start, self._axis.start), min(end, self._axis.end), value)
            for start, end, value in stretches
            if start < self._axis.end and end > self._axis.start
        ]

    def _lanes(self) -> list:
        shapes: list = []
        lanes = [(name, _TOP + n * (_LANE + _GAP), _LANE) for n, name in enumerate(self._lit)]
        for name, y, height in (*lanes, (_("sound"), self._sound_y, _SOUND)):
            shapes.append(Boxes([(_LEFT, y, WIDTH - _LEFT - _RIGHT, height)], _PALE))
            at = y + height / 2 + 4
            shapes.append(Words(_LEFT - 10, at, name, _INK, 12, True, "end"))
        return shapes

    def _times(self) -> list:
        step = tick_step(self._axis)
        return self._axis.lines(step, _TOP - 6, self._bottom, lambda ms: clock(ms, step))

    def _lamps(self) -> list[Boxes]:
        return [
            Boxes(
                self._bars([(a, b, _LANE) for a, b, _ in lit], _TOP + n * (_LANE + _GAP) + _LANE),
                _COLOURS.get(name, _PERMIT),
            )
            for n, (name, lit) in enumerate(self._lit.items())
        ]

    def _sound(self) -> list:
        """Return the tones, as high as their pitch, and the pitch where there is room for it."""
        highest = max((hz for _, _, hz in self._heard), default=1)
        ground = self._sound_y + _SOUND
        tall = [(a, b, round(_SOUND * hz / highest, 1)) for a, b, hz in self._heard]
        shapes: list = [Boxes(self._bars(tall, ground), _TONE)]
        for start, end, hz in self._heard:
            left, right = self._axis.x(start), self._axis.x(end)
            if right - left >= _PITCH_PX:
                middle = (left + right) / 2
                shapes.append(Words(middle, ground - 8, f"{hz} Hz", "#ffffff", 11, anchor="middle"))
        return shapes

    def _expected(self) -> list:
        """Return a strip above each lane where it was expected to be on, and its legend."""
        if self._due is None:
            return []
        lanes = [(self._due.lamps[n], _TOP + i * (_LANE + _GAP)) for i, n in enumerate(self._lit)]
        shapes: list = []
        for changes, top in (*lanes, (self._due.tones, self._sound_y)):
            seen = self._seen(spans(changes, self._due.end_ms))
            shapes.append(Boxes(self._bars([(a, b, _STRIP) for a, b, _ in seen], top - 1), _DUE))
        words = _("narrow strip: expected; bar: observed")
        return [*shapes, Words(WIDTH - _RIGHT, 24, words, _DUE, 12, anchor="end")]

    def _bars(self, stretches: list[tuple[int, int, float]], ground: float) -> list:
        """Return a box for each stretch `(start, end, height)`; neighbours become one."""
        boxes: list[tuple[float, float, float, float]] = []
        for start, end, height in stretches:
            left = self._axis.x(start)
            right = max(self._axis.x(end), left + 1)
            top = ground - height
            if boxes and boxes[-1][1] == top and left - boxes[-1][0] - boxes[-1][2] < 0.6:
                left = boxes.pop()[0]
            boxes.append((left, top, round(right - left, 2), height))
        return boxes

    def _events(self) -> list:
        shapes: list = []
        for ms, kind, fields in self._named():
            x = self._axis.x(ms)
            label = f"{kind} {fields['permit']}" if "permit" in fields else kind
            shapes.append(Line(x, _TOP - 6, x, self._bottom - 10, _EVENT, True))
            shapes.append(Words(x + 3, _TOP - 10, label, _GREY, 11, slant=32))
        return shapes

    def _named(self) -> list[tuple[int, str, dict]]:
        """Return the events that there is room to name, in order of time."""
        inside = [
            event for event in self._edges.events if self._axis.start <= event[0] <= self._axis.end
        ]
        ranks = {kind: rank for rank, kind in enumerate(_TELLING)}
        named: list[tuple[int, str, dict]] = []
        for event in sorted(inside, key=lambda event: ranks.get(event[1], len(ranks))):
            x = self._axis.x(event[0])
            if all(abs(x - self._axis.x(other[0])) >= _LABEL_PX for other in named):
                named.append(event)
        return sorted(named, key=lambda event: event[0])


_COLUMNS = 60
_AROUND_MS = 1000


def in_text(shown: Edges, around_ms: int) -> str:
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
