"""The disc: a picture that is a function of the unit's outputs and of its size.

Each part is a sprite of its own, kept by size, so that a flashing lamp costs two blits. A lit part
also changes its form: a lit lamp has rays and a solid picture, a dark lamp an outline; a pressed
button sinks; sound draws waves.
"""

import io
import math
import random
from dataclasses import dataclass
from functools import lru_cache

import pygame

from city_unit.facts import LAMPS
from sim.face import geometry, pictograms, skyline
from sim.face.box import Box
from sim.face.geometry import AUCTION_LABEL, BUILD_LABEL, Circle
from sim.face.paint import Canvas, Colour, band, lettering, mix, polar, put, shine, text_width

RIM_DARK, RIM_BRIGHT = (74, 68, 62), (226, 214, 194)
FACE_DARK, FACE_BRIGHT = (31, 35, 42), (86, 93, 104)
IVORY_DARK, IVORY_BRIGHT = (176, 160, 134), (250, 242, 226)
INK = (62, 50, 40)
ENGRAVED = (19, 22, 27)
RELIEF = (112, 120, 132)
GLASS = (27, 20, 21)
DIM = (140, 112, 106)
LIGHT, CORE = (255, 84, 44), (255, 232, 196)
GLOW = (190, 62, 26)
BRASS = (205, 176, 122)

SMALLEST_LETTERS = 9  # px, of a part with room to spare


@dataclass(frozen=True)
class Look:
    """The state of the disc.

    lamps             the lit lamps, as in `Unit.lamps`
    tone              Hz, 0 for silence
    is_on             whether the slide switch is on
    hold              how far AUCTION has been held towards cancelling, 0 to 1
    pressed, latched  masks of `unit.AUCTION` and `unit.BUILD`; a latched button has a mark
    """

    lamps: int = 0
    tone: int = 0
    is_on: bool = False
    pressed: int = 0
    latched: int = 0
    hold: float = 0.0


def draw(target: pygame.Surface, look: Look, circle: Circle) -> None:
    """Draw the disc where `circle` is."""
    size = round(circle.radius)
    whole = Circle(circle.centre, size)  # sprites are of whole px, and so lie where they belong
    build_down = bool(look.pressed & 2)
    put(target, _shadow(size), whole.place((0.05, 0.16)))
    put(target, _tab(size, build_down), whole.centre)
    put(target, _body(size), whole.centre)
    put(target, _switch(size, look.is_on), whole.place(geometry.SWITCH))
    put(target, _button(size, bool(look.pressed & 1)), whole.place(geometry.BUTTON))
    lit = {lamp for bit, lamp in enumerate(LAMPS) if look.lamps >> bit & 1}
    for lamp, point in geometry.BULBS.items():
        put(target, _lamp(size, lamp in lit), whole.place(point))
    for permit, point in enumerate(geometry.PERMITS):
        put(target, _permit(size, permit, bool(look.lamps >> permit + 1 & 1)), whole.place(point))
    _labels(target, whole, build_down)
    for lamp in LAMPS:
        if lamp in lit:
            reach = 0.5 if lamp in geometry.BULBS else 0.42
            shine(target, size * reach, GLOW, whole.place(geometry.LAMPS[lamp]))
    if look.hold:
        _ring(target, whole, look.hold)
    if look.tone:
        put(target, _waves(size), whole.place(geometry.SPEAKER))
    for bit, point in ((1, (geometry.BUTTON[0], geometry.BUTTON[1] - 0.29)), (2, (0.34, 0.98))):
        if look.latched & bit:
            put(target, _padlock(size), whole.place(point))


def _labels(target: pygame.Surface, circle: Circle, build_down: bool) -> None:
    size = circle.radius
    auction = str(AUCTION_LABEL)
    room = size * 0.58
    label = _fitted(lettering(auction, _letters(auction, size * 0.125, room), INK), room)
    put(target, label, circle.place((geometry.BUTTON[0], geometry.BUTTON[1] + 0.165)))
    ink = mix(INK, (0, 0, 0), 0.3) if build_down else INK
    build = str(BUILD_LABEL)
    room = size * 0.74
    letters = max(SMALLEST_LETTERS, _letters(build, size * 0.13, room))
    put(target, _fitted(lettering(build, letters, ink), room), circle.place((0, 1.06)))


