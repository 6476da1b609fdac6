"""The whole window of a game as a picture: a function of a view and a layout."""

from collections.abc import Callable

import pygame

from city_game.table.paint.auction import paint_auction, paint_outcome
from city_game.table.paint.cards import paint_card, paint_deed, paint_over
from city_game.table.paint.city import paint_city
from city_game.table.paint.drawing import (
    GOLD,
    INK,
    lay,
    wrapped,
    write_lines,
)
from city_game.table.paint.layout import Layout
from city_game.table.paint.lookup import paint_lookup
from city_game.table.paint.panel import (
    paint_decision,
    paint_log,
    paint_players,
    paint_tools,
    paint_unit,
)
from city_game.table.paint.view import (
    ChanceCard,
    End,
    Outcome,
    SaleCard,
    Spots,
    View,
)
from sim.face.box import Box
from sim.face.paint import text_width


def draw(
    target: pygame.Surface,
    layout: Layout,
    view: View,
    failed: Callable[[Exception], object] | None = None,
) -> Spots:
    """Draw everything; return the spots that can be clicked, those that lie above others later.

    failed  takes the error of a part that cannot be drawn: the other parts are drawn all the
            same. Without it the error is raised.
    """
    spots: Spots = []
    for paint in PARTS:
        try:
            spots += paint(target, layout, view) or []
        except Exception as error:
            if failed is None:
                raise
            target.set_clip(None)
            failed(error)
    return spots


def _over_the_city(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    card = view.over_city
    if isinstance(card, End):
        return paint_over(target, layout, view, card)
    if isinstance(card, SaleCard):
        return paint_auction(target, layout, view, card)
    if isinstance(card, Outcome):
        return paint_outcome(target, layout, view, card)
    if isinstance(card, ChanceCard):
        return paint_card(target, layout, card)
    return []


def paint_toast(target: pygame.Surface, layout: Layout, view: View) -> None:
    """Tell the news beside the game: that the unit refuses, is gone, is back."""
    if not view.toast:
        return
    size, city = layout.text, layout.city
    lines = wrapped(view.toast, size, int(city.width * 0.8))
    wide = max(text_width(line, size) for line in lines) + size * 2.4
    height = size * (1.3 * len(lines) + 0.9)
    # A card with buttons at its foot is not to be covered there.
    has_buttons = view.lookup is not None or isinstance(view.over_city, End)
    top = layout.board.top if has_buttons else city.bottom - size * 0.5 - height
    box = Box(city.middle[0] - wide / 2, top, wide, height)
    lay(target, box, (72, 56, 18), GOLD)
    at = (box.middle[0], box.top + size * 0.55)
    write_lines(target, lines, at, size, INK, "midtop", pitch=1.3)


# The parts of the picture, those that lie above others later.
PARTS: tuple[Callable[[pygame.Surface, Layout, View], Spots | None], ...] = (
    paint_city,
    paint_unit,
    paint_tools,
    paint_players,
    paint_decision,
    paint_log,
    _over_the_city,
    paint_deed,
    paint_lookup,
    paint_toast,
)
