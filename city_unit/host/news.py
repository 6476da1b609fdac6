"""The news of a client: its kinds, the parsers of the unit's lines, and the queues of readers.

Times in ms are on the unit's clock, unwrapped. Each line has one pure parser, which tolerates
further words at the end, since a later unit may add some.

A reader is a thread, a task or an iterator with a bounded queue. Its queue starts with its first
use of the client; the queue of the first reader starts with the client, unless callbacks were
registered before. Callbacks receive news of their kind directly, before any reader. News is
stored once: a queue is a position in one list, which is trimmed up to the slowest reader.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, TypeVar, cast
from weakref import WeakKeyDictionary

from city_unit.desktop.catalogue import _
from city_unit.ticks import MASK, diff
from city_unit.trace import EVENTS
from city_unit.wire import parse_number

# The keys of `trace.EVENTS`, for type checkers; a test compares the two.
EventKind = Literal[
    "switched-on",
    "switched-off",
    "auction-started",
    "auction-warning",
    "auction-ended",
    "auction-cancelled",
    "permit-started",
    "permit-granted",
    "hour-beep",
    "hour-ended",
    "phase-started",
    "last-round",
    "time-called",
    "refused",
]


class Fields(TypedDict):
    """The fields of events; each kind has some of them (see `trace.EVENTS`)."""

    program: str
    length_ms: int
    left_ms: int
    permit: str
    phase: str
    what: str
    why: str


@dataclass(frozen=True)
class About:
    """The identity of a unit; `boot` changes each time it starts."""

    name: str
    body: str
    version: str
    protocol: int
    boot: int


@dataclass(frozen=True)
class Snapshot:
    """The state of a unit at `ms` of its clock."""

    ms: int
    state: str
    program: str
    clock_ms: int  # the length of the game, 0 for none
    clock_left_ms: int
    auction_left_ms: int  # 0 without an auction, or if its length is secret
    lamps: int  # a bit mask in the order of `facts.LAMPS`
    tone: int  # Hz, 0 for silence
    volume: int  # 0 to 3
    events: int  # their number since the unit was started

    @property
    def switched_on(self) -> bool:
        return self.state != "off"


@dataclass(frozen=True)
class News:
    """The base of all news that a client delivers."""


AnyNews = TypeVar("AnyNews", bound=News)


@dataclass(frozen=True)
class Connected(News):
    """The unit answered a greeting."""

    about: About
    snapshot: Snapshot


@dataclass(frozen=True)
class Disconnected(News):
    """The connection is lost; the client keeps trying to reconnect."""

    why: str


@dataclass(frozen=True)
class Restarted(News):
    """The unit was restarted: its clock and its event numbers start again."""

    boot: int


@dataclass(frozen=True)
class Missed(News):
    """The unit no longer has these events; `first` is the number of the first one."""

    first: int
    count: int


@dataclass(frozen=True)
class Dropped(News):
    """Some news was discarded since this reader's queue was full."""

    count: int


@dataclass(frozen=True)
class Event(News):
    """An event of the unit at `ms`, with the fields of the trace.

    more  further words as received, from a later unit with more fields or other kinds
    boot  the boot in which it happened; the clock of an earlier boot no longer runs
    """

    number: int
    ms: int
    kind: str
    fields: Fields = field(default_factory=lambda: cast(Fields, {}))
    more: tuple[str, ...] = ()
    boot: int = field(default=0, compare=False)

    @property
    def position(self) -> tuple[int, int]:
        """Its position among all events of the unit, for `connect(after=...)`."""
        return self.boot, self.number


@dataclass(frozen=True)
class Edge(News):
    """A change of a lamp or of the tone; the client must have subscribed by `watch`.

    due_ms   when it was due
    done_us  when it took effect, in microseconds on the unit's clock, which wraps at 2^30
    """

    number: int
    what: str  # a name of `facts.LAMPS`, or "tone"
    value: int  # 1 or 0 for a lamp, Hz for the tone
    due_ms: int
    done_us: int

    @property
    def late_us(self) -> int:
        """The lateness in microseconds, less than 2^29."""
        return diff(self.done_us, self.due_ms * 1000)


# The lines of a unit.

# The words of two lines, as named in docs/protocol.md.
_WELCOME = ("welcome", "CLIENT", "TAG", "1", "VERSION", "BODY", "NAME")
_STATE = (
    *("state", "TAG", "NOW", "STATE", "PROGRAM", "CLOCK", "LEFT", "AUCTION"),
    *("LAMPS", "TONE", "VOLUME", "COUNT"),
)

# The fields of an event that are numbers.
_NUMBERS = ("length_ms", "left_ms")


def numbers(words: list[str]) -> list[int] | None:
    """Parse all `words` as numbers; None if one is invalid."""
    values = [parse_number(word, MASK) for word in words]
    return None if -1 in values else values


def parse_welcome(words: list[str]) -> tuple[str, About]:
    """Return the tag and the unit's identity. Raises ValueError, which names the invalid word."""
    _what, _client, tag, _protocol, version, body, name = _complete(words, _WELCOME)
    boot, dot, session = tag.partition(".")
    if not dot or parse_number(boot, MASK) < 0 or parse_number(session, MASK) < 0:
        message = _("the TAG of its `welcome` is not of the form BOOT.SESSION: {tag}")
        raise ValueError(message.format(tag=repr(tag)))
    (version_of_protocol,) = _whole(words, _WELCOME, ("1",))
    return tag, About(name, body, version, version_of_protocol, int(boot))


def parse_state(words: list[str]) -> Snapshot:
    """Return the snapshot, its time still wrapped. Raises ValueError, which names the bad word."""
    _complete(words, _STATE)
    now, *rest = _whole(words, _STATE, ("NOW", *_STATE[5:]))
    return Snapshot(now, words[3], words[4], *rest)


