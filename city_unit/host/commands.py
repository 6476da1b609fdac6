"""The commands of a unit by name: each method sends one command of the protocol."""

from typing import Generic, Literal, TypeVar

Answer = TypeVar("Answer", covariant=True)
Button = Literal["auction", "build"]


class Commands(Generic[Answer]):
    """The commands of docs/protocol.md; an answer is the text, or an awaitable of it.

    Times are ms. All raise the errors of `send`.
    """

    def send(self, text: str, timeout: float = 2.0) -> Answer:
        """Have the unit do a command by its words."""
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
        """Have each change of the lamps and the tone told, as an `Edge`."""
        return self.send("watch on" if on else "watch off")
