"""The unit's lines, each parsed by one pure function; None if a line is none of its kind."""

from city_unit.host.news import About, Snapshot
from city_unit.trace import FIELDS
from city_unit.wire import number

MOST = 0x3FFFFFFF  # of any number in a line

# The fields of an event that are numbers.
_NUMBERS = ("length_ms", "left_ms")


def numbers(words: list[str]) -> list[int] | None:
    """Return all `words` as numbers."""
    values = [number(word, MOST) for word in words]
    return None if -1 in values else values


def welcome(words: list[str]) -> tuple[str, str, About] | None:
    """Return the client, the tag and what the unit says of itself."""
    if len(words) != 7:
        return None
    _, client, tag, protocol, version, body, name = words
    values = numbers([*tag.split("."), protocol])
    if values is None or len(values) != 3:
        return None
    return client, tag, About(name, body, version, values[2], values[0])


def state(words: list[str]) -> Snapshot | None:
    """Return the snapshot, its time not yet unwrapped."""
    if len(words) != 12:
        return None
    values = numbers([words[2], *words[5:]])
    if values is None:
        return None
    return Snapshot(values[0], words[3], words[4], *values[1:])


def event(words: list[str]) -> tuple[int, int, str, dict[str, int | str]] | None:
    """Return the number, the time (not yet unwrapped), the kind and the fields."""
    if not 5 <= len(words) <= 7:
        return None
    values = numbers(words[2:4])
    if values is None:
        return None
    kind = words[4]
    fields: dict[str, int | str] = {}
    for name, word in zip(FIELDS.get(kind, ()), words[5:]):
        fields[name] = number(word, MOST) if name in _NUMBERS else word
    return values[0], values[1], kind, fields
