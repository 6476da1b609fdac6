"""Requests to a unit, their answers, and the errors of a link.

The message of each error is one line for people, in the language of the program.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UNCHECKED, UserError
from city_unit.facts import PERMITS
from city_unit.ticks import MASK
from city_unit.transitions import TRANSITIONS
from city_unit.wire import parse_number


class LinkError(UserError):
    """The base of all errors of the link to a unit."""

    def __init__(self, message: str) -> None:
        super().__init__(message, FAILURE)


class NoUnit(LinkError):
    """No unit answers at a port, or none was found."""

    def __init__(self, message: str, code: int = UNCHECKED) -> None:
        super().__init__(message)
        self.code = code


class Busy(NoUnit):
    """Another program has the unit at a port."""


# The meaning of the reasons on the wire.
EXPLAINED = {
    "busy": lazy("the button is already pressed"),
    "bad-word": lazy("a word or number is invalid"),
    "unknown": lazy("this unit has no such command"),
    "stale": lazy("another program uses the same client name"),
    "watching": lazy("a program that only watches may not"),
    "no-permits": lazy("its program has no permits"),
    **dict.fromkeys(TRANSITIONS, lazy("not in this state")),
    "off": lazy("switch the unit on first"),
}


class Refused(LinkError):
    """The unit refused a command and changed nothing.

    why  the reason on the wire: the state of the unit, or another key of `EXPLAINED`
    """

    def __init__(self, command: str, why: str) -> None:
        words = _("the unit refused {command}: {why}")
        if why in EXPLAINED:
            words = _("the unit refused {command}: {why} ({explained})")
        fields = {"command": repr(command), "why": why, "explained": EXPLAINED.get(why)}
        super().__init__(words.format(**fields))
        self.why = why


class NoNews(LinkError, TimeoutError):
    """The awaited news did not arrive in time."""


class NoAnswer(LinkError):
    """A command was not answered in time; the unit may have run it or not."""


T = TypeVar("T")
Answer = TypeVar("Answer", covariant=True)
Button = Literal["auction", "build"]


class Commands(Generic[Answer]):
    """The commands of docs/protocol.md as methods.

    An answer is a string, or an awaitable of one. Times are ms. All raise the errors of `send`.
    """

    def send(self, text: str, timeout: float = 2.0) -> Answer:
        """Send a command as it stands on the wire."""
        raise NotImplementedError

    def tap(self, button: Button) -> Answer:
        """Press a button briefly; an event reports the result."""
        return self.send(f"tap {button}")

    def hold(self, button: Button, ms: int) -> Answer:
        """Press a button for 1 to 600000 ms."""
        return self.send(f"hold {button} {ms}")

    def press(self, button: Button) -> Answer:
        """Press a button until `release`, or until the connection times out."""
        return self.send(f"press {button}")

    def release(self, button: Button) -> Answer:
        return self.send(f"release {button}")

    def start_auction(self, ms: int | None = None) -> Answer:
        """Start an auction of 1 to 3600000 ms; by default the program sets its length."""
        return self.send("start" if ms is None else f"start {ms}")

    def stop_auction(self) -> Answer:
        """Cancel the auction."""
        return self.send("stop")

    def switch(self, to: Literal["on", "off", "free"]) -> Answer:
        """Hold the switch "on" or "off", or release it with "free"."""
        return self.send(f"switch {to}")

    def take_program(self, name: str, clock_ms: int | None = None) -> Answer:
        """Start a game with a program; one with a clock can be given a length of up to 24 h."""
        return self.send(f"program {name}" if clock_ms is None else f"program {name} {clock_ms}")

    def restart(self) -> Answer:
        """Start another game."""
        return self.send("restart")

    def set_volume(self, volume: int) -> Answer:
        """Set the volume, 0 to 3."""
        return self.send(f"volume {volume}")

    def identify(self) -> Answer:
        """Make the unit blink and beep, to show a person which one it is."""
        return self.send("identify")

    def watch(self, on: bool = True) -> Answer:
        """Subscribe to each change of the lamps and the tone, as an `Edge`."""
        return self.send("watch on" if on else "watch off")


class Pending(Generic[T]):
    """A pending answer, `finished` once it has arrived or failed.

    answer     None until it arrives
    error      why it failed, or None
    when_done  called when it is finished
    """

    def __init__(self) -> None:
        self.when_done: Callable[[], object] | None = None
        self.answer: T | None = None
        self.error: LinkError | None = None
        self.finished = False

    def result(self) -> T:
        """Return the answer or raise `error`. Raises LookupError until it is finished."""
        if self.error is not None:
            raise self.error
        if self.answer is None:
            raise LookupError(f"{self} is not answered yet")  # no text: the program is wrong
        return self.answer

    def finish(self, answer: T | None, error: LinkError | None = None) -> None:
        """Record the answer or the error, and call `when_done`."""
        self.answer, self.error, self.finished = answer, error, True
        if self.when_done is not None:
            self.when_done()


class Request(Pending[str]):
    """A command sent to the unit; its answer is a string, often "".

    text       the command, as on the wire
    expires    when it times out, in ms of the desktop's clock
    number     its sequence number; 0 before it is sent
    repeat_at  when to retry it, in ms of the desktop's clock; None before it is sent
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
        words = _("no answer to {command}: {why}; the unit may have run it or not")
        if self.repeat_at is None:
            words = _("no answer to {command}: {why}; it was never sent")
        self.finish(None, NoAnswer(words.format(command=repr(self.text), why=why)))


