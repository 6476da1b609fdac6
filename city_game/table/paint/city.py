"""The city: its board, kept as a picture, and the buildings, tokens and dice on it."""

import math
from functools import lru_cache

import pygame

from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.seats import SEATS
from city_game.table.paint.board import board_picture, face_of
from city_game.table.paint.buildings import draw
from city_game.table.paint.drawing import (
    DARK,
    GOLD,
    INK,
    PALE_INK,
    PAPER,
    badge,
    shade,
    write,
)
from city_game.table.paint.layout import NARROW, PLATE, TOKEN, Layout
from city_game.table.paint.view import Token, View
from city_game.table.play.view import Plot
from city_unit.desktop.catalogue import _, speaking
from sim.face.box import Box
from sim.face.paint import Colour, Point, put, text_width

DICE_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
PIP = (44, 40, 48)
TOP = 0.612  # how far the corners of a dodecahedron's top are out, of those of its outline
FINENESS = 4  # a twelve-sided die is drawn larger by this factor, then scaled down


class City:
    """Board and city at one size; a plot is drawn anew when its buildings have changed."""

    def __init__(self, layout: Layout, board: Board) -> None:
        self._layout = layout
        self._bare = board_picture(layout, board)
        self._built = self._bare.copy()
        self._shown: list[Plot | None] = [None] * len(layout.plots)
        self._spaces = [deed.space for deed in board.deeds]

    def picture(self, plots: tuple[Plot, ...]) -> pygame.Surface:
        """Return the city with the buildings on its plots."""
        for deed, plot in enumerate(plots):
            if plot != self._shown[deed]:
                self._shown[deed] = plot
                self._rebuild(deed, plot)
        return self._built

    def _rebuild(self, deed: int, plot: Plot) -> None:
        box = self._layout.plots[deed]
        area = pygame.Rect(box)
        self._built.blit(self._bare, area, area)
        self._built.set_clip(area)
        paint_plot(self._built, box, self._layout.text, plot, deed)
        self._built.set_clip(None)
        space = self._spaces[deed]
        area = pygame.Rect(self._layout.spaces[space])
        self._built.blit(self._bare, area, area)
        self._built.set_clip(area)
        paint_space(self._built, area, self._layout.sides[space], self._layout.text, plot)
        self._built.set_clip(None)


@lru_cache(maxsize=1)
def city_at(layout: Layout, board: Board, language: str) -> City:
    """Return the city, drawn anew for another layout, board or language (of its names)."""
    return City(layout, board)


def paint_city(target: pygame.Surface, layout: Layout, view: View) -> None:
    """Draw board and city, and the things that lie or stand on them just now."""
    target.blit(city_at(layout, view.board, speaking()).picture(view.plots), (0, 0))
    for deed in view.outlined:
        pygame.draw.rect(target, INK, pygame.Rect(layout.plots[deed]), 4, border_radius=5)
    for deed in view.pointed:
        _point_at(target, pygame.Rect(layout.plots[deed]), view.is_bright)
    _tokens(target, layout, view)
    _dice(target, layout, view)


def _point_at(target: pygame.Surface, plot: pygame.Rect, beat: bool) -> None:
    box = plot.inflate(6, 6)
    pygame.draw.rect(target, PAPER if beat else GOLD, box, 4, border_radius=7)
    tip = (box.centerx, box.top + 4)
    points = [tip, (tip[0] - 9, tip[1] - 14), (tip[0] + 9, tip[1] - 14)]
    pygame.draw.polygon(target, (30, 30, 36), [(x, y + 2) for x, y in points])
    pygame.draw.polygon(target, PAPER if beat else GOLD, points)


def _tokens(target: pygame.Surface, layout: Layout, view: View) -> None:
    size = round(layout.text * TOKEN)
    standing = [int(token.place) for token in view.tokens if token.place == int(token.place)]
    placed: list[int] = []
    for token in view.tokens:
        space = int(token.place)
        x, y = _spot_of(layout, token, size, placed.count(space), standing.count(space))
        if token.place == space:
            placed.append(space)
        if token.has_turn:
            pygame.draw.circle(target, (20, 20, 26), (x, y + 1), size * 0.62)
            pygame.draw.circle(target, GOLD, (x, y), size * 0.6, 2)
        put(target, badge(token.player, size), (x, y))


