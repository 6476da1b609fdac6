"""Where everything is, at any size of the window: pure geometry, in pixels.

The disc has units of its own: its middle is (0, 0), its edge is at 1, y grows
downwards. BUILD sticks out at the bottom, as it does from the disc's side.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

# The parts of the disc, in its own units.
BUTTON = (0.0, -0.10)  # AUCTION
BUTTON_RADIUS = 0.35
LAMP = (0.0, -0.615)
LAMP_RADIUS = 0.07
PERMIT_RADIUS = 0.135
PERMITS = tuple(
    (0.665 * math.cos(math.radians(angle)), -0.02 + 0.665 * math.sin(math.radians(angle)))
    for angle in (147, 109, 71, 33)
)
SWITCH = (-0.625, -0.16)
SWITCH_HALF = (0.075, 0.15)
SPEAKER = (0.625, -0.16)
SPEAKER_RADIUS = 0.13
TAB = (0.90, 1.15)  # BUILD: inner and outer radius
TAB_ANGLE = 24  # degrees to each side of straight down

ABOVE = 1.08  # how much room the disc takes above its middle, and to each side
BELOW = 1.22  # and below, in radii

STRIP_LINES, TRACE_LINES = 5.2, 7.0  # how many letters high they are

SMALLEST = (320, 320)


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

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x < self.right and self.top <= y < self.bottom

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True)
class Layout:
    """The parts of a window.

    text    height of the letters, px
    tools   the buttons at the top: program, slower, speed, faster, volume, help
    notice  where it says that this is not real time
    centre, radius  the disc
    strip   the time line, or the live trace in its place
    """

    width: int
    height: int
    text: int
    tools: dict[str, Box]
    notice: Box
    centre: tuple[float, float]
    radius: float
    strip: Box

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return where a point of the disc lies in the window."""
        return (
            self.centre[0] + point[0] * self.radius,
            self.centre[1] + point[1] * self.radius,
        )

    def disc_box(self) -> Box:
        left, top = self.place((-1, -1))
        return Box(left, top, 2 * self.radius, (1 + TAB[1]) * self.radius)

    def hit(self, x: float, y: float) -> str:
        """Return what lies there: "auction", "build", "switch", "trace", a tool's name, or ""."""
        for name, box in {**self.tools, "trace": self.strip}.items():
            if box.holds(x, y):
                return name
        return disc_part((x - self.centre[0]) / self.radius, (y - self.centre[1]) / self.radius)


def disc_part(x: float, y: float) -> str:
    """Return which of the disc's controls is at a point in its own units, or ""."""
    if math.hypot(x - BUTTON[0], y - BUTTON[1]) <= BUTTON_RADIUS:
        return "auction"
    if abs(x - SWITCH[0]) <= SWITCH_HALF[0] + 0.03 and abs(y - SWITCH[1]) <= SWITCH_HALF[1] + 0.03:
        return "switch"
    off_bottom = abs(math.degrees(math.atan2(x, y)))
    if TAB[0] <= math.hypot(x, y) <= TAB[1] and off_bottom <= TAB_ANGLE:
        return "build"
    return ""


def arrange(width: int, height: int, density: float = 1.0, traced: bool = False) -> Layout:
    """Lay out a window of `width` times `height` px.

    density  how many px a point of its screen has
    traced   whether it shows the live trace, which is higher than the time line
    """
    short = min(width, height)
    text = round(min(max(short / 36, 13 * density), 24 * density))
    gap = text * 0.6
    bar = text * 2.0
    tools = _tools(width, gap, bar, text)
    strip_height = text * (TRACE_LINES if traced else STRIP_LINES)
    strip = Box(gap, height - gap - strip_height, width - 2 * gap, strip_height)
    notice = Box(gap, gap + bar + gap * 0.5, width - 2 * gap, text * 1.5)
    top = notice.bottom
    room = strip.top - top
    radius = min(room / (ABOVE + BELOW), width / 2 / ABOVE)
    spare = room - radius * (ABOVE + BELOW)
    centre = (width / 2, top + spare / 2 + radius * ABOVE)
    return Layout(width, height, text, tools, notice, centre, radius, strip)


def _tools(width: int, gap: float, bar: float, text: int) -> dict[str, Box]:
    """Place the buttons: the program at the left, the others from the right."""
    boxes = {}
    right = width - gap
    small = gap * 0.4
    for name, wide in (
        ("help", bar),
        ("volume", bar * 1.35),
        ("faster", bar * 0.85),
        ("speed", bar * 1.5),
        ("slower", bar * 0.85),
    ):
        boxes[name] = Box(right - wide, gap, wide, bar)
        right -= wide + small
    boxes["program"] = Box(gap, gap, min(right - gap, text * 11), bar)
    return boxes
