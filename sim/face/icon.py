"""The picture by which task bars, menus and desktops know the unit: the disc in an auction."""

import io

import pygame

from sim.face import disc
from sim.face.box import Box
from sim.face.disc import Look
from sim.face.geometry import fit


def icon(side: int) -> pygame.Surface:
    """Return the icon, `side` px wide and high."""
    pygame.font.init()
    surface = pygame.Surface((side, side), pygame.SRCALPHA)
    disc.draw(surface, Look(lamps=1, is_on=True), fit(Box(0, 0, side, side)))
    return surface


def png(side: int) -> bytes:
    """Return the icon as the content of a PNG file."""
    file = io.BytesIO()
    pygame.image.save(icon(side), file, "icon.png")
    return file.getvalue()
