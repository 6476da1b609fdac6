"""The strongest: counts in money at the end of the hour, and deals for whole groups."""

from city_game.board import MOST_BLOCKS
from city_game.bots.bot import DONE, Bot
from city_game.rules.deals import refusal
from city_game.rules.pieces import can_stand
from city_game.rules.rents import doubled, rent
from city_game.rules.state import State

ROUNDS = 26  # turns of each player in an hour, about
CAUTION = 0.48  # found by playing: who pays full value has nothing left to build with


class Planner(Bot):
    """Values everything by the rent still to come, and by the rent that counts at the end."""

    reserve = 40

    def __init__(self, player: int, random) -> None:
        super().__init__(player, random)
        self._offered: set[tuple] = set()

    def visits(self, state: State) -> float:
        """Return how often the others will still land on one district."""
        rivals = sum(state.alive) - 1
        return rivals * ROUNDS * self.left * 4 / sum(state.alive) * 1.15 / state.board.size

    def value(self, state: State, district: int) -> int:
        board = state.board
        rents = board.rents[district]
        standing = state.residential[district] + state.industrial[district]
        members = board.members[board.group_of[district]]
        owner = state.owner
        mine = sum(owner[one] == self.player for one in members if one != district)
        # It will be built up as far as the time allows, at the price of the blocks.
        grown = min(8, standing + int(8 * self.left))
        blocks = grown - standing
        income = rents[grown] * (1 + 0.75 * self.visits(state))
        value = income - blocks * 1.4 * board.block_prices["residential"][district]
        if mine + 1 == len(members):
            value += sum(rents[grown] for _ in members) * 0.6
        elif mine:
            value += value * 0.1
        rival = self._rival(state, members, district)
        if rival:  # a group that another would complete
            value += rents[grown] * 0.5
        return int(max(value * CAUTION, 1))

    def _rival(self, state: State, members: tuple, district: int) -> bool:
        owners = {state.owner[one] for one in members if one != district}
        return len(owners) == 1 and not owners & {-1, self.player}

    def block_choice(self, state: State) -> tuple:
        """Build where a block gains the most: permits, not money, are what is scarce."""
        spare = state.cash[self.player] - self.keep(state)
        board = state.board
        visits = 1 + 0.8 * self.visits(state)
        best, choice = 0.0, DONE
        for district in state.owned[self.player]:
            standing = state.residential[district] + state.industrial[district]
            if standing >= MOST_BLOCKS or state.mortgage[district]:
                continue
            rents = board.rents[district]
            gain = (rents[standing + 1] - rents[standing]) * visits
            if doubled(state, district):
                gain *= 2
            # Homes at half the price: clearing a hazard is cheaper than factories.
            kind = "industrial" if state.hazard[district] else "residential"
            price = board.block_prices[kind][district]
            if gain - price > best and price <= spare and can_stand(state, kind, district, 1):
                best, choice = gain - price, ("build", district, kind, 1)
        return choice

    def keep(self, state: State) -> int:
        """Return the cash to hold back: little, since deeds can be mortgaged; more early on."""
        return int(self.reserve * (0.4 + self.left))

    def manage(self, state: State) -> tuple:
        if self.left < 0.95 and not state.pressed:
            offer = self.proposal(state)
            if offer:
                return offer
        return super().manage(state)

    def spite(self, state: State, owner: int) -> float:
        """Hurt the leader most."""
        if owner < 0:
            return 0.1
        return 1.0 if len(state.owned[owner]) == max(map(len, state.owned)) else 0.8

    def at_stake(self, state: State, district: int) -> float:
        stake = super().at_stake(state, district)
        return stake * 2 if doubled(state, district) else stake

    def clears(self, state: State, district: int, cost: int) -> bool:
        return self.at_stake(state, district) * (1 + self.visits(state)) > cost

    def wants_stadium(self, state: State, spare: int) -> bool:
        laps = ROUNDS * self.left * 8 / state.board.size
        income = state.board.money.stadium_income * laps
        return income > state.board.money.stadium and super().wants_stadium(state, spare)

    def wants_skyscraper(self, state: State, group: int, spare: int) -> bool:
        if not super().wants_skyscraper(state, group, spare):
            return False
        gain = self.tower_gain(state, state.board.members[group])
        return gain * (1 + self.visits(state)) > state.board.groups[group].skyscraper

    def wants_tower(self, state: State, spare: int) -> bool:
        price = state.board.money.tower
        gain = self.tower_gain(state, state.owned[self.player]) * (1 + self.visits(state))
        return spare >= price and gain > price

    def dodges(self, state: State, amount: int) -> bool:
        return amount > 200 * self.left

    def bid_step(self, state: State, district: int) -> int:
        return max(1, state.board.prices[district] // 20)

    def bid_delay(self, since: int, rivals_turn: bool) -> int:
        """Wait for the fast light, then answer fast, as late as a finger dares."""
        quick = 300 + int(500 * self.random())
        return quick if since > 45000 else 45200 - since + quick

    def least_gain(self, state: State, deal) -> int:
        return 150

    def proposal(self, state: State) -> tuple | None:
        """Offer money, or a deed that completes nothing here, for one that completes a group."""
        board = state.board
        player = self.player
        for group, members in enumerate(board.members):
            if state.held[player][group] != len(members) - 1:
                continue
            wanted = next(one for one in members if state.owner[one] != player)
            if state.owner[wanted] < 0:
                continue
            partner = state.owner[wanted]
            key = (group, partner, int(self.left * 5))
            if key in self._offered:
                continue
            self._offered.add(key)
            offer = self._offer_for(state, wanted, partner)
            if offer and not refusal(state, offer):
                return offer
        return None

    def _offer_for(self, state: State, wanted: int, partner: int) -> tuple | None:
        worth_to_me = self.value(state, wanted)
        fair = max(state.board.prices[wanted] * 3 // 2, rent(state, wanted) * 2) + 200
        spare = state.cash[self.player] - self.keep(state)
        if fair < worth_to_me and fair <= spare:
            return ("offer", self.player, partner, (), (wanted,), fair, 0)
        return None