def _spot_of(layout: Layout, token: Token, size: int, index: int, count: int) -> Point:
    """Return where a token is: at its space beside the others there, or in a hop on the way."""
    space = int(token.place) % len(layout.spaces)
    part = token.place - int(token.place)
    if not part:
        return layout.stand(space, index, count)
    near = layout.stand(space, 0, 1)
    far = layout.stand((space + 1) % len(layout.spaces), 0, 1)
    x = near[0] + (far[0] - near[0]) * part
    y = near[1] + (far[1] - near[1]) * part
    return x, y - (abs(part - 0.5) * -size + size * 0.5)


def _dice(target: pygame.Surface, layout: Layout, view: View) -> None:
    draw = twelve_sided_die if view.board.edition.sides == 12 else _die
    size = round(layout.text * 3.2)
    middle = layout.city.middle
    for place, die in enumerate(view.dice):
        x, y = middle[0] + (place - 0.5) * size * 1.25, middle[1]
        fallen = pygame.Rect(0, 0, size, round(size * (0.9 - 0.4 * die.high)))
        fallen.center = round(x) + 3, round(y + size * 0.1) + 5
        round_off = size if draw is twelve_sided_die else 10
        pygame.draw.rect(target, shade(PAPER, 0.45), fallen, border_radius=round_off)
        sprite = draw(size, die.face)
        if die.turned:
            sprite = pygame.transform.rotozoom(sprite, die.turned, 1)
        put(target, sprite, (x, y - die.high * size))


@lru_cache(maxsize=12)
def _die(size: int, face: int) -> pygame.Surface:
    sprite = pygame.Surface((size, size), pygame.SRCALPHA)
    pygame.draw.rect(sprite, PAPER, sprite.get_rect(), border_radius=10)
    if face not in DICE_PIPS:
        write(sprite, str(face), (size / 2, size / 2), round(size * 0.5), PIP, "center")
    for x, y in DICE_PIPS.get(face, ()):
        at = (size / 2 + x * size * 0.26, size / 2 + y * size * 0.26)
        pygame.draw.circle(sprite, PIP, at, size * 0.09)
    return sprite.premul_alpha()


@lru_cache(maxsize=24)
def twelve_sided_die(size: int, face: int) -> pygame.Surface:
    """Return a dodecahedron seen from above: a pentagon with the number, five more around it."""
    fine = size * FINENESS
    sprite = pygame.Surface((fine, fine), pygame.SRCALPHA)

    def corner(turn: float, share: float) -> Point:
        angle = math.radians(72 * turn - 90)
        reach = fine * share / 2
        return fine / 2 + reach * math.cos(angle), fine / 2 + reach * math.sin(angle)

    for side in range(5):
        outer = [corner(side + step / 2, 0.99) for step in range(3)]
        rest = [corner(side + 1, TOP), corner(side, TOP)]
        # The light comes from above on the left, as on the buildings.
        dark = 0.05 + 0.11 * (1 + math.cos(math.radians(72 * side + 36 - 135)))
        pygame.draw.polygon(sprite, shade(PAPER, dark), outer + rest)
        pygame.draw.lines(sprite, shade(PAPER, 0.45), False, [rest[0], *outer[::-1], rest[1]], 3)
    top = [corner(side, TOP) for side in range(5)]
    pygame.draw.polygon(sprite, PAPER, top)
    pygame.draw.lines(sprite, shade(PAPER, 0.45), True, top, 3)
    letters, middle = round(fine * 0.34), fine * 0.52
    write(sprite, str(face), (fine / 2, middle), letters, PIP, "center")
    if face in (6, 9):  # which are each other upside down
        line = pygame.Rect(0, 0, letters * 0.5, fine * 0.025)
        line.center = round(fine / 2), round(middle + letters * 0.45)
        pygame.draw.rect(sprite, PIP, line)
    return pygame.transform.smoothscale(sprite, (size, size)).premul_alpha()


BACK, FRONT = 0.47, 0.75  # where the two rows of buildings stand, as shares of the plot's height
FEWEST, MOST = 5.5, 8.6  # pieces that have room side by side: few are drawn wider


def paint_plot(target: pygame.Surface, box: Box, text: int, plot: Plot, deed: int) -> None:
    """Draw the buildings of a deed, and its owner's mark or its price."""
    _back_row(target, box, plot)
    _front_row(target, box, plot, deed)
    if plot.owner < 0:
        _flag(target, box, text, show(plot.price), PAPER, PALE_INK)
    else:
        _plate(target, box, text, plot)


