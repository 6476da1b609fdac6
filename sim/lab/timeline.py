"""A trace as a picture: an SVG time line, readable for a second and for an hour.

A lane for each lamp that was lit, one for the sound, whose height is its pitch,
and above them what happened. What is closer together than a pixel is drawn as
one bar, so that an hour is no larger a file than it must be.
"""

from html import escape

from sim.lab.edges import Edges, spans

WIDTH = 1400
_LEFT, _RIGHT, _TOP = 110, 90, 100
_LANE, _GAP = 26, 12
_SOUND = 56
_LABEL_PX = 24  # the least distance of two slanted labels
_TICKS_MS = (
    *(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000),
    *(60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000),
)
_COLOURS = {"auction": "#d3302f", "sound": "#1f6f8b"}
_PERMIT = "#e08a00"
_STYLE = """text{font:12px system-ui,sans-serif;fill:#333}.t{fill:#777;font-size:11px}
.n{font-weight:600;text-anchor:end}.g{stroke:#e4e4e4}.e{stroke:#bbb;stroke-dasharray:2 3}
.h{font-size:15px;font-weight:600}.l{fill:#f6f6f4}"""


def draw(edges: Edges, title: str, start_ms: int = 0, end_ms: int | None = None) -> str:
    """Return the SVG of the trace from `start_ms` to `end_ms`, its end if None."""
    return _Drawing(edges, start_ms, edges.end_ms if end_ms is None else end_ms).svg(title)


class _Drawing:
    def __init__(self, edges: Edges, start_ms: int, end_ms: int) -> None:
        self._edges = edges
        self._start = start_ms
        self._end = max(end_ms, start_ms + 1)
        self._scale = (WIDTH - _LEFT - _RIGHT) / (self._end - self._start)
        self._lamps = [name for name in edges.lamps if self._is_lit(name)]

    def svg(self, title: str) -> str:
        bottom = _TOP + len(self._lamps) * (_LANE + _GAP) + _SOUND + 10
        height = bottom + 34
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}"><style>{_STYLE}</style>'
            f'<rect width="100%" height="100%" fill="#fff"/>'
            f'<text class="h" x="16" y="24">{escape(title)}</text>'
        ]
        parts += self._lanes()
        parts += self._axis(bottom)
        parts += self._events(bottom)
        return "\n".join([*parts, "</svg>\n"])

    def _x(self, ms: float) -> float:
        return round(_LEFT + (ms - self._start) * self._scale, 2)

    def _is_lit(self, lamp: str) -> bool:
        lit = spans([(ms, int(on)) for ms, on in self._edges.lamps[lamp]], self._edges.end_ms)
        return any(start < self._end and end > self._start for start, end, _ in lit)

    def _lanes(self) -> list[str]:
        parts = []
        y = _TOP
        for name in self._lamps:
            lit = spans([(ms, int(on)) for ms, on in self._edges.lamps[name]], self._edges.end_ms)
            colour = _COLOURS.get(name, _PERMIT)
            parts += [_lane(name, y, _LANE), self._bars(lit, lambda _: (1, 0), y, _LANE, colour)]
            y += _LANE + _GAP
        heard = spans(self._edges.tones, self._edges.end_ms)
        highest = max((hz for _, _, hz in heard), default=1)
        parts.append(_lane("sound", y, _SOUND))
        parts.append(self._bars(heard, lambda hz: (hz / highest, hz), y, _SOUND, _COLOURS["sound"]))
        return parts

    def _bars(self, stretches, height, y: int, lane: int, colour: str) -> str:
        """Return one path for all stretches; neighbours within a pixel become one."""
        boxes: list[list[float]] = []
        for start, end, value in stretches:
            if end <= self._start or start >= self._end:
                continue
            left = self._x(max(start, self._start))
            right = max(self._x(min(end, self._end)), left + 1)
            tall = round(lane * height(value)[0], 1)
            if boxes and left - boxes[-1][1] < 0.6 and boxes[-1][2] == tall:
                boxes[-1][1] = max(boxes[-1][1], right)
            else:
                boxes.append([left, right, tall])
        path = "".join(
            f"M{left:g} {y + lane}V{y + lane - tall:g}H{right:g}V{y + lane}Z"
            for left, right, tall in boxes
        )
        return f'<path d="{path}" fill="{colour}"/>'

    def _axis(self, bottom: int) -> list[str]:
        room = (self._end - self._start) / 12
        step = next((tick for tick in _TICKS_MS if tick >= room), _TICKS_MS[-1])
        parts = []
        for ms in range(-(-self._start // step) * step, self._end + 1, step):
            x = self._x(ms)
            parts.append(
                f'<path class="g" d="M{x:g} {_TOP - 6}V{bottom}"/>'
                f'<text class="t" x="{x:g}" y="{bottom + 16}" text-anchor="middle">'
                f"{_clock(ms, step)}</text>"
            )
        return parts

    def _events(self, bottom: int) -> list[str]:
        parts = []
        last = -1e9
        for ms, kind, fields in self._edges.events:
            if not self._start <= ms <= self._end:
                continue
            x = self._x(ms)
            if x - last < _LABEL_PX:  # no room to name it
                continue
            last = x
            label = f"{kind} {fields['permit']}" if "permit" in fields else kind
            parts.append(
                f'<path class="e" d="M{x:g} {_TOP - 6}V{bottom - 10}"/>'
                f'<text class="t" transform="translate({x + 3:g} {_TOP - 10}) rotate(-32)">'
                f"{escape(label)}</text>"
            )
        return parts


def _lane(name: str, y: int, height: int) -> str:
    return (
        f'<rect class="l" x="{_LEFT}" y="{y}" width="{WIDTH - _LEFT - _RIGHT}" '
        f'height="{height}"/><text class="n" x="{_LEFT - 10}" y="{y + height / 2 + 4:g}">'
        f"{name}</text>"
    )


def _clock(ms: int, step: int) -> str:
    """Return a time as precisely as the steps of the axis need it."""
    if step >= 1000:
        return f"{ms // 60_000}:{ms // 1000 % 60:02}"
    return f"{ms / 1000:.{3 if step < 10 else 2 if step < 100 else 1}f} s"
