"""The unit is not as wanted: one clear line, and a way on."""

import pygame
import pytest

from city_game.table.drawing import Pen
from tests.helpers.table_screen import settle, spot
from tests.helpers.virtual_table import (
    click,
    draw,
    press,
    type_letter,
)


@pytest.mark.parametrize("in_deal", [False, True])
def test_a_unit_that_is_off_can_be_switched_on(screen, in_deal):
    if in_deal:
        screen.session.do(("offer", 0, 1, (), (), 100, 0))
    screen.session.unit.memory.client.send("switch off")
    settle(screen)
    assert screen.game.title == "The unit is switched off."
    press(screen, pygame.K_RETURN)
    settle(screen)
    assert screen.game.problem is None
    assert screen.session.state.phase == ("deal" if in_deal else "manage")


def test_a_unit_with_another_program_can_be_set(screen):
    screen.session.unit.memory.client.send("program world")
    settle(screen)
    assert screen.game.title == "The unit runs the program {program}, not city.".format(
        program="world"
    )
    draw(screen)
    click(screen, spot(screen, "Set it to city").middle)
    settle(screen)
    assert screen.game.problem is None


def test_a_unit_that_is_gone_can_be_replaced(screen):
    screen.session.unit.memory.cut()
    settle(screen)
    assert screen.game.title == "The unit is gone. The game waits for it."
    press(screen, pygame.K_F5)
    assert screen.wants == "another unit"


def test_a_call_for_the_referee_is_shown_for_as_long_as_it_stands(screen, monkeypatch):
    words = []
    monkeypatch.setattr(Pen, "write", lambda _, said, *look, **more: words.append(said))
    screen.session.has_referee = lambda: True
    for calls in (True, False):
        press(screen, pygame.K_F9)
        settle(screen)
        words.clear()
        draw(screen)
        assert ("The referee is called" in words) is calls


def test_what_the_unit_refuses_is_told_where_it_is_seen(screen):
    screen.session.state.pressed = True
    type_letter(screen, "b")
    assert "once a roll" in screen.toast()
    draw(screen)
    settle(screen)
    assert screen.toast() == ""
