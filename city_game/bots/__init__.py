"""Players that think by themselves, in three strengths; docs/editions.md explains each."""

import random

from city_game.bots.bot import AtRandom, Bot, Builder, Planner, Visitor
from city_game.kernel.edition import Edition

STRENGTHS: dict[str, type[Bot]] = {"visitor": Visitor, "builder": Builder, "planner": Planner}
MEASURES: dict[str, type[Bot]] = {"random": AtRandom}  # for simulations only


def make(edition: Edition, strength: str, player: int, seed: int) -> Bot:
    """Return a bot for a seat, the edition's own if it has one; its moves follow from the seed.

    Its moods are Python's generator and not the unit's: the golden games have its numbers.
    """
    kind = edition.minds().get(strength) or (STRENGTHS | MEASURES)[strength]
    return kind(player, random.Random(seed * 6 + player))
