"""Draws the city's buildings, cached by kind and size.

A building is seen from the front: a wall with windows, a darker side, and a roof. `width` and
`height` are those of the whole sprite, in px; it stands on its bottom edge. Kinds differ by their
outline, not only by their colour.
"""

import math
from functools import lru_cache, partial

import pygame

from city_game.table.picture import shade
from sim.face.paint import Colour, Point

FINE = 3  # oversampling
Paint = Colour | tuple[int, int, int, int]  # the fourth is alpha
HOME_WALL = ((238, 214, 178), (232, 190, 152), (222, 202, 186))
HOME_ROOF = ((190, 78, 58), (170, 66, 60), (204, 104, 64))
WORKS_WALL = ((120, 134, 154), (106, 124, 148), (134, 142, 152))
GLASS = (255, 226, 140)
PANE = (108, 160, 196)


class Sheet:
    """A sprite being drawn; coordinates are shares of its width and height, y upwards."""

    def __init__(self, width: int, height: int) -> None:
        self.size = (max(4, width), max(4, height))
        self.surface = pygame.Surface((self.size[0] * FINE, self.size[1] * FINE), pygame.SRCALPHA)
        self.width, self.height = self.surface.get_size()

    def at(self, x: float, y: float) -> tuple[float, float]:
        return x * self.width, (1 - y) * self.height

    def box(
        self,
        left: float,
        bottom: float,
        right: float,
        top: float,
        colour: Paint,
        radius: float = 0.0,
    ) -> None:
        x, y = self.at(left, top)
        rect = pygame.Rect(round(x), round(y), 0, 0)
        rect.width = max(1, round(right * self.width) - rect.x)
        rect.height = max(1, round((1 - bottom) * self.height) - rect.y)
        pygame.draw.rect(self.surface, colour, rect, border_radius=round(radius * self.width))

    def shape(self, colour: Paint, *points: Point) -> None:
        pygame.draw.polygon(self.surface, colour, [self.at(*point) for point in points])

    def round(self, x: float, y: float, radius: float, colour: Paint) -> None:
        """Draw a circle; its radius is a share of the width."""
        pygame.draw.circle(self.surface, colour, self.at(x, y), max(1, radius * self.width))

    def oval(self, left: float, bottom: float, right: float, top: float, colour: Paint) -> None:
        x, y = self.at(left, top)
        width, height = (right - left) * self.width, (top - bottom) * self.height
        pygame.draw.ellipse(self.surface, colour, pygame.Rect(x, y, width, height))

    def line(self, start: Point, end: Point, colour: Paint, width: float) -> None:
        thick = max(1, round(width * self.width))
        pygame.draw.line(self.surface, colour, self.at(*start), self.at(*end), thick)

    def windows(
        self,
        left: float,
        bottom: float,
        right: float,
        top: float,
        columns: int,
        rows: int,
        seed: int,
        dark: Paint = PANE,
    ) -> None:
        """Fill a wall with windows; about two in five are lit, always the same ones for a seed."""
        width, height = (right - left) / columns, (top - bottom) / rows
        for column in range(columns):
            for row in range(rows):
                lit = (column * 7 + row * 13 + seed * 5) % 5 < 2
                x, y = left + column * width, bottom + row * height
                colour = GLASS if lit else dark
                self.box(
                    x + width * 0.22, y + height * 0.25, x + width * 0.8, y + height * 0.78, colour
                )

    def block(
        self,
        left: float,
        bottom: float,
        right: float,
        top: float,
        wall: Colour,
        side: float = 0.22,
    ) -> float:
        """Draw a wall with a shaded side at its right; return the left edge of that side."""
        edge = right - (right - left) * side
        self.box(left, bottom, edge, top, wall)
        self.box(edge, bottom, right, top, shade(wall, 0.3))
        return edge

    def sprite(self) -> pygame.Surface:
        return pygame.transform.smoothscale(self.surface.premul_alpha(), self.size)


@lru_cache(maxsize=512)
def draw(kind: str, width: int, height: int, variant: int = 0) -> pygame.Surface:
    """Return a building by its key in `DRAW`; `variant` selects a look of the same kind."""
    sheet = Sheet(width, height)
    DRAW[kind](sheet, variant)
    return sheet.sprite()


