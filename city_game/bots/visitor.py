"""The easiest: buys what it lands on, builds homes anywhere, bids by mood."""

from city_game.board import MOST_BLOCKS
from city_game.bots.bot import DONE, Bot
from city_game.rules.pieces import can_stand
from city_game.rules.state import State


class Visitor(Bot):
    """Knows printed prices, and little else."""

    reserve = 100

    def value(self, state: State, district: int) -> int:
        return int(state.board.prices[district] * (0.6 + 0.6 * self.random()))

    def block_choice(self, state: State) -> tuple:
        mine = state.owned[self.player]
        start = int(self.random() * len(mine))
        for step in range(len(mine)):
            district = mine[(start + step) % len(mine)]
            standing = state.residential[district] + state.industrial[district]
            if standing >= MOST_BLOCKS or state.mortgage[district]:
                continue
            price = state.board.block_prices["residential"][district]
            if price <= state.cash[self.player] and can_stand(state, "residential", district, 1):
                return ("build", district, "residential", 1)
        return DONE

    def bid_delay(self, since: int, rivals_turn: bool) -> int:
        return 2500 + int(9000 * self.random())

    def clears(self, state: State, district: int, cost: int) -> bool:
        return state.cash[self.player] > 2000

    def wants_tower(self, state: State, spare: int) -> bool:
        return False
