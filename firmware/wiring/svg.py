"""Just enough SVG: shapes are added to a sheet, which becomes a text."""

from html import escape


class Sheet:
    """A drawing; coordinates and sizes are in pixels."""

    def __init__(self) -> None:
        self._shapes = []

    def add(self, tag: str, **attributes: object) -> None:
        self._shapes.append(f"<{tag} {_attributes(attributes)}/>")

    def rect(self, x, y, width, height, **attributes) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def circle(self, x, y, r, **attributes) -> None:
        self.add("circle", cx=x, cy=y, r=r, **attributes)

    def wire(self, points, colour: str, width: float = 4) -> None:
        """Draw a wire with round corners and a light rim, so that crossings can be read."""
        path = rounded(points, 10)
        shape = {"fill": "none", "stroke_linecap": "round", "d": path}
        self.add("path", stroke="#ffffff", stroke_width=width + 4, **shape)
        self.add("path", stroke=colour, stroke_width=width, **shape)

    def text(self, x, y, words: str, size: float = 15, **attributes) -> None:
        self._shapes.append(
            f"<text {_attributes({'x': x, 'y': y, 'font_size': size, **attributes})}>"
            f"{escape(words)}</text>"
        )

    def drawn(self, width: float, height: float, title: str) -> str:
        """Return the SVG."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} '
            f'{_number(height)}" width="{_number(width)}" height="{_number(height)}" '
            f'font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif">'
        )
        return "\n".join([head, f"<title>{escape(title)}</title>", *self._shapes, "</svg>", ""])


def rounded(points, radius: float) -> str:
    """Return a path through level and upright stretches, its corners rounded."""
    path = f"M{_number(points[0][0])} {_number(points[0][1])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        into = _towards(corner, before, radius)
        out = _towards(corner, after, radius)
        path += f" L{into} Q{_number(corner[0])} {_number(corner[1])} {out}"
    return path + f" L{_number(points[-1][0])} {_number(points[-1][1])}"


def _towards(start, goal, distance: float) -> str:
    x, y = start
    away_x, away_y = goal[0] - x, goal[1] - y
    length = abs(away_x) + abs(away_y)
    step = min(distance, length / 2) / length if length else 0
    return f"{_number(x + away_x * step)} {_number(y + away_y * step)}"


def _attributes(attributes: dict[str, object]) -> str:
    return " ".join(
        f'{name.replace("_", "-")}="{_number(value)}"' for name, value in attributes.items()
    )


def _number(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
