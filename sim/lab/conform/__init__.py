"""The score card: checks and findings; and the faults of a bad connection."""

import random
from collections.abc import Callable
from typing import NamedTuple

from city_unit.desktop.catalogue import Lazy, _, lazy, ngettext

_MOST_NAMED = 5  # numbers of events

Fault = Callable[[random.Random, bytes], list[bytes]]  # the lines that come out of a line


def clean(_chance: random.Random, line: bytes) -> list[bytes]:
    return [line]


def losing(chance: random.Random, line: bytes) -> list[bytes]:
    return [] if chance.random() < 0.2 else [line]


def doubling(chance: random.Random, line: bytes) -> list[bytes]:
    return [line, line] if chance.random() < 0.4 else [line]


def flipping(chance: random.Random, line: bytes) -> list[bytes]:
    if chance.random() >= 0.2:
        return [line]
    place = chance.randrange(len(line))
    return [line[:place] + bytes([line[place] ^ 1 << chance.randrange(7)]) + line[place + 1 :]]


def noisy(chance: random.Random, line: bytes) -> list[bytes]:
    noise = (b"AT+CGMI\r\n", b"\xff\x00\x80*12345678\n", b"x" * 300 + b"\n", b">>> \r\n")
    return [chance.choice(noise), line] if chance.random() < 0.4 else [line]


def cutting(chance: random.Random, line: bytes) -> list[bytes]:
    """Lose the rest of a line, its end too, so that the next line is spoilt with it."""
    return [line[: chance.randrange(len(line))]] if chance.random() < 0.15 else [line]


FAULTS: dict[str, tuple[Fault, Lazy]] = {  # and the name of a connection with it
    "clean": (clean, lazy("a line without faults")),
    "losing": (losing, lazy("a line that loses lines")),
    "doubling": (doubling, lazy("a line that doubles lines")),
    "flipping": (flipping, lazy("a line that flips bits")),
    "noisy": (noisy, lazy("a line with noise")),
    "cutting": (cutting, lazy("a line that cuts lines short")),
}


class Spoiler:
    """One direction of a bad connection: whole lines go in, spoilt lines come out."""

    def __init__(self, fault: Fault, chance: random.Random) -> None:
        self._fault = fault
        self._chance = chance
        self._rest = b""

    def pass_on(self, data: bytes) -> bytes:
        *lines, self._rest = (self._rest + data).split(b"\n")
        spoilt = [piece for line in lines for piece in self._fault(self._chance, line + b"\n")]
        return b"".join(spoilt)


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
        named = sorted({number for number in numbers if numbers.count(number) > 1})
        words = ngettext("told twice: event {numbers}", "told twice: events {numbers}", len(named))
    else:
        named = [number for number in range(count) if number not in seen]
        words = ngettext("never told: event {numbers}", "never told: events {numbers}", len(named))
    if named:
        return words.format(numbers=", ".join(map(str, named[:_MOST_NAMED])))
    if numbers != sorted(numbers):
        return _("events were told out of order")
    if seen and max(seen) >= count:
        return _("event {number} never happened").format(number=max(seen))
    return ""
