"""The whole window of a game as a picture: a function of a view and a layout."""

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


def draw(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw everything; return what can be clicked, what lies above others later."""
    paint_city(target, layout, view)
    paint_unit(target, layout, view)
    spots = paint_tools(target, layout, view)
    paint_players(target, layout, view)
    if view.draft:
        spots += paint_deal(target, layout, view, view.draft)
    else:
        spots += paint_decision(target, layout, view)
    spots += paint_log(target, layout, view)
    spots += _over_the_city(target, layout, view)
    if view.deed:
        spots += paint_deed(target, layout, view, view.deed)
    if view.lookup:
        spots += paint_lookup(target, layout, view, view.lookup)
    if view.toast:
        paint_toast(target, layout, view)
    return spots


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
