"""The end: who has won, what everybody is worth, and how that came about."""

import pygame

from city_game import texts_table as texts
from city_game.money import show
from city_game.rules.rents import worth
from city_game.seats import SEATS
from city_game.table.layout import Box
from city_game.table.paint_panel import button
from city_game.table.pens import EDGE, FAINT, GOLD, INK, PANEL, badge, lay, put, write


def paint_over(target, screen) -> None:
    session = screen.session
    state = session.state
    size = screen.layout.text
    city = screen.layout.city
    ranks = sorted(
        range(len(session.names)),
        key=lambda player: -(worth(state, player) if state.alive[player] else -1),
    )
    width, height = min(size * 38, city.width), min(size * (20 + 2.6 * len(ranks)), city.height)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    lay(target, box, PANEL, GOLD)
    screen.spot(box, "over", lambda: None)
    names = [session.names[player] for player in state.winners]
    words = (texts.WINNER if len(names) == 1 else texts.WINNERS).format(names=" & ".join(names))
    head = (box.middle[0], box.top + size * 1.8)
    write(target, words, head, round(size * 2.2), GOLD, "center", box.width)
    top = box.top + size * 3.6
    most = max(1, worth(state, ranks[0]))
    for player in ranks:
        _rank(target, screen, Box(box.left + size, top, width - 2 * size, size * 2.3), player, most)
        top += size * 2.6
    foot = Box(box.left + size, box.bottom - size * 2.8, width - 2 * size, size * 2)
    chart = Box(foot.left, top + size * 0.6, foot.width, foot.top - top - size * 1.4)
    if chart.height > size * 5:
        _chart(target, screen, chart)
    button(target, screen, foot.column(0, 3, 8), texts.EXPORT, screen.export, "x")
    button(target, screen, foot.column(1, 3, 8), texts.SEE_CITY, screen.back, "esc")
    button(target, screen, foot.column(2, 3, 8), texts.AGAIN, screen.again, "enter", True)


def _rank(target, screen, row: Box, player: int, most: int) -> None:
    """Draw one player's name, worth, and a bar as long as that."""
    state = screen.session.state
    size = screen.layout.text
    alive = state.alive[player]
    put(target, badge(player, round(size * 1.9), alive), (row.left + size, row.middle[1]))
    amount = worth(state, player) if alive else 0
    left = row.left + size * 2.4
    write(target, screen.session.names[player], (left, row.top), size, INK)
    cash = state.cash[player]
    words = texts.OUT
    if alive:
        words = texts.WORTH.format(amount=show(amount), cash=show(cash), rents=show(amount - cash))
    write(target, words, (row.right, row.top), size, FAINT, "topright")
    bar = pygame.Rect(left, row.top + size * 1.25, (row.right - left) * amount / most, size * 0.7)
    pygame.draw.rect(target, SEATS[player][0], bar, border_radius=4)


def _chart(target, screen, box: Box) -> None:
    """Draw a line for each player, with the player's shape where it ends."""
    size = screen.layout.text
    small = round(size * 0.8)
    every = [point for points in screen.history() for point in points]
    last, most = max(turn for turn, _ in every) or 1, max(notes for _, notes in every) or 1
    write(target, texts.CHART, (box.left, box.top), small, FAINT)
    write(target, show(most), (box.right, box.top), small, FAINT, "topright")
    plot = Box(box.left, box.top + size * 1.2, box.width - size, box.height - size * 1.2)
    pygame.draw.rect(target, EDGE, pygame.Rect(box.left, plot.top, box.width, plot.height), 1)
    for player, points in enumerate(screen.history()):
        corners = [
            (plot.left + plot.width * turn / last, plot.bottom - plot.height * notes / most)
            for turn, notes in points
        ]
        if len(corners) > 1:
            pygame.draw.lines(target, SEATS[player][0], False, corners, max(2, round(size / 7)))
        put(target, badge(player, round(size * 1.1)), corners[-1])
