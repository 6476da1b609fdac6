"""A game: its set-up, its log of actions, and its state."""

from dataclasses import dataclass

from city_game.kernel.actions import apply
from city_game.kernel.board import Board
from city_game.kernel.edition import Edition, fresh
from city_game.kernel.luck import Luck
from city_game.kernel.state import State
from city_game.kernel.switches import HouseRules
from city_unit.desktop.catalogue import _

HUMAN = "human"  # the seat of a person; any other seat names the strength of a bot


@dataclass(frozen=True)
class Setup:
    """The choices with which a game starts.

    seats    by player: HUMAN, or a bot's strength
    keys     the players' keys for bidding, one letter each; "" for the table's defaults
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
    """A game in progress. `do` applies an action; the state records its events.

    luck        draws the actions of chance; separate from the state, which is public
    decided_by  the player who decided the last action, -1 for none
    """

    def __init__(self, setup: Setup, actions: list[tuple] | None = None) -> None:
        self.setup = setup
        self.luck = Luck(setup.seed)
        self.actions: list[tuple] = []
        self.state = self._fresh()
        self.decided_by = -1
        for action in actions or ():
            self.do(action)

    def do(self, action: tuple) -> list[tuple]:
        """Apply an action and return the new events; raises Illegal if it is refused."""
        before, decider = len(self.state.events), self.state.decider
        apply(self.state, action)
        self.decided_by = decider
        self.actions.append(action)
        return self.state.events[before:]

    def can_undo(self) -> bool:
        """Return whether the last action can be undone, which requires that it revealed nothing."""
        return bool(self.actions) and self.setup.edition.actions[self.actions[-1][0]].is_undoable

    def undo(self) -> None:
        """Undo the last action by replaying all others; raises ValueError if that is impossible."""
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
