"""The commands of a client: by name, and on their way to the unit."""

from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from city_unit.desktop.catalogue import lazy
from city_unit.host.errors import LinkError, NoAnswer

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
