"""The outline of the control under the mouse or with the focus: the target of a press."""

import pygame

from sim.face import geometry
from sim.face.box import Box
from sim.face.paint import Colour, band
from sim.window.paint.layout import Layout
from sim.window.paint.strip import COMES, HERE

GAP = 0.03  # radii of the disc between a control and its outline


def draw(target: pygame.Surface, layout: Layout, part: str, has_focus: bool) -> None:
    """Outline a part of the window, as `Layout.hit` names it; thicker where Tab has gone."""
    colour = COMES if has_focus else HERE
    thick = max(3, layout.text // 4) if has_focus else max(1, layout.text // 12)
    if part in layout.tools:
        _box(target, layout.tools[part], layout.text, colour, thick)
    elif part == "take offer":
        _box(target, layout.board, layout.text, colour, thick)
    elif part == "trace":
        _box(target, layout.strip, layout.text, colour, thick)
    else:
        disc = layout.disc
        if part == "auction":
            radius = (geometry.BUTTON_RADIUS + GAP) * disc.radius
            pygame.draw.circle(target, colour, disc.place(geometry.BUTTON), radius, thick)
        elif part == "switch":
            wide, high = (half + GAP for half in geometry.SWITCH_HALF)
            left, top = disc.place((geometry.SWITCH[0] - wide, geometry.SWITCH[1] - high))
            rect = pygame.Rect(left, top, 2 * wide * disc.radius, 2 * high * disc.radius)
            pygame.draw.rect(target, colour, rect, thick, round(wide * disc.radius))
        elif part == "build":
            inner, outer = geometry.TAB[0] + GAP, geometry.TAB[1] + GAP
            shape = band(inner, outer, 90 - geometry.TAB_ANGLE, 90 + geometry.TAB_ANGLE)
            pygame.draw.polygon(target, colour, [disc.place(point) for point in shape], thick)


def _box(target: pygame.Surface, box: Box, text: int, colour: Colour, thick: int) -> None:
    pygame.draw.rect(target, colour, box, thick, round(text * 0.6))
