"""Every state that random legal play reaches can be drawn at any size, and told to telephones.

The seconds of the processor that this takes are `CITY_GAME_WALK_S` (4).
"""

import json
import random
from functools import lru_cache

import pygame

from city_game.table import board
from tests.helpers.virtual_table import draw, make_screen
from tests.helpers.walks import BUDGET_S, tell_all, walks

SIZES = ((800, 600), (1280, 720), (2560, 1440))


class Onlooker:
    """Draws a session at three sizes, and opens whatever can be clicked."""

    def __init__(self, session, rng):
        self.rng = rng
        self.screens = [make_screen(session, size) for size in SIZES]
        self.surfaces = [pygame.Surface(size) for size in SIZES]

    def look(self, place):
        self.screens[place].update()
        draw(self.screens[place], self.surfaces[place])

    def look_everywhere(self):
        for place in range(len(self.screens)):
            self.look(place)
        place = self.rng.randrange(len(self.screens))
        screen = self.screens[place]
        for _click in range(self.rng.randrange(3)):
            spots = [spot for spot in screen.spots if spot.command.name != "option"]
            screen.perform(self.rng.choice(spots).command)
            self.look(place)


def kind_of(session):
    """Return of which kind a state is: of each kind some are drawn."""
    state = session.state
    people = [session.is_human(seat) for seat in range(state.players)]
    gone = {people[seat] for seat, alive in enumerate(state.alive) if not alive}
    decider = state.decider >= 0 and people[state.decider]
    leader = state.auction is not None and state.auction.leader() >= 0
    light = session.unit.light_is_on
    return (True in gone, state.edition.name, state.phase, decider, leader, False in gone, light)


def test_every_state_of_random_play_is_drawn_at_three_sizes_and_told_to_telephones(monkeypatch):
    made_once = lru_cache(maxsize=8)(board.city_at.__wrapped__)
    monkeypatch.setattr(board, "city_at", made_once)  # a window has one size, and keeps one
    known, drawn, gone, seed = set(), 0, 0, 0
    for seed, sessions in walks(BUDGET_S):
        rng = random.Random(-seed)
        onlooker = None
        for session in sessions:
            kind = kind_of(session)
            if kind in known and rng.random() > 0.02:
                continue
            known.add(kind)
            drawn += 1
            gone += kind[0]
            try:
                onlooker = onlooker or Onlooker(session, rng)
                onlooker.look_everywhere()
                json.dumps(tell_all(session))
            except Exception as error:
                steps = len(session.game.actions)
                raise AssertionError(f"walk {seed}, after {steps} steps: {kind}") from error
    print(f"{seed} games, {drawn} states, {gone} with a bankrupt person, {len(known)} kinds")
    assert gone
