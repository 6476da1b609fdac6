"""Draw the disc with pygame, from the unit's outputs and a size.

Each part is a sprite, cached by size and state, so a flashing lamp costs two blits. States differ
in shape as well as colour: a lit lamp has rays and a solid symbol, a dark one an outline; a
pressed button sinks; a sound draws waves.
"""

import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import pygame

from sim.face import geometry, parts
from sim.face.geometry import AUCTION_LABEL, BUILD_LABEL, Box, Circle
from sim.face.paint import Canvas, band, lettering, put, shine, text_width
from sim.face.parts import INK, IVORY_BRIGHT, LIGHT, Colour, metal, mix, polar

SMALLEST_LETTERS = 9  # px


@dataclass(frozen=True)
class Look:
    """The state of the disc; `pressed` and `latched` are masks of `facts.AUCTION` and `BUILD`."""

    lamps: int = 0  # the lit ones, as in `Unit.lamps`
    tone: int = 0  # Hz, 0 for silence
    is_on: bool = False  # the slide switch
    pressed: int = 0
    latched: int = 0  # shown as padlocks
    hold: float = 0.0  # how far AUCTION has been held towards cancelling, 0 to 1


def draw(target: pygame.Surface, look: Look, circle: Circle) -> None:
    """Draw the disc at `circle`."""
    size = round(circle.radius)
    whole = Circle(circle.centre, size)  # sprites have whole pixels, so place them by those
    build_down = bool(look.pressed & 2)
    put(target, _shadow(size), whole.place((0.05, 0.16)))
    put(target, _sprite(size, (1.2, 1.2), parts.build, build_down), whole.centre)
    put(target, _sprite(size, (1.02, 1.02), _body), whole.centre)
    half_width, half_height = geometry.SWITCH_HALF
    switch = _sprite(size, (half_width + 0.05, half_height + 0.16), _switch, look.is_on)
    put(target, switch, whole.place(geometry.SWITCH))
    half = geometry.BUTTON_RADIUS + 0.03
    button = _sprite(size, (half, half), parts.auction, bool(look.pressed & 1))
    put(target, button, whole.place(geometry.BUTTON))
    lit = []
    for bit, (lamp, point) in enumerate(geometry.LAMP_PLACES.items()):
        is_lit = bool(look.lamps >> bit & 1)
        put(target, _sprite(size, (0.2, 0.2), parts.lamp, lamp, is_lit), whole.place(point))
        if is_lit:
            lit.append((parts.glow_reach(lamp), point))
    pressed = mix(INK, (0, 0, 0), 0.3) if build_down else INK
    for label, wanted, part, least, ink, point in (
        (AUCTION_LABEL, 0.125, 0.58, 1, INK, (geometry.BUTTON[0], geometry.BUTTON[1] + 0.165)),
        (BUILD_LABEL, 0.13, 0.74, SMALLEST_LETTERS, pressed, (0, 1.06)),
    ):
        text, room, pixels = str(label), size * part, round(size * wanted)
        while pixels > least and text_width(text, pixels) > room:
            pixels -= 1
        letters = lettering(text, max(least, pixels), ink)
        if letters.get_width() > room:  # squeeze letters that cannot get smaller
            narrow = (max(1, int(room)), letters.get_height())
            letters = pygame.transform.smoothscale(letters, narrow)
        put(target, letters, whole.place(point))
    for reach, point in lit:
        shine(target, size * reach, parts.GLOW, whole.place(point))
    if look.hold:
        shape = [whole.place(point) for point in band(*parts.HOLD, -90, -90 + 360 * look.hold)]
        x, y = geometry.BUTTON[0] * size, geometry.BUTTON[1] * size
        pygame.draw.polygon(target, LIGHT, [(left + x, top + y) for left, top in shape])
    if look.tone:
        put(target, _sprite(size, (0.24, 0.24), parts.waves), whole.place(geometry.SPEAKER))
    for bit, point in ((1, (geometry.BUTTON[0], geometry.BUTTON[1] - 0.29)), (2, (0.34, 0.98))):
        if look.latched & bit:
            put(target, _sprite(size, (0.07, 0.07), _padlock), whole.place(point))


@lru_cache(maxsize=4)
def _shadow(size: int) -> pygame.Surface:
    canvas = Canvas(size / 4, 1.7, 1.7)
    canvas.circle((0, 0), 1.03, (0, 0, 0, 170))
    canvas.bands([(0.8, 1.16, 66, 114)], (0, 0, 0, 170))
    whole = round(size * 3.4)
    return pygame.transform.smoothscale(canvas.sprite(blur=0.09), (whole, whole))


@lru_cache(maxsize=64)  # enough for three sizes of the disc
def _sprite(
    size: int, half: tuple[float, float], draw: Callable[..., None], *state: str | bool
) -> pygame.Surface:
    """Return what `draw(canvas, *state)` draws; `half` is half its size, in radii of the disc."""
    canvas = Canvas(size, *half)
    draw(canvas, *state)
    return canvas.sprite()


def _body(canvas: Canvas) -> None:
    _metal(canvas, *parts.RIM)
    canvas.circle((0, 0), 0.955, mix(parts.RIM_DARK, (0, 0, 0), 0.55))
    _metal(canvas, *parts.PLATE)
    with canvas.wash():  # fine grooves, the same each time
        grooves = random.Random(2009)
        for ring in range(300):
            radius = 0.94 * (ring + 1) / 300
            grey = 255 if grooves.random() < 0.5 else 0
            canvas.circle((0, 0), radius, (grey, grey, grey, grooves.randrange(2, 15)), 0.0034)
    parts.skyline(canvas)
    parts.windows(canvas)
    with canvas.at(geometry.SPEAKER):
        parts.speaker(canvas)
    with canvas.at(geometry.BUTTON), canvas.wash():  # the shadow around AUCTION
        for ring in range(8):
            radius = geometry.BUTTON_RADIUS + 0.07 - ring * 0.006
            canvas.circle((0, 0), radius, (0, 0, 0, 12 + ring * 9))


def _metal(canvas: Canvas, radius: float, dark: Colour, bright: Colour, light: float) -> None:
    wedges = 240
    for wedge in range(wedges):
        angle = wedge * 360 / wedges
        tip = polar(radius, angle + 400 / wedges)
        colour = metal(dark, bright, angle - light)
        canvas.polygon([(0, 0), polar(radius, angle - 0.4), tip], colour)


def _switch(canvas: Canvas, on: bool) -> None:
    parts.slot(canvas)
    parts.knob(canvas, -parts.SLIDE if on else 0.0)
    dark, bright = parts.RELIEF, parts.MARK
    parts.marks(canvas, *((bright, dark) if on else (dark, bright)))


def _padlock(canvas: Canvas) -> None:
    canvas.circle((0, 0), 0.062, (168, 52, 30))
    canvas.circle((0, -0.014), 0.021, IVORY_BRIGHT, 0.009)
    canvas.box((-0.028, -0.012, 0.056, 0.042), IVORY_BRIGHT, 0.008)


# The icon for task bars, menus and desktops: the disc during an auction.


def icon(side: int) -> pygame.Surface:
    """Return the icon, `side` px wide and high."""
    pygame.font.init()
    surface = pygame.Surface((side, side), pygame.SRCALPHA)
    draw(surface, Look(lamps=1, is_on=True), geometry.fit(Box(0, 0, side, side)))
    return surface


def icon_png(side: int) -> bytes:
    """Return the icon as the bytes of a PNG file."""
    file = io.BytesIO()
    pygame.image.save(icon(side), file, "icon.png")
    return file.getvalue()
