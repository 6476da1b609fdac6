"""The shapes of the lab's pictures; `svg.py` and `png.py` write them."""

from typing import NamedTuple


class Boxes(NamedTuple):
    """Rectangles `(x, y, width, height)` of one colour."""

    boxes: list[tuple[float, float, float, float]]
    colour: str


class Line(NamedTuple):
    """A line from one point to another."""

    x: float
    y: float
    to_x: float
    to_y: float
    colour: str
    is_dashed: bool = False


class Words(NamedTuple):
    """A text on its base line.

    anchor  which part of it is at x: "start", "middle" or "end"
    slant   by how many degrees it rises
    """

    x: float
    y: float
    text: str
    colour: str
    size: int = 12
    is_bold: bool = False
    anchor: str = "start"
    slant: int = 0


class Picture(NamedTuple):
    """Shapes on white, the later ones above the earlier."""

    width: int
    height: int
    shapes: list
