"""The score card: checks and findings."""

from collections.abc import Sequence
from typing import NamedTuple

from city_unit.desktop.catalogue import _, ngettext

_MOST_NAMED = 5


class Finding(NamedTuple):
    """One check; `why` is "" if all was well."""

    name: str
    why: str = ""


class Failed(Exception):
    """An expectation, and the different result."""


def wrong_events(numbers: list[int], count: int) -> str:
    """Return the error in the numbers of received events, of `count`; "" for none.

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
