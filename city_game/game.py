"""A game at a table: its set-up, its log of actions, and its state."""

from dataclasses import dataclass

from city_game.kernel.actions import apply
from city_game.kernel.board import Board
from city_game.kernel.edition import Edition, fresh
from city_game.kernel.luck import Luck
from city_game.kernel.state import State
from city_game.kernel.switches import HouseRules
from city_unit.desktop.catalogue import _

HUMAN = "human"  # a seat of a person; every other seat is the strength of a bot


@dataclass(frozen=True)
class Setup:
    """The choices that a game starts with.

    seats  of each player: HUMAN, or a bot's strength
    keys   the players' keys to bid, a letter each; "" for the table's own
    minutes  the length of the hour, 0 for the unit's own setting
    """

    board: Board
    names: tuple[str, ...]
    seats: tuple[str, ...]
    rules: HouseRules
    seed: int
    keys: str = ""
    minutes: int = 0

    @property
    def edition(self) -> Edition:
        return self.board.edition


class Game:
    """Actions go in by `do`; `state.events` has their events.

    luck  draws the actions of chance; the state knows nothing of it
    """

    def __init__(self, setup: Setup, actions: list[tuple] | None = None) -> None:
        self.setup = setup
        self.luck = Luck(setup.seed)
        self.actions: list[tuple] = []
        self.state = self._fresh()
        for action in actions or ():
            self.do(action)

    def do(self, action: tuple) -> list[tuple]:
        """Apply an action and return the new events; raises Illegal if it is refused."""
        before = len(self.state.events)
        apply(self.state, action)
        self.actions.append(action)
        return self.state.events[before:]

    def can_undo(self) -> bool:
        """Return whether the last action can be undone: only if it reveals nothing."""
        return bool(self.actions) and self.setup.edition.actions[self.actions[-1][0]].is_undoable

    def undo(self) -> None:
        """Undo the last action, by playing all others again; raises ValueError if it cannot be."""
        if not self.can_undo():
            raise ValueError(_("the last step cannot be taken back"))
        actions = self.actions[:-1]
        self.actions = []
        self.state = self._fresh()
        for action in actions:
            self.do(action)

    def _fresh(self) -> State:
        setup = self.setup
        return fresh(setup.board, len(setup.names), setup.rules)
