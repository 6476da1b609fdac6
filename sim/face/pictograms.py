"""Small pictures of our own: houses, a train, a gavel."""

from sim.face.paint import Canvas, Ink, Point

Houses = tuple[tuple[float, float, float], ...]

# For each permit its houses, `(left, width, height)`, in units of the picture's half size.
HOUSES = (
    ((-0.42, 0.84, 1.55),),
    ((-0.92, 0.84, 1.15), (0.08, 0.84, 1.7)),
    ((-1.0, 0.6, 1.0), (-0.3, 0.6, 1.75), (0.4, 0.6, 1.3)),
)
GROUND = 0.85


def permit(canvas: Canvas, which: int, size: float, colour: Ink, solid: bool) -> None:
    """Draw one, two or three houses (0 to 2) or a train (3), in outline or solid."""
    if which < len(HOUSES):
        _houses(canvas, HOUSES[which], size, colour, solid)
    else:
        _train(canvas, size, colour, solid)


def _houses(
    canvas: Canvas,
    houses: Houses,
    size: float,
    colour: Ink,
    solid: bool,
) -> None:
    line = 0 if solid else size * 0.13
    for left, width, height in houses:
        top = GROUND - height
        canvas.box(left * size, top * size, width * size, height * size, colour, 0, line)
        for floor in range(int((height - 0.35) / 0.42)):
            x = left + width / 2
            y = top + 0.28 + floor * 0.42
            paint = (255, 214, 160) if solid else colour
            canvas.box((x - 0.13) * size, y * size, 0.26 * size, 0.17 * size, paint)
    canvas.line((-size, GROUND * size), (size, GROUND * size), colour, size * 0.1)


def _train(canvas: Canvas, size: float, colour: Ink, solid: bool) -> None:
    line = 0 if solid else size * 0.13
    hole = (255, 214, 160) if solid else colour
    canvas.box(-0.62 * size, -0.9 * size, 1.24 * size, 1.4 * size, colour, 0.3 * size, line)
    canvas.box(-0.4 * size, -0.6 * size, 0.8 * size, 0.45 * size, hole, 0.1 * size)
    for side in (-1, 1):
        canvas.circle((side * 0.33 * size, 0.17 * size), 0.12 * size, hole)
        canvas.line(
            (side * 0.38 * size, 0.55 * size),
            (side * 0.78 * size, 0.98 * size),
            colour,
            0.13 * size,
        )
    canvas.line((-0.62 * size, 0.8 * size), (0.62 * size, 0.8 * size), colour, 0.11 * size)


def gavel(canvas: Canvas, centre: Point, size: float, colour: Ink) -> None:
    """Draw an auctioneer's gavel, leaning, over its block."""
    x, y = centre

    def at(dx: float, dy: float) -> Point:
        return x + dx * size, y + dy * size

    canvas.line(at(0.05, -0.15), at(0.95, 0.62), colour, 0.17 * size)
    canvas.polygon([at(-0.62, 0.02), at(0.02, -0.74), at(0.42, -0.4), at(-0.22, 0.36)], colour)
    canvas.line(at(-0.76, -0.06), at(-0.24, 0.38), colour, 0.15 * size)
    canvas.line(at(-0.1, -0.84), at(0.46, -0.38), colour, 0.15 * size)
    canvas.box(x - 0.95 * size, y + 0.66 * size, 1.1 * size, 0.24 * size, colour, 0.06 * size)
