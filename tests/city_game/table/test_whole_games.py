"""Whole games against bots: by keys alone in one, by the mouse alone in the other."""

import pygame
import pytest

from tests.helpers.table_screen import is_calm
from tests.helpers.virtual_table import (
    SIZE,
    click,
    draw,
    make_screen,
    make_session,
    press,
    type_letter,
)

pytestmark = pytest.mark.slow

MINUTES = 3  # of the hour


def play(screen, act):
    """Let frames pass, with a picture now and then, and a person's actions between them."""
    session, surface = screen.session, pygame.Surface(SIZE)
    for frame in range(60000):
        screen.update()
        if frame % 10 == 0:
            draw(screen, surface)
            act(frame)
        if session.state.phase == "over":
            break
    draw(screen, surface)
    kinds = {event[0] for event in session.state.events if event[1:2] == (0,)}
    kinds |= {action[0] for action in session.game.actions}
    assert {"rolled", "bid", "granted", "landed", "light out"} <= kinds
    assert session.state.winners, f"the game does not end: {screen.game.title}"


def a_game(seed):
    seats = ("human", "builder", "planner")
    session, _ = make_session(seats, seed=seed, clock_ms=MINUTES * 60000, frame_ms=40)
    return session, make_screen(session)


def offered(screen, calls):
    return any(option.calls == calls for option in screen.decision.options)


def test_a_whole_game_by_keys_alone():
    session, screen = a_game(seed=5)

    def act(frame):
        state = session.state
        if state.phase == "bidding" and frame % 100 == 0:
            type_letter(screen, "f")
        elif screen.deal:
            press(screen, pygame.K_ESCAPE)
        elif screen.choice.option is not None:
            press(screen, pygame.K_RIGHT)
            press(screen, pygame.K_RETURN)
        elif state.phase == "deal":  # which Enter does not answer
            type_letter(screen, "n")
        elif offered(screen, "build"):
            type_letter(screen, "b")
        elif screen.decision.options and frame % 20 == 0:
            options = screen.decision.options
            to_build = [place for place, one in enumerate(options) if one.targets]
            if state.phase == "build" and to_build:
                type_letter(screen, str(to_build[0] + 1))
            else:
                press(screen, pygame.K_RETURN)

    play(screen, act)


def test_a_whole_game_by_mouse_alone():
    session, screen = a_game(seed=7)
    layout = screen.layout

    def spot(start):
        return next((box for box, name, _ in screen.spots if name.startswith(start)), None)

    def act(frame):
        state = session.state
        if state.phase == "bidding":
            bid = spot("bid 0")
            if bid and frame % 100 == 0:
                click(screen, bid.middle)
        elif screen.choice.opening is not None:
            click(screen, spot("Open with").middle)
        elif screen.choice.deeds():
            click(screen, layout.plots[screen.choice.deeds()[-1]].middle)
        elif offered(screen, "build"):
            click(screen, spot("BUILD").middle)
        elif screen.decision.options and is_calm(screen):
            build = spot("Build 1") or spot("Build the station")
            click(screen, (build or spot(screen.decision.options[0].label)).middle)

    play(screen, act)
