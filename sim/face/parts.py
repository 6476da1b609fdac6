"""The parts of the disc as shapes, drawn on a `Sheet` that each medium implements.

Each part is centred on (0, 0) and uses the lengths of `geometry`, which also has its place on the
disc. Angles are in degrees: 0 is right, 90 is down. Soft shadows and letters are left to the
medium.
"""

import math
import random
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from sim.face import geometry

Colour = tuple[int, int, int]
Ink = Colour | tuple[int, int, int, int]  # with opacity
Point = tuple[float, float]
Rect = tuple[float, float, float, float]  # left, top, width, height
Band = tuple[float, float, float, float]  # a ring segment: radii inner, outer; angles start, end

RIM_DARK, RIM_BRIGHT = (74, 68, 62), (226, 214, 194)
FACE_DARK, FACE_BRIGHT = (31, 35, 42), (86, 93, 104)
IVORY_DARK, IVORY_BRIGHT = (176, 160, 134), (250, 242, 226)
BLACK = (0, 0, 0)
INK = (62, 50, 40)
ENGRAVED = (19, 22, 27)
RELIEF = (112, 120, 132)
DIM = (140, 112, 106)
LIGHT, CORE = (255, 84, 44), (255, 232, 196)
GLOW, RAY = (190, 62, 26), (255, 176, 120)
BRASS = (205, 176, 122)

MARK = (179, 182, 187)  # the mark of the switch's current position


class Sheet(Protocol):
    """The drawing operations of a medium."""

    def circle(self, centre: Point, radius: float, colour: Ink, width: float = 0) -> None:
        """Draw a disc, or with a `width` a ring inside that radius."""

    def box(self, rect: Rect, colour: Ink, radius: float = 0, line: float = 0) -> None:
        """Draw a rectangle with round corners, or with a `line` width its outline."""

    def line(self, start: Point, end: Point, colour: Ink, width: float) -> None:
        """Draw a line with round ends."""

    def polygon(self, points: Sequence[Point], colour: Ink) -> None: ...

    def bands(self, bands: Iterable[Band], colour: Ink, edge: Colour | None = None) -> None:
        """Draw ring segments, in relief if `edge` is a colour."""

    def shell(self, band: Band, hues: Sequence[Colour]) -> None:
        """Draw a ring segment with a gradient of `hues` from its outer edge inwards."""

    def dots(self, points: Iterable[Point], radius: float, colour: Colour) -> None: ...

    def rays(self, inner: float, outer: float, count: int) -> None: ...

    def dome(self, centre: Point, radius: float, dark: Colour, bright: Colour, lean: float) -> None:
        """Draw a sphere lit from the upper left; `lean` is the light's distance from the middle."""


