"""The commands of a client on their way to the unit, its answers, and the errors of a link.

Each error is one line for a person; in English, unless the program speaks another language."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UNCHECKED, UserError
from city_unit.facts import PERMITS
from city_unit.ticks import MASK
from city_unit.wire import number


class LinkError(UserError):
    """Something is wrong with the link to a unit; the base of all the others."""

    def __init__(self, message: str) -> None:
        super().__init__(message, FAILURE)


class NoUnit(LinkError):
    """There is no unit at a port, or none that could be found."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.code = UNCHECKED


class Busy(NoUnit):
    """There is a unit at a port, but another program has it."""


REFUSED = lazy("the unit refused {command}: {why}")
REFUSED_EXPLAINED = lazy("the unit refused {command}: {why} ({explained})")

_NOT_NOW = lazy("not in this state")
# The meaning of the words on the wire.
EXPLAINED = {
    "busy": lazy("a finger is there already"),
    "bad-word": lazy("a word or a number in it is wrong"),
    "unknown": lazy("this unit has no such command"),
    "stale": lazy("another program uses the name of this program at the unit"),
    "watching": lazy("who only watches may not"),
    "no-permits": lazy("its program gives none"),
    "off": _NOT_NOW,
    "setup": _NOT_NOW,
    "ready": _NOT_NOW,
    "auction": _NOT_NOW,
    "warning": _NOT_NOW,
    "drawing": _NOT_NOW,
    "over": _NOT_NOW,
}


class Refused(LinkError):
    """The unit did not do a command and changed nothing; `why` is its one word.

    That is the state that it is in, or one of those that `EXPLAINED` has.
    """

    def __init__(self, command: str, why: str) -> None:
        explained = EXPLAINED.get(why)
        words = REFUSED_EXPLAINED if explained else REFUSED
        super().__init__(words.format(command=repr(command), why=why, explained=explained))
        self.why = why


class NoNews(LinkError, TimeoutError):
    """The awaited news did not come in time."""


class NoAnswer(LinkError):
    """A command was not answered in time; whether it was done is not known."""


NEVER_SENT = lazy("no answer to {command}: {why}; it was never sent")
UNKNOWN = lazy("no answer to {command}: {why}; whether it was done is not known")

T = TypeVar("T")
Answer = TypeVar("Answer", covariant=True)
Button = Literal["auction", "build"]


class Commands(Generic[Answer]):
    """The commands of docs/protocol.md; an answer is the text, or an awaitable of it.

    Times are ms. All raise the errors of `send`.
    """

    def send(self, text: str, timeout: float = 2.0) -> Answer:
        """Send the unit a command by its words."""
        raise NotImplementedError

    def tap(self, button: Button) -> Answer:
        """Press a button as a short finger does; an event reports the result."""
        return self.send(f"tap {button}")

    def hold(self, button: Button, ms: int) -> Answer:
        """Press a button for 1 to 600000 ms."""
        return self.send(f"hold {button} {ms}")

    def press(self, button: Button) -> Answer:
        """Press a button until `release`, or until the unit hears nothing any more."""
        return self.send(f"press {button}")

    def release(self, button: Button) -> Answer:
        return self.send(f"release {button}")

    def start_auction(self, ms: int | None = None) -> Answer:
        """Start an auction of 1 to 3600000 ms, or as long as the program has it."""
        return self.send("start" if ms is None else f"start {ms}")

    def stop_auction(self) -> Answer:
        """Cancel the auction."""
        return self.send("stop")

    def switch(self, to: Literal["on", "off", "free"]) -> Answer:
        """Hold the switch "on" or "off", or let go of it: "free"."""
        return self.send(f"switch {to}")

    def take_program(self, name: str, clock_ms: int | None = None) -> Answer:
        """Begin a game with a program, and a length of game up to a day if it has a clock."""
        return self.send(f"program {name}" if clock_ms is None else f"program {name} {clock_ms}")

    def restart(self) -> Answer:
        """Begin another game."""
        return self.send("restart")

    def set_volume(self, volume: int) -> Answer:
        """Set the volume, 0 to 3."""
        return self.send(f"volume {volume}")

    def identify(self) -> Answer:
        """Blink and beep, so that a person sees which unit this is."""
        return self.send("identify")

    def watch(self, on: bool = True) -> Answer:
        """Subscribe to each change of the lamps and the tone, as an `Edge`."""
        return self.send("watch on" if on else "watch off")


class Asked(Generic[T]):
    """An answer that is on its way: `finished` when it came or was given up.

    answer     None if there is none (yet)
    error      why there is none
    when_done  called as soon as either is there
    """

    def __init__(self) -> None:
        self.when_done: Callable[[], object] | None = None
        self.answer: T | None = None
        self.error: LinkError | None = None

    @property
    def finished(self) -> bool:
        return self.answer is not None or self.error is not None

    def result(self) -> T:
        """Return the answer, or raise `error`; LookupError before either."""
        if self.error is not None:
            raise self.error
        if self.answer is None:
            raise LookupError(f"{self} is not answered yet")  # no text: the program is wrong
        return self.answer

    def finish(self, answer: T | None, error: LinkError | None = None) -> None:
        """Record the answer, or why there is none."""
        self.answer, self.error = answer, error
        if self.when_done is not None:
            self.when_done()


class Request(Asked[str]):
    """A command on its way, with the text of its answer, often "".

    text       the command, as on the wire
    expires    when to give it up, in the desktop's ms
    number     its place among the commands of this client; 0 before it is sent
    repeat_at  when to say it again, in the desktop's ms; None before it is sent
    """

    def __init__(self, text: str, expires: float) -> None:
        super().__init__()
        self.text = text
        self.expires = expires
        self.number = 0
        self.repeat_at: float | None = None

    def __str__(self) -> str:
        return repr(self.text)

    def fail(self, why: str) -> None:
        """Give it up."""
        words = NEVER_SENT if self.repeat_at is None else UNKNOWN
        self.finish(None, NoAnswer(words.format(command=repr(self.text), why=why)))


NO_PAGES = lazy("the unit's description does not say how many pages it has: {page}")
NO_FIGURE = lazy("the unit's description has no {key} that can be read: {words}")

_MOST_PAGES = 1000


class Mark(NamedTuple):
    """Events of one kind that the game's clock tells.

    The first comes `first_left_ms` before the end of the game, the others each
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
