"""How late edges were, as pictures: over time, and as a histogram.

Over time each edge is a dot, and each line has a colour. The band is the tolerance; a dot beyond
it has a red frame, and one beyond two seconds stays at the border. The time of each failed
expectation is marked.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import shortest
from sim.lab.capture.lateness import Lateness, counts
from sim.lab.picture.shapes import Boxes, Line, Picture, TimeAxis, Words, clock, tick_step

WIDTH, HEIGHT = 1400, 450
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
_MOST_DOTS = 20_000  # a pixel shows one; a month has more


class Edge(NamedTuple):
    """An edge: the line it is on, its due time and its lateness in ms."""

    line: str
    due_ms: float
    late_ms: float


class Plot(NamedTuple):
    """The content of a lateness plot.

    edges      in order of time
    end_ms     the end of the time axis
    band_ms    the tolerance, None without one
    notes      findings, drawn below the title
    failed_ms  the times of failed expectations
    drift      lateness of the drift line at 0 and at the end, in ms, where one was taken out
    """

    edges: Sequence[Edge]
    end_ms: float
    band_ms: float | None = None
    notes: Sequence[str] = ()
    failed_ms: Sequence[float] = ()
    drift: "tuple[float, float] | None" = None


def draw(plot: Plot, title: str) -> Picture:
    """Return the picture of a plot."""
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
    tick = tick_step(axis)
    shapes += axis.lines(tick, _TOP, HEIGHT - _BOTTOM, lambda ms: clock(ms, tick))
    if plot.drift:
        begin, end = plot.drift
        shapes.append(Line(axis.x(0), y(begin), axis.x(axis.end), y(end), _DRIFT, True))
        shapes.append(Words(right + 8, y(end) + 4, _("drift, taken out"), _DRIFT, 11))
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
        shapes.append(Boxes([(right + 8, _TOP + 44 + 18 * n, 10, 10)], colour))
        shapes.append(Words(right + 24, _TOP + 53 + 18 * n, line, _INK, 11))
    return Picture(WIDTH, HEIGHT, shapes)


def histogram(
    late_us: Sequence[int], figures: Lateness, title: str, limit_ms: float | None
) -> Picture:
    """Return the picture; how many edges a bar stands for grows tenfold with each line."""
    step_us, bars = counts(late_us)
    step_ms = step_us / 1000
    first = min(0, *bars) * step_ms
    last = max((max(bars) + 1) * step_ms, (limit_ms or 0) * 1.05)
    right, ground, top_y = 870, 364, 78  # of 900 × 420 px
    decades = max(1, math.ceil(math.log10(max(bars.values()) + 1)))

    def x(ms: float) -> float:
        return round(_LEFT + (ms - first) * (right - _LEFT) / (last - first), 2)

    def y(count: float) -> float:
        """Return the height of a count of edges; half an edge is the ground."""
        part = (math.log10(max(count, 0.5)) - math.log10(0.5)) / (decades - math.log10(0.5))
        return round(ground - part * (ground - top_y), 2)

    words = _(
        "{edges} edges: median {median_ms} ms, 99 of 100 within {p99_ms} ms, worst {worst_ms} ms"
    )
    shapes: list = [Words(16, 26, title, _INK, 15, True)]
    shapes.append(Words(16, 48, words.format(**figures.in_words()), _INK))
    for count in (10**decade for decade in range(decades + 1)):
        shapes.append(Line(_LEFT, y(count), right, y(count), _GRID))
        shapes.append(Words(_LEFT - 8, y(count) + 4, str(count), _GREY, 11, anchor="end"))
    tick = next((ms for ms in _TICKS_MS if (last - first) / ms <= 12), (last - first) / 10)
    for ms in (n * tick for n in range(math.ceil(first / tick), math.floor(last / tick) + 1)):
        shapes.append(Words(x(ms), ground + 18, shortest(ms, 6), _GREY, 11, anchor="middle"))
    boxes = []
    for place, count in sorted(bars.items()):
        begin, end, top = x(place * step_ms), x((place + 1) * step_ms), y(count)
        boxes.append((begin, top, max(round(end - begin - 1, 2), 1), round(ground - top, 2)))
    shapes += [Boxes(boxes, "#1f6f8b"), Line(_LEFT, ground, right, ground, "#888888")]
    if limit_ms is not None:
        label = _("limit {limit} ms").format(limit=shortest(limit_ms, 6))
        shapes.append(Line(x(limit_ms), top_y - 8, x(limit_ms), ground, _RED))
        shapes.append(Words(x(limit_ms) - 5, top_y + 2, label, _RED, 12, True, "end"))
    words = _("later than due, ms")
    shapes.append(Words(right, 408, words, _GREY, 11, anchor="end"))
    return Picture(900, 420, shapes)
