"""Drawing that is sharp at any size: shapes are drawn enlarged and scaled down.

Sprites have premultiplied alpha, so that scaling leaves no dark fringes; `put` blits them. All
functions depend on their arguments only.
"""

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import pygame

from sim.face.parts import RAY, Band, Colour, Ink, Point, Rect, mix, polar

FINE = 3  # enlargement at which sprites are drawn
COARSE = 2  # enlargement for sprites above LARGE, where nobody sees the difference
LARGE = 900  # px
# Heights in px. Letters below the first are drawn enlarged by 4, below the second by 2, and scaled
# down: drawn at 28 px or 50 px directly, words had gaps ("w hat", "auct ion").
SMALL_LETTERS, MIDDLE_LETTERS = 64, 160

# The anchor points of a sprite, as fractions of its width and height.
ANCHORS = {
    "topleft": (0.0, 0.0),
    "midtop": (0.5, 0.0),
    "topright": (1.0, 0.0),
    "midleft": (0.0, 0.5),
    "center": (0.5, 0.5),
    "midright": (1.0, 0.5),
    "bottomleft": (0.0, 1.0),
    "midbottom": (0.5, 1.0),
    "bottomright": (1.0, 1.0),
}


class Canvas:
    """A sheet for one sprite in its own units: `scale` px each, with (0, 0) in the middle."""

    def __init__(self, scale: float, half_width: float, half_height: float) -> None:
        self.size = (math.ceil(2 * half_width * scale), math.ceil(2 * half_height * scale))
        fineness = FINE if max(self.size) <= LARGE else COARSE
        self.surface = pygame.Surface(
            (self.size[0] * fineness, self.size[1] * fineness), pygame.SRCALPHA
        )
        self.scale = scale * fineness
        self._left = -self.surface.get_width() / 2 / self.scale
        self._top = -self.surface.get_height() / 2 / self.scale

    def _pixel(self, point: Point) -> Point:
        return (point[0] - self._left) * self.scale, (point[1] - self._top) * self.scale

    @contextmanager
    def at(self, middle: Point) -> Iterator[None]:
        """Move the origin to `middle` for the drawing inside the block."""
        left, top = self._left, self._top
        self._left, self._top = left - middle[0], top - middle[1]
        yield
        self._left, self._top = left, top

    def circle(self, centre: Point, radius: float, colour: Ink, width: float = 0) -> None:
        thick = max(1, round(width * self.scale)) if width else 0
        pygame.draw.circle(self.surface, colour, self._pixel(centre), radius * self.scale, thick)

    def polygon(self, points: Iterable[Point], colour: Ink) -> None:
        pygame.draw.polygon(self.surface, colour, [self._pixel(point) for point in points])

    def bands(self, bands: Iterable[Band], colour: Ink, edge: Colour | None = None) -> None:
        for inner, outer, start, end in bands:
            if edge:
                self.polygon(band(inner - 0.006, outer + 0.006, start, end), edge)
            self.polygon(band(inner, outer, start, end), colour)

    def shell(self, band: Band, hues: Sequence[Colour]) -> None:
        inner, outer, start, end = band
        steps = 40
        for step in range(steps):
            hue, part = divmod(step / (steps - 1) * (len(hues) - 1), 1)
            colour = mix(hues[int(hue)], hues[min(int(hue) + 1, len(hues) - 1)], part)
            self.bands([(inner, outer - (outer - inner) * step / steps, start, end)], colour)

    def dots(self, points: Iterable[Point], radius: float, colour: Ink) -> None:
        for point in points:
            self.circle(point, radius, colour)

    def rays(self, inner: float, outer: float, count: int) -> None:
        for ray in range(count):
            angle = ray * 360 / count
            self.line(polar(inner, angle), polar(outer, angle), RAY, 0.011)

    def box(self, rect: Rect, colour: Ink, radius: float = 0, line: float = 0) -> None:
        left, top, width, height = rect
        x, y = self._pixel((left, top))
        place = pygame.Rect(x, y, round(width * self.scale), round(height * self.scale))
        thick = max(1, round(line * self.scale)) if line else 0
        pygame.draw.rect(self.surface, colour, place, thick, round(radius * self.scale))

    def line(self, start: Point, end: Point, colour: Ink, width: float) -> None:
        """Draw a line with round ends."""
        (x1, y1), (x2, y2) = start, end
        length = math.hypot(x2 - x1, y2 - y1) or 1
        across = ((y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2)
        corners = [
            (x1 + across[0], y1 + across[1]),
            (x2 + across[0], y2 + across[1]),
            (x2 - across[0], y2 - across[1]),
            (x1 - across[0], y1 - across[1]),
        ]
        self.polygon(corners, colour)
        self.circle(start, width / 2, colour)
        self.circle(end, width / 2, colour)

    def dome(self, centre: Point, radius: float, dark: Colour, bright: Colour, lean: float) -> None:
        steps = max(8, min(96, round(radius * self.scale / 2)))
        for step in range(steps):
            part = step / steps
            shift = -lean * radius * part
            middle = (centre[0] + shift, centre[1] + shift)
            self.circle(middle, radius * (1 - part), mix(dark, bright, part**0.8))

    @contextmanager
    def wash(self) -> Iterator[None]:
        """Draw the contents of the block on a layer of its own, and blend that over the rest."""
        below, self.surface = self.surface, pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        yield
        below.blit(self.surface, (0, 0))
        self.surface = below

    def sprite(self, blur: float = 0) -> pygame.Surface:
        """Return the finished sprite; `blur` is a radius in units."""
        sprite = pygame.transform.smoothscale(self.surface.premul_alpha(), self.size)
        radius = blur * self.size[0] * self.scale / self.surface.get_width()  # px
        if radius < 1:
            return sprite
        # Blur a small copy and enlarge it: that is fast for any size of the sprite.
        shrink = max(1.0, radius / 3)
        width, height = (max(1, round(side / shrink)) for side in self.size)
        small = pygame.transform.smoothscale(sprite, (width, height))
        blurred = pygame.transform.gaussian_blur(small, max(1, round(radius / shrink)))
        return pygame.transform.smoothscale(blurred, self.size)


def put(
    target: pygame.Surface, sprite: pygame.Surface, at: Point, anchor: str = "center"
) -> pygame.Rect:
    """Blit a sprite with its `anchor` (a key of ANCHORS) at a point, in px; return its place."""
    place = pygame.Rect(_corner(sprite, at, anchor), sprite.get_size())
    target.blit(sprite, place, special_flags=pygame.BLEND_PREMULTIPLIED)
    return place


def shine(target: pygame.Surface, radius: float, colour: Colour, centre: Point) -> None:
    """Add a soft round glow around `centre`, in px."""
    glow = _glow(max(2, round(radius)), colour)
    target.blit(glow, _corner(glow, centre, "center"), special_flags=pygame.BLEND_RGB_ADD)


@lru_cache(maxsize=16)
def _glow(radius: int, colour: Colour) -> pygame.Surface:
    small = 48  # a glow has no detail, so it can be enlarged
    surface = pygame.Surface((2 * small, 2 * small))
    for ring in range(small, 0, -1):
        part = (1 - ring / small) ** 2.2
        pygame.draw.circle(surface, mix((0, 0, 0), colour, part), (small, small), ring)
    return pygame.transform.smoothscale(surface, (2 * radius, 2 * radius))


def _corner(sprite: pygame.Surface, at: Point, anchor: str) -> tuple[int, int]:
    across, down = ANCHORS[anchor]
    return round(at[0] - sprite.get_width() * across), round(at[1] - sprite.get_height() * down)


def band(inner: float, outer: float, start: float, end: float) -> list[Point]:
    """Return the outline of a ring segment; `start` and `end` are in degrees."""
    steps = max(4, round((end - start) / 2))
    angles = [start + (end - start) * step / steps for step in range(steps + 1)]
    return [polar(outer, a) for a in angles] + [polar(inner, a) for a in reversed(angles)]


@lru_cache(maxsize=32)
def font(pixels: int) -> pygame.font.Font:
    return pygame.font.Font(None, pixels)


@lru_cache(maxsize=2048)
def lettering(text: str, pixels: int, colour: Colour) -> pygame.Surface:
    """Return a line of text as `written` does, and cache it."""
    return written(text, pixels, colour)


def written(text: str, pixels: int, colour: Colour) -> pygame.Surface:
    """Return a line of text in a font of height `pixels`.

    Small letters are drawn enlarged and scaled down. At their own size each would start at a
    whole pixel, which leaves visible gaps within words.
    """
    fineness = _fineness(pixels)
    letters = set_line(font(_height(pixels) * fineness), text, colour)
    if fineness == 1:
        return letters
    height = round(letters.get_height() / fineness)
    return pygame.transform.smoothscale(letters, (text_width(text, pixels), height))


@lru_cache(maxsize=4096)
def text_width(text: str, pixels: int) -> int:
    fineness = _fineness(pixels)
    return math.ceil(line_width(font(_height(pixels) * fineness), text) / fineness)


def set_line(font: pygame.font.Font, text: str, colour: Colour | str) -> pygame.Surface:
    """Return a line of text with premultiplied alpha, set letter by letter, without kerning.

    pygame's own font spaces some pairs too far apart when it draws a whole line: "fr" by a twelfth
    of the font's size, "AD" by a third of that, so that "offre" looked like two words.
    """
    letters = _letters(text)
    rises = []  # pixels by which each letter exceeds the ascent, as the accent of an É does
    for letter in letters:
        tops = [metrics[3] for metrics in font.metrics(letter) if metrics]
        rises.append(max(0, max(tops, default=0) - font.get_ascent()))
    top = max(rises, default=0)
    sizes = [font.size(letter) for letter in letters]
    bottoms = [height - rise for (_, height), rise in zip(sizes, rises, strict=True)]
    height = top + max(bottoms, default=font.get_height())
    line = pygame.Surface((line_width(font, text), height), pygame.SRCALPHA)
    across = 0
    for letter, rise, (width, _) in zip(letters, rises, sizes, strict=True):
        drawn = font.render(letter, True, colour).premul_alpha()
        line.blit(drawn, (across, top - rise), special_flags=pygame.BLEND_PREMULTIPLIED)
        across += width
    return line


def line_width(font: pygame.font.Font, text: str) -> int:
    """Return the width of a line that `set_line` draws, in pixels."""
    return sum(font.size(letter)[0] for letter in _letters(text))


def _letters(text: str) -> list[str]:
    """Split a text into letters, each with the combining accents that follow it."""
    letters: list[str] = []
    for character in text:
        if letters and unicodedata.combining(character):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def _height(pixels: int) -> int:
    return max(8, pixels)


def _fineness(pixels: int) -> int:
    if pixels < SMALL_LETTERS:
        return 4
    return 2 if pixels < MIDDLE_LETTERS else 1
