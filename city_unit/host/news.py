"""The news of a client: its kinds, the parsers of its lines, and its readers.

Times in ms are the unit's own, unwrapped.

Each line is parsed by one pure function. A later unit may put more words at the end of any of them.

A reader is a thread, a task or an iterator, and has a bounded queue. The queue begins with the
reader's first use of the client; that of the first reader begins with the client, unless
callbacks were registered before. Callbacks receive the news of their kinds, without a queue, before
the readers can take them. News is stored once: a queue is a place in one list, which is trimmed
behind the slowest reader.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, TypeVar, cast
from weakref import WeakKeyDictionary

from city_unit.desktop.catalogue import lazy
from city_unit.ticks import MASK, diff
from city_unit.trace import EVENTS
from city_unit.wire import number

# The keys of `trace.EVENTS`, for type checkers; a test holds the two together.
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
    """The fields of events; each kind has some of them (`trace.EVENTS`), the others are missing."""

    program: str
    length_ms: int
    left_ms: int
    permit: str
    phase: str
    what: str
    why: str


@dataclass(frozen=True)
class About:
    """The identity of a unit: `boot` differs from one of its starts to the next."""

    name: str
    body: str
    version: str
    protocol: int
    boot: int


@dataclass(frozen=True)
class Snapshot:
    """All that a unit shows at the instant `ms` of its clock."""

    ms: int
    state: str
    program: str
    clock_ms: int  # the length of the game, 0 for none
    clock_left_ms: int
    auction_left_ms: int  # 0 without an auction, or while its length is secret
    lamps: int  # a mask of bits in the order of `facts.LAMPS`
    tone: int  # Hz, 0 for silence
    volume: int  # 0 to 3
    events: int  # how many there have been since the unit was started

    @property
    def switched_on(self) -> bool:
        return self.state != "off"


@dataclass(frozen=True)
class News:
    """Something that a client tells."""


AnyNews = TypeVar("AnyNews", bound=News)


@dataclass(frozen=True)
class Connected(News):
    """The unit answered a greeting."""

    about: About
    snapshot: Snapshot


@dataclass(frozen=True)
class Disconnected(News):
    """The unit is gone; the client goes on trying."""

    why: str


@dataclass(frozen=True)
class Restarted(News):
    """The unit was started anew: its clock and its events begin again."""

    boot: int


@dataclass(frozen=True)
class Missed(News):
    """Events that the unit no longer keeps, from number `first` on."""

    first: int
    count: int


@dataclass(frozen=True)
class Dropped(News):
    """So much news did not fit into this reader's queue: it has read too slowly."""

    count: int


@dataclass(frozen=True)
class Event(News):
    """Something that the unit did, at `ms`; the fields are those of the trace.

    more  further words of the event, as received: a later unit may have more of them,
          or kinds that have no fields here
    boot  of the unit, at the time; in one that is over, `ms` is of a clock that stands
    """

    number: int
    ms: int
    kind: str
    fields: Fields = field(default_factory=lambda: cast(Fields, {}))
    more: tuple[str, ...] = ()
    boot: int = field(default=0, compare=False)

    @property
    def position(self) -> tuple[int, int]:
        """Where it stands among all events of the unit: to be given to `connect(after=...)`."""
        return self.boot, self.number


@dataclass(frozen=True)
class Edge(News):
    """A change of a lamp or of the tone, told while watching.

    due_ms   when it was due
    done_us  when it was done, in microseconds on the unit's clock, which wraps at 2^30
    """

    number: int
    what: str  # a name of `facts.LAMPS`, or "tone"
    value: int  # 1 or 0 for a lamp, Hz for the tone
    due_ms: int
    done_us: int

    @property
    def late_us(self) -> int:
        """How much later than due it was done, in microseconds, less than 2^29."""
        return diff(self.done_us, self.due_ms * 1000)


# The lines of a unit.

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