def mix(colour: Colour, other: Colour, part: float) -> Colour:
    """Interpolate between two colours; `part` 0 is `colour`, 1 is `other`."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(colour, other, strict=True))
    return red, green, blue


def polar(radius: float, degrees: float, centre: Point = (0, 0)) -> Point:
    angle = math.radians(degrees)
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def metal(dark: Colour, bright: Colour, degrees: float) -> Colour:
    """Return the colour of turned metal, which reflects light in two opposite fans.

    degrees  the angle from the light
    """
    towards = math.cos(math.radians(degrees))
    return mix(dark, bright, 0.12 + 0.5 * abs(towards) ** 5 + 0.25 * (0.5 + 0.5 * towards))


# Metal parts: radius, dark and bright colour, and the angle of the light.
RIM = (1.0, RIM_DARK, RIM_BRIGHT, -50)
PLATE = (0.94, FACE_DARK, FACE_BRIGHT, -58)


# The engravings.


class House(NamedTuple):
    """A house of the engraved skyline.

    start, end  its sides, in degrees
    roof        radius of its roof
    has_mast    whether its roof has a mast in the middle
    windows     `(radius, degrees)` of its lit windows
    """

    start: float
    end: float
    roof: float
    has_mast: bool
    windows: tuple[tuple[float, float], ...]


_FOOT = 0.772  # radius of the ground
_GAP = 0.5  # degrees between two houses
_ROOF = 0.012


@lru_cache(maxsize=1)
def _houses() -> tuple[House, ...]:
    """Return random houses, the highest in the middle; always the same ones."""
    city = random.Random(22)
    made = []
    angle, last = 199.0, 341.0
    while angle < last:
        width = city.choice((4.2, 5.0, 6.0, 7.2))
        end = min(angle + width, last)
        crown = 1 - abs((angle + end) / 2 - 270) / 95
        roof = _FOOT + 0.02 + 0.115 * crown * (0.45 + 0.55 * city.random()) + _ROOF
        mast = city.random() < 0.3 and width < 6
        lit = []
        floor = 0.789
        while floor < roof - _ROOF:
            for column in range(1, 4):
                if city.random() < 0.5:
                    lit.append((floor, angle + (end - _GAP - angle) * column / 4))
            floor += 0.02
        made.append(House(angle, end - _GAP, roof, mast, tuple(lit)))
        angle = end
    return tuple(made)


def skyline(sheet: Sheet) -> None:
    """Engrave a skyline along the upper edge, with its roofs outwards."""
    houses = [(_FOOT, house.roof, house.start, house.end) for house in _houses()]
    sheet.bands(houses, ENGRAVED, RELIEF)
    for house in _houses():
        if house.has_mast:
            middle = (house.start + house.end + _GAP) / 2
            tip = polar(house.roof + 0.022, middle)
            sheet.line(polar(house.roof, middle), tip, ENGRAVED, 0.008)
    sheet.bands([(0.757, 0.764, 196, 344)], RELIEF)


def windows(sheet: Sheet) -> None:
    lit = [polar(*place) for house in _houses() for place in house.windows]
    sheet.dots(lit, 0.0052, mix(BRASS, ENGRAVED, 0.25))


def speaker(sheet: Sheet) -> None:
    rings = ((0.0, 1), (0.05, 6), (0.1, 12))
    holes = [polar(ring, hole * 360 / count) for ring, count in rings for hole in range(count)]
    sheet.dots([(x, y + 0.004) for x, y in holes], 0.0175, RELIEF)
    sheet.dots(holes, 0.0165, ENGRAVED)


def waves(sheet: Sheet) -> None:
    reaches, sides = (0.165, 0.205), (0, 180)
    sheet.bands(
        [(at - 0.007, at + 0.007, side - 38, side + 38) for at in reaches for side in sides], BRASS
    )


# The controls.

SLIDE = geometry.SWITCH_HALF[1] - 0.012  # travel of the switch's knob
# Inner and outer radius of the ring that shows how long AUCTION has been held.
HOLD = geometry.BUTTON_RADIUS + 0.02, geometry.BUTTON_RADIUS + 0.075


def auction(sheet: Sheet, down: bool = False) -> None:
    radius = geometry.BUTTON_RADIUS - (0.012 if down else 0)
    shade = 0.22 if down else 0.0
    dark, bright = mix(IVORY_DARK, BLACK, shade + 0.25), mix(IVORY_BRIGHT, BLACK, shade)
    sheet.circle((0, 0), geometry.BUTTON_RADIUS + 0.012, (10, 11, 13))
    sheet.dome((0, 0), radius, dark, mix(dark, bright, 0.85), 0.06)
    sheet.dome((0, 0), radius * 0.87, mix(dark, bright, 0.95), mix(dark, bright, 0.62), -0.2)
    sheet.dome((0, 0.004), radius * 0.85, mix(dark, bright, 0.78), bright, 0.32)
    # A leaning gavel over its block.
    size, below = 0.15, -0.085

    def at(x: float, y: float) -> Point:
        return x * size, y * size + below

    sheet.line(at(0.05, -0.15), at(0.95, 0.62), INK, 0.17 * size)
    sheet.polygon([at(-0.62, 0.02), at(0.02, -0.74), at(0.42, -0.4), at(-0.22, 0.36)], INK)
    sheet.line(at(-0.76, -0.06), at(-0.24, 0.38), INK, 0.15 * size)
    sheet.line(at(-0.1, -0.84), at(0.46, -0.38), INK, 0.15 * size)
    sheet.box((*at(-0.95, 0.66), 1.1 * size, 0.24 * size), INK, 0.06 * size)


def build(sheet: Sheet, down: bool = False) -> None:
    outer = geometry.TAB[1] - (0.028 if down else 0)
    start, end = 90 - geometry.TAB_ANGLE, 90 + geometry.TAB_ANGLE
    shade = 0.2 if down else 0.0
    dark, bright = mix(IVORY_DARK, BLACK, shade + 0.2), mix(IVORY_BRIGHT, BLACK, shade)
    sheet.bands([(0.97, outer, start, end)], mix(dark, BLACK, 0.35))
    hues = [mix(dark, bright, part) for part in (0.2, 1, 1, 1, 0.55, 0.2)]
    sheet.shell((0.97, outer - 0.012, start + 0.8, end - 0.8), hues)


def slot(sheet: Sheet) -> None:
    x, y = geometry.SWITCH_HALF
    sheet.box((-x - 0.008, -y - 0.004, 2 * x + 0.016, 2 * y + 0.02), RELIEF, x)
    sheet.box((-x, -y, 2 * x, 2 * y), (13, 15, 18), x)


def knob(sheet: Sheet, top: float = 0) -> None:
    """Draw the knob of the switch with its top edge at `top`; 0 is off."""
    half, height = geometry.SWITCH_HALF[0], SLIDE
    edge = (-half + 0.012, top, 2 * half - 0.024, height)
    sheet.box(edge, mix(RIM_DARK, BLACK, 0.2), 0.05)
    bright = mix(RIM_DARK, RIM_BRIGHT, 0.8)
    inside = (-half + 0.016, top + 0.003, 2 * half - 0.032, height - 0.016)
    sheet.box(inside, bright, 0.05)
    for ridge in (0.3, 0.5, 0.7):
        y = top + height * ridge - 0.004
        sheet.line((-0.032, y), (0.032, y), RIM_DARK, 0.009)


def marks(sheet: Sheet, on: Colour = MARK, off: Colour = MARK) -> None:
    """Draw the marks of the switch in the given colours."""
    half_height = geometry.SWITCH_HALF[1]
    sheet.line((0, -half_height - 0.095), (0, -half_height - 0.045), on, 0.014)
    sheet.circle((0, half_height + 0.075), 0.032, off, 0.013)


# The lamps. A lit lamp also differs in shape: it has rays and a solid symbol.


def glow_reach(lamp: str) -> float:
    """Return the radius of a lamp's glow on the disc."""
    return 0.42 if lamp in geometry.PERMIT_PLACES else 0.5


