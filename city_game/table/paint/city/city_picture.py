"""The picture of the board and the city, put together from parts that are kept."""

from functools import lru_cache

import pygame

from city_game.kernel.board import Board
from city_game.table.paint.base.drawing import GOLD, INK, PAPER, badge, shade, write
from city_game.table.paint.base.layout import TOKEN, Layout
from city_game.table.paint.base.view import Token, View
from city_game.table.paint.city.paint_board import board_picture
from city_game.table.paint.city.paint_city import paint_plot, paint_space
from city_game.table.play.view import Plot
from city_unit.desktop.catalogue import speaking
from sim.face.paint import Point, put

DICE_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


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
    size = round(layout.text * 3.2)
    middle = layout.city.middle
    for place, die in enumerate(view.dice):
        x, y = middle[0] + (place - 0.5) * size * 1.25, middle[1]
        fallen = pygame.Rect(0, 0, size, round(size * (0.9 - 0.4 * die.high)))
        fallen.center = round(x) + 3, round(y + size * 0.1) + 5
        pygame.draw.rect(target, shade(PAPER, 0.45), fallen, border_radius=10)
        sprite = _die(size, die.face)
        if die.turned:
            sprite = pygame.transform.rotozoom(sprite, die.turned, 1)
        put(target, sprite, (x, y - die.high * size))


@lru_cache(maxsize=12)
def _die(size: int, face: int) -> pygame.Surface:
    sprite = pygame.Surface((size, size), pygame.SRCALPHA)
    pygame.draw.rect(sprite, PAPER, sprite.get_rect(), border_radius=10)
    if face not in DICE_PIPS:
        write(sprite, str(face), (size / 2, size / 2), round(size * 0.5), (44, 40, 48), "center")
    for x, y in DICE_PIPS.get(face, ()):
        at = (size / 2 + x * size * 0.26, size / 2 + y * size * 0.26)
        pygame.draw.circle(sprite, (44, 40, 48), at, size * 0.09)
    return sprite.premul_alpha()
