"""The cards that lie over the city: a chance card, and a word to all."""

import pygame

from city_game.table.paint.base.drawing import (
    DARK,
    GOLD,
    HEAD,
    INK,
    PALE_INK,
    PAPER,
    PAPER_EDGE,
    head,
    lay,
    wrapped,
    write,
    write_lines,
)
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import ChanceCard, Command, End, Spot, Spots, View
from sim.face.box import Box
from sim.face.paint import text_width

CHANCE = (250, 204, 130)


def paint_card(target: pygame.Surface, layout: Layout, card: ChanceCard) -> Spots:
    """Show the chance card that was just drawn; a click takes it away."""
    size, city = layout.text, layout.city
    lines = wrapped(card.text, head(size), round(size * 21))
    wide, high = size * 23, size * (7 + HEAD * len(lines))
    box = Box(city.middle[0] - wide / 2, city.middle[1] - high / 2, wide, high)
    lay(target, box, PAPER, PAPER_EDGE)
    band = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, size * 2.2)
    pygame.draw.rect(target, CHANCE, band, border_radius=8)
    write(target, card.deck, band.center, head(size), DARK, "center")
    at = (box.middle[0], band.bottom + size)
    write_lines(target, lines, at, head(size), DARK, "midtop", size * 21)
    at = (box.middle[0], box.bottom - size * 1.6)
    write(target, card.does, at, size, PALE_INK, "center", box.width - size)
    return [Spot(box, "card", Command("skip"))]


def paint_toast(target: pygame.Surface, layout: Layout, view: View) -> None:
    """Tell what is not part of the game: that the unit refuses, is gone, is back."""
    size, city = layout.text, layout.city
    lines = wrapped(view.toast, size, int(city.width * 0.8))
    wide = max(text_width(line, size) for line in lines) + size * 2.4
    height = size * (1.3 * len(lines) + 0.9)
    # What has buttons at its foot is not to be covered there.
    has_buttons = view.lookup is not None or isinstance(view.over_city, End)
    top = layout.board.top if has_buttons else city.bottom - size * 0.5 - height
    box = Box(city.middle[0] - wide / 2, top, wide, height)
    lay(target, box, (72, 56, 18), GOLD)
    at = (box.middle[0], box.top + size * 0.55)
    write_lines(target, lines, at, size, INK, "midtop", pitch=1.3)
