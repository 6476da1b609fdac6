"""Random legal play: every state can be drawn and sent to telephones; whole games by keys or mouse.

`CITY_GAME_WALK_S` is the CPU time of the walk in seconds (default 4).
"""

import json
import random

import pygame
import pytest

from city_game import editions
from tests.city_game.editions import toy
from tests.city_game.table.pictures import act
from tests.helpers.table_screen import is_calm, option, spot
from tests.helpers.virtual_table import (
    SIZE,
    click,
    draw,
    make_screen,
    make_session,
    press,
    type_letter,
)
from tests.helpers.walks import BUDGET_S, tell_all, walks

SIZES = ((800, 600), (1280, 720), (800, 1400), (2560, 1440))


def look(screen, rng):
    """Draw a session, and click random spots."""
    surface = pygame.Surface((screen.layout.width, screen.layout.height))
    for _click in range(1 + rng.randrange(2)):
        screen.update()
        draw(screen, surface)
        spots = [spot for spot in screen.spots if spot.command.name != "option"]
        screen.perform(rng.choice(spots).command)


def kind_of(session):
    """Return the kind of a state; each new kind is drawn, and others at random."""
    state = session.state
    people = [session.is_human(seat) for seat in range(state.players)]
    gone = {people[seat] for seat, alive in enumerate(state.alive) if not alive}
    decider = state.decider >= 0 and people[state.decider]
    leader = state.auction is not None and state.auction.leader() >= 0
    light = session.unit.light_is_on
    return (True in gone, state.edition.name, state.phase, decider, leader, False in gone, light)


def test_every_kind_of_state_in_random_play_is_drawn_and_sent_to_telephones(monkeypatch):
    """Of every edition, and of the toy, which has spaces and dice of its own."""
    monkeypatch.setitem(editions.KNOWN, "toy", toy.EDITION)
    known, drawn, gone, seed = set(), 0, 0, 0
    for seed, sessions in walks(BUDGET_S):
        rng = random.Random(-seed)
        screen = None
        for session in sessions:
            kind = kind_of(session)
            if kind in known and rng.random() > 0.02:
                continue
            known.add(kind)
            drawn += 1
            gone += kind[0]
            try:
                screen = screen or make_screen(session, SIZES[seed % len(SIZES)])
                look(screen, rng)
                json.dumps(tell_all(session))
            except Exception as error:
                steps = len(session.game.actions)
                raise AssertionError(f"walk {seed}, after {steps} steps: {kind}") from error
    print(f"{seed} games, {drawn} states, {gone} with a bankrupt person, {len(known)} kinds")
    assert gone


def by_keys(screen, frame):
    phase = screen.state.phase
    if phase == "bidding" and frame % 100 == 0:
        type_letter(screen, "f")
    elif screen.choice.option is not None:
        press(screen, pygame.K_RIGHT)
        press(screen, pygame.K_RETURN)
    elif phase == "deal":  # Enter neither accepts nor declines
        type_letter(screen, "n")
    elif phase != "bidding" and frame % 20 == 0:
        act(screen)


def by_mouse(screen, frame):
    def labelled(start):
        found = (what.label for what in screen.buttons() if what.label.startswith(start))
        return next(found, None)

    if screen.state.phase == "bidding":
        if frame % 100 == 0 and screen.view().bidders:
            click(screen, spot(screen, "bid", 0).middle)
    elif screen.choice.opening is not None:
        click(screen, spot(screen, "confirm").middle)
    elif screen.choice.deeds():
        click(screen, screen.layout.plots[screen.choice.deeds()[-1]].middle)
    elif any(option.calls == "build" for option in screen.decision.options):
        click(screen, option(screen, labelled("BUILD")).middle)
    elif screen.decision.options and is_calm(screen):
        build = labelled("Build 1") or labelled("Build the station")
        click(screen, option(screen, build or screen.decision.options[0].label).middle)


@pytest.mark.parametrize("play", [by_keys, by_mouse])
def test_a_whole_game_can_be_played_by_one_device(play):
    session, _ = make_session(seed=3, clock_ms=120_000, frame_ms=80)
    screen, surface = make_screen(session), pygame.Surface(SIZE)
    for frame in range(60000):
        screen.update()
        if frame % 10 == 0:
            draw(screen, surface)
            play(screen, frame)
        if session.state.phase == "over":
            break
    draw(screen, surface)
    kinds = {event[0] for event in session.state.events if event[1:2] == (0,)}
    kinds |= {action[0] for action in session.game.actions}
    assert {"rolled", "bid", "granted", "landed", "light out"} <= kinds
    assert session.state.winners, f"the game does not end: {screen.game.title}"
