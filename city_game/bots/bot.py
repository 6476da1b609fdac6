"""What all bots do alike; they differ in how they value things.

In each phase in which a player decides, the bot is asked and answers with a legal action. In an
auction it says when it would bid next, and how much.
"""

from collections.abc import Iterable
from random import Random

from city_game.bots import bargains
from city_game.editions.board import HAZARDS, MOST_BLOCKS
from city_game.kernel.building import clearing_cost, count_landmarks
from city_game.kernel.debts import can_raise
from city_game.kernel.moves import salary
from city_game.kernel.pieces import can_stand
from city_game.kernel.planning import placings
from city_game.kernel.rents import doubled, rent
from city_game.kernel.state import State
from city_unit.host import Description

ROLL = ("roll",)
BUY = ("buy",)
PAY = ("pay",)
PRESS = ("press",)
DONE = ("done",)
END_TURN = ("end turn",)
ACCEPT = ("accept",)
DECLINE = ("decline",)
STAY = ("stay",)

HURRY_MS = 250  # after which it bids or passes when no person is left to bid
PASS_MS = 1200  # after which it passes otherwise: as if it had thought

# A deed that can be bought at a journey's end counts for this part of its worth, since it is still
# to be paid for. A guess: with 2 and with 10 a planner wins as often (docs/editions.md).
BARGAIN = 4


