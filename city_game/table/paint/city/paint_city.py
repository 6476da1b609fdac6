"""The buildings on the plots, and their owners: drawn anew only when they have changed."""

import pygame

from city_game.kernel.money import show
from city_game.seats import SEATS
from city_game.table.paint.base.drawing import (
    DARK,
    INK,
    PALE_INK,
    PAPER,
    badge,
    shade,
    write,
)
from city_game.table.paint.base.layout import NARROW, PLATE
from city_game.table.paint.city.buildings import draw
from city_game.table.paint.city.paint_board import face_of
from city_game.table.play.view import Plot
from city_unit.desktop.catalogue import _
from sim.face.box import Box
from sim.face.paint import Colour, put, text_width

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
