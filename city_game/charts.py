"""A chart as SVG: lines over time."""

import math
from collections.abc import Sequence
from itertools import count

from city_game.seats import CORNERS, SEATS
from city_unit.desktop.forms import shortest
from city_unit.desktop.svg import WHITE, document, element

FONT = {"font_family": "sans-serif", "font_size": 13, "fill": "#223"}
# Lines differ by dashes as well as colours. "1 0" is a solid line in all viewers.
DASHES = ("1 0", "9 4", "4 3", "14 4 4 4", "6 6", "3 6")
EDGE = "#334"  # outline of the players' bright colours, for white paper
LABEL_STEP = 22  # px between labels
LETTER = 9  # px, the width of a wide letter

Series = Sequence[tuple[str, Sequence[tuple[float, float]]]]


def lines(title: str, series: Series, x: str, y: str) -> str:
    """Return a line chart of the players' series (name, points), in the order of their seats.

    x and y name the axes. Each line has the colour and shape of its seat and dashes of its own. Its
    name and last value stand at its right end.
    """
    left, top, right, bottom = 70, 70, 690, 390  # px, of the plot
    every = [point for _, points in series for point in points]
    ticks_x, ticks_y = (ticks(max((point[axis] for point in every), default=1)) for axis in (0, 1))

    def place(at: float, value: float) -> tuple[float, float]:
        across = (right - left) * at / ticks_x[-1]
        return left + across, bottom - (bottom - top) * value / ticks_y[-1]

    parts = [element("text", title, x=16, y=28, **FONT, font_weight="bold")]
    for value in ticks_y:
        _x, level = place(0, value)
        ends = {"x1": left, "x2": right, "y1": level, "y2": level}
        parts.append(element("line", **ends, stroke="#dde"))
        parts.append(_text(left - 8, level + 4, str(value), "end"))
    for value in ticks_x:
        parts.append(_text(place(value, 0)[0], bottom + 20, str(value), "middle"))
    parts.append(_text(right, bottom + 38, x, "end"))
    parts.append(_text(left, top - 14, y))
    drawn = [(seat, name, points) for seat, (name, points) in enumerate(series) if points]
    for seat, _, points in drawn:
        path = " ".join("{:.1f},{:.1f}".format(*place(*point)) for point in points)
        for colour, width in ((EDGE, 4.2), (_hex(seat), 3)):
            ink = {"stroke": colour, "stroke_width": width, "stroke_linejoin": "round"}
            ink |= {"stroke_dasharray": DASHES[seat]}
            parts.append(element("polyline", points=path, fill="none", **ink))
    for seat, _, points in drawn:  # over all lines
        parts.append(_shape(seat, *place(*points[-1])))
    lasts = [place(*points[-1])[1] for _, _, points in drawn]
    labels = right + 34
    for (seat, name, points), last, level in zip(
        drawn, lasts, spread(lasts, LABEL_STEP, bottom), strict=True
    ):
        joins = f"M{right + 8} {last:.1f} L{labels - 12} {level:.1f}"
        parts.append(element("path", d=joins, stroke="#99a"))
        parts.append(_shape(seat, labels, level))
        parts.append(_text(labels + 14, level + 4, f"{name} {shortest(points[-1][1], 2)}"))
    names = LETTER * max((len(name) for _, name, _ in drawn), default=0)
    return document(right + 110 + names, bottom + 50, parts, WHITE)


def _shape(seat: int, x: float, y: float) -> str:
    shape, radius = SEATS[seat][1], 7
    ink = {"fill": _hex(seat), "stroke": EDGE, "stroke_width": 1.2, "stroke_linejoin": "round"}
    if shape == "circle":
        return element("circle", cx=x, cy=y, r=radius, **ink)
    corners = " ".join(f"{x + radius * dx:.1f},{y + radius * dy:.1f}" for dx, dy in CORNERS[shape])
    return element("polygon", points=corners, **ink)


def _hex(seat: int) -> str:
    return "#{:02x}{:02x}{:02x}".format(*SEATS[seat][0])


def spread(levels: list[float], step: float, lowest: float) -> list[float]:
    """Return the levels moved at least `step` px apart, in the same order, none below `lowest`."""
    placed = list(levels)
    floor = lowest
    for index in sorted(range(len(levels)), key=lambda index: -levels[index]):
        placed[index] = min(levels[index], floor)
        floor = placed[index] - step
    return placed


def ticks(most: float) -> list[int]:
    """Return at most eight round values for an axis, from 0 to `most` or above."""
    steps = (lead * 10**power for power in count() for lead in (1, 2, 5))
    step = next(step for step in steps if step * 7 >= most)
    return [step * number for number in range(max(1, math.ceil(most / step)) + 1)]


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return element("text", words, x=x, y=y, text_anchor=anchor, **FONT)