def _letters(words: str, wanted: float, room: float) -> int:
    """Return how large words are written that have so much room, px."""
    pixels = round(wanted)
    while pixels > 1 and text_width(words, pixels) > room:
        pixels -= 1
    return pixels


def _fitted(label: pygame.Surface, room: float) -> pygame.Surface:
    """Return a label no wider than its room, px: made narrower where letters get no smaller."""
    if label.get_width() <= room:
        return label
    return pygame.transform.smoothscale(label, (max(1, int(room)), label.get_height()))


def _ring(target: pygame.Surface, circle: Circle, part: float) -> None:
    """Draw round AUCTION how far it has been held: a ring that closes."""
    outer = geometry.BUTTON_RADIUS + 0.075
    shape = band(outer - 0.055, outer, -90, -90 + 360 * part, max(2, round(72 * part)))
    x, y = geometry.BUTTON
    pygame.draw.polygon(target, LIGHT, [circle.place((x + dx, y + dy)) for dx, dy in shape])


@lru_cache(maxsize=4)
def _shadow(size: int) -> pygame.Surface:
    canvas = Canvas(size / 4, 1.7, 1.7)
    canvas.circle((0, 0), 1.03, (0, 0, 0, 170))
    canvas.polygon(band(0.8, 1.16, 66, 114), (0, 0, 0, 170))
    whole = round(size * 3.4)
    return pygame.transform.smoothscale(canvas.sprite(blur=0.09), (whole, whole))


@lru_cache(maxsize=4)
def _body(size: int) -> pygame.Surface:
    canvas = Canvas(size, 1.02, 1.02)
    _metal(canvas, 1.0, RIM_DARK, RIM_BRIGHT, -50)
    canvas.circle((0, 0), 0.955, mix(RIM_DARK, (0, 0, 0), 0.55))
    _metal(canvas, 0.94, FACE_DARK, FACE_BRIGHT, -58)
    canvas.wash(_brushing)
    _skyline(canvas)
    _speaker(canvas)
    canvas.wash(_wells)
    return canvas.sprite()


def _metal(canvas: Canvas, radius: float, dark: Colour, bright: Colour, light: float) -> None:
    """Draw turned metal: it mirrors the light in two opposite fans."""
    wedges = 240
    for wedge in range(wedges):
        angle = wedge * 360 / wedges
        fan = abs(math.cos(math.radians(angle - light))) ** 5
        haze = 0.5 + 0.5 * math.cos(math.radians(angle - light))
        colour = mix(dark, bright, 0.12 + 0.5 * fan + 0.25 * haze)
        tip = polar(radius, angle + 400 / wedges)
        canvas.polygon([(0, 0), polar(radius, angle - 0.4), tip], colour)


def _brushing(canvas: Canvas) -> None:
    """Turn fine grooves into the face, the same ones each time."""
    grooves = random.Random(2009)
    for ring in range(300):
        radius = 0.94 * (ring + 1) / 300
        grey = 255 if grooves.random() < 0.5 else 0
        canvas.circle((0, 0), radius, (grey, grey, grey, grooves.randrange(2, 15)), 0.0034)


def _skyline(canvas: Canvas) -> None:
    """Engrave a city round the upper edge: its roofs point outwards."""
    for house in skyline.houses():
        for outline, colour in ((0.006, RELIEF), (0.0, ENGRAVED)):
            foot, roof = skyline.FOOT - outline, house.roof + outline
            canvas.polygon(band(foot, roof, house.start, house.end, 4), colour)
        if house.has_mast:
            tip = polar(house.roof + skyline.MAST, house.middle)
            canvas.line(polar(house.roof, house.middle), tip, ENGRAVED, 0.008)
        for floor, angle in house.windows:
            canvas.circle(polar(floor, angle), 0.0052, mix(BRASS, ENGRAVED, 0.25))
    canvas.polygon(band(0.757, 0.764, 196, 344, 80), RELIEF)


