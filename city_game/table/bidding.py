"""What a player's key bids: a step above the highest bid, that all players share."""

from city_game.table.session import Session

STEPS = (1, 5, 10, 25, 50, 100)  # notes of 10k that a bid adds
USUAL = STEPS.index(10)


class Bidding:
    """The step, and the bids that come of it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._place = USUAL

    @property
    def step(self) -> int:
        return STEPS[self._place]

    def change_step(self, by: int) -> None:
        self._place = max(0, min(len(STEPS) - 1, self._place + by))

    def next(self, steps: int = 1) -> int:
        """Return what a key would bid that adds so many steps."""
        state = self._session.state
        auction = state.auction
        assert auction is not None
        if auction.bids:
            return auction.highest() + self.step * steps
        least = max(auction.opening, state.board.money.least_bid)
        return least if steps == 1 else least + self.step * steps

    def bid(self, player: int, steps: int = 1) -> None:
        """Bid at once, all the money if it is less; the leader does not bid against themselves."""
        state = self._session.state
        if state.auction is None or state.auction.leader() == player:
            return
        cash, amount = state.cash[player], self.next(steps)
        if amount > cash > state.auction.highest():
            amount = cash
        self._session.bid(player, amount)
