"""Who wants to be called for which news, and the calls that are still to be made."""

from collections import deque
from collections.abc import Callable
from typing import Any

from city_unit.host.news import Event, News

Callback = Callable[[Any], object]


class Callbacks:
    """The callbacks of a client.

    make_call  how each of them is called
    waiting    the calls that are still to be made
    """

    def __init__(self) -> None:
        self.make_call: Callable[[Callback, News], object] = _call
        self._wanted: list[tuple[type[News] | str, Callback]] = []
        self.waiting: deque[tuple[Callback, News]] = deque()

    def add(self, what: type[News] | str, callback: Callback) -> None:
        """Have `callback` called for each piece of news of a class, or event of a kind."""
        self._wanted.append((what, callback))

    def remove(self, what: type[News] | str, callback: Callback) -> None:
        """Take back what `add` was given. Raises ValueError if it was not."""
        self._wanted.remove((what, callback))

    def call(self, came: deque[News], put: Callable[[News], object]) -> None:
        """Make the calls for the news in `came`, which is emptied; `put` receives each as well.

        Raises what a callback raises; the calls after that one are then made the next time.
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
    """Return what was waited for, as the program calls it."""
    return ", ".join(each if isinstance(each, str) else each.__name__ for each in what)


def _call(callback: Callback, news: News) -> None:
    callback(news)