def _complete(words: list[str], names: tuple[str, ...]) -> list[str]:
    """Return the named words. Raises ValueError if one is missing."""
    if len(words) < len(names):
        message = _("its `{line}` has no {name}")
        raise ValueError(message.format(line=names[0], name=names[len(words)]))
    return words[: len(names)]


def _whole(words: list[str], names: tuple[str, ...], wanted: tuple[str, ...]) -> list[int]:
    """Return the `wanted` words as numbers. Raises ValueError if one is invalid."""
    values = []
    for name in wanted:
        word = words[names.index(name)]
        values.append(parse_number(word, MASK))
        if values[-1] < 0:
            message = _("{name} of its `{line}` is not a number below 2^30: {word}")
            raise ValueError(message.format(name=name, line=names[0], word=repr(word)))
    return values


def parse_event(words: list[str]) -> Event | None:
    """Return the event, its time still wrapped; None if the line is invalid."""
    if len(words) < 5:
        return None
    values = numbers(words[2:4])
    if values is None:
        return None
    kind, *more = words[4:]
    fields: dict[str, int | str] = {}
    for name, word in zip(EVENTS.get(kind, ()), more):
        fields[name] = parse_number(word, MASK) if name in _NUMBERS else word
    typed = cast(Fields, fields)
    return Event(values[0], values[1], kind, typed, tuple(more[len(fields) :]))


# The readers of a client.

MOST = 1024  # news in a queue; if it is full the oldest is discarded, and `Dropped` reports it


class Reader:
    """The owner of an iterator's queue."""


class Readers:
    """All queues of a client."""

    def __init__(self) -> None:
        self._news: deque[News] = deque()
        self._first = 0  # number of the oldest news in the list
        self._places: WeakKeyDictionary[object, int] = WeakKeyDictionary()
        self._waits_for_first = True

    def __len__(self) -> int:
        return len(self._news)

    def put(self, news: News) -> None:
        """Append news to all queues."""
        self._news.append(news)
        if len(self._news) > MOST:
            self._news.popleft()
            self._first += 1
        if not self._places:
            self._trim()

    def enter(self, reader: object, is_reading: bool = True) -> None:
        """Start the queue of a reader, if it has none yet.

        is_reading  False for a task that may only send, as in `asyncio.wait_for(unit.tap(...))`
        """
        if reader not in self._places:
            end = self._first + len(self._news)
            self._places[reader] = self._first if self._waits_for_first else end
        if is_reading:
            self._waits_for_first = False

    def follow(self, reader: object, other: object) -> None:
        """Start the queue of a reader as a copy of another's."""
        self.enter(other)
        self._places[reader] = self._places[other]

    def catch_up(self, reader: object, other: object) -> None:
        """Remove from a queue all news that another reader has received."""
        self._places[reader] = max(self._places.get(reader, 0), self._places[other])
        self._trim()

    def has_news(self, reader: object) -> bool:
        """Return whether a reader's queue has news."""
        return self._places.get(reader, 0) < self._first + len(self._news)

    def take(self, reader: object) -> News | None:
        """Pop the next news of a reader's queue; None if it is empty."""
        self.enter(reader)
        place = self._places[reader]
        if place < self._first:
            self._places[reader] = self._first
            return Dropped(self._first - place)
        if place == self._first + len(self._news):
            return None
        self._places[reader] = place + 1
        news = self._news[place - self._first]
        self._trim()
        return news

    def take_all(self, reader: object) -> list[News]:
        """Pop all news of a reader's queue."""
        return list(iter(lambda: self.take(reader), None))

    def without_first(self) -> None:
        """Store no news for the first reader: callbacks are in use, and it may never exist."""
        self._waits_for_first = False
        self._trim()

    def _trim(self) -> None:
        if self._waits_for_first:
            return
        least = min(self._places.values(), default=self._first + len(self._news))
        while self._first < least:
            self._news.popleft()
            self._first += 1


Callback = Callable[[Any], object]


class Callbacks:
    """The callbacks of a client.

    make_call  calls a callback
    waiting    calls not yet made
    """

    def __init__(self) -> None:
        self.make_call: Callable[[Callback, News], object] = lambda call, news: call(news)
        self._wanted: list[tuple[type[News] | str, Callback]] = []
        self.waiting: deque[tuple[Callback, News]] = deque()

    def add(self, what: type[News] | str, callback: Callback) -> None:
        """Add a callback for a class of news or a kind of event."""
        self._wanted.append((what, callback))

    def remove(self, what: type[News] | str, callback: Callback) -> None:
        """Remove a callback. Raises ValueError if it was not added."""
        self._wanted.remove((what, callback))

    def call(self, received: deque[News], put: Callable[[News], object]) -> None:
        """Pass the news in `received` to its callbacks and to `put`, and empty it.

        Raises the exception of a callback; the next call then makes the remaining calls.
        """
        while self.waiting or received:
            if self.waiting:
                self.make_call(*self.waiting.popleft())
                continue
            news = received.popleft()
            put(news)
            self.waiting += [(call, news) for what, call in self._wanted if is_wanted(news, what)]


def is_wanted(news: News, what: type[News] | str) -> bool:
    """Return whether `news` is of this class, or an event of this kind."""
    if isinstance(what, str):
        return isinstance(news, Event) and news.kind == what
    return isinstance(news, what)


def names_of(what: tuple[type[News] | str, ...]) -> str:
    """Return the names of event kinds and classes for a message."""
    return ", ".join(each if isinstance(each, str) else each.__name__ for each in what)
