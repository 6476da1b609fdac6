"""The middling bot: buys towards whole groups, builds where a block raises rent the most."""

from city_game.bots.bot import Bot
from city_game.rules.state import State
from city_unit.host import Description

CAUTION = 0.75  # what it pays, of the value; found by playing


class Builder(Bot):
    """Values a district by its price and by how far it is with the group."""

    reserve = 30

    def value(self, state: State, district: int, player: int) -> int:
        group = state.board.group_of[district]
        mine = state.held[player][group] - (state.owner[district] == player)
        built = state.residential[district] + state.industrial[district]
        price = state.board.prices[district]
        value = price * (10 + 3 * mine) // 10 + state.board.rents[district][built]
        if mine + 1 == state.board.sizes[group]:
            value += price // 2
        return int(value * CAUTION)

    def rents_to_come(self, state: State) -> float:
        return 4.0  # as if the hour never ended

    def bid_delay(self, since: int, unit: Description) -> int:
        return 1500 + int(3500 * self.random())
