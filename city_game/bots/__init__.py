"""Players that think by themselves, in three strengths; docs/editions.md explains each."""

import random

from city_game.bots.bot import Bot
from city_game.bots.builder import Builder
from city_game.bots.planner import Planner
from city_game.bots.visitor import Visitor

STRENGTHS = {"visitor": Visitor, "builder": Builder, "planner": Planner}


def make(strength: str, player: int, seed: int) -> Bot:
    """Return a bot for a seat; all that it does follows from the seed.

    Its moods are Python's generator and not the unit's: the golden games have its numbers.
    """
    return STRENGTHS[strength](player, random.Random(seed * 6 + player))
