"""The unit's lines, each parsed by one pure function; None if the line is of another kind.

A later unit may put more words at the end of any of them.
"""

from typing import cast

from city_unit.desktop.catalogue import lazy
from city_unit.host.news import About, Event, Fields, Snapshot
from city_unit.ticks import MASK
from city_unit.trace import EVENTS
from city_unit.wire import number

BAD_TAG = lazy("the TAG of its `welcome` is not of the form BOOT.SESSION: {tag}")
WORD_MISSING = lazy("its `{line}` has no {name}")
NO_NUMBER = lazy("{name} of its `{line}` is no number below 2^30: {word}")

# The words of two lines, as docs/protocol.md calls them.
_WELCOME = ("welcome", "CLIENT", "TAG", "1", "VERSION", "BODY", "NAME")
_STATE = (
    *("state", "TAG", "NOW", "STATE", "PROGRAM", "CLOCK", "LEFT", "AUCTION"),
    *("LAMPS", "TONE", "VOLUME", "COUNT"),
)

# The fields of an event that are numbers.
_NUMBERS = ("length_ms", "left_ms")


def numbers(words: list[str]) -> list[int] | None:
    """Return all `words` as numbers."""
    values = [number(word, MASK) for word in words]
    return None if -1 in values else values


def welcome(words: list[str]) -> tuple[str, About]:
    """Return the tag and the unit's identity. Raises ValueError: which word is wrong."""
    _, _, tag, _, version, body, name = _complete(words, _WELCOME)
    boot, dot, session = tag.partition(".")
    if not dot or number(boot, MASK) < 0 or number(session, MASK) < 0:
        raise ValueError(BAD_TAG.format(tag=repr(tag)))
    (version_of_protocol,) = _whole(words, _WELCOME, ("1",))
    return tag, About(name, body, version, version_of_protocol, int(boot))


def state(words: list[str]) -> Snapshot:
    """Return the snapshot, its time not yet unwrapped. Raises ValueError: which word is wrong."""
    _complete(words, _STATE)
    now, *rest = _whole(words, _STATE, ("NOW", *_STATE[5:]))
    return Snapshot(now, words[3], words[4], *rest)


def _complete(words: list[str], names: tuple[str, ...]) -> list[str]:
    """Return the words that have a name. Raises ValueError if one is missing."""
    if len(words) < len(names):
        raise ValueError(WORD_MISSING.format(line=names[0], name=names[len(words)]))
    return words[: len(names)]


def _whole(words: list[str], names: tuple[str, ...], wanted: tuple[str, ...]) -> list[int]:
    """Return the words of these names as numbers. Raises ValueError if one is none."""
    values = []
    for name in wanted:
        word = words[names.index(name)]
        values.append(number(word, MASK))
        if values[-1] < 0:
            raise ValueError(NO_NUMBER.format(name=name, line=names[0], word=repr(word)))
    return values


def event(words: list[str]) -> Event | None:
    """Return the event, its time not yet unwrapped."""
    if len(words) < 5:
        return None
    values = numbers(words[2:4])
    if values is None:
        return None
    kind, *more = words[4:]
    fields: dict[str, int | str] = {}
    for name, word in zip(EVENTS.get(kind, ()), more):
        fields[name] = number(word, MASK) if name in _NUMBERS else word
    typed = cast(Fields, fields)
    return Event(values[0], values[1], kind, typed, tuple(more[len(fields) :]))
