"""A part of a window, in px."""

from typing import NamedTuple


class Box(NamedTuple):
    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    def holds(self, point: tuple[float, float]) -> bool:
        return self.left <= point[0] < self.right and self.top <= point[1] < self.bottom

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def shrink(self, by: float) -> "Box":
        return Box(self.left + by, self.top + by, self.width - 2 * by, self.height - 2 * by)

    def row(self, index: int, count: int, gap: float = 0) -> "Box":
        """Return the part `index` of `count` that lie below each other."""
        height = (self.height - gap * (count - 1)) / count
        return Box(self.left, self.top + index * (height + gap), self.width, height)

    def column(self, index: int, count: int, gap: float = 0) -> "Box":
        """Return the part `index` of `count` that lie side by side."""
        width = (self.width - gap * (count - 1)) / count
        return Box(self.left + index * (width + gap), self.top, width, self.height)
