"""Whole games of random legal actions, including deals, for tests."""

import random
from collections.abc import Iterator

from city_game.editions.city import EDITION
from city_game.game import Game, Setup
from city_game.kernel import State, legal_actions
from city_game.kernel.board import load
from city_game.kernel.deals import awaits_light, refusal

BOARD = load(EDITION)


def setup(players: int = 3, seed: int = 1, **rules: bool) -> Setup:
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")[:players]
    return Setup(BOARD, names, ("visitor",) * players, EDITION.rules(**rules), seed)


def random_offer(state: State, rng: random.Random) -> tuple:
    """Return a random offer, which is usually illegal."""
    giver, taker = rng.sample(range(state.players), 2)
    gives = tuple(rng.sample(state.owned[giver], min(len(state.owned[giver]), rng.randrange(2))))
    asks = tuple(rng.sample(state.owned[taker], min(len(state.owned[taker]), rng.randrange(2))))
    cards = rng.choice((0, 0, 0, 1, -1))
    return ("offer", giver, taker, gives, asks, rng.randrange(-200, 500), cards)


def random_steps(game: Game, rng: random.Random, steps: int) -> Iterator[State]:
    """Yield the state after each random legal action; the hour ends after `steps` of them."""
    for step in range(steps * 20):
        state = game.state
        if state.phase == "over":
            return
        if step >= steps and not state.hour_over:
            action = ("hour ended", 3600000)
        else:
            if awaits_light(state) and rng.random() < 0.8:
                game.do(("deal light on", step))
            action = rng.choice(legal_actions(state))
            if state.phase == "manage" and rng.random() < 0.1:
                offer = random_offer(state, rng)
                action = action if refusal(state, offer) else offer
            elif action[0] == "bid":
                most = state.cash[action[1]]
                raised = min(most, action[2] + rng.randrange(100))
                action = (*action[:2], raised, *action[3:])
        game.do(action)
        yield state
    raise AssertionError("the game did not end")


def random_game(seed: int, steps: int, check=None, **rules: bool) -> Game:
    """Return a game of City played to its end; calls check(game) after each action."""
    rng = random.Random(seed)
    game = Game(setup(rng.randint(2, 6), seed, **rules))
    for _state in random_steps(game, rng, steps):
        if check:
            check(game)
    return game