def _speaker(canvas: Canvas) -> None:
    for ring, holes in ((0.0, 1), (0.05, 6), (0.1, 12)):
        for hole in range(holes):
            point = polar(ring, hole * 360 / holes, geometry.SPEAKER)
            canvas.circle((point[0], point[1] + 0.004), 0.0175, RELIEF)
            canvas.circle(point, 0.0165, ENGRAVED)


def _wells(canvas: Canvas) -> None:
    """Shade the places in which the button and the lamps sit."""
    for ring in range(8):
        canvas.circle(
            geometry.BUTTON, geometry.BUTTON_RADIUS + 0.07 - ring * 0.006, (0, 0, 0, 12 + ring * 9)
        )


@lru_cache(maxsize=4)
def _button(size: int, down: bool) -> pygame.Surface:
    canvas = Canvas(size, geometry.BUTTON_RADIUS + 0.03, geometry.BUTTON_RADIUS + 0.03)
    radius = geometry.BUTTON_RADIUS - (0.012 if down else 0)
    canvas.circle((0, 0), geometry.BUTTON_RADIUS + 0.012, (10, 11, 13))
    shade = 0.22 if down else 0.0
    dark, bright = mix(IVORY_DARK, (0, 0, 0), shade + 0.25), mix(IVORY_BRIGHT, (0, 0, 0), shade)
    canvas.dome((0, 0), radius, dark, mix(dark, bright, 0.85), 0.06)
    canvas.dome((0, 0), radius * 0.87, mix(dark, bright, 0.95), mix(dark, bright, 0.62), -0.2)
    canvas.dome((0, 0.004), radius * 0.85, mix(dark, bright, 0.78), bright, 0.32)
    pictograms.gavel(canvas, (0.0, -0.085), 0.15, INK)
    return canvas.sprite()


@lru_cache(maxsize=4)
def _tab(size: int, down: bool) -> pygame.Surface:
    canvas = Canvas(size, 1.2, 1.2)
    outer = geometry.TAB[1] - (0.028 if down else 0)
    start, end = 90 - geometry.TAB_ANGLE, 90 + geometry.TAB_ANGLE
    shade = 0.2 if down else 0.0
    dark, bright = mix(IVORY_DARK, (0, 0, 0), shade + 0.2), mix(IVORY_BRIGHT, (0, 0, 0), shade)
    canvas.polygon(band(0.9, outer, start, end), mix(dark, (0, 0, 0), 0.35))
    slices = 40
    for part in range(slices):
        reach = outer - 0.012 - part * (outer - 0.95) / slices
        tint = mix(mix(dark, bright, 0.2), bright, min(1.0, part / 9))
        tint = mix(tint, dark, max(0.0, (part - 22) / 22))
        canvas.polygon(band(0.9, reach, start + 0.8, end - 0.8), tint)
    return canvas.sprite()


@lru_cache(maxsize=4)
def _switch(size: int, on: bool) -> pygame.Surface:
    wide, high = geometry.SWITCH_HALF
    canvas = Canvas(size, wide + 0.05, high + 0.16)
    canvas.box(-wide - 0.008, -high - 0.004, 2 * wide + 0.016, 2 * high + 0.02, RELIEF, wide)
    canvas.box(-wide, -high, 2 * wide, 2 * high, (13, 15, 18), wide)
    top = -high + 0.012 if on else 0.0
    knob = high - 0.012
    canvas.box(-wide + 0.012, top, 2 * wide - 0.024, knob, mix(RIM_DARK, (0, 0, 0), 0.2), 0.05)
    canvas.box(
        -wide + 0.016,
        top + 0.003,
        2 * wide - 0.032,
        knob - 0.016,
        mix(RIM_DARK, RIM_BRIGHT, 0.8),
        0.05,
    )
    for ridge in (0.3, 0.5, 0.7):
        y = top + knob * ridge - 0.004
        canvas.line((-0.032, y), (0.032, y), RIM_DARK, 0.009)
    mark = mix(FACE_BRIGHT, (255, 255, 255), 0.55)
    canvas.line((0, -high - 0.095), (0, -high - 0.045), mark if on else RELIEF, 0.014)
    canvas.circle((0, high + 0.075), 0.032, RELIEF if on else mark, 0.013)
    return canvas.sprite()