def _home(sheet: Sheet, variant: int, floors: int) -> None:
    wall, roof = HOME_WALL[variant % 3], HOME_ROOF[variant % 3]
    eaves = 1 - 0.24 / floors**0.6
    edge = sheet.block(0.08, 0, 0.94, eaves, wall)
    sheet.shape(roof, (0.0, eaves), (0.3, 1), (0.72, 1), (1.0, eaves))
    sheet.shape(shade(roof, 0.25), (0.62, eaves), (0.72, 1), (1.0, eaves))
    sheet.box(0.74, eaves + 0.02, 0.84, 1, shade(roof, 0.4))
    base = eaves * 0.36 / floors
    sheet.windows(0.1, base, edge, eaves - 0.02, 2, max(1, floors * 2 - 1), variant)
    sheet.box(0.3, 0, 0.5, base * 0.9, (104, 66, 50))


def _works(sheet: Sheet, variant: int, floors: int) -> None:
    """Draw a factory: a saw-tooth roof and a smoking chimney."""
    wall = WORKS_WALL[variant % 3]
    roof = 1 - 0.38 / floors**0.5
    teeth = roof + 0.16 / floors**0.5
    sheet.box(0.7, 0.2, 0.86, 0.93, shade(wall, 0.42))
    sheet.box(0.7, 0.84, 0.86, 0.89, (196, 84, 64))
    sheet.round(0.6, 0.965, 0.1, (226, 230, 236, 150))
    sheet.round(0.44, 0.985, 0.07, (226, 230, 236, 110))
    edge = sheet.block(0.04, 0, 0.97, roof, wall, 0.16)
    for tooth in range(3):
        left = 0.04 + tooth * 0.26
        sheet.shape(shade(wall, -0.25), (left, roof), (left, teeth), (left + 0.26, roof))
    sheet.windows(0.06, 0.22 / floors, edge, roof, 3, floors * 2 - 1, variant + 2, (70, 82, 100))
    sheet.box(0.1, 0, 0.42, 0.17 / floors, (64, 70, 84))


def hotel(sheet: Sheet, _variant: int) -> None:
    """Draw a hotel: wide, red and with a sign, so that it looks unlike a row of houses."""
    red = (196, 66, 58)
    edge = sheet.block(0.02, 0, 0.98, 0.72, red, 0.14)
    sheet.box(0, 0.72, 1, 0.79, shade(red, 0.35))
    sheet.windows(0.06, 0.22, edge, 0.7, 5, 3, 3)
    sheet.box(0.4, 0, 0.56, 0.18, (70, 40, 36))
    sheet.box(0.22, 0.8, 0.78, 1, (250, 236, 190))
    for letter in range(5):
        left = 0.28 + letter * 0.09
        sheet.box(left, 0.85, left + 0.05, 0.95, red)


def station(sheet: Sheet, _variant: int) -> None:
    sheet.box(0, 0, 1, 0.08, (96, 100, 112))
    sheet.box(0.06, 0.08, 0.94, 0.5, (196, 142, 102))
    for arch in range(3):
        left = 0.13 + arch * 0.27
        sheet.box(left, 0.08, left + 0.19, 0.36, (66, 78, 100), 0.08)
    sheet.shape((92, 112, 128), (0.0, 0.5), (0.16, 0.66), (0.84, 0.66), (1.0, 0.5))
    sheet.box(0.36, 0.5, 0.64, 0.86, (206, 156, 116))
    sheet.shape((92, 112, 128), (0.3, 0.86), (0.5, 1), (0.7, 0.86))
    sheet.round(0.5, 0.72, 0.1, (250, 248, 240))
    sheet.line((0.5, 0.72), (0.5, 0.8), (50, 50, 60), 0.025)
    sheet.line((0.5, 0.72), (0.56, 0.7), (50, 50, 60), 0.025)


def stadium(sheet: Sheet, _variant: int) -> None:
    sheet.oval(0.0, 0.0, 1.0, 0.78, (150, 156, 170))
    sheet.oval(0.0, 0.16, 1.0, 0.92, (206, 212, 222))
    sheet.oval(0.1, 0.28, 0.9, 0.84, (206, 96, 78))
    sheet.oval(0.2, 0.36, 0.8, 0.76, (92, 168, 92))
    sheet.line((0.5, 0.37), (0.5, 0.75), (230, 240, 230), 0.02)
    for mast in (0.06, 0.94):
        sheet.line((mast, 0.4), (mast, 1), (90, 98, 112), 0.03)
        sheet.box(mast - 0.06, 0.92, mast + 0.06, 1, (255, 244, 200))


