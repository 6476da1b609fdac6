"""The strongest bot: counts in money at the end of the hour, and deals for whole groups."""

from city_game.bots.bot import Bot
from city_game.editions.board import MOST_BLOCKS
from city_game.rules.rents import doubled
from city_game.rules.sales import still_in
from city_game.rules.state import State
from city_unit.host import Description

TURNS = 150  # of all players together in an hour, about: auctions end when all have passed
ROLLS = 1.15  # a turn, for doubles roll again
NOTICED_MS = 200  # after which a person has seen that the light has become fast
# A player who bids in the last moment alone won 99 % of the games against a planner that waited
# as well; since it bids before, with this margin, about half.
LAST_MS = 700  # before the light goes out, when it bids for the last time: a finger's time
MARGIN = 0.9  # of its limit, what it then bids
CAUTION = 0.7  # what it pays, of the value; of 0.55, 0.7 and 0.85 this won the most
THRIFT = 0.2  # with few rivals money runs out before the deeds do; found by playing


class Planner(Bot):
    """Values everything by the rent still to come, and by the rent that counts at the end."""

    reserve = 40
    building_money = 400
    steps = 12

    def rents_to_come(self, state: State) -> float:
        """Count a landing by each roll, and the rent that counts at the end.

        With few rivals fewer land there; but each rent also sets a rival back, which
        counts the more the fewer they are. The two cancel out.
        """
        return 1 + TURNS * ROLLS * self.left / state.board.size

    def value(self, state: State, district: int, player: int) -> int:
        board = state.board
        rents = board.rents[district]
        group = board.group_of[district]
        members = board.sizes[group]
        built = state.residential[district] + state.industrial[district]
        # It will be built up as far as the time allows, at the price of the blocks.
        grown = min(MOST_BLOCKS, built + int(MOST_BLOCKS * self.left))
        blocks = grown - built
        value = rents[grown] * self.rents_to_come(state)
        value -= blocks * 1.4 * board.block_prices["residential"][district]
        whole = rents[grown] * 0.6 * members  # what the group is worth beyond its deeds
        rivals = sum(state.alive) - 1
        for holder, held in enumerate(state.held):
            others = held[group] - (state.owner[district] == holder)
            if holder == player:
                value *= 1.1 if others else 1.0
                value += whole if others == members - 1 else 0
            elif others == members - 1:  # it would complete a rival's group
                value += whole / rivals
        return max(1, int(value * CAUTION * (1 - THRIFT / rivals)))

    def spite(self, state: State, owner: int) -> float:
        """Hurt the leader most."""
        if owner < 0:
            return 0.1
        return 1.0 if len(state.owned[owner]) == max(map(len, state.owned)) else 0.8

    def at_stake(self, state: State, district: int) -> float:
        stake = super().at_stake(state, district)
        return stake * 2 if doubled(state, district) else stake

    def clears(self, state: State, district: int, cost: int) -> bool:
        return self.at_stake(state, district) * self.rents_to_come(state) > cost

    def wants_stadium(self, state: State, spare: int) -> bool:
        if not super().wants_stadium(state, spare):
            return False
        laps = TURNS / sum(state.alive) * self.left * 8 / state.board.size
        return state.board.money.stadium_income * laps > state.board.money.stadium

    def wants_skyscraper(self, state: State, group: int, spare: int) -> bool:
        if not super().wants_skyscraper(state, group, spare):
            return False
        gain = self.tower_gain(state, state.board.members[group])
        return gain * self.rents_to_come(state) > state.board.groups[group].skyscraper

    def wants_tower(self, state: State, spare: int) -> bool:
        price = state.board.money.tower
        gain = self.tower_gain(state, state.owned[self.player]) * self.rents_to_come(state)
        return spare >= price and gain > price

    def dodges(self, state: State, amount: int) -> bool:
        return amount > 200 * self.left

    def next_bid(
        self, state: State, since: int, unit: Description, hurry: bool = False
    ) -> tuple[int, int] | None:
        """Bid as all bots do; but shortly before the light goes out, outbid those who lie in wait.

        Whoever is still in by then and has not bid may bid in the last moment. That bid could not
        be answered any more, so the planner's best answer is made before it.
        """
        plan = super().next_bid(state, since, unit, hurry)
        auction = state.auction
        assert auction is not None
        last = unit.auction_ms[0] - LAST_MS
        enough = int(self.limit(state) * MARGIN)
        if not state.rules.passes_end_auctions or auction.highest() >= enough:
            return plan
        if auction.leader() == self.player:
            return (max(since, last), enough) if still_in(state) else None
        return plan and (plan[0], enough if plan[0] >= last else plan[1])

    def bid_delay(self, since: int, unit: Description) -> int:
        """Wait for the fast light, then answer fast, as late as a finger dares."""
        quick = 300 + int(500 * self.random())
        if since > unit.warns_at_ms or not unit.warning_ms:
            return quick
        return unit.warns_at_ms + NOTICED_MS - since + quick
