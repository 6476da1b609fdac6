"""The news of a client as each of its readers has it: a bounded queue per reader.

A reader is a thread, a task or an iterator. Its queue begins with its first use of the client;
the queue of the first reader begins with the client, unless callbacks were registered before.
Callbacks receive the news of their kinds, without a queue, before the readers can take them.
News is stored once: a queue is a place in one list, which is trimmed behind the slowest reader.
"""

from collections import deque
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from city_unit.host.news import Dropped, Event, News

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
        """Take the next news out of a reader's queue; None if it is empty."""
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
        """Have `callback` called for each piece of news of a class, or event of a kind."""
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
