"""The signs on the disc, drawn as outlines in the plane, about 7 mm high.

They are made of rectangles and polygons, so that no font is needed.
"""

from build123d import Circle, Polygon, Pos, Rectangle, Rot, Sketch

STROKE = 1.3  # mm


def strokes(*lines: tuple[float, float, float, float]) -> Sketch:
    """Return upright and level strokes, each from (x, y) to (x, y), with square ends."""
    sign = Sketch()
    for x1, y1, x2, y2 in lines:
        middle = Pos((x1 + x2) / 2, (y1 + y2) / 2)
        sign += middle * Rectangle(abs(x2 - x1) + STROKE, abs(y2 - y1) + STROKE)
    return sign


def one() -> Sketch:
    return strokes((0, -3, 0, 3), (-1.2, 3, 0, 3), (-1.5, -3, 1.5, -3))


def two() -> Sketch:
    levels = strokes((-1.8, 3, 1.8, 3), (-1.8, 0, 1.8, 0), (-1.8, -3, 1.8, -3))
    return levels + strokes((1.8, 3, 1.8, 0), (-1.8, 0, -1.8, -3))


def three() -> Sketch:
    return strokes((-1.8, 3, 1.8, 3), (1.8, 3, 1.8, -3), (-0.8, 0, 1.8, 0), (-1.8, -3, 1.8, -3))


def station() -> Sketch:
    """A locomotive from the front, on its rails."""
    body = Pos(0, 0.6) * Rectangle(5.4, 5.2)
    body -= Pos(0, 1.6) * Rectangle(3.4, 1.6)
    body -= Pos(-1.5, -0.9) * Circle(0.65) + Pos(1.5, -0.9) * Circle(0.65)
    left = Polygon((-1.8, -2.0), (-0.8, -2.0), (-2.6, -3.7), (-3.8, -3.7), align=None)
    right = Polygon((1.8, -2.0), (0.8, -2.0), (2.6, -3.7), (3.8, -3.7), align=None)
    return body + left + right


def gavel(scale: float = 1.0) -> Sketch:
    """An auctioneer's hammer over its block."""
    s = scale
    head = Rectangle(4.6 * s, 2.6 * s)
    head += Pos(-2.5 * s, 0) * Rectangle(0.9 * s, 3.4 * s) + Pos(2.5 * s, 0) * Rectangle(
        0.9 * s, 3.4 * s
    )
    handle = Pos(0, -3.4 * s) * Rectangle(1.1 * s, 4.6 * s)
    hammer = Pos(-0.6 * s, 1.4 * s) * Rot(0, 0, 40) * (head + handle)
    return hammer + Pos(-1.6 * s, -3.6 * s) * Rectangle(4.0 * s, 1.1 * s)


def cap() -> Sketch:
    """The sign of the AUCTION button: the hammer, large, in a ring."""
    return gavel(2.6) + (Circle(20.0) - Circle(18.8))


def tower() -> Sketch:
    """A skyscraper between two lower houses."""
    houses = Pos(0, 0.2) * Rectangle(2.8, 6.6) + Pos(-2.5, -1.3) * Rectangle(2.2, 3.6)
    return houses + Pos(2.5, -0.7) * Rectangle(2.2, 4.8)


SIGNS = {
    "auction": gavel,
    "1": one,
    "2": two,
    "3": three,
    "station": station,
    "cap": cap,
    "tower": tower,
}
