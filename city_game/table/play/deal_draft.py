"""A deal that a player is putting together."""

from dataclasses import dataclass, field

from city_game.kernel.state import State

MONEY_STEP = 10  # notes


@dataclass
class Draft:
    """What is to be offered; money in notes of 10k, negative to get some.

    aim         the deed that is pointed at
    was_warned  whether the player was told that nothing is wanted in return
    """

    proposer: int
    partner: int
    gives: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    pays: int = 0
    aim: int = 0
    was_warned: bool = False

    def toggle(self, state: State, deed: int) -> str:
        """Put a deed into the deal, or take it out; return "", or a reason's code.

        A deed of somebody else turns to them, if nothing is asked for yet.
        """
        owner = state.owner[deed]
        if owner < 0:
            return "unowned"
        if owner not in (self.proposer, self.partner):
            if self.asks:
                return "not-in-this-deal"
            self.turn_to(owner)
        side = self.gives if owner == self.proposer else self.asks
        if deed in side:
            side.remove(deed)
        else:
            side.append(deed)
        self.was_warned = False
        return ""

    def gives_away(self) -> bool:
        """Return whether something is given and nothing wanted for it."""
        return not self.asks and self.pays >= 0 and bool(self.gives or self.pays)

    def turn_to(self, partner: int) -> None:
        self.partner = partner
        self.asks.clear()
        self.was_warned = False

    def change_money(self, state: State, by: int) -> None:
        """Offer more or less, as far as both have it."""
        pays = self.pays + by
        self.was_warned = False
        self.pays = max(-state.cash[self.partner], min(state.cash[self.proposer], pays))

    def action(self) -> tuple:
        gives, asks = tuple(self.gives), tuple(self.asks)
        return ("offer", self.proposer, self.partner, gives, asks, self.pays, 0)