class Bot:
    """One seat's thinking.

    left            the share of the hour that remains, 1.0 to 0.0; the table keeps it up to date
    reserve         cash that it does not spend on buildings
    building_money  cash that it does not spend on deeds
    steps           in how many bids it would go up to the printed price
    least_gain      what a deal must bring it
    offers_deals    whether it offers deals itself
    asked           when it last asked for a deed: by (deed, owner), the `left` of that moment
    """

    reserve = 200
    building_money = 0
    steps = 8
    least_gain = 25  # of a planner, measured as its own figures: (5: 47, 25; 100: 51, 21)
    offers_deals = True

    def __init__(self, player: int, random: Random) -> None:
        self.player = player
        self.random = random.random
        self.left = 1.0
        self._limit = self._step = 0
        self._limit_for: object = None
        self._offered_in = -1  # the turn of its last offer
        self.asked: dict[tuple[int, int], float] = {}
        self.decide = {
            "roll": self.roll,
            "jail": self.jail,
            "leaving jail": self.move_on,
            "unsold": self.unsold,
            "auction space": self.auction_space,
            "planning": self.planning,
            "debt": self.debt,
            "travel": self.travel,
            "manage": self.manage,
            "build": self.build,
            "station": self.station,
            "deal": self.answer,
        }

    # What differs between the strengths.

    def value(self, state: State, deed: int, player: int) -> int:
        """Return what owning this deed would be worth to a player."""
        raise NotImplementedError

    def rents_to_come(self, state: State) -> float:
        """Return how many rents a deed is expected to bring, the one at the end included."""
        raise NotImplementedError

    def bid_delay(self, since: int, unit: Description) -> int:
        """Return how many ms it would wait after the last bid, made `since` ms into the auction."""
        raise NotImplementedError

    # The phases.

    def roll(self, _state: State) -> tuple:
        return ROLL

    def jail(self, state: State) -> tuple:
        """Leave early while there is something to buy; later jail is a quiet place."""
        if self.left < 0.5 and -1 not in state.owner:
            return ROLL
        if state.jail_cards[self.player]:
            return ("use card",)
        if state.cash[self.player] >= self.reserve + state.board.money.jail_fine:
            return ("pay fine",)
        return ROLL

    def move_on(self, _state: State) -> tuple:
        return ("move on",)

    def unsold(self, state: State) -> tuple:
        deed = state.board.deed_on[state.place[self.player]]
        if state.board.prices[deed] <= self.would_pay(state, deed):
            return BUY
        return ("put up", deed, self.opening(state, deed))

    def opening(self, state: State, deed: int) -> int:
        least = state.board.money.least_bid
        return max(least, self.would_pay(state, deed) // 3)

    def would_pay(self, state: State, deed: int, mood: float = 1.0) -> int:
        """Return the most that it would pay the bank for a deed."""
        value = int(self.value(state, deed, self.player) * mood)
        return max(0, min(value, state.cash[self.player] - self.building_money))

    def auction_space(self, state: State) -> tuple:
        """Auction what is worth most to it, if it has the money."""
        best, deed = self.reserve, -1
        for unsold, owner in enumerate(state.owner):
            if owner < 0:
                value = self.would_pay(state, unsold)
                if value > best:
                    best, deed = value, unsold
        if deed < 0:
            return ("leave",)
        return ("put up", deed, self.opening(state, deed))

    def limit(self, state: State) -> int:
        """Return the most that this bot bids in the running auction."""
        auction = state.auction
        assert auction is not None
        if self._limit_for is not auction:
            self._limit_for = auction
            mood = 0.9 + 0.2 * self.random()  # else equal bots would stop at the same amount
            self._limit = self.would_pay(state, auction.deed, mood)
            self._step = max(1, state.board.prices[auction.deed] // self.steps)
        return self._limit

    def next_bid(
        self, state: State, since: int, unit: Description, hurry: bool = False
    ) -> tuple[int, int] | None:
        """Return when (ms into the auction) and how much it would bid if nobody else does.

        None: it will bid no more in this auction, whatever happens. Unless it leads, it passes.

        since  when the last bid was made, or the light went on
        unit   the figures of the unit that times the auction
        hurry  whether no person is left to bid, and nobody is to be kept waiting
        """
        auction = state.auction
        assert auction is not None
        limit = self.limit(state)
        asked = auction.highest() or auction.opening
        if limit <= asked or auction.leader() == self.player:
            return None
        delay = HURRY_MS if hurry else self.bid_delay(since, unit)
        return since + delay, min(asked + self._step, limit)

    def planning(self, state: State) -> tuple:
        """Protect its own best open homes, or spoil the richest of another player's."""
        player = self.player
        best, choice = -1.0, None
        bonus = next((kind for kind, left in state.box_bonuses.items() if left), "")
        hazard = self._dearest_hazard(state)
        for deed, owner in enumerate(state.owner):
            if state.bonus[deed] or state.hazard[deed]:
                continue
            mine = owner == player
            piece = bonus if mine or (owner < 0 and not hazard) else hazard
            if not piece:
                continue
            score = self.at_stake(state, deed) * (1.0 if mine else self.spite(state, owner))
            if score > best:
                best, choice = score, ("place", piece, deed)
        if choice is None:
            choice = next(placings(state))
        return choice

    def at_stake(self, state: State, deed: int) -> float:
        """Return the rent that a hazard there would take."""
        homes = state.residential[deed]
        rents = state.board.rents[deed]
        blocks = homes + state.industrial[deed]
        return rents[blocks] - rents[blocks - homes] + rents[4] * 0.05

    def spite(self, _state: State, owner: int) -> float:
        return 0.7 if owner >= 0 else 0.1

    def _dearest_hazard(self, state: State) -> str:
        return max(
            (kind for kind, left in state.box_hazards.items() if left),
            key=HAZARDS.__getitem__,
            default="",
        )

    def debt(self, state: State) -> tuple:
        debt = state.debts[0]
        debtor, amount = debt.debtor, debt.amount
        can_dodge = debt.why == "rent" and state.dodge == debtor
        if can_dodge and self.dodges(state, amount):
            return ("dodge",)
        if state.cash[debtor] >= amount:
            return PAY
        if can_raise(state, debtor) < amount:
            return ("dodge",) if can_dodge else ("bankrupt",)
        return ("mortgage", self.mortgage_choice(state, amount - state.cash[debtor]))

    def dodges(self, state: State, amount: int) -> bool:
        return amount > 50

    def mortgage_choice(self, state: State, lacking: int) -> int:
        """Mortgage the least that is enough, else the most there is."""
        rents = {
            deed: rent(state, deed) for deed in state.owned[self.player] if not state.mortgage[deed]
        }
        enough = [deed for deed, lent in rents.items() if lent >= lacking]
        if enough:
            return min(enough, key=rents.__getitem__)
        return max(rents, key=rents.__getitem__)

    def travel(self, state: State) -> tuple:
        """Go to the station where there is most to gain, or stay if there is nothing."""
        here = state.board.deed_on[state.place[self.player]]
        best, choice = 0, STAY
        for deed, there in enumerate(state.station):
            if there and deed != here:
                gain = self.journey_gain(state, deed)
                if gain > best:
                    best, choice = gain, ("travel", deed)
        return choice

    def journey_gain(self, state: State, deed: int) -> int:
        """Return what a journey there brings: the salary at GO, a deed to buy, less the rent."""
        # Bots once looked for unsold stations alone: not one journey in thousands of games.
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
        """Deal, buy what needs no permit, then press BUILD if there is a block to be built."""
        if state.pressed or state.cash[self.player] < self.reserve:
            return END_TURN
        step = self.proposal(state) or self.extra(state)
        if step:
            return step
        return END_TURN if self.block_choice(state) is DONE else PRESS

    def block_choice(self, state: State) -> tuple:
        """Return the ("build", ...) of the block that gains the most, DONE for none."""
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
            plain = homes_left and not state.hazard[deed]
            kind = "residential" if plain else self.kind(state, deed)
            if not kind:
                continue
            price = board.block_prices[kind][deed]
            if price > spare:
                continue
            rents = board.rents[deed]
            gain = (rents[built + 1] - rents[built]) * rents_to_come
            if doubled(state, deed):
                gain *= 2
            if gain - price > best:
                best, choice = gain - price, ("build", deed, kind, 1)
        return choice

    def kind(self, state: State, deed: int) -> str:
        """Return the kind of the next block there, "" for none that the box has.

        Homes at half the price; factories where a hazard stands, or when the homes are gone.
        """
        if not state.hazard[deed] and can_stand(state, "residential", deed, 1):
            return "residential"
        return "industrial" if can_stand(state, "industrial", deed, 1) else ""

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
        return self.landmark(state, spare)

    def clears(self, state: State, deed: int, cost: int) -> bool:
        return self.at_stake(state, deed) >= cost

    def landmark(self, state: State, spare: int) -> tuple | None:
        """Return a stadium, a skyscraper or the tower to buy, or None."""
        held = state.held[self.player]
        groups = [group for group, count in enumerate(held) if count > 1]
        if not groups:
            return None
        sizes = state.board.sizes
        whole = [group for group in groups if held[group] == sizes[group]]
        if self.wants_stadium(state, spare):
            site = self._site(state, [group for group in groups if state.stadium[group] < 0])
            if site >= 0:
                return ("stadium", site)
        for group in whole:
            if state.skyscraper[group] < 0 and self.wants_skyscraper(state, group, spare):
                site = self._site(state, [group])
                if site >= 0:
                    return ("skyscraper", site)
        if state.tower < 0 and len(whole) > 1 and self.wants_tower(state, spare):
            site = self._site(state, whole)
            if site >= 0:
                return ("tower", site)
        return None

    def _site(self, state: State, groups: Iterable[int]) -> int:
        """Return its own first deed of these groups that can be built on, -1 for none."""
        for group in groups:
            for deed in state.board.members[group]:
                if state.owner[deed] == self.player and not state.mortgage[deed]:
                    return deed
        return -1

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
        """Return by how much these rents would rise if they were doubled."""
        tower = state.tower
        if tower >= 0 and state.owner[tower] == self.player:
            return 0
        sky = state.skyscraper
        group_of = state.board.group_of
        return sum(rent(state, deed) for deed in deeds if sky[group_of[deed]] < 0)

    def build(self, state: State) -> tuple:
        return self.block_choice(state)

    def station(self, state: State) -> tuple:
        """Build it on its own dearest deed, else on the unsold deed that it wants most.

        Others who travel there pay. Its own first deed after GO, to which most journeys
        take the salary, won less: for others they take it too.
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

    def answer(self, state: State) -> tuple:
        """Accept a deal that brings clearly more than it takes away."""
        deal = state.deal
        assert deal is not None
        gain = deal.pays - deal.takes_cards * state.board.money.jail_fine
        gain += sum(self.deed_worth(state, deed, self.player) for deed in deal.gives)
        gain -= sum(self.deed_worth(state, deed, self.player) for deed in deal.asks)
        return ACCEPT if gain > self.least_gain else DECLINE

    def deed_worth(self, state: State, deed: int, player: int) -> int:
        """Return what a deed is worth to a player, its mortgage deducted."""
        return self.value(state, deed, player) - state.mortgage[deed]

    def proposal(self, state: State) -> tuple | None:
        """Return an ("offer", ...) to make, at most one a turn, or None."""
        if not self.offers_deals or self._offered_in == state.turns:
            return None
        found = bargains.offer(self, state)
        if found:
            self._offered_in = state.turns
        return found
