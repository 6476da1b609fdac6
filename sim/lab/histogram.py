"""How late edges were, as a picture: an SVG of bars on a scale that shows the rare ones too."""

import math
from collections.abc import Sequence
from html import escape

from sim.lab.lateness import Lateness, counts

WIDTH, HEIGHT = 900, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 30, 78, 56
_STYLE = """text{font:12px system-ui,sans-serif;fill:#333}.t{fill:#666;font-size:11px}
.h{font-size:15px;font-weight:600}.g{stroke:#e6e6e6}.b{fill:#1f6f8b}.w{stroke:#b3261e}
.v{fill:#b3261e;font-weight:600}"""


def draw(late_us: Sequence[int], figures: Lateness, title: str, limit_ms: float | None) -> str:
    """Return the SVG; how many edges a bar stands for grows tenfold with each line."""
    step_us, bars = counts(late_us)
    return _Drawing(step_us, bars, figures, limit_ms).svg(title)


class _Drawing:
    def __init__(
        self, step_us: int, bars: dict[int, int], figures: Lateness, limit_ms: float | None
    ) -> None:
        self._bars = bars
        self._step = step_us / 1000  # ms
        self._figures = figures
        self._limit = limit_ms
        self._first = min(0, *bars) * self._step
        last = max((max(bars) + 1) * self._step, (limit_ms or 0) * 1.05)
        self._scale = (WIDTH - _LEFT - _RIGHT) / (last - self._first)
        self._last = last
        self._decades = max(1, math.ceil(math.log10(max(bars.values()) + 1)))

    def svg(self, title: str) -> str:
        one = self._figures
        told = (
            f"{one.count} edges: median {one.median_ms:.2f} ms, 99 of 100 within "
            f"{one.p99_ms:.2f} ms, worst {one.worst_ms:.2f} ms"
        )
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'width="{WIDTH}" height="{HEIGHT}"><style>{_STYLE}</style>'
                f'<rect width="100%" height="100%" fill="#fff"/>'
                f'<text class="h" x="16" y="26">{escape(title)}</text>'
                f'<text x="16" y="48">{escape(told)}</text>',
                *self._rows(),
                *self._ticks(),
                *self._columns(),
                *self._mark(),
                f'<text class="t" x="{WIDTH - _RIGHT}" y="{HEIGHT - 12}" text-anchor="end">'
                "later than due, ms</text></svg>\n",
            ]
        )

    def _x(self, ms: float) -> float:
        return round(_LEFT + (ms - self._first) * self._scale, 2)

    def _y(self, count: float) -> float:
        """Return the height of so many edges; half an edge is the ground."""
        part = (math.log10(max(count, 0.5)) - math.log10(0.5)) / (self._decades - math.log10(0.5))
        return round(HEIGHT - _BOTTOM - part * (HEIGHT - _TOP - _BOTTOM), 2)

    def _rows(self) -> list[str]:
        rows = []
        for decade in range(self._decades + 1):
            y = self._y(10**decade)
            rows.append(
                f'<path class="g" d="M{_LEFT} {y:g}H{WIDTH - _RIGHT}"/>'
                f'<text class="t" x="{_LEFT - 8}" y="{y + 4:g}" text-anchor="end">{10**decade}'
                "</text>"
            )
        return rows

    def _ticks(self) -> list[str]:
        span = self._last - self._first
        step = next(
            (one for one in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if span / one <= 12),
            span / 10,
        )
        ticks = []
        for place in range(math.ceil(self._first / step), math.floor(self._last / step) + 1):
            x = self._x(place * step)
            ticks.append(
                f'<text class="t" x="{x:g}" y="{HEIGHT - _BOTTOM + 18}" text-anchor="middle">'
                f"{place * step:g}</text>"
            )
        return ticks

    def _columns(self) -> list[str]:
        ground = HEIGHT - _BOTTOM
        boxes = []
        for place, count in sorted(self._bars.items()):
            left, right = self._x(place * self._step), self._x((place + 1) * self._step)
            width = max(right - left - 1, 1)
            top = self._y(count)
            boxes.append(
                f'<rect class="b" x="{left:g}" y="{top:g}" width="{width:g}" '
                f'height="{ground - top:g}"><title>{count}</title></rect>'
            )
        return [*boxes, f'<path d="M{_LEFT} {ground}H{WIDTH - _RIGHT}" stroke="#888"/>']

    def _mark(self) -> list[str]:
        if self._limit is None:
            return []
        x = self._x(self._limit)
        return [
            f'<path class="w" d="M{x:g} {_TOP - 8}V{HEIGHT - _BOTTOM}"/>'
            f'<text class="v" x="{x - 5:g}" y="{_TOP + 2}" text-anchor="end">'
            f"limit {self._limit:g} ms</text>"
        ]
