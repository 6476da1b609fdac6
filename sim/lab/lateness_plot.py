"""Draws how late the edges of a unit were, over time."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import shortest
from sim.lab.picture import Boxes, Line, Picture, TimeAxis, Words

WIDTH, HEIGHT = 1400, 450
# In the plot over time each edge is a dot in the colour of its line. A band shows the tolerance.
# Dots outside it have a red frame; those beyond two seconds are drawn at the border. The times of
# failed expectations are marked.
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 190, 112, 44
_INK, _GREY, _GRID = "#333333", "#6b6b6b", "#e6e6e6"
_BAND, _RED, _DRIFT = "#e7f2ea", "#b3261e", "#6f4ba0"
_COLOURS = (
    *("#c05a00", "#1f6f8b", "#2e7d32", "#6f4ba0", "#8d6e00", "#ad1457"),
    *("#00695c", "#3949ab", "#5d4037", "#455a64"),
)
_DOT = 4
_TICKS_MS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_MOST_MS = 2000.0
_MOST_DOTS = 20_000  # a month has more edges than the plot has pixels


class Edge(NamedTuple):
    """An edge of the plot: its line, its due time and its lateness."""

    line: str
    due_ms: float
    late_ms: float


class Plot(NamedTuple):
    """The content of a lateness plot.

    edges      in chronological order
    end_ms     the end of the time axis
    band_ms    the tolerance, if there is one
    notes      remarks, drawn below the title
    failed_ms  the times of failed expectations
    drift      if drift was corrected: its amount in ms at time 0 and at the end
    """

    edges: Sequence[Edge]
    end_ms: float
    band_ms: float | None = None
    notes: Sequence[str] = ()
    failed_ms: Sequence[float] = ()
    drift: "tuple[float, float] | None" = None


def draw(plot: Plot, title: str) -> Picture:
    """Draw lateness over time."""
    edges = plot.edges[:: max(1, len(plot.edges) // _MOST_DOTS)]
    band = plot.band_ms or 0.0
    lates = [abs(edge.late_ms) for edge in edges]
    drifts = [abs(ms) for ms in plot.drift or ()]
    high = min(_MOST_MS, 1.15 * max([1.0, 1.3 * band, *lates, *drifts]))
    axis = TimeAxis(0, math.ceil(plot.end_ms), _LEFT, WIDTH - _RIGHT)
    middle = (_TOP + HEIGHT - _BOTTOM) / 2
    scale = (HEIGHT - _TOP - _BOTTOM) / 2 / high

    def y(ms: float) -> float:
        return round(middle - max(-high, min(high, ms)) * scale, 2)

    shapes: list = [Words(16, 24, title, _INK, 15, True)]
    shapes += [Words(16, 44 + 16 * n, note, _INK) for n, note in enumerate(plot.notes[:3])]
    right = WIDTH - _RIGHT
    if band:
        shapes.append(Boxes([(_LEFT, y(band), right - _LEFT, y(-band) - y(band))], _BAND))
        label = _("± {ms} ms allowed").format(ms=shortest(band, 6))
        shapes.append(Words(right + 8, y(band) + 4, label, _GREY, 11))
    step = next((tick for tick in _TICKS_MS if high / tick <= 5), _TICKS_MS[-1])
    for place in range(-int(high / step), int(high / step) + 1):
        at = y(place * step)
        shapes.append(Line(_LEFT, at, right, at, _INK if place == 0 else _GRID))
        label = shortest(place * step, 6)
        shapes.append(Words(_LEFT - 8, at + 4, label, _GREY, 11, anchor="end"))
    shapes.append(Words(_LEFT, _TOP - 8, _("late, ms (below 0: early)"), _GREY, 11))
    shapes += axis.lines(_TOP, HEIGHT - _BOTTOM)
    if plot.drift:
        begin, end = plot.drift
        shapes.append(Line(axis.x(0), y(begin), axis.x(axis.end), y(end), _DRIFT, True))
        at = y(end) if abs(y(end) - y(band)) > 12 else y(band) + 12  # below the band's label
        shapes.append(Words(right + 8, at + 4, _("drift, corrected"), _DRIFT, 11))
    for ms in sorted(set(plot.failed_ms)):
        x = axis.x(min(max(ms, 0), axis.end))
        shapes.append(Line(x, _TOP, x, HEIGHT - _BOTTOM, _RED, True))
        shapes.append(Words(x + 3, _TOP + 12, _("failed"), _RED, 11, True))
    for n, line in enumerate(sorted({edge.line for edge in edges})):
        colour = _COLOURS[n % len(_COLOURS)]
        spots = {
            (axis.x(edge.due_ms), y(edge.late_ms), bool(band) and abs(edge.late_ms) > band)
            for edge in edges
            if edge.line == line
        }
        size = float(_DOT)
        red = [(x - _DOT, at - _DOT, 2 * size, 2 * size) for x, at, late in sorted(spots) if late]
        dots = [(x - _DOT / 2, at - _DOT / 2, size, size) for x, at, _late in sorted(spots)]
        if red:
            shapes.append(Boxes(red, _RED))
        shapes.append(Boxes(dots, colour))
        x = _LEFT + 200 + 110 * n
        shapes.append(Boxes([(x, _TOP - 17, 10, 10)], colour))
        shapes.append(Words(x + 16, _TOP - 8, line, _INK, 11))
    return Picture(WIDTH, HEIGHT, shapes)
