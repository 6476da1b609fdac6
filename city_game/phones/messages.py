"""The messages of a telephone: read as from an enemy, and made into checked values."""

import json
from typing import Any

MOST_DISTRICTS = 40  # of a list; more than on any board
LARGEST = 10**9


def read(text: str | bytes) -> dict[str, Any]:
    """Return a message, {} if it is none; a number in it is no larger than any that is needed."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def whole(value: object) -> int | None:
    """Return a whole number, None for anything else."""
    return value if type(value) is int and abs(value) < LARGEST else None


def number(value: object) -> float | None:
    """Return a number of ms, None for anything else, for NaN, and from 1e15 on."""
    if type(value) not in (int, float):
        return None
    assert isinstance(value, (int, float))
    return float(value) if abs(value) < 1e15 else None  # false for nan as well


def word(value: object, longest: int = 64) -> str:
    """Return a text, "" for anything else."""
    return value if isinstance(value, str) and len(value) <= longest else ""


def action(value: object) -> tuple:
    """Return an action of the rules as it may have been meant, () for anything else."""
    if not isinstance(value, list) or not 0 < len(value) <= 8 or not isinstance(value[0], str):
        return ()
    return tuple(_part(part) for part in value)


def deeds(value: object) -> tuple[int, ...] | None:
    if not isinstance(value, list) or len(value) > MOST_DISTRICTS:
        return None
    return tuple(value) if all(type(part) is int for part in value) else None


def _part(part: object) -> object:
    return tuple(part) if isinstance(part, list) and len(part) <= MOST_DISTRICTS else part
