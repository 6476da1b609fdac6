"""The easiest bot: buys any deed it lands on, builds homes anywhere, bids by mood."""

from city_game.editions.city.board import MOST_BLOCKS
from city_game.editions.city.minds.citizen import DONE, Citizen
from city_game.editions.city.state import State
from city_unit.host import Description


class Visitor(Citizen):
    """Knows printed prices, and little else."""

    reserve = 100
    offers_deals = False

    def value(self, state: State, deed: int, player: int) -> int:
        return int(state.board.prices[deed] * (0.5 + 0.5 * self.random()))

    def block_choice(self, state: State) -> tuple:
        spare = state.cash[self.player] - self.reserve
        mine = state.owned[self.player]
        start = int(self.random() * len(mine))
        for step in range(len(mine)):
            deed = mine[(start + step) % len(mine)]
            built = state.residential[deed] + state.industrial[deed]
            if built >= MOST_BLOCKS or state.mortgage[deed]:
                continue
            kind = self.kind(state, deed)
            if kind and state.board.block_prices[kind][deed] <= spare:
                return ("build", deed, kind, 1)
        return DONE

    def bid_delay(self, since: int, unit: Description) -> int:
        return 2500 + int(9000 * self.random())

    def clears(self, state: State, deed: int, cost: int) -> bool:
        return state.cash[self.player] > 2000

    def wants_tower(self, state: State, spare: int) -> bool:
        return False
