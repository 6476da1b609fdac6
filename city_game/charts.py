"""Small pictures as SVG, written by hand: bars, and lines over time."""

import math
from collections.abc import Sequence
from html import escape
from itertools import count

FONT = 'font-family="sans-serif" font-size="13" fill="#223"'
# No meaning by colour alone; the first line is solid, as "1 0" tells every viewer.
DASHES = ("1 0", "8 4", "2 3", "12 3 2 3", "5 5", "1 4")
# The colours of the players at the table, a little darker for white paper.
COLOURS = ("#d94545", "#2f86e0", "#c99400", "#3f9e58", "#9a5fd0", "#e0702a")

Series = Sequence[tuple[str, Sequence[tuple[float, float]]]]


def bars(title: str, rows: list[tuple[str, float, str, str]]) -> str:
    """Return a picture of rows (label, value, its text, colour)."""
    top = max((row[1] for row in rows), default=0) or 1
    parts = [f'<text x="16" y="28" {FONT} font-weight="bold">{escape(title)}</text>']
    for index, (label, value, text, colour) in enumerate(rows):
        y = 46 + 24 * index
        width = 420 * value / top
        parts.append(f'<text x="150" y="{y + 13}" text-anchor="end" {FONT}>{escape(label)}</text>')
        parts.append(
            f'<rect x="160" y="{y}" width="{width:.1f}" height="17" rx="3" fill="{colour}"/>'
        )
        parts.append(f'<text x="{168 + width:.1f}" y="{y + 13}" {FONT}>{escape(text)}</text>')
    return _svg(760, 60 + 24 * len(rows), parts)


def lines(title: str, series: Series, x: str, y: str) -> str:
    """Return a picture of series (name, points) over time; x and y say what the axes are."""
    left, top, width, height = 70, 70, 620, 320
    every = [point for _, points in series for point in points]
    ticks_x = ticks(max((point[0] for point in every), default=1))
    ticks_y = ticks(max((point[1] for point in every), default=1))
    most_x, most_y = ticks_x[-1], ticks_y[-1]
    parts = [f'<text x="16" y="28" {FONT} font-weight="bold">{escape(title)}</text>']
    for value in ticks_y:
        level = top + height - height * value / most_y
        parts.append(
            f'<line x1="{left}" x2="{left + width}" y1="{level}" y2="{level}" stroke="#dde"/>'
        )
        parts.append(_text(left - 8, level + 4, str(value), "end"))
    for value in ticks_x:
        parts.append(_text(left + width * value / most_x, top + height + 20, str(value), "middle"))
    parts.append(_text(left + width, top + height + 38, x, "end"))
    parts.append(_text(left, top - 8, y))
    for index, (name, points) in enumerate(series):
        colour, dash = COLOURS[index % 6], DASHES[index % 6]
        path = " ".join(
            f"{left + width * at / most_x:.1f},{top + height - height * value / most_y:.1f}"
            for at, value in points
        )
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5" '
            f'stroke-dasharray="{dash}"/>'
        )
        row = top + 20 + 24 * index
        parts.append(
            f'<line x1="{left + width + 16}" x2="{left + width + 56}" y1="{row}" y2="{row}" '
            f'stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dash}"/>'
        )
        parts.append(f'<text x="{left + width + 64}" y="{row + 4}" {FONT}>{escape(name)}</text>')
    return _svg(860, top + height + 50, parts)


def ticks(most: float) -> list[int]:
    """Return round values for an axis, 0 first, the last not below `most`; at most eight."""
    steps = (lead * 10**power for power in count() for lead in (1, 2, 5))
    step = next(one for one in steps if one * 7 >= most)
    return [step * number for number in range(max(1, math.ceil(most / step)) + 1)]


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {FONT}>{escape(words)}</text>'


def _svg(width: int, height: int, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><rect width="100%" height="100%" fill="#fff"/>'
    )
    return "\n".join([head, *parts, "</svg>\n"])
