"""The description of a unit's program: its lengths, its odds, its marks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from city_unit.desktop.catalogue import lazy
from city_unit.facts import PERMITS
from city_unit.host.errors import LinkError
from city_unit.host.requests import Asked, Request
from city_unit.ticks import MASK
from city_unit.wire import number

NO_PAGES = lazy("the unit's description does not say how many pages it has: {page}")
NO_FIGURE = lazy("the unit's description has no {key} that can be read: {words}")

_MOST_PAGES = 1000


class Mark(NamedTuple):
    """Events of one kind that the game's clock tells.

    The first is told `first_left_ms` before the end of the game, the others each
    `every_ms` after it until `last_left_ms`; if `every_ms` is 0 there is just one.
    """

    kind: str
    first_left_ms: int
    last_left_ms: int
    every_ms: int
    label: str  # of a phase, "" else


@dataclass(frozen=True)
class Description:
    """The figures of a unit's program; times are ms.

    program           its name
    clock_ms          the length of its game, 0 without a clock; the players may have
    clock_choices_ms  agreed on another of these: the snapshot has the one that counts
    auction_ms        the shortest and the longest auction; between them it is drawn
    warning_ms        how long before its end an auction warns, 0 for never
    cancel_hold_ms    how long AUCTION is held to cancel the auction
    odds              the weight of each permit; empty if it gives none
    permit_ms         how long the running light runs before it stops at the permit
    permit_shown_ms   how long the permit stays lit then
    marks             events of the clock, in order of time
    """

    program: str
    clock_ms: int
    clock_choices_ms: tuple[int, ...]
    auction_ms: tuple[int, int]
    warning_ms: int
    cancel_hold_ms: int
    odds: dict[str, int]
    permit_ms: int
    permit_shown_ms: int
    marks: tuple[Mark, ...]

    @property
    def warns_at_ms(self) -> int:
        """When the shortest auction warns, in ms from its start; its end, if it never does."""
        return self.auction_ms[0] - self.warning_ms


class Describing(Asked[Description]):
    """Asks a unit for its description, a page at a time; `ask` sends one command.

    A program that polls looks at `finished`. The first page is asked for again at the
    end: if it differs, the unit has taken another program meanwhile, and all is asked anew.
    """

    def __init__(self, ask: Callable[[str], Request]) -> None:
        super().__init__()
        self._ask = ask
        self._pages: list[str] = []
        self._ask_for(0)

    def __str__(self) -> str:
        return "describe"

    def _ask_for(self, index: int) -> None:
        self._request = self._ask(f"describe {index}")
        self._request.when_done = self._take
        if self._request.finished:  # given up at once, by a client that was closed
            self._take()

    def _take(self) -> None:
        description, error, following = None, None, 0
        try:
            page = self._request.result()
            is_all = bool(self._pages) and len(self._pages) >= pages(self._pages[0])
            if is_all and page == self._pages[0]:
                description = parse(self._pages)
            else:
                self._pages = [page] if is_all else [*self._pages, page]
                following = len(self._pages) % pages(self._pages[0])
        except LinkError as failed:
            error = failed
        if description is None and error is None:
            self._ask_for(following)
        else:
            self.finish(description, error)


def pages(first: str) -> int:
    """Return how many pages a description has whose first page this is."""
    count = number(_words(first).get("pages", [""])[0], _MOST_PAGES)
    if count < 1:
        raise LinkError(NO_PAGES.format(page=repr(first)))
    return count


def parse(said: list[str]) -> Description:
    """Parse all pages of a description. Raises LinkError if a figure is missing."""
    words: dict[str, list[str]] = {}
    for page in said:
        for key, values in _words(page).items():
            words.setdefault(key, []).extend(values)
    clock, warning, hold, permit, shown, *_ = (
        _numbers(words, key, 1)[0] for key in ("clock", "warning", "hold", "permit", "shown")
    )
    shortest, longest = _numbers(words, "auction", 2)
    odds = _numbers(words, "odds", 1)
    marks, told = [], words.get("mark", [])
    for place in range(0, len(told) - 4, 5):
        kind, *figures, label = told[place : place + 5]
        first_ms, last_ms, every_ms = _numbers({kind: figures}, kind, 3)
        marks.append(Mark(kind, first_ms, last_ms, every_ms, label))
    return Description(
        program=words.get("program", [""])[0],
        clock_ms=clock,
        clock_choices_ms=_numbers(words, "choice", 0),
        auction_ms=(shortest, longest),
        warning_ms=warning,
        cancel_hold_ms=hold,
        odds=dict(zip(PERMITS, odds, strict=False)) if len(odds) >= len(PERMITS) else {},
        permit_ms=permit,
        permit_shown_ms=shown,
        marks=tuple(marks),
    )


def _words(page: str) -> dict[str, list[str]]:
    """Return the values of each key; of a word without one, nothing: a later unit may say more."""
    pairs = [word.partition("=") for word in page.split(" ")]
    return {key: value.split(",") for key, equals, value in pairs if equals}


def _numbers(words: dict[str, list[str]], key: str, least: int) -> tuple[int, ...]:
    values = tuple(number(word, MASK) for word in words.get(key, []))
    if len(values) < least or -1 in values:
        raise LinkError(NO_FIGURE.format(key=repr(key), words=words.get(key)))
    return values
