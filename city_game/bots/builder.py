"""The middle one: buys towards whole groups, builds where a block raises rent the most."""

from city_game.board import MOST_BLOCKS
from city_game.bots.bot import DONE, Bot
from city_game.rules.pieces import can_stand
from city_game.rules.rents import doubled
from city_game.rules.state import State

# What it pays, of the value; found by playing. Deeds are scarce at a full table; with few
# players money is what runs out, and the blocks bring more than one deed more.
CAUTION = 0.71
BOLDER = 0.08  # for each rival


class Builder(Bot):
    """Values a district by its price and by how far it is with the group."""

    reserve = 30

    def value(self, state: State, district: int) -> int:
        members = state.board.members[state.board.group_of[district]]
        owner = state.owner
        mine = sum(owner[one] == self.player for one in members if one != district)
        standing = state.residential[district] + state.industrial[district]
        price = state.board.prices[district]
        value = price * (10 + 3 * mine) // 10 + state.board.rents[district][standing]
        if mine + 1 == len(members):
            value += price // 2
        rivals = sum(state.alive) - 1
        return int(value * (CAUTION + BOLDER * rivals))

    def block_choice(self, state: State) -> tuple:
        spare = state.cash[self.player] - self.reserve
        board = state.board
        best, choice = 0, DONE
        for district in state.owned[self.player]:
            standing = state.residential[district] + state.industrial[district]
            if standing >= MOST_BLOCKS or state.mortgage[district]:
                continue
            kind = "industrial" if state.hazard[district] else "residential"
            rents = board.rents[district]
            gain = rents[standing + 1] - rents[standing]
            if doubled(state, district):
                gain *= 2
            affordable = board.block_prices[kind][district] <= spare
            if gain > best and affordable and can_stand(state, kind, district, 1):
                best, choice = gain, ("build", district, kind, 1)
        return choice

    def bid_delay(self, since: int, rivals_turn: bool) -> int:
        return 1500 + int(3500 * self.random())
