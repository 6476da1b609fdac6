"""The whole window as a picture: a function of a view and a layout."""

import pygame

from sim.window import disc, panel, strip, table, tools, trace
from sim.window.layout import Layout
from sim.window.view import View


def draw(target: pygame.Surface, layout: Layout, view: View) -> None:
    target.blit(table.cloth(layout.width, layout.height), (0, 0))
    disc.draw(target, view.look, layout.centre, layout.radius)
    tools.draw(target, layout, view)
    if view.trace:
        trace.draw(target, layout.strip, layout.text, view.trace)
    else:
        strip.draw(target, layout.strip, layout.text, view.marks)
    if view.panel:
        panel.draw(target, layout, view)