def skyscraper(sheet: Sheet, _variant: int) -> None:
    wall = (84, 128, 172)
    for left, right, bottom, top in ((0.14, 0.86, 0, 0.6), (0.24, 0.76, 0.6, 0.82)):
        edge = sheet.block(left, bottom, right, top, wall, 0.26)
        rows = round((top - bottom) * 16)
        sheet.windows(left, bottom + 0.02, edge, top, 3, rows, 3, (150, 196, 226))
    sheet.block(0.36, 0.82, 0.64, 0.9, shade(wall, -0.2), 0.26)
    sheet.line((0.5, 0.9), (0.5, 1), (220, 226, 236), 0.05)
    sheet.box(0.36, 0, 0.56, 0.06, (40, 56, 80))


def tower(sheet: Sheet, _variant: int) -> None:
    gold = (224, 178, 72)
    sheet.block(0.1, 0, 0.9, 0.12, (150, 120, 70), 0.3)
    sheet.shape(gold, (0.2, 0.12), (0.36, 0.82), (0.6, 0.82), (0.66, 0.12))
    sheet.shape(shade(gold, 0.3), (0.66, 0.12), (0.6, 0.82), (0.66, 0.82), (0.82, 0.12))
    for row in range(8):
        y = 0.17 + row * 0.08
        inset = 0.2 + (y - 0.12) * 0.23
        sheet.box(inset + 0.06, y, 0.6, y + 0.03, (255, 240, 180))
    sheet.oval(0.26, 0.8, 0.76, 0.9, shade(gold, -0.3))
    sheet.shape(shade(gold, 0.1), (0.42, 0.87), (0.5, 1), (0.58, 0.87))


def _tree(sheet: Sheet, x: float, size: float, colour: Colour = (76, 142, 74)) -> None:
    sheet.box(x - 0.03, 0.02, x + 0.03, size * 0.5, (112, 82, 56))
    sheet.round(x, size * 0.62, size * 0.3, shade(colour, 0.15))
    sheet.round(x - 0.04, size * 0.68, size * 0.24, colour)


def tree(sheet: Sheet, variant: int) -> None:
    _tree(sheet, 0.5, 1.2, ((76, 142, 74), (98, 152, 66), (58, 126, 86))[variant % 3])


def park(sheet: Sheet, _variant: int) -> None:
    sheet.oval(0, 0, 1, 0.3, (124, 184, 104))
    sheet.oval(0.3, 0.03, 0.75, 0.18, (108, 176, 214))
    for x, size in ((0.2, 0.86), (0.82, 0.96), (0.52, 0.7)):
        _tree(sheet, x, size)


def school(sheet: Sheet, _variant: int) -> None:
    sheet.box(0.04, 0, 0.96, 0.46, (232, 200, 120))
    sheet.shape((164, 70, 60), (0, 0.46), (0.1, 0.6), (0.9, 0.6), (1, 0.46))
    sheet.box(0.38, 0, 0.62, 0.66, (240, 214, 148))
    sheet.shape((164, 70, 60), (0.33, 0.66), (0.5, 0.82), (0.67, 0.66))
    sheet.windows(0.06, 0.08, 0.38, 0.42, 2, 2, 1)
    sheet.windows(0.62, 0.08, 0.94, 0.42, 2, 2, 2)
    sheet.box(0.45, 0, 0.55, 0.2, (104, 66, 50))
    sheet.line((0.5, 0.8), (0.5, 1), (90, 90, 100), 0.025)
    sheet.shape((70, 140, 220), (0.51, 1), (0.76, 0.95), (0.51, 0.89))


def wind_farm(sheet: Sheet, _variant: int) -> None:
    sheet.oval(0, 0, 1, 0.16, (138, 186, 112))
    for x, hub, reach in ((0.3, 0.68, 0.27), (0.74, 0.54, 0.2)):
        sheet.line((x, 0.06), (x, hub), (238, 242, 246), 0.05)
        for blade in range(3):
            angle = math.radians(90 + blade * 120 + x * 60)
            tip = (x + reach * math.cos(angle), hub + reach * math.sin(angle))
            sheet.line((x, hub), tip, (255, 255, 255), 0.045)
        sheet.round(x, hub, 0.045, (190, 200, 210))


