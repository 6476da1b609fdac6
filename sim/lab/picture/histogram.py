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
    return _Drawing(step_us, bars, figures, limit_ms).picture(title)


class _Drawing:
    def __init__(
        self, step_us: int, bars: dict[int, int], figures: Lateness, limit_ms: float | None
    ) -> None:
        self._bars = bars
        self._step = step_us / 1000  # ms
        self._figures = figures
        self._limit = limit_ms
        self._first = min(0, *bars) * self._step
        self._last = max((max(bars) + 1) * self._step, (limit_ms or 0) * 1.05)
        self._scale = (WIDTH - _LEFT - _RIGHT) / (self._last - self._first)
        self._decades = max(1, math.ceil(math.log10(max(bars.values()) + 1)))

    def picture(self, title: str) -> Picture:
        figures = _(
            "{edges} edges: median {median_ms} ms, 99 of 100 within {p99_ms} ms, "
            "worst {worst_ms} ms"
        ).format(**self._figures.in_words())
        shapes = [
            Words(16, 26, title, _INK, 15, True),
            Words(16, 48, figures, _INK),
            *self._rows(),
            *self._ticks(),
            Boxes(self._columns(), _BAR),
            Line(_LEFT, HEIGHT - _BOTTOM, WIDTH - _RIGHT, HEIGHT - _BOTTOM, _GROUND),
            *self._mark(),
            Words(WIDTH - _RIGHT, HEIGHT - 12, _("later than due, ms"), _GREY, 11, anchor="end"),
        ]
        return Picture(WIDTH, HEIGHT, shapes)

    def _x(self, ms: float) -> float:
        return round(_LEFT + (ms - self._first) * self._scale, 2)

    def _y(self, count: float) -> float:
        """Return the height of a count of edges; half an edge is the ground."""
        part = (math.log10(max(count, 0.5)) - math.log10(0.5)) / (self._decades - math.log10(0.5))
        return round(HEIGHT - _BOTTOM - part * (HEIGHT - _TOP - _BOTTOM), 2)

    def _rows(self) -> list:
        shapes: list = []
        for decade in range(self._decades + 1):
            y = self._y(10**decade)
            shapes.append(Line(_LEFT, y, WIDTH - _RIGHT, y, _GRID))
            shapes.append(Words(_LEFT - 8, y + 4, str(10**decade), _GREY, 11, anchor="end"))
        return shapes

    def _ticks(self) -> list[Words]:
        wide = self._last - self._first
        step = next((tick for tick in _TICKS_MS if wide / tick <= 12), wide / 10)
        first, last = math.ceil(self._first / step), math.floor(self._last / step)
        y = HEIGHT - _BOTTOM + 18
        return [
            Words(self._x(tick * step), y, shortest(tick * step, 6), _GREY, 11, anchor="middle")
            for tick in range(first, last + 1)
        ]

    def _columns(self) -> list[tuple[float, float, float, float]]:
        ground = HEIGHT - _BOTTOM
        boxes = []
        for place, count in sorted(self._bars.items()):
            left, right = self._x(place * self._step), self._x((place + 1) * self._step)
            top = self._y(count)
            boxes.append((left, top, max(round(right - left - 1, 2), 1), round(ground - top, 2)))
        return boxes

    def _mark(self) -> list:
        if self._limit is None:
            return []
        x = self._x(self._limit)
        label = _("limit {limit} ms").format(limit=shortest(self._limit, 6))
        return [
            Line(x, _TOP - 8, x, HEIGHT - _BOTTOM, _RED),
            Words(x - 5, _TOP + 2, label, _RED, 12, True, "end"),
        ]
