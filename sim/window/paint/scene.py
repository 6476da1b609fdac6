"""The whole window as a picture: a function of a view and a layout."""

import pygame

from sim.face import disc, geometry
from sim.face.box import Box
from sim.face.paint import Colour, band
from sim.window.paint import board, felt, panel, strip, tools, trace
from sim.window.paint.layout import Layout
from sim.window.paint.strip import COMES, HERE
from sim.window.paint.view import View

GAP = 0.03  # radii of the disc between a control and its outline


def draw(target: pygame.Surface, layout: Layout, view: View) -> None:
    target.blit(felt.cloth(layout.width, layout.height), (0, 0))
    felt.live(target, view.sign.kind, bool(view.look.lamps & 1), view.is_calm)
    disc.draw(target, view.look, layout.disc)
    board.draw(target, layout.board, layout.text, view.sign)
    if view.trace and layout.strip.height:
        trace.draw(target, layout.strip, layout.text, view.trace)
    elif layout.strip.height:
        strip.draw(target, layout.strip, layout.text, view.marks)
    if not view.panel:
        framed = {"", "take offer"} if view.offer else {""}  # the notice has a frame of its own
        for part in {view.hover, view.focus} - framed:
            outline(target, layout, part, part == view.focus)
    tools.draw(target, layout, view)
    if view.panel:
        panel.draw(target, layout, view)


def outline(target: pygame.Surface, layout: Layout, part: str, has_focus: bool) -> None:
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
        place, unit = layout.disc.place, layout.disc.radius
        if part == "auction":
            radius = (geometry.BUTTON_RADIUS + GAP) * unit
            pygame.draw.circle(target, colour, place(geometry.BUTTON), radius, thick)
        elif part == "switch":
            wide, high = (half + GAP for half in geometry.SWITCH_HALF)
            left, top = place((geometry.SWITCH[0] - wide, geometry.SWITCH[1] - high))
            rect = pygame.Rect(left, top, 2 * wide * unit, 2 * high * unit)
            pygame.draw.rect(target, colour, rect, thick, round(wide * unit))
        elif part == "build":
            inner, outer = geometry.TAB[0] + GAP, geometry.TAB[1] + GAP
            shape = band(inner, outer, 90 - geometry.TAB_ANGLE, 90 + geometry.TAB_ANGLE)
            pygame.draw.polygon(target, colour, [place(point) for point in shape], thick)


def _box(target: pygame.Surface, box: Box, text: int, colour: Colour, thick: int) -> None:
    pygame.draw.rect(target, colour, box, thick, round(text * 0.6))