def water_tower(sheet: Sheet, _variant: int) -> None:
    for start, end in ((0.22, 0.34), (0.78, 0.66), (0.5, 0.5)):
        sheet.line((start, 0.02), (end, 0.5), (110, 120, 134), 0.05)
    sheet.line((0.28, 0.26), (0.72, 0.26), (110, 120, 134), 0.03)
    sheet.oval(0.16, 0.38, 0.84, 0.56, (70, 130, 176))
    sheet.box(0.16, 0.47, 0.84, 0.78, (104, 166, 206))
    sheet.box(0.66, 0.47, 0.84, 0.78, (78, 136, 180))
    sheet.shape((70, 110, 150), (0.12, 0.78), (0.5, 0.98), (0.88, 0.78))


def power_station(sheet: Sheet, _variant: int) -> None:
    for left in (0.02, 0.4):
        grey = (176, 180, 188)
        right = left + 0.4
        waist = 0.07
        sheet.shape(grey, (left, 0), (left + waist, 0.62), (right - waist, 0.62), (right, 0))
        side = (right - 0.13, 0), (right - waist - 0.08, 0.62), (right - waist, 0.62), (right, 0)
        sheet.shape(shade(grey, 0.25), *side)
        sheet.round(left + 0.2, 0.72, 0.15, (214, 216, 222, 200))
        sheet.round(left + 0.32, 0.85, 0.12, (214, 216, 222, 150))
    sheet.block(0.7, 0, 1, 0.3, (92, 96, 108))


def sewage_works(sheet: Sheet, _variant: int) -> None:
    sheet.box(0, 0, 1, 0.14, (128, 130, 120))
    for left, bottom in ((0.02, 0.08), (0.5, 0.08), (0.26, 0.3)):
        sheet.oval(left, bottom - 0.06, left + 0.48, bottom + 0.26, (104, 108, 104))
        sheet.oval(left + 0.04, bottom, left + 0.44, bottom + 0.24, (126, 124, 70))
        sheet.line((left + 0.24, bottom + 0.12), (left + 0.42, bottom + 0.16), (70, 74, 72), 0.03)
    for x in (0.3, 0.5, 0.7):
        sheet.line((x, 0.66), (x + 0.05, 0.8), (150, 160, 90), 0.03)
        sheet.line((x + 0.05, 0.8), (x, 0.94), (150, 160, 90), 0.03)


def prison(sheet: Sheet, _variant: int) -> None:
    stone = (142, 138, 140)
    sheet.block(0.04, 0, 0.96, 0.62, stone, 0.12)
    for left in (0.0, 0.76):
        sheet.block(left, 0, left + 0.24, 0.82, shade(stone, 0.12), 0.3)
        for notch in range(2):
            sheet.box(
                left + notch * 0.14, 0.82, left + 0.1 + notch * 0.14, 0.92, shade(stone, 0.12)
            )
    sheet.box(0.34, 0.08, 0.66, 0.48, (40, 40, 48))
    for bar in range(4):
        sheet.line((0.38 + bar * 0.08, 0.08), (0.38 + bar * 0.08, 0.48), (196, 198, 206), 0.025)


def rubbish_dump(sheet: Sheet, _variant: int) -> None:
    sheet.shape((112, 92, 70), (0, 0), (0.2, 0.36), (0.46, 0.6), (0.72, 0.42), (1, 0))
    bits = ((0.2, 0.1, (188, 70, 60)), (0.44, 0.3, (80, 120, 160)), (0.64, 0.14, (210, 190, 90)))
    for x, y, colour in (*bits, (0.34, 0.04, (90, 150, 90)), (0.78, 0.04, (160, 160, 170))):
        sheet.box(x, y, x + 0.13, y + 0.13, colour, 0.02)
    for x, y in ((0.3, 0.74), (0.56, 0.82), (0.74, 0.64)):
        sheet.line((x - 0.06, y + 0.05), (x, y), (40, 40, 46), 0.03)
        sheet.line((x, y), (x + 0.06, y + 0.05), (40, 40, 46), 0.03)


DRAW = {
    **{
        f"{kind} {floors}": partial(draws, floors=floors)
        for kind, draws in (("home", _home), ("works", _works))
        for floors in (1, 2, 3)
    },
    **{
        draws.__name__.replace("_", " "): draws
        for draws in (
            *(station, hotel, stadium, skyscraper, tower, tree, park, school, wind_farm),
            *(water_tower, power_station, sewage_works, prison, rubbish_dump),
        )
    },
}
