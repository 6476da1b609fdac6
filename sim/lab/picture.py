"""The lab's drawings: shapes, a time axis, SVG files, and the time line of a trace.

A drawing is a `Picture`, a list of three kinds of shapes, which `text` renders as SVG. `timeline`
draws a trace; other modules of the lab draw their own pictures with the same shapes and the same
axis.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import require_folders
from city_unit.desktop.svg import WHITE, document, element
from city_unit.programs import Program
from sim.engine.trace import Change, Event, Trace, spans


class Boxes(NamedTuple):
    """Rectangles `(x, y, width, height)` of one colour."""

    boxes: list[tuple[float, float, float, float]]
    colour: str


class Line(NamedTuple):
    """A straight line."""

    x: float
    y: float
    to_x: float
    to_y: float
    colour: str
    is_dashed: bool = False


class Words(NamedTuple):
    """A text; `y` is its base line.

    anchor  the part of it that is at x: "start", "middle" or "end"
    slant   the angle in degrees by which it rises
    """

    x: float
    y: float
    text: str
    colour: str
    size: int = 12
    is_bold: bool = False
    anchor: str = "start"
    slant: int = 0


class Picture(NamedTuple):
    """Shapes on a white background; later ones cover earlier ones."""

    width: int
    height: int
    shapes: "list[Boxes | Line | Words]"


_MOST_LINES = 12  # with room for a label each
_TICKS_MS = (
    *(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000),
    *(60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000),
)
_GREY, _GRID = "#6b6b6b", "#e0e0e0"


class TimeAxis:
    """Maps times from `start_ms` to `end_ms` to the x coordinates from `left` to `right`."""

    def __init__(self, start_ms: int, end_ms: int, left: int, right: int) -> None:
        self.start = start_ms
        self.end = max(end_ms, start_ms + 1)
        self._left = left
        self._scale = (right - left) / (self.end - self.start)

    def x(self, ms: float) -> float:
        return round(self._left + (ms - self.start) * self._scale, 2)

    def lines(self, top: float, bottom: float) -> list:
        """Return vertical lines at round times, each with its time below."""
        room = (self.end - self.start) / _MOST_LINES
        step = next((step for step in _TICKS_MS if step >= room), _TICKS_MS[-1])
        digits = 3 if step < 10 else 2 if step < 100 else 1
        shapes: list = []
        for ms in range(-(-self.start // step) * step, self.end + 1, step):
            x = self.x(ms)
            time = f"{ms // 60_000}:{ms // 1000 % 60:02}"
            if step < 1000:
                time = f"{ms / 1000:.{digits}f} s"
            shapes.append(Line(x, top, x, bottom, _GRID))
            shapes.append(Words(x, bottom + 16, time, _GREY, 11, anchor="middle"))
        return shapes


_STYLE = "<style>text{font-family:system-ui,'DejaVu Sans',sans-serif}</style>"  # no text: a style


def text(picture: Picture) -> str:
    elements = []
    for shape in picture.shapes:
        if isinstance(shape, Boxes):  # one path takes a third of the bytes of separate rectangles
            path = "".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in shape.boxes)
            elements.append(element("path", d=path, fill=shape.colour))
        elif isinstance(shape, Line):
            path = f"M{shape.x:g} {shape.y:g}L{shape.to_x:g} {shape.to_y:g}"
            dashes = "2 3" if shape.is_dashed else None
            elements.append(element("path", d=path, stroke=shape.colour, stroke_dasharray=dashes))
        else:
            slant = f" rotate({-shape.slant})" if shape.slant else ""
            words = element(
                "text",
                shape.text,
                transform=f"translate({shape.x:g} {shape.y:g}){slant}",
                font_size=shape.size,
                fill=shape.colour,
                font_weight="600" if shape.is_bold else None,
                text_anchor=shape.anchor if shape.anchor != "start" else None,
            )
            elements.append(words)
    return document(picture.width, picture.height, elements, _STYLE + WHITE)


KIND = ".svg"


def refuse(*paths: str | None) -> None:
    """Raise UserError if a picture cannot be written to one of these paths. None is ignored."""
    for path in paths:
        if path and Path(path).suffix.lower() != KIND:
            raise UserError(_("{path}: a picture must be .svg").format(path=path))
    require_folders(*paths)


WIDTH = 1400
_LEFT, _RIGHT, _TOP = 124, 90, 100
_LANE, _GAP = 26, 12
_SOUND = 56
_STRIP = 7  # height of the expected edges above the observed ones
_LABEL_PX = 24  # least distance of two slanted labels
_PITCH_PX = 48  # least width of a bar labelled with its pitch
_COLOURS = {"auction": "#d3302f"}
_PERMIT, _TONE = "#e08a00", "#1f6f8b"
_INK, _PALE, _EVENT, _DUE = "#333333", "#f6f6f4", "#9a9a9a", "#2e7d32"
_MARKED = "#f6c7c2"
_LEAST_PX = 2.0  # width of a marked interval

# Priority of the events' labels where there is little room.
_PRIORITY = (
    *("hour-ended", "time-called", "last-round", "phase-started", "switched-on", "switched-off"),
    *("hour-beep", "auction-ended", "auction-cancelled", "auction-warning", "permit-granted"),
    *("refused", "auction-started", "permit-started"),
)


def timeline(
    trace: Trace,
    title: str,
    start_ms: int = 0,
    end_ms: int | None = None,
    due: Trace | None = None,
    marked: Iterable[tuple[str, int, int]] = (),
) -> Picture:
    """Draw a trace from `start_ms` to `end_ms`, the end of the run by default.

    There is a lane for each lamp that was lit, one for the sound with the pitch as height, and the
    events above them. Changes less than a pixel apart become one bar, which keeps the file of an
    hour small. Where events are too close together for labels, the more important ones get them.

    due     expected edges, drawn as a narrow strip above the observed bars of each lane
    marked  intervals `(lamp or "tone", start, end)` to highlight
    """
    axis = TimeAxis(start_ms, trace.end_ms if end_ms is None else end_ms, _LEFT, WIDTH - _RIGHT)

    def seen(changes: Iterable[Change], until_ms: int) -> list[tuple[int, int, int]]:
        """Return the intervals inside the picture, clipped to it."""
        return [
            (max(start, axis.start), min(end, axis.end), value)
            for start, end, value in spans(changes, until_ms)
            if start < axis.end and end > axis.start
        ]

    def bars(intervals: Iterable[tuple[int, int, float]], ground: float) -> list:
        """Return a box for each interval `(start, end, height)`; adjacent ones are merged."""
        boxes: list[tuple[float, float, float, float]] = []
        for start, end, height in intervals:
            left = axis.x(start)
            right = max(axis.x(end), left + 1)
            top = ground - height
            if boxes and boxes[-1][1] == top and left - boxes[-1][0] - boxes[-1][2] < 0.6:
                left = boxes.pop()[0]
            boxes.append((left, top, round(right - left, 2), height))
        return boxes

    lit = {name: seen(changes, trace.end_ms) for name, changes in trace.lamps.items()}
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
    for name, start, end in marked:
        y, height = (tops[name], _LANE) if name in tops else (sound_y, _SOUND)
        width = max(_LEAST_PX, round(axis.x(end) - axis.x(start), 2))
        shapes.append(Boxes([(axis.x(start), y - _STRIP, width, height + _STRIP + 3)], _MARKED))
    shapes += axis.lines(_TOP - 6, bottom)
    for name, on in lit.items():
        boxes = bars([(a, b, _LANE) for a, b, _ in on], tops[name] + _LANE)
        shapes.append(Boxes(boxes, _COLOURS.get(name, _PERMIT)))
    heard = seen(trace.tones, trace.end_ms)
    highest = max((hz for _, _, hz in heard), default=1)
    ground = sound_y + _SOUND
    bars_heard = [(a, b, round(_SOUND * hz / highest, 1)) for a, b, hz in heard]
    shapes.append(Boxes(bars(bars_heard, ground), _TONE))
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
    ranks = {kind: rank for rank, kind in enumerate(_PRIORITY)}
    inside = [event for event in trace.events if axis.start <= event[0] <= axis.end]
    named: list[Event] = []
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
    """Return the title of a scenario's picture."""
    words = _("{file}, program {program}")
    return words.format(file=Path(path).name, program=program.title or program.name)


_COLUMNS = 60
_AROUND_MS = 1000


def in_text(shown: Trace, around_ms: int) -> str:
    """Draw the second before and the second after a time as text."""
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
