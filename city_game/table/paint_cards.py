"""The cards that lie over the city: a chance card, and a word to all."""

import pygame

from city_game import texts_table as texts
from city_game.money import show
from city_game.table.layout import Box
from city_game.table.pens import (
    DARK,
    GOLD,
    INK,
    PALE_INK,
    PAPER,
    PAPER_EDGE,
    lay,
    width_of,
    wrapped,
    write,
)

CHANCE = (250, 204, 130)


def paint_card(target, screen) -> None:
    """Show the chance card that was just drawn; a click takes it away."""
    size = screen.layout.text
    city = screen.layout.city
    card = screen.session.state.board.cards[screen.motion.card]
    lines = wrapped(card.text, round(size * 1.25), round(size * 19))
    box = Box(0, 0, size * 23, size * (7 + 1.5 * len(lines)))
    left, top = city.middle[0] - box.width / 2, city.middle[1] - box.height / 2
    box = Box(left, top, box.width, box.height)
    lay(target, box, PAPER, PAPER_EDGE)
    band = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, size * 2.2)
    pygame.draw.rect(target, CHANCE, band, border_radius=8)
    write(target, texts.SPACES["chance"], band.center, round(size * 1.3), DARK, "center")
    top = band.bottom + size
    for line in lines:
        write(target, line, (box.middle[0], top), round(size * 1.25), DARK, "midtop")
        top += size * 1.5
    write(
        target,
        texts.CARD_DOES[card.does].format(amount=_amount(screen, card)),
        (box.middle[0], box.bottom - size * 1.6),
        size,
        PALE_INK,
        "center",
        box.width - size,
    )
    screen.spot(box, "card", screen.motion.skip)


def _amount(screen, card) -> str:
    """Return what a card's amount means: money, steps, or a place."""
    board = screen.session.state.board
    if card.does == "move":
        return f"{card.amount:+}"
    if card.does == "go to":
        standing = board.standing[card.amount]
        if standing >= 0:
            return board.districts[standing].name
        return texts.SPACES[board.kinds[card.amount]]
    return show(card.amount)


def paint_toast(target, screen) -> None:
    """Tell what is not part of the game: that the unit refuses, is gone, is back."""
    size = screen.layout.text
    city = screen.layout.city
    lines = wrapped(screen.toast(), round(size * 1.1), int(city.width * 0.8))
    wide = max(width_of(line, round(size * 1.1)) for line in lines) + size * 2.4
    height = size * (1.3 * len(lines) + 0.9)
    bottom = screen.layout.board.bottom if screen.card else city.bottom - size * 0.5
    box = Box(city.middle[0] - wide / 2, bottom - height, wide, height)
    lay(target, box, (72, 56, 18), GOLD)
    top = box.top + size * 0.55
    for line in lines:
        write(target, line, (box.middle[0], top), round(size * 1.1), INK, "midtop")
        top += size * 1.3
