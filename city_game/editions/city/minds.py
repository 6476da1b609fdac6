"""The bots of City, in three strengths; docs/editions.md describes them.

`Citizen` has a method for each decision, which compares the legal actions by their gain in money.
The strengths differ in when they bid and in how they estimate a gain: `Visitor` knows the printed
prices, `Builder` counts a fixed number of rents, `Planner` those still to come.
"""

from collections.abc import Iterable, Iterator
from random import Random

from city_game.bots import END_TURN, Bot
from city_game.editions.city.board import (
    HAZARDS,
    MOST_BLOCKS,
    State,
    can_make_up,
    is_doubled,
    rent,
    salary,
)
from city_game.editions.city.rules import clearing_cost, count_landmarks, placings, why_not_place
from city_game.kernel.sales import still_in
from city_unit.host import Description

DONE = ("done",)
PRESS = ("press",)
STAY = ("stay",)

# A deed for sale at the end of a journey counts for a quarter of its worth, since it must still be
# paid for. A guess: with 2 or 10 a planner wins as often (docs/editions.md).
BARGAIN = 4


class Citizen(Bot):
    """The behaviour that all bots of City share; the strengths differ in how they value things."""

    def __init__(self, player: int, random: Random) -> None:
        super().__init__(player, random)
        self.decide.update(
            {
                "auction space": self.auction_space,
                "planning": self.planning,
                "travel": self.travel,
                "build": self.block_choice,
                "station": self.station,
            }
        )

    def rents_to_come(self, state: State) -> float:
        """Return the expected number of rents of a deed, including the one counted at the end."""
        raise NotImplementedError

    def auction_space(self, state: State) -> tuple:
        """Auction the unsold deed that is worth most to the bot, if it has the money."""
        best, deed = self.reserve, -1
        for unsold, owner in enumerate(state.owner):
            if owner < 0:
                value = self.would_pay(state, unsold)
                if value > best:
                    best, deed = value, unsold
        if deed < 0:
            return ("leave",)
        return ("put up", deed, self.opening(state, deed))

    def planning(self, state: State) -> tuple:
        """Protect the bot's best unprotected homes, or spoil the best homes of another player."""
        player = self.player
        best, choice = -1.0, None
        bonus = next((kind for kind, left in state.box_bonuses.items() if left), "")
        hazards = [kind for kind, left in state.box_hazards.items() if left]
        hazard = max(hazards, key=HAZARDS.__getitem__, default="")
        for deed, owner in enumerate(state.owner):
            mine = owner == player
            action = ("place", bonus if mine or (owner < 0 and not hazard) else hazard, deed)
            if why_not_place(state, action):
                continue
            score = self.at_stake(state, deed) * (1.0 if mine else self.spite(state, owner))
            if score > best:
                best, choice = score, action
        if choice is None:
            choice = next(placings(state))
        return choice

    def at_stake(self, state: State, deed: int) -> float:
        """Return the rent that a hazard would take from a deed."""
        homes = state.residential[deed]
        rents = state.board.rents[deed]
        blocks = homes + state.industrial[deed]
        return rents[blocks] - rents[blocks - homes] + rents[4] * 0.05

    def spite(self, _state: State, owner: int) -> float:
        return 0.7 if owner >= 0 else 0.1

    def debt(self, state: State) -> tuple:
        debt = state.debts[0]
        if debt.why == "rent" and state.dodge == debt.debtor:
            liquidity = state.edition.liquidity(state, debt.debtor)
            if self.dodges(state, debt.amount) or liquidity < debt.amount:
                return ("dodge",)
        return super().debt(state)

    def in_order(self, deeds: Iterable[int]) -> Iterable[int]:
        """Return deeds in the order in which they were acquired, as the golden games require."""
        return deeds

    def dodges(self, state: State, amount: int) -> bool:
        return amount > 50

    def travel(self, state: State) -> tuple:
        """Take the train to the station with the highest gain, or stay if none has any."""
        here = state.board.deed_on[state.place[self.player]]
        best, choice = 0, STAY
        for deed, there in enumerate(state.station):
            if there and deed != here:
                gain = self.journey_gain(state, deed)
                if gain > best:
                    best, choice = gain, ("travel", deed)
        return choice

    def journey_gain(self, state: State, deed: int) -> int:
        """Return the gain of a journey to a deed: salary at GO, a chance to buy, less the rent."""
        owner = state.owner[deed]
        gain = 0
        passes_go = state.board.space_of[deed] < state.place[self.player]
        if passes_go and state.rules.travel_passes_go:
            gain = salary(state, self.player)
        if owner < 0:
            gain += self.would_pay(state, deed) // BARGAIN
        elif owner != self.player and not state.mortgage[deed]:
            gain -= rent(state, deed)
        return gain

    def manage(self, state: State) -> tuple:
        """Offer a deal, buy a landmark, clear or lift; then BUILD if a block is worth its price."""
        if state.pressed or state.cash[self.player] < self.reserve:
            return END_TURN
        step = self.proposal(state) or self.extra(state)
        if step:
            return step
        return END_TURN if self.block_choice(state) is DONE else PRESS

    def block_choice(self, state: State) -> tuple:
        """Return the ("build", ...) with the highest gain, DONE if none gains."""
        spare = state.cash[self.player] - self.reserve
        rents_to_come = self.rents_to_come(state)
        board = state.board
        residential, industrial = state.residential, state.industrial
        homes_left = state.box_blocks["residential"][0]
        best, choice = 0.0, DONE
        for deed in state.owned[self.player]:
            built = residential[deed] + industrial[deed]
            if built >= MOST_BLOCKS or state.mortgage[deed]:
                continue
            rents = board.rents[deed]
            gain = (rents[built + 1] - rents[built]) * rents_to_come
            if is_doubled(state, deed):
                gain *= 2
            if gain <= best:  # at any price
                continue
            plain = homes_left and not state.hazard[deed]
            kind = "residential" if plain else self.kind(state, deed)
            if not kind:
                continue
            price = board.block_prices[kind][deed]
            if price <= spare and gain - price > best:
                best, choice = gain - price, ("build", deed, kind, 1)
        return choice

    def kind(self, state: State, deed: int) -> str:
        """Return the kind of the next block on a deed, "" if the box has none.

        Homes cost half as much; factories serve beside a hazard or when the homes have run out.
        """
        if not state.hazard[deed] and can_make_up(state, "residential", deed, 1):
            return "residential"
        return "industrial" if can_make_up(state, "industrial", deed, 1) else ""

    def extra(self, state: State) -> tuple | None:
        """Return a landmark to buy, a hazard to clear, a mortgage to lift, or None."""
        spare = state.cash[self.player] - self.reserve
        for deed in state.owned[self.player]:
            if state.hazard[deed]:
                cost = clearing_cost(state, deed)
                if cost <= spare and self.clears(state, deed, cost):
                    return ("clear", deed)
            if 0 < state.mortgage[deed] <= spare:
                return ("lift", deed)
        for landmark, groups in self.landmarks(state, spare):
            for deed in sum((state.board.members[group] for group in groups), ()):
                if state.owner[deed] == self.player and not state.mortgage[deed]:
                    return (landmark, deed)
        return None

    def clears(self, state: State, deed: int, cost: int) -> bool:
        return self.at_stake(state, deed) >= cost

    def landmarks(self, state: State, spare: int) -> Iterator[tuple[str, list[int]]]:
        """Yield each landmark that the bot wants, with the groups in which it may stand."""
        held, sizes = state.held[self.player], state.board.sizes
        groups = [group for group, count in enumerate(held) if count > 1]
        whole = [group for group in groups if held[group] == sizes[group]]
        if groups and self.wants_stadium(state, spare):
            yield "stadium", [group for group in groups if state.stadium[group] < 0]
        for group in whole:
            if state.skyscraper[group] < 0 and self.wants_skyscraper(state, group, spare):
                yield "skyscraper", [group]
        if state.tower < 0 and len(whole) > 1 and self.wants_tower(state, spare):
            yield "tower", whole

    def wants_stadium(self, state: State, spare: int) -> bool:
        if spare < state.board.money.stadium:
            return False
        return count_landmarks(state.stadium) < state.board.pieces.stadiums

    def wants_skyscraper(self, state: State, group: int, spare: int) -> bool:
        if spare < state.board.groups[group].skyscraper:
            return False
        if count_landmarks(state.skyscraper) >= state.board.pieces.skyscrapers:
            return False
        return self.tower_gain(state, state.board.members[group]) > 0

    def wants_tower(self, state: State, spare: int) -> bool:
        price = state.board.money.tower
        return spare >= price and self.tower_gain(state, state.owned[self.player]) * 2 > price

    def tower_gain(self, state: State, deeds: Iterable[int]) -> int:
        """Return the gain from doubling these rents."""
        tower = state.tower
        if tower >= 0 and state.owner[tower] == self.player:
            return 0
        sky = state.skyscraper
        group_of = state.board.group_of
        return sum(rent(state, deed) for deed in deeds if sky[group_of[deed]] < 0)

    def station(self, state: State) -> tuple:
        """Build it on the bot's dearest deed, else on the unsold deed that it values most.

        Others travel there and pay. A deed just after GO won less often: most journeys to it
        collect the salary, but those of the others do as well.
        """
        free = [deed for deed, there in enumerate(state.station) if not there]
        if not (free and state.box_stations):
            return DONE
        owned, mortgage = state.owned[self.player], state.mortgage
        mine = [deed for deed in free if deed in owned and not mortgage[deed]]
        if mine:
            return ("station", max(mine, key=state.board.prices.__getitem__))
        unsold = [deed for deed in free if state.owner[deed] < 0]
        if not (unsold and state.rules.stations_anywhere):
            return DONE
        return ("station", max(unsold, key=lambda deed: self.would_pay(state, deed)))


