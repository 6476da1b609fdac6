"""The whole window as a picture: a function of a view and a layout."""

import pygame

from sim.face import disc
from sim.window.paint import board, felt, outline, panel, strip, tools, trace
from sim.window.paint.layout import Layout
from sim.window.paint.view import View


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
            outline.draw(target, layout, part, part == view.focus)
    tools.draw(target, layout, view)
    if view.panel:
        panel.draw(target, layout, view)