def lamp(sheet: Sheet, name: str, lit: bool) -> None:
    """Draw the lamp `name` of `facts.LAMPS`, without its glow."""
    if name in geometry.PERMIT_PLACES:
        which, radius = list(geometry.PERMIT_PLACES).index(name), geometry.PERMIT_RADIUS
        sheet.circle((0, 0), radius, mix(RIM_DARK, RIM_BRIGHT, 0.72 if lit else 0.35))
        sheet.circle((0, 0.006), radius - 0.012, (10, 10, 12))
        if lit:
            sheet.rays(radius + 0.014, radius + 0.045, 16)
            sheet.dome((0, 0), radius - 0.016, LIGHT, CORE, 0.0)
            permit(sheet, which, radius * 0.62, (66, 16, 8), solid=True)
        else:
            sheet.dome((0, 0), radius - 0.016, (27, 20, 21), (48, 40, 42), 0.3)
            permit(sheet, which, radius * 0.62, DIM, solid=False)
        return
    radius = geometry.LAMP_RADIUS
    sheet.circle((0, 0), radius + 0.02, RIM_DARK)
    sheet.circle((0, 0), radius + 0.013, mix(RIM_DARK, RIM_BRIGHT, 0.7))
    sheet.circle((0, 0), radius, (12, 8, 8))
    if lit:
        sheet.rays(radius + 0.035, radius + 0.075, 12)
        sheet.dome((0, 0), radius * 0.96, LIGHT, CORE, 0.0)
    else:
        sheet.dome((0, 0), radius * 0.93, (44, 14, 13), (110, 40, 34), 0.42)


# The houses `(left, width, height)` of each permit, in units of half the symbol's size.
_HOUSES = (
    ((-0.42, 0.84, 1.55),),
    ((-0.92, 0.84, 1.15), (0.08, 0.84, 1.7)),
    ((-1.0, 0.6, 1.0), (-0.3, 0.6, 1.75), (0.4, 0.6, 1.3)),
)


def permit(sheet: Sheet, which: int, size: float, colour: Colour, solid: bool) -> None:
    """Draw one, two or three houses (0 to 2) or a train (3), in outline or solid."""
    line = 0 if solid else size * 0.13
    hole = (255, 214, 160) if solid else colour
    if which < len(_HOUSES):
        ground = 0.85
        for left, width, height in _HOUSES[which]:
            top = ground - height
            house = (left * size, top * size, width * size, height * size)
            sheet.box(house, colour, 0, line)
            for floor in range(int((height - 0.35) / 0.42)):
                x, y = left + width / 2 - 0.13, top + 0.28 + floor * 0.42
                sheet.box((x * size, y * size, 0.26 * size, 0.17 * size), hole)
        sheet.line((-size, ground * size), (size, ground * size), colour, size * 0.1)
        return
    engine = (-0.62 * size, -0.9 * size, 1.24 * size, 1.4 * size)
    sheet.box(engine, colour, 0.3 * size, line)
    sheet.box((-0.4 * size, -0.6 * size, 0.8 * size, 0.45 * size), hole, 0.1 * size)
    for side in (-size, size):
        sheet.circle((side * 0.33, 0.17 * size), 0.12 * size, hole)
        sheet.line((side * 0.38, 0.55 * size), (side * 0.78, 0.98 * size), colour, 0.13 * size)
    sheet.line((-0.62 * size, 0.8 * size), (0.62 * size, 0.8 * size), colour, 0.11 * size)
