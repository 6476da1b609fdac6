"""Hints for a first game: what to do here, said once, where it comes up for the first time."""

from city_game.kernel.state import State
from city_unit.desktop.catalogue import Lazy, lazy

HINTS: dict[str, Lazy] = {
    "roll": lazy("Your turn begins with the dice: Enter rolls them. The track shows every rent."),
    "unsold": lazy("Buy it, or let everybody bid: an auction often ends below the printed price."),
    "hammer": lazy("AUCTION on the unit (A) puts the light on. Then your own key bids."),
    "bidding": lazy("The highest bid when the light goes out has it. Late bids do not count."),
    "manage": lazy("BUILD (B) draws a permit: blocks raise your rents. Then end the turn."),
    "build": lazy("Choose one of your districts: the price and the new rent are said."),
    "planning": lazy("A bonus keeps hazards away; beside a hazard others' homes are worthless."),
    "station": lazy("A station is free, and takes you on to other stations: past GO it pays."),
    "debt": lazy("Mortgage a district, or offer somebody a deal: T."),
    "jail": lazy("Rents and building go on in jail: the fine is not always worth it."),
    "deal": lazy("Agree only to what helps you more: the worth beside each name shows the lead."),
}


class FirstGame:
    """The hints that were not given yet; who has played before gets none."""

    def __init__(self, wanted: bool) -> None:
        self._left = dict(HINTS) if wanted else {}

    def hint(self, state: State, mine: bool) -> str:
        """Return what to say at what is decided now, "" for nothing; `mine` if a person decides."""
        if not mine and state.phase != "bidding":
            return ""
        hint = self._left.pop(state.phase, None)
        return str(hint) if hint else ""