class Builder(Citizen):
    """Builds where a block raises the rent most; values a deed by its price and its group.

    caution  the highest payment, as a share of the value
    rents    the expected number of rents of a deed, which ignores the remaining time
    """

    # Measured like the planner's figures, but against builders.
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


ROLLS = 1.15  # per turn, since doubles roll again
NOTICED_MS = 200  # until a person notices that the light flashes fast
# A player who bids only at the last moment would win 99 % of the games against a planner that waits
# as well. Because of this last bid such a player wins about half.
LAST_MS = 700  # before the light goes out, when the planner makes its last bid
MARGIN = 0.9  # that bid, as a share of the limit


class Planner(Citizen):
    """Values everything by the rents still to come, and by the rent that counts at the end.

    turns       the expected number of turns of all players together in an hour
    caution     the highest payment, as a share of the value
    thrift      by how much that share drops against a single rival: money then runs out first
    block_cost  the expected cost of a future block, as a multiple of its price
    whole       the extra value of a whole group, as a share of its expected rents
    begun       the value of a deed whose group the player has begun, as a multiple
    """

    # Found by simulation (`start.py bench bots`, docs/editions.md). In brackets: the wins of a
    # planner with another value in 2,000 games, in per cent, against one planner and against
    # three. Equal planners win 50 and 25; chance accounts for up to 2.
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
        """Return the expected number of landings, plus one for the rent counted at the end.

        The number of rivals cancels out: fewer rivals land less often, but each rent then sets
        back a larger part of the rivals.
        """
        return 1 + self.turns * ROLLS * self.left / state.board.size

    def value(self, state: State, deed: int, player: int) -> int:
        board = state.board
        rents = board.rents[deed]
        group = board.group_of[deed]
        members = board.sizes[group]
        built = state.residential[deed] + state.industrial[deed]
        # Assume that it is built up as far as the time allows, at the price of the blocks.
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
        return stake * 2 if is_doubled(state, deed) else stake

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
        """Bid as all bots do, but make a high bid shortly before the light goes out.

        A player who is still in may bid at the last moment, when the planner can no longer answer.
        So it makes its best answer before that.
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
        """Wait until the light flashes fast, then answer quickly."""
        quick = 300 + int(500 * self.random())
        if since > unit.warns_at_ms or not unit.warning_ms:
            return quick
        return unit.warns_at_ms + NOTICED_MS - since + quick


class Visitor(Citizen):
    """Knows the printed prices, and little else."""

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


MINDS = {"visitor": Visitor, "builder": Builder, "planner": Planner}
