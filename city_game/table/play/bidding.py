"""The bid of a player's key: a step of the player's own above the highest bid."""

from city_game.kernel.state import Auction
from city_game.table.play.session import Session
from city_unit.desktop.catalogue import _

BID_KEYS = "fjvnrk"  # far apart on any keyboard of letters
STEPS = (1, 5, 10, 25, 50, 100)  # notes of 10k that a bid adds
USUAL = STEPS.index(10)


class Bidding:
    """The steps of the players, and the bids that come of them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._places = [USUAL] * len(session.names)
        self._seen: tuple[Auction, tuple[int, ...]] | None = None  # a sale, and its keys' bids

    def step(self, player: int) -> int:
        """Return how many notes a player's bid adds."""
        return STEPS[self._places[player]]

    def change_step(self, player: int, by: int) -> None:
        """Have a player's own bids add more, or less; the others' stay as they are."""
        self._places[player] = max(0, min(len(STEPS) - 1, self._places[player] + by))
        self.look()

    def next(self, player: int, steps: int = 1) -> int:
        """Return the bid of a player's key that adds `steps` of the player's steps."""
        state = self._session.state
        auction = state.auction
        assert auction is not None
        added = self.step(player) * steps
        if auction.bids:
            return auction.highest() + added
        least = max(auction.opening, state.board.money.least_bid)
        return least if steps == 1 else least + added

    def look(self) -> None:
        """Note the bids that the keys show; once a picture."""
        auction = self._session.state.auction
        amounts = tuple(self.next(player) for player in range(len(self._places))) if auction else ()
        self._seen = (auction, amounts) if auction is not None else None

    def _has_changed(self, player: int) -> bool:
        """Return whether a key would bid more by now than could be seen when it was pressed."""
        if self._seen is None or self._seen[0] is not self._session.state.auction:
            return False
        return self.next(player) > self._seen[1][player]

    def bid(self, player: int, steps: int = 1) -> None:
        """Bid at once, all the money if it is less; the leader does not bid against themselves."""
        state = self._session.state
        if state.auction is None or state.auction.leader() == player:
            return
        if self._has_changed(player):
            self._session.hint(_("The bid has changed: look, and press again"))
            return
        cash, amount = state.cash[player], self.next(player, steps)
        if amount > cash > state.auction.highest():
            amount = cash
        self._session.auctioneer.bid(player, amount)
