"""Deals: put together by keys or mouse, timed by the light, and offered by bots."""

import pygame
import pytest

from tests.helpers.table_screen import option, settle, spot
from tests.helpers.virtual_table import (
    BOARD,
    at_the_dice,
    click,
    draw,
    managing,
    pass_frames,
    press,
    run_until,
    type_letter,
)


def test_a_deal_by_keys_is_not_accepted_by_a_late_enter(screen):
    """A gives district 2 and 1M for district 3, and B accepts."""
    state = screen.session.state
    type_letter(screen, "t")
    for deed in (2, 3):
        screen.deal.aim = deed
        press(screen, pygame.K_SPACE)
    # On a French keyboard the minus is on key 6 and has its code.
    for code, typed, scancode in (
        *[(pygame.K_PLUS, "", 0)] * 9,
        (pygame.K_6, "-", pygame.KSCAN_6),
        *[(pygame.K_EQUALS, "+", pygame.KSCAN_EQUALS)] * 2,
    ):
        press(screen, code, typed, scancode=scancode)
    draw(screen)
    cash = state.cash[0]
    press(screen, pygame.K_RETURN)
    assert state.phase == "deal" and state.decider == 1
    settle(screen)
    assert BOARD.deeds[3].name in screen.view().detail
    press(screen, pygame.K_RETURN)
    assert state.phase == "deal" and "with Y" in screen.toast()
    type_letter(screen, "y")
    assert state.owner[2] == 1 and state.owner[3] == 0 and state.cash[0] == cash - 100


def test_a_deal_by_mouse_is_accepted_by_an_enter_on_the_marked_answer(screen):
    draw(screen)
    click(screen, option(screen, "Offer a deal").middle)
    draw(screen)
    for deed in (0, 4):
        click(screen, screen.layout.plots[deed].middle)
    click(screen, spot(screen, "money", -1).middle)
    draw(screen)
    click(screen, spot(screen, "send offer").middle)
    state = screen.session.state
    assert (state.deal.gives, state.deal.asks, state.deal.pays) == ((0,), (4,), -10)
    settle(screen)
    press(screen, pygame.K_DOWN)
    assert screen.focus == 0
    press(screen, pygame.K_RETURN)
    assert state.owner[4] == 0


def test_money_is_changed_by_large_steps_and_a_deal_is_cancelled(screen):
    type_letter(screen, "t")
    draw(screen)
    click(screen, spot(screen, "money", 10).middle)
    type_letter(screen, "m")
    press(screen, pygame.K_MINUS)
    assert screen.deal.pays == 190
    type_letter(screen, "n")
    click(screen, spot(screen, "money", -10).middle)
    assert screen.deal.pays == -10 and screen.volume == 2
    press(screen, pygame.K_ESCAPE)
    assert screen.deal is None and screen.session.state.phase == "manage"


def test_the_first_deed_asked_for_chooses_the_partner_and_a_gift_needs_confirmation(screen):
    type_letter(screen, "t")
    click(screen, screen.layout.plots[10].middle)
    assert "nobody owns" in screen.toast().lower() and not screen.deal.asks
    screen.deal.partner = 0  # as with a third player at the table
    click(screen, screen.layout.plots[3].middle)
    assert (screen.deal.partner, screen.deal.asks) == (1, [3])
    click(screen, screen.layout.plots[3].middle)  # removes it again
    type_letter(screen, "m")
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "manage" and "nothing in return" in screen.toast()
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "deal"


# The light of a deal.


def offered(before=lambda session: None):
    """Return a session in which one person has just offered another a deal."""
    session = at_the_dice()
    before(session)
    proposer = session.state.turn
    session.do(("offer", proposer, 1 - proposer, (), (), 100, 0))
    return session


def is_timed(session):
    return lambda: session.state.deal.started is not None


def test_a_deal_is_timed_by_the_light_and_fails_when_it_goes_out():
    session = offered()
    assert session.state.phase == "deal"
    assert not session.do(("accept",))  # not before AUCTION has been pressed
    run_until(session, lambda: session.unit.light_is_on)
    run_until(session, lambda: session.state.phase == "roll")
    assert any("before" in line and "no deal" in line for line in session.log)


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_a_deal_whose_light_was_stopped_is_timed_again_and_an_answer_stops_the_light(answer):
    session = offered()
    run_until(session, is_timed(session))
    started = session.state.deal.started
    session.unit.memory.client.send("stop")
    run_until(session, lambda: session.state.deal.started not in (None, started))
    before = len(session.log)
    assert session.do((answer,))
    run_until(session, lambda: not session.unit.light_is_on)
    pass_frames(session, 100)
    assert not any("stopped" in line for line in session.log[before:])


def test_a_deal_waits_silently_for_a_disconnected_unit(monkeypatch):
    session = offered(lambda one: monkeypatch.setattr(type(one.unit.client), "online", False))
    before = len(session.log)
    pass_frames(session, 2000)
    assert len(session.log) == before and session.state.deal.started is None
    monkeypatch.undo()
    run_until(session, is_timed(session))


def test_a_light_that_is_already_on_times_the_deal():
    """At a real table AUCTION is pressed first, and then the deal proposed."""

    def light(session):
        session.tap("auction")
        run_until(session, lambda: session.unit.light_is_on)

    session = offered(light)
    session.step()
    assert is_timed(session)() and session.do(("accept",))


# Offers of bots.


@pytest.mark.parametrize("accepts", [True, False])
def test_a_bot_s_offer_is_accepted_or_declined_by_the_person_and_made_once(accepts):
    wanted, *pair = (BOARD.keys[key] for key in ("saltmarket", "bell-court", "lantern-hill"))
    session = managing(("human", "planner", "planner"), ((wanted,), pair), turn=1)
    state = session.state
    run_until(session, lambda: state.phase == "deal", 2000)
    deal, cash = state.deal, state.cash[0]
    assert (deal.proposer, deal.partner, state.decider) == (1, 0, 0)
    assert deal.asks == (wanted,) and deal.pays > 0
    run_until(session, is_timed(session), 2000)
    pass_frames(session, 500)
    assert state.deal is deal  # the game waits
    assert session.do(("accept",) if accepts else ("decline",))
    assert (state.owner[wanted], state.cash[0]) == ((1, cash + deal.pays) if accepts else (0, cash))
    run_until(session, lambda: state.turn != 1)
    assert sum(event[0] == "offered" for event in state.events) == 1
