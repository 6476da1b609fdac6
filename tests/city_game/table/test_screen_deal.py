"""A deal at the table, by keys and by mouse."""

import pygame

from tests.helpers.table_screen import settle, spot
from tests.helpers.virtual_table import (
    BOARD,
    click,
    draw,
    press,
    type_letter,
)


def test_a_deal_by_keys(screen):
    """A gives the district 2 and 1M for the districts 3; B accepts it."""
    state = screen.session.state
    type_letter(screen, "t")
    screen.deal.aim = 2
    press(screen, pygame.K_SPACE)
    screen.deal.aim = 3
    press(screen, pygame.K_SPACE)
    for _ in range(10):
        press(screen, pygame.K_PLUS)
    draw(screen)
    cash = state.cash[0]
    press(screen, pygame.K_RETURN)
    assert state.phase == "deal" and state.decider == 1
    settle(screen)
    assert BOARD.deeds[3].name in screen.view().detail
    type_letter(screen, "y")
    assert state.owner[2] == 1 and state.owner[3] == 0 and state.cash[0] == cash - 100


def test_a_deal_by_mouse(screen):
    draw(screen)
    click(screen, spot(screen, "Offer a deal").middle)
    draw(screen)
    click(screen, screen.layout.plots[0].middle)
    click(screen, screen.layout.plots[4].middle)
    click(screen, spot(screen, "money -1").middle)
    draw(screen)
    click(screen, spot(screen, "Offer it").middle)
    deal = screen.session.state.deal
    assert (deal.gives, deal.asks, deal.pays) == ((0,), (4,), -10)


def test_money_in_a_deal_by_steps_small_and_large_and_the_deal_is_left(screen):
    type_letter(screen, "t")
    draw(screen)
    click(screen, spot(screen, "money 10").middle)
    type_letter(screen, "m")
    press(screen, pygame.K_MINUS)
    assert screen.deal.pays == 190
    type_letter(screen, "n")
    click(screen, spot(screen, "money -10").middle)
    assert screen.deal.pays == -10 and screen.volume == 2
    press(screen, pygame.K_ESCAPE)
    assert screen.deal is None and screen.session.state.phase == "manage"


def test_a_deal_turns_to_the_owner_of_what_is_asked_for_first(screen):
    session = screen.session
    session.state.transfer(5, 1)
    type_letter(screen, "t")
    click(screen, screen.layout.plots[10].middle)
    assert "nobody owns" in screen.toast().lower() and not screen.deal.asks
    screen.deal.partner = 0  # as with a third player at the table
    click(screen, screen.layout.plots[3].middle)
    assert (screen.deal.partner, screen.deal.asks) == (1, [3])


def test_who_asks_for_nothing_is_told_so_first(screen):
    type_letter(screen, "t")
    type_letter(screen, "m")
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "manage" and "nothing in return" in screen.toast()
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "deal"


def test_enter_does_not_accept_a_deal_for_another(screen):
    type_letter(screen, "t")
    click(screen, screen.layout.plots[3].middle)
    press(screen, pygame.K_RETURN)
    settle(screen)
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "deal" and "with Y" in screen.toast()
    press(screen, pygame.K_DOWN)
    assert screen.focus == 0
    press(screen, pygame.K_RETURN)
    assert screen.session.state.owner[3] == 0
