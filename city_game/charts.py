"""Small pictures as SVG, written by hand: bars, and lines over time."""

from html import escape

FONT = 'font-family="sans-serif" font-size="13" fill="#223"'
# No meaning by colour alone; the first line is solid, as "1 0" tells every viewer.
DASHES = ("1 0", "8 4", "2 3", "12 3 2 3", "5 5", "1 4")
COLOURS = ("#b3382c", "#2c4ea3", "#2f8a4c", "#8a5a00", "#7a3f8f", "#333333")


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


def lines(title: str, series: list[tuple[str, list[tuple[float, float]]]], x: str, y: str) -> str:
    """Return a picture of series (name, points) over time; x and y say what the axes are."""
    left, top, width, height = 70, 70, 620, 320
    every = [point for _, points in series for point in points]
    most_x = max((point[0] for point in every), default=1) or 1
    most_y = max((point[1] for point in every), default=1) or 1
    parts = [f'<text x="16" y="28" {FONT} font-weight="bold">{escape(title)}</text>']
    for step in range(6):
        level = top + height - height * step / 5
        at = left + width * step / 5
        parts.append(
            f'<line x1="{left}" x2="{left + width}" y1="{level}" y2="{level}" stroke="#dde"/>'
        )
        parts.append(_text(left - 8, level + 4, f"{most_y * step / 5:.0f}", "end"))
        parts.append(_text(at, top + height + 20, f"{most_x * step / 5:.0f}", "middle"))
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


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {FONT}>{escape(words)}</text>'


def _svg(width: int, height: int, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><rect width="100%" height="100%" fill="#fff"/>'
    )
    return "\n".join([head, *parts, "</svg>\n"])
