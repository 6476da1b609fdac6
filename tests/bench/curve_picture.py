"""How much is found in noise, as a picture: over the ratio of beeps to noise, in per cent."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from sim.lab.picture.shapes import Boxes, Line, Picture, Words
from tests.bench.curve import Point

WIDTH, HEIGHT = 900, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 40, 78, 96
_INK, _GREY, _GRID, _GROUND, _RED = "#333333", "#6b6b6b", "#e6e6e6", "#888888", "#b3261e"
_ALL, _LOW = "#1f6f8b", "#a86a1b"
_LOW_HZ = 440  # of "refused", deep among the voices
_WANTED = 95  # per cent
FIGURES = (
    "{beeps} beeps of whole games, in {minutes:g} minutes of noise for each point; "
    "0 dB: beeps as loud as the noise; false beeps in the noise alone: {alone}"
)
ALL = "all beeps"
LOW = '"refused", 440 Hz'
FALSE = "false beeps in ten minutes:"
WANTED = "dashed: what is wanted at 0 dB, 95 %"


def draw(points: Sequence[Point], alone: int) -> Picture:
    """Return the picture of at least two points; `alone` false beeps were heard without any."""
    told = FIGURES.format(beeps=points[0].there, minutes=points[0].minutes, alone=alone)
    first, last = points[0].ratio_db, points[-1].ratio_db
    scale = (WIDTH - _LEFT - _RIGHT) / (last - first)

    def x(ratio_db: float) -> float:
        return round(_LEFT + (ratio_db - first) * scale, 2)

    return Picture(
        WIDTH,
        HEIGHT,
        [
            Words(16, 26, "Beeps found beside talk and dice", _INK, 15, True),
            Words(16, 48, told, _INK),
            *_rows(),
            *_columns(points, x),
            *_curve([(x(point.ratio_db), _low(point)) for point in points], _LOW, LOW),
            *_curve([(x(point.ratio_db), point.percent) for point in points], _ALL, ALL),
        ],
    )


def _low(point: Point) -> float:
    found, there = point.by_pitch.get(_LOW_HZ, (0, 1))
    return 100 * found / there


def _y(percent: float) -> float:
    return round(HEIGHT - _BOTTOM - percent / 100 * (HEIGHT - _TOP - _BOTTOM), 2)


def _rows() -> list:
    shapes: list = []
    for percent in range(0, 101, 20):
        y = _y(percent)
        shapes.append(Line(_LEFT, y, WIDTH - _RIGHT, y, _GRID if percent else _GROUND))
        shapes.append(Words(_LEFT - 8, y + 4, f"{percent} %", _GREY, 11, anchor="end"))
    y = _y(_WANTED)
    return [*shapes, Line(_LEFT, y, WIDTH - _RIGHT, y, _RED, True)]


def _columns(points: Sequence[Point], x: Callable[[float], float]) -> list:
    """Return what stands below each point: its ratio, and how often something false was heard."""
    ground = HEIGHT - _BOTTOM
    shapes: list = [
        Words(16, ground + 44, FALSE, _GREY, 11),
        Words(16, HEIGHT - 12, WANTED, _RED, 11),
    ]
    for point in points:
        at = x(point.ratio_db)
        false = f"{point.false_in_ten_minutes:.1f}"
        ratio = f"{point.ratio_db:+d} dB" if point.ratio_db else "0 dB"
        shapes.append(Words(at, ground + 18, ratio, _INK, 11, anchor="middle"))
        shapes.append(Words(at, ground + 62, false, _INK, 11, anchor="middle"))
    return shapes


def _curve(points: list[tuple[float, float]], colour: str, name: str) -> list:
    """Return a line through the points `(x, per cent)`, a mark at each, and its name."""
    places = [(at, _y(percent)) for at, percent in points]
    lines = [Line(at, y, to, to_y, colour) for (at, y), (to, to_y) in pairwise(places)]
    marks = Boxes([(at - 3, y - 3, 6, 6) for at, y in places], colour)
    at, y = places[0]
    return [*lines, marks, Words(at + 10, y + 16, name, colour, 12, True)]
