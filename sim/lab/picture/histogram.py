"""How late edges were, as a picture: bars on a scale that shows the rare ones too."""

import math
from collections.abc import Sequence

from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import shortest
from sim.lab.capture.lateness import Lateness, counts
from sim.lab.picture.shapes import Boxes, Line, Picture, Words

WIDTH, HEIGHT = 900, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 30, 78, 56
_TICKS_MS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
_INK, _GREY, _GRID = "#333333", "#6b6b6b", "#e6e6e6"
_GROUND, _BAR, _RED = "#888888", "#1f6f8b", "#b3261e"


def draw(late_us: Sequence[int], figures: Lateness, title: str, limit_ms: float | None) -> Picture:
    """Return the picture; how many edges a bar stands for grows tenfold with each line."""
    step_us, bars = counts(late_us)
    step_ms = step_us / 1000
    first = min(0, *bars) * step_ms
    last = max((max(bars) + 1) * step_ms, (limit_ms or 0) * 1.05)
    right, ground = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    decades = max(1, math.ceil(math.log10(max(bars.values()) + 1)))

    def x(ms: float) -> float:
        return round(_LEFT + (ms - first) * (right - _LEFT) / (last - first), 2)

    def y(count: float) -> float:
        """Return the height of a count of edges; half an edge is the ground."""
        part = (math.log10(max(count, 0.5)) - math.log10(0.5)) / (decades - math.log10(0.5))
        return round(ground - part * (ground - _TOP), 2)

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
    shapes += [Boxes(boxes, _BAR), Line(_LEFT, ground, right, ground, _GROUND)]
    if limit_ms is not None:
        label = _("limit {limit} ms").format(limit=shortest(limit_ms, 6))
        shapes.append(Line(x(limit_ms), _TOP - 8, x(limit_ms), ground, _RED))
        shapes.append(Words(x(limit_ms) - 5, _TOP + 2, label, _RED, 12, True, "end"))
    words = _("later than due, ms")
    shapes.append(Words(right, HEIGHT - 12, words, _GREY, 11, anchor="end"))
    return Picture(WIDTH, HEIGHT, shapes)
