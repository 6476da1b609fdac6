"""The rules: a state, the actions that are legal in it, and what they do. No I/O, no clock."""

from city_game.kernel.engine import Illegal, apply, legal_actions, why_not
from city_game.kernel.state import State

__all__ = ["Illegal", "State", "apply", "legal_actions", "why_not"]