_MAX_PAGES = 1000


class Mark(NamedTuple):
    """A series of events of one kind from the game's clock.

    The first is `first_left_ms` before the end of the game, the others follow every `every_ms`
    until `last_left_ms`. If `every_ms` is 0 there is only one.
    """

    kind: str
    first_left_ms: int
    last_left_ms: int
    every_ms: int
    label: str  # of a phase, else ""


@dataclass(frozen=True)
class Description:
    """The parameters of a unit's program; times are ms.

    program           its name
    clock_ms          the default length of its game, 0 without a clock
    clock_choices_ms  other lengths that the players may choose; the snapshot has the current one
    auction_ms        the shortest and the longest auction; its length is drawn between them
    warning_ms        how long before its end an auction warns, 0 for never
    cancel_hold_ms    how long AUCTION is held to cancel the auction
    odds              the weight of each permit; empty if the program has no permits
    permit_ms         how long the running light runs before it stops at the permit
    permit_shown_ms   how long the permit then stays lit
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
        """When the shortest auction warns, in ms from its start; if never, when it ends."""
        return self.auction_ms[0] - self.warning_ms


class Describing(Pending[Description]):
    """Requests the description of a unit page by page; `ask` sends one command.

    At the end the first page is requested again. If it has changed, the unit has switched to
    another program meanwhile, and the requests start over.
    """

    def __init__(self, ask: Callable[[str], Request]) -> None:
        super().__init__()
        self._ask = ask
        self._pages: list[str] = []
        self._request_page(0)

    def __str__(self) -> str:
        return "describe"

    def _request_page(self, index: int) -> None:
        self._request = self._ask(f"describe {index}")
        self._request.when_done = self._take
        if self._request.finished:  # the client is closed
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
            self._request_page(following)
        else:
            self.finish(description, error)


def pages(first: str) -> int:
    """Return the number of pages that the `first` page states."""
    count = parse_number(_words(first).get("pages", [""])[0], _MAX_PAGES)
    if count < 1:
        words = _("the unit's description does not say how many pages it has: {page}")
        raise LinkError(words.format(page=repr(first)))
    return count


def parse(all_pages: list[str]) -> Description:
    """Parse all pages of a description. Raises LinkError if a value is missing."""
    words: dict[str, list[str]] = {}
    for page in all_pages:
        for key, values in _words(page).items():
            words.setdefault(key, []).extend(values)
    clock, warning, hold, permit, shown, *_ = (
        _numbers(words, key, 1)[0] for key in ("clock", "warning", "hold", "permit", "shown")
    )
    shortest, longest = _numbers(words, "auction", 2)
    odds = _numbers(words, "odds", 1)
    marks, parts = [], words.get("mark", [])
    for place in range(0, len(parts) - 4, 5):
        kind, *figures, label = parts[place : place + 5]
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
    """Return the values by key. Words without one are ignored: a later unit may add some."""
    pairs = [word.partition("=") for word in page.split(" ")]
    return {key: value.split(",") for key, equals, value in pairs if equals}


def _numbers(words: dict[str, list[str]], key: str, least: int) -> tuple[int, ...]:
    values = tuple(parse_number(word, MASK) for word in words.get(key, []))
    if len(values) < least or -1 in values:
        message = _("the unit's description has no valid {key}: {words}")
        raise LinkError(message.format(key=repr(key), words=words.get(key)))
    return values
