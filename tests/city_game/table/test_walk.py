"""Every state that random legal play reaches can be drawn at some size, and told to telephones.

The seconds of the processor that this takes are `CITY_GAME_WALK_S` (4).
"""

import json
import random

import pygame

from tests.helpers.virtual_table import draw, make_screen
from tests.helpers.walks import BUDGET_S, tell_all, walks

SIZES = ((800, 600), (1280, 720), (2560, 1440))


def look(screen, rng):
    """Draw a session, and open whatever can be clicked."""
    surface = pygame.Surface((screen.layout.width, screen.layout.height))
    for _click in range(1 + rng.randrange(2)):
        screen.update()
        draw(screen, surface)
        spots = [spot for spot in screen.spots if spot.command.name != "option"]
        screen.perform(rng.choice(spots).command)


def kind_of(session):
    """Return of which kind a state is: of each kind some are drawn."""
    state = session.state
    people = [session.is_human(seat) for seat in range(state.players)]
    gone = {people[seat] for seat, alive in enumerate(state.alive) if not alive}
    decider = state.decider >= 0 and people[state.decider]
    leader = state.auction is not None and state.auction.leader() >= 0
    light = session.unit.light_is_on
    return (True in gone, state.edition.name, state.phase, decider, leader, False in gone, light)


def test_every_state_of_random_play_is_drawn_and_told_to_telephones():
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
