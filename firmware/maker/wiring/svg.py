"""A wiring drawing as SVG: shapes are added to a sheet, which becomes a text."""

from collections.abc import Sequence

from city_unit.desktop.svg import document, element, number

Point = tuple[float, float]

FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"  # no text: names of fonts


class Sheet:
    """A drawing; coordinates and sizes are in pixels."""

    def __init__(self) -> None:
        self._shapes: list[str] = []

    def add(self, tag: str, **attributes: object) -> None:
        self._shapes.append(element(tag, **attributes))

    def rect(self, x: float, y: float, width: float, height: float, **attributes: object) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def circle(self, x: float, y: float, r: float, **attributes: object) -> None:
        self.add("circle", cx=x, cy=y, r=r, **attributes)

    def wire(self, points: Sequence[Point], colour: str, width: float = 4) -> None:
        """Draw a wire with round corners and a light rim, so that crossings can be read."""
        path = rounded(points, 10)
        shape = {"fill": "none", "stroke_linecap": "round", "d": path}
        self.add("path", stroke="#ffffff", stroke_width=width + 4, **shape)
        self.add("path", stroke=colour, stroke_width=width, **shape)

    def text(self, x: float, y: float, words: str, size: float = 15, **attributes: object) -> None:
        self._shapes.append(element("text", words, x=x, y=y, font_size=size, **attributes))

    def drawn(self, width: float, height: float, title: str) -> str:
        """Return the SVG."""
        shapes = [element("title", title), *self._shapes]
        return document(width, height, shapes, font_family=FONT)


def rounded(points: Sequence[Point], radius: float) -> str:
    """Return a path through level and upright stretches, its corners rounded."""
    path = f"M{number(points[0][0])} {number(points[0][1])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        into = _towards(corner, before, radius)
        out = _towards(corner, after, radius)
        path += f" L{into} Q{number(corner[0])} {number(corner[1])} {out}"
    return path + f" L{number(points[-1][0])} {number(points[-1][1])}"


def _towards(start: Point, goal: Point, distance: float) -> str:
    x, y = start
    away_x, away_y = goal[0] - x, goal[1] - y
    length = abs(away_x) + abs(away_y)
    step = min(distance, length / 2) / length if length else 0
    return f"{number(x + away_x * step)} {number(y + away_y * step)}"
