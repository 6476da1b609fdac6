"""The rules engine: a game state, the legal actions in it, and their effects. No I/O, no clock."""

from city_game.kernel.actions import Illegal, apply, legal_actions, why_not
from city_game.kernel.state import State

__all__ = ["Illegal", "State", "apply", "legal_actions", "why_not"]
