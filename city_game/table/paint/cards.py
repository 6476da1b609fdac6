"""Cards over the city: a deed, the end of the game, a card of chance."""

import pygame

from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.seats import SEATS
from city_game.table.paint.board import colour_of
from city_game.table.paint.drawing import (
    DARK,
    EDGE,
    FAINT,
    GOLD,
    HEAD,
    INK,
    PALE_INK,
    PANEL,
    PAPER,
    PAPER_EDGE,
    badge,
    button,
    head,
    ink_on,
    large,
    lay,
    shade,
    wrapped,
    write,
    write_lines,
)
from city_game.table.paint.layout import Layout
from city_game.table.paint.view import (
    NOTHING,
    Button,
    ChanceCard,
    Command,
    DeedCard,
    End,
    Rank,
    Spot,
    Spots,
    View,
)
from city_game.table.play.view import Player
from city_unit.desktop.catalogue import _, of_file
from city_unit.desktop.forms import all_of
from sim.face.box import Box
from sim.face.paint import put, text_width

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


def paint_deed(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw the deed that is looked at: its rents, today's marked, and what would change it."""
    card = view.deed_card
    if card is None:
        return []
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
            pygame.draw.rect(target, shade(PAPER, 0.14), row, border_radius=4)
            left_of, tip = row.left - 5, (row.left + 2, row.centery)
            corners = [(left_of, row.top + 3), tip, (left_of, row.bottom - 3)]
            pygame.draw.polygon(target, DARK, corners)
        words = board.edition.words.row(board, card.deed, blocks)
        ink = DARK if now else PALE_INK
        write(target, words, (left + 4, row.centery), size, ink, "midleft")
        write(target, show(amount), (right - 4, row.centery), size, ink, "midright")
        top += size * ROW
    return top


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
        parts = all_of([f"{name} {show(notes)}" for name, notes in rank.parts])
        words = _("worth {amount}: {parts}").format(amount=show(rank.worth), parts=parts)
    room = row.right - left - text_width(player.name, size) - size
    write(target, words, (row.right, row.top), size, FAINT, "topright", room)
    long = (row.right - left) * rank.worth / most
    bar = pygame.Rect(left, row.top + size * 1.25, long, size * 0.7)
    pygame.draw.rect(target, SEATS[rank.player][0], bar, border_radius=4)


def _chart(target: pygame.Surface, box: Box, size: int, end: End) -> None:
    """Draw a line for each player, with the player's shape where it ends."""
    every = [point for points in end.history for point in points]
    last, most = max(turn for turn, _worth in every) or 1, max(notes for _turn, notes in every) or 1
    write(target, _("Everybody's worth, turn by turn"), (box.left, box.top), size, FAINT)
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


# A card of chance.

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
