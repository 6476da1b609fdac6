"""The geometry of the disc and its labels, for every painter; without pygame.

The disc has its own coordinates: the centre is (0, 0), the radius is 1, and y grows downwards.
BUILD, which is on the side of a real disc, protrudes at the bottom.
"""

import math
from typing import NamedTuple

from city_unit import facts
from city_unit.desktop.catalogue import lazy


class Box(NamedTuple):
    """A rectangle in a window, in px."""

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
        """Return row `index` of `count` equal rows."""
        height = (self.height - gap * (count - 1)) / count
        return Box(self.left, self.top + index * (height + gap), self.width, height)

    def column(self, index: int, count: int, gap: float = 0) -> "Box":
        """Return column `index` of `count` equal columns."""
        width = (self.width - gap * (count - 1)) / count
        return Box(self.left + index * (width + gap), self.top, width, self.height)


AUCTION_LABEL = lazy("AUCTION")
BUILD_LABEL = lazy("BUILD")

# The parts, in the coordinates of the disc.
BUTTON = (0.0, -0.10)  # AUCTION
BUTTON_RADIUS = 0.35
LAMP_RADIUS = 0.07
BULBS = {"auction": (0.0, -0.615)}  # lamps without a symbol, by their names in `facts.LAMPS`
PERMIT_RADIUS = 0.135
PERMIT_PLACES = {  # lamps with a symbol, from left to right
    f"permit-{permit}": (
        0.665 * math.cos(math.radians(angle)),
        -0.02 + 0.665 * math.sin(math.radians(angle)),
    )
    for permit, angle in zip(facts.PERMITS, (147, 109, 71, 33), strict=True)
}
LAMP_PLACES = {lamp: {**BULBS, **PERMIT_PLACES}[lamp] for lamp in facts.LAMPS}  # in order of bits
SWITCH = (-0.625, -0.16)
SWITCH_HALF = (0.075, 0.15)
SPEAKER = (0.625, -0.16)
TAB = (0.90, 1.15)  # BUILD: inner and outer radius
TAB_ANGLE = 24  # degrees to each side of straight down

ABOVE = 1.08  # space above the centre and to each side, in radii
BELOW = 1.22  # space below the centre


def disc_part(x: float, y: float) -> str:
    """Return the control at a point in the disc's coordinates: "auction", "build", "switch", ""."""
    if math.hypot(x - BUTTON[0], y - BUTTON[1]) <= BUTTON_RADIUS:
        return "auction"
    if abs(x - SWITCH[0]) <= SWITCH_HALF[0] + 0.03 and abs(y - SWITCH[1]) <= SWITCH_HALF[1] + 0.03:
        return "switch"
    off_bottom = abs(math.degrees(math.atan2(x, y)))
    if TAB[0] <= math.hypot(x, y) <= TAB[1] and off_bottom <= TAB_ANGLE:
        return "build"
    return ""


def _around(middle: tuple[float, float], half: tuple[float, float]) -> tuple[float, ...]:
    """Return left, top, right and bottom of a part from its middle and its half sizes."""
    return middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1]


class Circle(NamedTuple):
    """The place and size of the disc in a window, in px."""

    centre: tuple[float, float]
    radius: float

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        """Convert a point of the disc to a point of the window."""
        return (
            self.centre[0] + point[0] * self.radius,
            self.centre[1] + point[1] * self.radius,
        )

    def box(self, part: str) -> Box:
        """Return the rectangle of a control, named as by `disc_part`, in the window."""
        half_tab = TAB[1] * math.sin(math.radians(TAB_ANGLE))
        left, top, right, bottom = {
            "auction": _around(BUTTON, (BUTTON_RADIUS, BUTTON_RADIUS)),
            "switch": _around(SWITCH, SWITCH_HALF),
            "build": (-half_tab, TAB[0], half_tab, TAB[1]),
        }[part]
        corner = self.place((left, top))
        return Box(*corner, (right - left) * self.radius, (bottom - top) * self.radius)

    def part_at(self, point: tuple[float, float]) -> str:
        """Return the control at a point of the window, named as by `disc_part`."""
        x, y = point
        return disc_part((x - self.centre[0]) / self.radius, (y - self.centre[1]) / self.radius)


def fit(room: Box) -> Circle:
    """Return the largest disc that fits into a box, with its tab and its shadow."""
    radius = min(room.height / (ABOVE + BELOW), room.width / 2 / ABOVE)
    spare = room.height - radius * (ABOVE + BELOW)
    return Circle((room.left + room.width / 2, room.top + spare / 2 + radius * ABOVE), radius)