def paint_space(
    target: pygame.Surface, rect: pygame.Rect, side: str, text: int, plot: Plot
) -> None:
    """Draw on a deed's space the facts that matter on landing: owner, rent, station."""
    room = face_of(rect.inflate(-2, -2), side)
    size = text
    foot = pygame.Rect(room.left + 2, room.bottom - round(size * 1.45), room.width - 4, size * 1.35)
    if plot.has_station:
        high = min(round(size * 1.5), room.height // 2)
        # At the end where the colour's band may be, so that the name can be read.
        at, anchor = (rect.right - 2, foot.top + 2), "bottomright"
        if side == "right":
            at, anchor = (rect.left + 2, foot.top + 2), "bottomleft"
        put(target, draw("station", high, high), at, anchor)
    if plot.owner < 0:
        write(target, show(plot.price), foot.center, size, PALE_INK, "center", foot.width)
        return
    words = show(0 if plot.is_mortgaged else plot.rent)
    colour, ink = (DARK, INK) if plot.is_mortgaged else (SEATS[plot.owner][0], DARK)
    pygame.draw.rect(target, colour, foot, border_radius=3)
    mark = round(size * 1.2)
    put(target, badge(plot.owner, mark), (foot.left + mark * 0.55, foot.centery))
    left = foot.left + mark * 1.1
    at = ((left + foot.right) / 2, foot.centery)
    write(target, words, at, size, ink, "center", foot.right - left - 1)


def _back_row(target: pygame.Surface, box: Box, plot: Plot) -> None:
    if not plot.landmarks:
        return
    slot = min(box.width / len(plot.landmarks), box.width * 0.42)
    left = box.left + (box.width - slot * len(plot.landmarks)) / 2
    ground = box.top + box.height * BACK
    for place, kind in enumerate(plot.landmarks):
        tall = kind in ("skyscraper", "tower")
        width = round(slot * (0.62 if tall else 0.9))
        height = round(min(box.height * 0.5, slot * 1.7) if tall else min(slot, box.height * 0.4))
        middle = left + slot * (place + 0.5)
        put(target, draw(kind, width, round(height * plot.grown)), (middle, ground), "midbottom")


def _front_row(target: pygame.Surface, box: Box, plot: Plot, deed: int) -> None:
    """Draw the pieces as they were placed: of 3, 2 and 1 blocks, homes before factories."""
    row = [
        (name, floors, piece)
        for name, pieces in (("home", plot.homes), ("works", plot.works))
        for floors in (3, 2, 1)
        for piece in range(pieces[floors - 1])
    ]
    slot = box.width / max(FEWEST, len(row) + 0.6)
    tall = box.height * (1 + 0.25 * (slot * MOST / box.width - 1))
    ground = box.top + box.height * FRONT
    left = box.left + (box.width - slot * len(row)) / 2
    for name, floors, piece in row:
        height = round(tall * (0.1 + 0.1 * floors) * plot.grown)
        sprite = draw(f"{name} {floors}", round(slot), height, deed + piece)
        put(target, sprite, (left, ground + piece % 2), "bottomleft")
        left += slot


def _plate(target: pygame.Surface, box: Box, text: int, plot: Plot) -> None:
    """Draw whose it is, and on a flag its rent."""
    plate = box.height * PLATE
    colour = SEATS[plot.owner][0]
    rect = pygame.Rect(box)
    pygame.draw.rect(target, shade(colour, 0.25), rect, 4, border_radius=4)
    pygame.draw.rect(target, colour, rect.inflate(-2, -2), 2, border_radius=4)
    size = round(min(plate * 0.82, text * 1.2))
    is_narrow = box.width < text * NARROW
    high = box.top + size * 0.75 if is_narrow else box.bottom - plate / 2
    put(target, badge(plot.owner, size), (box.right - size * 0.62, high))
    room = box._replace(width=box.width - size * 1.2) if is_narrow else box
    if plot.is_mortgaged:
        _flag(target, room, text, _("mortgaged"), DARK, INK)
    elif plot.is_doubled:
        _flag(target, room, text, f"{show(plot.rent)} ×2", colour, DARK)
    else:
        _flag(target, room, text, show(plot.rent), colour, DARK)


def _flag(
    target: pygame.Surface, box: Box, text: int, words: str, colour: Colour, ink: Colour
) -> None:
    size = text
    wide = min(text_width(words, size) + size * 0.6, box.width - 6)
    flag = pygame.Rect(0, 0, wide, size * 1.25)
    flag.topleft = (round(box.left) + 4, round(box.top) + 4)
    pygame.draw.rect(target, shade(colour, 0.35), flag.move(1, 2), border_radius=4)
    pygame.draw.rect(target, colour, flag, border_radius=4)
    write(target, words, flag.center, size, ink, "center", wide - 4)
