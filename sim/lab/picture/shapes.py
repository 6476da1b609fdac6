"""The shapes of the lab's pictures, and their axis of time."""

from collections.abc import Callable, Sequence
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
    shapes: "list[Boxes | Line | Words]"


_MOST_LINES = 12  # that are apart enough to carry a label each
_TICKS_MS = (
    *(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000),
    *(60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000),
)
_GREY, _GRID = "#6b6b6b", "#e0e0e0"


class TimeAxis:
    """The times from `start_ms` to `end_ms`, from `left` to `right` px."""

    def __init__(self, start_ms: int, end_ms: int, left: int, right: int) -> None:
        self.start = start_ms
        self.end = max(end_ms, start_ms + 1)
        self._left = left
        self._scale = (right - left) / (self.end - self.start)

    def x(self, ms: float) -> float:
        return round(self._left + (ms - self.start) * self._scale, 2)

    def step(self, steps_ms: Sequence[int]) -> int:
        """Return the least of these steps that gives not too many lines."""
        room = (self.end - self.start) / _MOST_LINES
        return next((step for step in steps_ms if step >= room), steps_ms[-1])

    def lines(self, step: int, top: float, bottom: float, label: Callable[[int], str]) -> list:
        """Return an upright line every `step` ms, and below it its time."""
        shapes: list = []
        for ms in range(-(-self.start // step) * step, self.end + 1, step):
            x = self.x(ms)
            shapes.append(Line(x, top, x, bottom, _GRID))
            shapes.append(Words(x, bottom + 16, label(ms), _GREY, 11, anchor="middle"))
        return shapes


def tick_step(axis: TimeAxis) -> int:
    """Return the time between two lines of an axis of seconds to hours."""
    return axis.step(_TICKS_MS)


def clock(ms: int, step: int) -> str:
    """Return a time as precisely as the steps of the axis need it."""
    if step >= 1000:
        return f"{ms // 60_000}:{ms // 1000 % 60:02}"
    return f"{ms / 1000:.{3 if step < 10 else 2 if step < 100 else 1}f} s"
