"""The whole window of a game as a picture: a function of a view and a layout."""

from collections.abc import Callable

import pygame

from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import ChanceCard, End, Outcome, Sale, Spots, View
from city_game.table.paint.cards.paint_auction import paint_auction, paint_outcome
from city_game.table.paint.cards.paint_cards import paint_card, paint_toast
from city_game.table.paint.cards.paint_deed import paint_deed
from city_game.table.paint.cards.paint_lookup import paint_lookup
from city_game.table.paint.cards.paint_over import paint_over
from city_game.table.paint.city.city_picture import paint_city
from city_game.table.paint.paint_deal import paint_deal
from city_game.table.paint.paint_panel import (
    paint_decision,
    paint_log,
    paint_players,
    paint_tools,
)
from city_game.table.paint.paint_unit import paint_unit


def draw(
    target: pygame.Surface,
    layout: Layout,
    view: View,
    failed: Callable[[Exception], object] | None = None,
) -> Spots:
    """Draw everything; return what can be clicked, what lies above others later.

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


def _decision(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    if view.draft:
        return paint_deal(target, layout, view, view.draft)
    return paint_decision(target, layout, view)


def _over_the_city(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    card = view.over_city
    if isinstance(card, End):
        return paint_over(target, layout, view, card)
    if isinstance(card, Sale):
        return paint_auction(target, layout, view, card)
    if isinstance(card, Outcome):
        return paint_outcome(target, layout, view, card)
    if isinstance(card, ChanceCard):
        return paint_card(target, layout, card)
    return []


def _deed(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    return paint_deed(target, layout, view, view.deed_card) if view.deed_card else []


def _lookup(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    return paint_lookup(target, layout, view, view.lookup) if view.lookup else []


def _toast(target: pygame.Surface, layout: Layout, view: View) -> None:
    if view.toast:
        paint_toast(target, layout, view)


# The parts of the picture, what lies above others later.
PARTS: tuple[Callable[[pygame.Surface, Layout, View], Spots | None], ...] = (
    paint_city,
    paint_unit,
    paint_tools,
    paint_players,
    _decision,
    paint_log,
    _over_the_city,
    _deed,
    _lookup,
    _toast,
)
