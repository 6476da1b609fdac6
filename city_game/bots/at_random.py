"""A player without a plan, against which the bots are measured."""

from random import Random

from city_game.bots.bot import Bot, Phases
from city_game.kernel.engine import legal_actions
from city_game.kernel.state import State
from city_unit.host import Description


class AtRandom(Bot):
    """Does any legal action, and bids up to any part of the printed price."""

    def __init__(self, player: int, random: Random) -> None:
        super().__init__(player, random)
        self.decide = Phases(self.choose, {})

    def value(self, state: State, deed: int, player: int) -> int:
        return int(state.board.prices[deed] * self.random())

    def bid_delay(self, since: int, unit: Description) -> int:
        return 1500 + int(3500 * self.random())

    def choose(self, state: State) -> tuple:
        actions = state.edition.actions
        possible = [action for action in legal_actions(state) if actions[action[0]].is_own]
        return possible[int(len(possible) * self.random())]
