"""The unit beside the board: its disc, as every window shows it, and whose it is."""

import math

import pygame

from city_game.table.paint.base.drawing import FAINT, GOLD, write
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import View
from city_unit.desktop.catalogue import _
from sim.face import disc, geometry
from sim.face.paint import Point

AWAY = (255, 120, 100)


def paint_unit(target: pygame.Surface, layout: Layout, view: View) -> None:
    """Draw the disc as it looks, and above it whose it is and whether it is there."""
    unit, circle, box = view.unit, layout.circle, layout.disc
    words, colour = (_("Emulated unit") if unit.is_mine else _("Unit at the port")), FAINT
    if not unit.is_online:
        words, colour = _("Unit not there"), AWAY
    write(target, words, (box.left, box.top), layout.text, colour, room=box.width)
    disc.draw(target, unit.look, circle)
    if unit.stopping:
        middle = circle.place(geometry.BUTTON)
        reach = circle.radius * (geometry.BUTTON_RADIUS + 0.05)
        _close_ring(target, middle, reach, unit.stopping)


def _close_ring(target: pygame.Surface, middle: Point, radius: float, part: float) -> None:
    """Draw a ring that closes while the button is held."""
    box = pygame.Rect(0, 0, radius * 2, radius * 2)
    box.center = (round(middle[0]), round(middle[1]))
    top = math.pi / 2
    pygame.draw.arc(target, GOLD, box, top - 2 * math.pi * part, top, max(3, round(radius / 6)))
