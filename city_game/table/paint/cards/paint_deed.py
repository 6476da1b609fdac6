"""A deed: its rents, today's marked, and what would change it."""

import pygame

from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.table.paint.base.drawing import (
    DARK,
    PALE_INK,
    PAPER,
    PAPER_EDGE,
    badge,
    head,
    ink_on,
    lay,
    shade,
    wrapped,
    write,
)
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import Command, DeedCard, Spot, Spots, View
from city_game.table.paint.city.paint_board import colour_of
from city_unit.desktop.catalogue import _, of_file
from sim.face.box import Box
from sim.face.paint import put

ROW = 1.24  # the height of a rent's row, in letters


def deed_box(layout: Layout, card: DeedCard) -> Box:
    """Return where the deed lies: in a sale beside its card, so that the bids stay free."""
    size, city = layout.text, layout.city
    width = min(size * 17, city.width * 0.6)
    height = min(size * 25, city.height)
    if card.lies_aside:
        left, top = layout.decision.right - width, layout.players.top
        return Box(left, top, width, min(height, layout.decision.bottom - top))
    plot = layout.plots[card.deed]
    # On that half of the city in which its deed does not lie.
    left = city.left if plot.middle[0] > city.middle[0] else city.right - width
    return Box(left, city.middle[1] - height / 2, width, height)


def paint_deed(target: pygame.Surface, layout: Layout, view: View, card: DeedCard) -> Spots:
    """Draw a deed: rents for each number of blocks, today's marked, and what would change it."""
    box = deed_box(layout, card)
    size = layout.text
    lay(target, box, PAPER, PAPER_EDGE)
    top = _heading(target, box, size, view.board, card.deed) + size * 0.5
    _owner(target, box, top, size, view, card.deed)
    top = _rents(target, box, top + size * 1.8, size, view.board, card) + size * 0.5
    left, right = box.left + size, box.right - size
    for words in card.words:
        for line in wrapped(words, size, int(right - left)):
            if top < box.bottom - size:
                write(target, line, (left, top), size, DARK)
                top += size * 1.15
    return [Spot(box, "deed", Command("close deed"))]


def _heading(target: pygame.Surface, box: Box, size: int, board: Board, deed: int) -> float:
    """Draw the deed's name and its group's; return where that ends."""
    printed = board.deeds[deed]
    colour = colour_of(board, printed.group)
    band = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, size * 3.1)
    pygame.draw.rect(target, colour, band, border_radius=8)
    ink, room = ink_on(colour), band.width - size
    at = (band.centerx, band.top + size * 1.1)
    write(target, printed.name, at, head(size), ink, "center", room)
    at = (band.centerx, band.top + size * 2.4)
    write(target, of_file(board.groups[printed.group].name), at, size, ink, "center", room)
    return band.bottom


def _owner(target: pygame.Surface, box: Box, top: float, size: int, view: View, deed: int) -> None:
    """Write whose it is, and its price."""
    left, right = box.left + size, box.right - size
    owner = view.plots[deed].owner
    words = _("Owner: {name}").format(name=view.names[owner] if owner >= 0 else _("the bank"))
    if owner >= 0:
        put(target, badge(owner, round(size * 1.5)), (left + size * 0.7, top + size * 0.5))
        left += size * 1.8
    room = (right - left) * 0.55
    write(target, words, (left, top), size, DARK, room=room)
    price = _("Price {price}").format(price=show(view.board.deeds[deed].price))
    write(target, price, (right, top), size, DARK, "topright")


def _rents(
    target: pygame.Surface, box: Box, top: float, size: int, board: Board, card: DeedCard
) -> float:
    """Draw a row for each rent; return where they end."""
    left, right = box.left + size, box.right - size
    for blocks, amount in enumerate(board.deeds[card.deed].rents):
        row = pygame.Rect(left - 4, top - 2, right - left + 8, size * ROW)
        now = blocks == card.counted
        if now:
            _mark(target, row)
        words = board.edition.words.row(board, card.deed, blocks)
        ink = DARK if now else PALE_INK
        write(target, words, (left + 4, row.centery), size, ink, "midleft")
        write(target, show(amount), (right - 4, row.centery), size, ink, "midright")
        top += size * ROW
    return top


def _mark(target: pygame.Surface, row: pygame.Rect) -> None:
    pygame.draw.rect(target, shade(PAPER, 0.14), row, border_radius=4)
    tip = [
        (row.left - 5, row.top + 3),
        (row.left + 2, row.centery),
        (row.left - 5, row.bottom - 3),
    ]
    pygame.draw.polygon(target, DARK, tip)
