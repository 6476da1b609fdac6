"""Deals: put together by keys or mouse, timed by the light, and the offers of bots."""

import pygame
import pytest

from tests.helpers.table_screen import settle, spot
from tests.helpers.virtual_table import (
    BOARD,
    click,
    draw,
    make_session,
    pass_frames,
    press,
    run_until,
    type_letter,
)


def test_a_deal_by_keys_is_not_accepted_by_an_enter_that_was_on_its_way(screen):
    """A gives the district 2 and 1M for the district 3; B accepts it."""
    state = screen.session.state
    type_letter(screen, "t")
    for deed in (2, 3):
        screen.deal.aim = deed
        press(screen, pygame.K_SPACE)
    # On a French keyboard the minus lies on the key that bears 6, and has that key's code.
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
    click(screen, spot(screen, "Offer a deal").middle)
    draw(screen)
    for deed in (0, 4):
        click(screen, screen.layout.plots[deed].middle)
    click(screen, spot(screen, "money -1").middle)
    draw(screen)
    click(screen, spot(screen, "Offer it").middle)
    state = screen.session.state
    assert (state.deal.gives, state.deal.asks, state.deal.pays) == ((0,), (4,), -10)
    settle(screen)
    press(screen, pygame.K_DOWN)
    assert screen.focus == 0
    press(screen, pygame.K_RETURN)
    assert state.owner[4] == 0


def test_money_in_a_deal_by_large_steps_and_the_deal_is_left(screen):
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


def test_a_deal_turns_to_the_first_owner_and_a_gift_is_asked_about(screen):
    type_letter(screen, "t")
    click(screen, screen.layout.plots[10].middle)
    assert "nobody owns" in screen.toast().lower() and not screen.deal.asks
    screen.deal.partner = 0  # as with a third player at the table
    click(screen, screen.layout.plots[3].middle)
    assert (screen.deal.partner, screen.deal.asks) == (1, [3])
    click(screen, screen.layout.plots[3].middle)  # takes it out again
    type_letter(screen, "m")
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "manage" and "nothing in return" in screen.toast()
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "deal"


# The light of a deal.


def offered(before=lambda session: None):
    """Return a session in which a person has just offered another a deal."""
    session, _ = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    before(session)
    proposer = session.state.turn
    session.do(("offer", proposer, 1 - proposer, (), (), 100, 0))
    return session


def is_timed(session):
    return lambda: session.state.deal.started is not None


def test_the_light_without_a_sale_times_a_deal():
    session = offered()
    assert session.state.phase == "deal"
    assert not session.do(("accept",))  # a deal is offered by pressing AUCTION
    run_until(session, lambda: session.unit.light_is_on)
    run_until(session, lambda: session.state.phase == "roll")
    assert any("before" in line and "no deal" in line for line in session.log)


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_a_deal_whose_light_was_stopped_is_timed_again_and_an_answer_puts_it_out(answer):
    session = offered()
    run_until(session, is_timed(session))
    started = session.state.deal.started
    session.unit.memory.client.send("stop")
    run_until(session, lambda: session.state.deal.started not in (None, started))
    told = len(session.log)
    assert session.do((answer,))
    run_until(session, lambda: not session.unit.light_is_on)
    pass_frames(session, 100)
    assert not any("stopped" in line for line in session.log[told:])


def test_a_deal_waits_quietly_for_a_unit_that_is_gone(monkeypatch):
    session = offered(lambda one: monkeypatch.setattr(type(one.unit), "online", False))
    said = len(session.log)
    pass_frames(session, 2000)
    assert len(session.log) == said and session.state.deal.started is None
    monkeypatch.undo()
    run_until(session, is_timed(session))


def test_a_light_that_is_on_already_times_the_deal():
    """As at a table: first AUCTION is pressed, then the deal is proposed."""

    def light(session):
        session.tap("auction")
        run_until(session, lambda: session.unit.light_is_on)

    session = offered(light)
    session.step()
    assert is_timed(session)() and session.do(("accept",))


# Offers of bots.


@pytest.mark.parametrize("accepts", [True, False])
def test_an_offer_of_a_bot_is_accepted_or_declined_by_the_person_and_made_once(accepts):
    session, _ = make_session(("human", "planner", "planner"))
    run_until(session, lambda: session.state.phase == "roll")
    state, wanted = session.state, BOARD.keys["saltmarket"]
    for deed, owner in (
        (BOARD.keys["bell-court"], 1),
        (BOARD.keys["lantern-hill"], 1),
        (wanted, 0),
    ):
        state.transfer(deed, owner)
    state.phase, state.turn, state.decider = "manage", 1, 1
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
