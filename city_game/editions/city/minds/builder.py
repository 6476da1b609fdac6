"""The middling bot: buys towards whole groups, builds where a block raises rent the most."""

from city_game.editions.city.minds.citizen import Citizen
from city_game.editions.city.state import State
from city_unit.host import Description


class Builder(Citizen):
    """Values a deed by its price and by how far it is with the group.

    caution  the most that it pays, as a share of the value
    rents    the number of rents that it expects of a deed, as if the hour never ended
    """

    # Measured as the planner's figures, against builders.
    reserve = 30  # (0: 49, 25; 150: 49, 23)
    caution = 0.75  # among four, more would win more (0.6: 49, 0; 0.9: 47, 33)
    rents = 4.0  # (2: 53, 22; 8: 47, 24)

    def value(self, state: State, deed: int, player: int) -> int:
        group = state.board.group_of[deed]
        mine = state.held[player][group] - (state.owner[deed] == player)
        built = state.residential[deed] + state.industrial[deed]
        price = state.board.prices[deed]
        value = price * (10 + 3 * mine) // 10 + state.board.rents[deed][built]
        if mine + 1 == state.board.sizes[group]:
            value += price // 2
        return int(value * self.caution)

    def rents_to_come(self, state: State) -> float:
        return self.rents

    def bid_delay(self, since: int, unit: Description) -> int:
        return 1500 + int(3500 * self.random())
