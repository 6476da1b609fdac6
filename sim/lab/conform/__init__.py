"""Conformance checks: shared results, and the faults of a simulated bad connection."""

import random
from collections.abc import Callable
from typing import NamedTuple

from city_unit.desktop.catalogue import Lazy, _, lazy, ngettext

_MOST_NAMED = 5  # event numbers in a message

Fault = Callable[[random.Random, bytes], list[bytes]]  # returns what arrives of a line


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
    """Lose the rest of a line with its line end, which corrupts the next line as well."""
    return [line[: chance.randrange(len(line))]] if chance.random() < 0.15 else [line]


FAULTS: dict[str, tuple[Fault, Lazy]] = {  # with the name of the check
    "clean": (clean, lazy("a line without faults")),
    "losing": (losing, lazy("a line that loses lines")),
    "doubling": (doubling, lazy("a line that doubles lines")),
    "flipping": (flipping, lazy("a line that flips bits")),
    "noisy": (noisy, lazy("a line with noise")),
    "cutting": (cutting, lazy("a line that cuts lines short")),
}


class Spoiler:
    """One direction of a bad connection: buffers data into lines and applies a fault to each."""

    def __init__(self, fault: Fault, chance: random.Random) -> None:
        self._fault = fault
        self._chance = chance
        self._rest = b""

    def pass_on(self, data: bytes) -> bytes:
        *lines, self._rest = (self._rest + data).split(b"\n")
        spoilt = [piece for line in lines for piece in self._fault(self._chance, line + b"\n")]
        return b"".join(spoilt)


class Finding(NamedTuple):
    """The result of a check; `why` is the error, "" if it passed."""

    name: str
    why: str = ""


class Failed(Exception):
    """A check failed. The message says what was expected and what happened."""


def wrong_events(numbers: list[int], count: int) -> str:
    """Return "" if each of `count` events was received once and in order, else the error."""
    seen = set(numbers)
    if len(seen) < len(numbers):
        named = sorted({number for number in numbers if numbers.count(number) > 1})
        words = ngettext(
            "received twice: event {numbers}", "received twice: events {numbers}", len(named)
        )
    else:
        named = [number for number in range(count) if number not in seen]
        words = ngettext(
            "never received: event {numbers}", "never received: events {numbers}", len(named)
        )
    if named:
        return words.format(numbers=", ".join(map(str, named[:_MOST_NAMED])))
    if numbers != sorted(numbers):
        return _("events were received out of order")
    if seen and max(seen) >= count:
        return _("event {number} never happened").format(number=max(seen))
    return ""
