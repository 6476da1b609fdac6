"""A deal that a player is putting together."""

from dataclasses import dataclass, field

from city_game.rules.state import State


@dataclass
class Draft:
    """What is to be offered; money in notes of 10k, negative to get some."""

    proposer: int
    partner: int
    gives: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    pays: int = 0

    def toggle(self, state: State, district: int) -> None:
        """Put a district into the deal, or take it out; another's do not matter."""
        for owner, side in ((self.proposer, self.gives), (self.partner, self.asks)):
            if state.owner[district] == owner:
                if district in side:
                    side.remove(district)
                else:
                    side.append(district)

    def turn_to(self, partner: int) -> None:
        self.partner = partner
        self.asks.clear()

    def change_money(self, state: State, by: int) -> None:
        """Offer more or less, as far as both have it."""
        pays = self.pays + by
        self.pays = max(-state.cash[self.partner], min(state.cash[self.proposer], pays))

    def action(self) -> tuple:
        gives, asks = tuple(self.gives), tuple(self.asks)
        return ("offer", self.proposer, self.partner, gives, asks, self.pays, 0)
