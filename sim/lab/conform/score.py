"""The score card: what was looked at, and what was found."""

from collections.abc import Sequence
from typing import NamedTuple

from city_unit.desktop.catalogue import _, ngettext

_MOST_NAMED = 5


class Finding(NamedTuple):
    """One check; `why` is "" if all was well."""

    name: str
    why: str = ""


class Failed(Exception):
    """What was expected, and what came."""


def wrong_events(numbers: list[int], count: int) -> str:
    """Return what is wrong with the numbers of the events that came, of `count`; "" if nothing.

    Each must come once, in order.
    """
    seen = set(numbers)
    if len(seen) < len(numbers):
        twice = sorted({number for number in numbers if numbers.count(number) > 1})
        words = ngettext("told twice: event {numbers}", "told twice: events {numbers}", len(twice))
        return words.format(numbers=_listed(twice))
    missing = [number for number in range(count) if number not in seen]
    if missing:
        words = ngettext(
            "never told: event {numbers}", "never told: events {numbers}", len(missing)
        )
        return words.format(numbers=_listed(missing))
    if numbers != sorted(numbers):
        return _("events were told out of order")
    if seen and max(seen) >= count:
        return _("event {number} never happened").format(number=max(seen))
    return ""


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:_MOST_NAMED]))
