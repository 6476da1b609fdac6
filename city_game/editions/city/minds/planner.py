"""The strongest bot: counts in money at the end of the hour, and deals for whole groups."""

from city_game.editions.city.board import MOST_BLOCKS
from city_game.editions.city.minds.citizen import Citizen
from city_game.editions.city.rents import doubled
from city_game.editions.city.state import State
from city_game.kernel.sales import still_in
from city_unit.host import Description

ROLLS = 1.15  # a turn, for doubles roll again
NOTICED_MS = 200  # until a person has noticed that the light has become fast
# A player that bid only in the last moment won 99 % of the games against a planner that waited
# as well. The planner now bids before that, with this margin, and such a player wins about half.
LAST_MS = 700  # before the light goes out, when it bids for the last time: a finger's time
MARGIN = 0.9  # of its limit: the amount of this last bid


class Planner(Citizen):
    """Values everything by the rent still to come, and by the rent that counts at the end.

    turns       the expected number of turns of all players together in an hour
    caution     the most that it pays, as a share of the value
    thrift      this share less with a single rival: then money runs out before the deeds do
    block_cost  the estimated cost of a future block, as a multiple of its price
    whole       the extra value of a whole group, as a share of its grown rents
    begun       the value of a deed with others of its group, as a multiple of its value alone
    """

    # Found by playing (`start.py bench bots`, docs/editions.md). In brackets: the wins of one
    # planner with another value in 2,000 games, in per cent, against one planner and against
    # three. Equal planners win 50 and 25, and chance may add or take 2.
    reserve = 40  # (0: 50, 24; 150: 48, 26)
    building_money = 400  # (100: 52, 24; 800: 46, 25)
    steps = 12  # (4: 48, 24; 36: 50, 26)
    turns = 150  # simulated games have 127 to 171 (110: 21, 0; 200: 35, 21)
    caution = 0.7  # (0.55: 45, 1; 0.85: 38, 22)
    thrift = 0.2  # (0: 38, 26; 0.35: 47, 11)
    block_cost = 1.4  # (1.0: 38, 22; 1.8: 37, 1)
    whole = 0.6  # less is better against one and worse against three (0.3: 60, 18; 1.0: 36, 25)
    begun = 1.1  # (1.0: 50, 20; 1.3: 47, 27)

    def rents_to_come(self, state: State) -> float:
        """Count a landing by each roll, and the rent that counts at the end.

        With few rivals fewer land there; but each rent also sets a rival back, which
        counts the more the fewer they are. The two cancel out.
        """
        return 1 + self.turns * ROLLS * self.left / state.board.size

    def value(self, state: State, deed: int, player: int) -> int:
        board = state.board
        rents = board.rents[deed]
        group = board.group_of[deed]
        members = board.sizes[group]
        built = state.residential[deed] + state.industrial[deed]
        # It will be built up as far as the time allows, at the price of the blocks.
        grown = min(MOST_BLOCKS, built + int(MOST_BLOCKS * self.left))
        blocks = grown - built
        value = rents[grown] * self.rents_to_come(state)
        value -= blocks * self.block_cost * board.block_prices["residential"][deed]
        whole = rents[grown] * self.whole * members
        rivals = sum(state.alive) - 1
        for holder, held in enumerate(state.held):
            others = held[group] - (state.owner[deed] == holder)
            if holder == player:
                value *= self.begun if others else 1.0
                value += whole if others == members - 1 else 0
            elif others == members - 1:  # it would complete a rival's group
                value += whole / rivals
        return max(1, int(value * self.caution * (1 - self.thrift / rivals)))

    def spite(self, state: State, owner: int) -> float:
        """Hurt the leader most."""
        if owner < 0:
            return 0.1
        return 1.0 if len(state.owned[owner]) == max(map(len, state.owned)) else 0.8

    def at_stake(self, state: State, deed: int) -> float:
        stake = super().at_stake(state, deed)
        return stake * 2 if doubled(state, deed) else stake

    def clears(self, state: State, deed: int, cost: int) -> bool:
        return self.at_stake(state, deed) * self.rents_to_come(state) > cost

    def wants_stadium(self, state: State, spare: int) -> bool:
        if not super().wants_stadium(state, spare):
            return False
        laps = self.turns / sum(state.alive) * self.left * 8 / state.board.size
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
        """Bid as all bots do; but shortly before the light goes out, outbid lurking players.

        A player still in by then that has not bid may bid in the last moment. The planner could
        not answer that bid any more, so it makes its best answer before it.
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
