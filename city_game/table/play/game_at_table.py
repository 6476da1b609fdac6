"""The part of a session that its hour, light and auctioneer need."""

from typing import Protocol

from city_game.kernel.state import State
from city_game.table.unit import TableUnit

PATIENCE_MS = 4000  # within which the unit may answer, before it is asked again


class GameAtTable(Protocol):
    """A game at a table, with its unit and its players.

    log  the past events, in words
    """

    unit: TableUnit
    log: list[str]

    @property
    def state(self) -> State: ...

    def do(self, action: tuple) -> bool:
        """Do an action; if the rules refuse it, say why and return False."""
        ...

    def say(self, text: str) -> None:
        """Tell the players something, and keep it in the log."""
        ...

    def hint(self, text: str) -> None:
        """Tell the players something that matters only now."""
        ...

    def note_light(self, at: int) -> None:
        """Have the save know that the light of a sale was still on at this time of the unit."""
        ...

    def at_keyboard(self) -> set[int]:
        """Return the people still in the game who play at the table's own keyboard."""
        ...


class Patience:
    """The time that the unit is given to answer, in ms of the table's clock."""

    def __init__(self) -> None:
        self._until: float | None = None

    def waits(self, now: float) -> bool:
        return self._until is not None and now < self._until

    def begin(self, now: float) -> None:
        self._until = now + PATIENCE_MS

    def end(self) -> None:
        """The unit has answered."""
        self._until = None
