"""The cards that lie over the city: a chance card, the end, and a word to all."""

import pygame

from city_game import texts_table as texts
from city_game.money import show
from city_game.rules.rents import worth
from city_game.table.layout import Box
from city_game.table.paint_panel import button
from city_game.table.pens import (
    DARK,
    FAINT,
    GOLD,
    INK,
    PALE_INK,
    PANEL,
    PAPER,
    PAPER_EDGE,
    SEATS,
    badge,
    lay,
    put,
    width_of,
    wrapped,
    write,
)

CHANCE = (250, 204, 130)


def paint_over(target, screen) -> None:
    session = screen.session
    state = session.state
    size = screen.layout.text
    city = screen.layout.city
    ranks = sorted(
        range(len(session.names)),
        key=lambda player: -(worth(state, player) if state.alive[player] else -1),
    )
    height = min(size * (8.5 + 2.6 * len(ranks)), city.height)
    width = min(size * 36, city.width)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    lay(target, box, PANEL, GOLD)
    names = [session.names[player] for player in state.winners]
    words = (texts.WINNER if len(names) == 1 else texts.WINNERS).format(names=" & ".join(names))
    write(target, words, (box.middle[0], box.top + size * 1.8), round(size * 2.2), GOLD, "center")
    top = box.top + size * 3.6
    most = max(1, worth(state, ranks[0]))
    for player in ranks:
        row = Box(box.left + size, top, box.width - 2 * size, size * 2.3)
        put(
            target,
            badge(player, round(size * 1.9), state.alive[player]),
            (row.left + size, row.middle[1]),
        )
        amount = worth(state, player) if state.alive[player] else 0
        left = row.left + size * 2.4
        write(target, session.names[player], (left, row.top), size, INK)
        words = texts.WORTH.format(
            amount=show(amount),
            cash=show(state.cash[player]),
            rents=show(amount - state.cash[player]),
        )
        write(
            target,
            words if state.alive[player] else texts.OUT,
            (row.right, row.top),
            size,
            FAINT,
            "topright",
        )
        bar = pygame.Rect(
            left, row.top + size * 1.25, (row.right - left) * amount / most, size * 0.7
        )
        pygame.draw.rect(target, SEATS[player][0], bar, border_radius=4)
        top += size * 2.6
    row = Box(box.left + size, box.bottom - size * 2.8, box.width - 2 * size, size * 2)
    button(target, screen, row.column(0, 2, 8), texts.EXPORT, screen.export, "x")
    button(target, screen, row.column(1, 2, 8), texts.AGAIN, screen.again, "enter", True)


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
