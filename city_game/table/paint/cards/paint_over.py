"""The end: the winner, the worth of each player, and how that came about."""

import pygame

from city_game.kernel.money import show
from city_game.seats import SEATS
from city_game.table.paint.base.drawing import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    PANEL,
    badge,
    button,
    large,
    lay,
    write,
)
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import (
    NOTHING,
    Button,
    Command,
    End,
    Rank,
    Spot,
    Spots,
    View,
)
from city_game.table.play.view import Player
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of
from sim.face.box import Box
from sim.face.paint import put


def _buttons() -> tuple[Button, ...]:
    return (
        Button(_("Export"), "x", Command("export")),
        Button(_("See the city"), "esc", Command("back")),
        Button(_("Another game"), "enter", Command("again"), True),
    )


def paint_over(target: pygame.Surface, layout: Layout, view: View, end: End) -> Spots:
    size, city = layout.text, layout.city
    rows = len(end.ranks)
    width, height = min(size * 38, city.width), min(size * (20 + 2.6 * rows), city.height)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    lay(target, box, PANEL, GOLD)
    names = [view.names[player] for player in end.winners]
    words = (_("{names} wins") if len(names) == 1 else _("{names} share the win")).format(
        names=all_of(names)
    )
    at = (box.middle[0], box.top + size * 1.8)
    write(target, words, at, large(size), GOLD, "center", box.width - size)
    top = box.top + size * 3.6
    most = max(1, end.ranks[0].worth)
    for rank in end.ranks:
        row = Box(box.left + size, top, width - 2 * size, size * 2.3)
        _rank(target, row, size, view.players[rank.player], rank, most)
        top += size * 2.6
    foot = Box(box.left + size, box.bottom - size * 2.8, width - 2 * size, size * 2)
    chart = Box(foot.left, top + size * 0.6, foot.width, foot.top - top - size * 1.4)
    if chart.height > size * 5:
        _chart(target, chart, size, end)
    return [
        Spot(box, "over", NOTHING),
        *(
            button(target, foot.column(place, 3, 8), what, size, view.mouse)
            for place, what in enumerate(_buttons())
        ),
    ]


def _rank(
    target: pygame.Surface, row: Box, size: int, player: Player, rank: Rank, most: int
) -> None:
    """Draw a player's name, worth, and a bar as long as that."""
    at = (row.left + size, row.middle[1])
    put(target, badge(rank.player, round(size * 1.9), player.is_alive), at)
    left = row.left + size * 2.4
    write(target, player.name, (left, row.top), size, INK)
    words = _("bankrupt")
    if player.is_alive:
        sums = {"amount": rank.worth, "cash": player.cash, "rents": rank.worth - player.cash}
        words = _("worth {amount}: {cash} in cash, {rents} in rents").format(
            **{name: show(notes) for name, notes in sums.items()}
        )
    write(target, words, (row.right, row.top), size, FAINT, "topright")
    long = (row.right - left) * rank.worth / most
    bar = pygame.Rect(left, row.top + size * 1.25, long, size * 0.7)
    pygame.draw.rect(target, SEATS[rank.player][0], bar, border_radius=4)


def _chart(target: pygame.Surface, box: Box, size: int, end: End) -> None:
    """Draw a line for each player, with the player's shape where it ends."""
    every = [point for points in end.history for point in points]
    last, most = max(turn for turn, _worth in every) or 1, max(notes for _turn, notes in every) or 1
    write(target, _("What everybody was worth, turn by turn"), (box.left, box.top), size, FAINT)
    write(target, show(most), (box.right, box.top), size, FAINT, "topright")
    plot = Box(box.left, box.top + size * 1.2, box.width - size, box.height - size * 1.2)
    pygame.draw.rect(target, EDGE, pygame.Rect(box.left, plot.top, box.width, plot.height), 1)
    for player, points in enumerate(end.history):
        corners = [
            (plot.left + plot.width * turn / last, plot.bottom - plot.height * notes / most)
            for turn, notes in points
        ]
        if len(corners) > 1:
            pygame.draw.lines(target, SEATS[player][0], False, corners, max(2, round(size / 7)))
        put(target, badge(player, round(size * 1.1)), corners[-1])