def parse_welcome(words: list[str]) -> tuple[str, About]:
    """Return the tag and the unit's identity. Raises ValueError: which word is wrong."""
    _, _, tag, _, version, body, name = _complete(words, _WELCOME)
    boot, dot, session = tag.partition(".")
    if not dot or number(boot, MASK) < 0 or number(session, MASK) < 0:
        raise ValueError(BAD_TAG.format(tag=repr(tag)))
    (version_of_protocol,) = _whole(words, _WELCOME, ("1",))
    return tag, About(name, body, version, version_of_protocol, int(boot))


def parse_state(words: list[str]) -> Snapshot:
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


def parse_event(words: list[str]) -> Event | None:
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


# The readers of a client.

MOST = 1024  # news in the longest queue; the oldest is dropped first, and `Dropped` reports it


class Reader:
    """An iterator, as the owner of a queue."""


class Readers:
    """All queues of a client; `most` is the length of the longest."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._news: deque[News] = deque()
        self._first = 0  # the number of the oldest news in the list
        self._places: WeakKeyDictionary[object, int] = WeakKeyDictionary()
        self._waits_for_first = True

    def __len__(self) -> int:
        return len(self._news)

    def put(self, news: News) -> None:
        """Append news to all queues."""
        self._news.append(news)
        if len(self._news) > self._most:
            self._news.popleft()
            self._first += 1
        if not self._places:
            self._trim()

    def enter(self, reader: object, is_reading: bool = True) -> None:
        """Begin the queue of a reader, if it has none yet.

        is_reading  False for a task that may only send: `asyncio.wait_for(unit.tap(...))` is one
        """
        if reader not in self._places:
            end = self._first + len(self._news)
            self._places[reader] = self._first if self._waits_for_first else end
        if is_reading:
            self._waits_for_first = False

    def follow(self, reader: object, other: object) -> None:
        """Begin the queue of a reader as a copy of another's."""
        self.enter(other)
        self._places[reader] = self._places[other]

    def catch_up(self, reader: object, other: object) -> None:
        """Remove from a queue all news that another reader has taken."""
        self._places[reader] = max(self._places.get(reader, 0), self._places[other])
        self._trim()

    def has_news(self, reader: object) -> bool:
        """Return whether a reader's queue holds any news."""
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

    def without_first(self) -> None:
        """Callbacks read the news: keep none for a first reader that may never come."""
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

    make_call  how each of them is called
    waiting    the calls that are still to be made
    """

    def __init__(self) -> None:
        self.make_call: Callable[[Callback, News], object] = lambda call, news: call(news)
        self._wanted: list[tuple[type[News] | str, Callback]] = []
        self.waiting: deque[tuple[Callback, News]] = deque()

    def add(self, what: type[News] | str, callback: Callback) -> None:
        """Subscribe `callback` to each piece of news of a class, or event of a kind."""
        self._wanted.append((what, callback))

    def remove(self, what: type[News] | str, callback: Callback) -> None:
        """Remove a callback. Raises ValueError if it was not added."""
        self._wanted.remove((what, callback))

    def call(self, came: deque[News], put: Callable[[News], object]) -> None:
        """Make the calls for the news in `came`, which is emptied; `put` receives each as well.

        Raises the exception of a callback; the calls after that one are then made the next time.
        """
        while self.waiting or came:
            if self.waiting:
                self.make_call(*self.waiting.popleft())
                continue
            news = came.popleft()
            put(news)
            self.waiting += [(call, news) for what, call in self._wanted if is_wanted(news, what)]


def is_wanted(news: News, what: type[News] | str) -> bool:
    """Return whether `news` is of a class, or an event of a kind."""
    if isinstance(what, str):
        return isinstance(news, Event) and news.kind == what
    return isinstance(news, what)


def names_of(what: tuple[type[News] | str, ...]) -> str:
    """Return the names of kinds and classes, as the program calls them."""
    return ", ".join(each if isinstance(each, str) else each.__name__ for each in what)