@lru_cache(maxsize=4)
def _lamp(size: int, lit: bool) -> pygame.Surface:
    radius = geometry.LAMP_RADIUS
    canvas = Canvas(size, 0.16, 0.16)
    canvas.circle((0, 0), radius + 0.02, RIM_DARK)
    canvas.circle((0, 0), radius + 0.013, mix(RIM_DARK, RIM_BRIGHT, 0.7))
    canvas.circle((0, 0), radius, (12, 8, 8))
    if lit:
        _rays(canvas, radius + 0.035, radius + 0.075, 12)
        canvas.dome((0, 0), radius * 0.96, LIGHT, CORE, 0.0)
    else:
        canvas.dome((0, 0), radius * 0.93, (44, 14, 13), (110, 40, 34), 0.42)
    return canvas.sprite()


@lru_cache(maxsize=16)
def _permit(size: int, permit: int, lit: bool) -> pygame.Surface:
    radius = geometry.PERMIT_RADIUS
    canvas = Canvas(size, radius + 0.06, radius + 0.06)
    canvas.circle((0, 0), radius, mix(RIM_DARK, RIM_BRIGHT, 0.72 if lit else 0.35))
    canvas.circle((0, 0.006), radius - 0.012, (10, 10, 12))
    if lit:
        _rays(canvas, radius + 0.014, radius + 0.045, 16)
        canvas.dome((0, 0), radius - 0.016, LIGHT, CORE, 0.0)
        pictograms.permit(canvas, permit, radius * 0.62, (66, 16, 8), solid=True)
    else:
        canvas.dome((0, 0), radius - 0.016, GLASS, (48, 40, 42), 0.3)
        pictograms.permit(canvas, permit, radius * 0.62, DIM, solid=False)
    return canvas.sprite()


def _rays(canvas: Canvas, inner: float, outer: float, count: int) -> None:
    for ray in range(count):
        angle = ray * 360 / count
        canvas.line(polar(inner, angle), polar(outer, angle), (255, 176, 120), 0.011)


@lru_cache(maxsize=4)
def _waves(size: int) -> pygame.Surface:
    canvas = Canvas(size, 0.24, 0.24)
    for reach in (0.165, 0.205):
        for side in (0, 180):
            canvas.polygon(band(reach - 0.007, reach + 0.007, side - 38, side + 38), BRASS)
    return canvas.sprite()


@lru_cache(maxsize=4)
def _padlock(size: int) -> pygame.Surface:
    canvas = Canvas(size, 0.07, 0.07)
    canvas.circle((0, 0), 0.062, (168, 52, 30))
    canvas.circle((0, -0.014), 0.021, IVORY_BRIGHT, 0.009)
    canvas.box(-0.028, -0.012, 0.056, 0.042, IVORY_BRIGHT, 0.008)
    return canvas.sprite()


# The picture by which task bars, menus and desktops know the unit: the disc in an auction.


def icon(side: int) -> pygame.Surface:
    """Return the icon, `side` px wide and high."""
    pygame.font.init()
    surface = pygame.Surface((side, side), pygame.SRCALPHA)
    draw(surface, Look(lamps=1, is_on=True), geometry.fit(Box(0, 0, side, side)))
    return surface


def icon_png(side: int) -> bytes:
    """Return the icon as the content of a PNG file."""
    file = io.BytesIO()
    pygame.image.save(icon(side), file, "icon.png")
    return file.getvalue()
