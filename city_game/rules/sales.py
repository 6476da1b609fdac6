"""Buying a district, and the auctions: the unit's light decides which bids count."""

from city_game.rules.flow import open_auction, proceed
from city_game.rules.state import BANK, Auction, Illegal, State


def buy(state: State, _action: tuple) -> None:
    player = state.turn
    district = state.board.standing[state.place[player]]
    price = state.board.prices[district]
    if state.cash[player] < price:
        raise Illegal("not-enough-money")
    state.cash[player] -= price
    state.transfer(district, player)
    state.events.append(("bought", player, district, price))
    proceed(state)


def put_up(state: State, action: tuple) -> None:
    """Have a district auctioned: the one landed on, or any unsold one by the auction space."""
    _, district, opening = action
    player = state.turn
    if state.owner[district] != BANK:
        raise Illegal("sold")
    if state.phase == "unsold" and state.board.standing[state.place[player]] != district:
        raise Illegal("elsewhere")
    least = state.board.money.least_bid
    if state.cash[player] < least and state.rules.opening_is_a_bid:
        opening = 0  # who cannot open opens without a bid
    elif opening < least:
        raise Illegal("below-least")
    elif opening > state.cash[player] and state.rules.opening_is_a_bid:
        raise Illegal("not-enough-money")
    open_auction(state, district, player, opening)


def leave_it(state: State, _action: tuple) -> None:
    """Auction nothing, on the auction space."""
    proceed(state)


def light_on(state: State, action: tuple) -> None:
    """The unit has started the auction, at its time."""
    auction = _auction(state)
    auction.started = action[1]
    state.phase = "bidding"
    state.events.append(("light on", auction.district, action[1]))
    if auction.opening and state.rules.opening_is_a_bid:
        auction.bids.append((auction.opener, auction.opening, action[1], 0))
        state.events.append(("bid", auction.opener, auction.opening, action[1]))


def bid(state: State, action: tuple) -> None:
    """Take a bid stamped with the unit's time; above the last one, and within one's cash."""
    _, player, amount, at, within = action
    auction = _auction(state)
    if auction.started is None or at < auction.started:
        raise Illegal("too-early")
    if not state.alive[player]:
        raise Illegal("out-of-the-game")
    if amount > state.cash[player]:
        raise Illegal("not-enough-money")
    if amount < least_bid(state):
        raise Illegal("bid-too-low")
    if auction.ended is not None and not _counts(state, at, within, auction.ended):
        state.events.append(("too late", player, amount, at - auction.ended, within))
        raise Illegal("too-late")
    auction.bids.append((player, amount, at, within))
    state.events.append(("bid", player, amount, at))


def least_bid(state: State) -> int:
    """Return the least amount that may be bid now."""
    auction = _auction(state)
    if auction.bids:
        return auction.highest() + 1
    return max(auction.opening, state.board.money.least_bid)


def light_out(state: State, action: tuple) -> None:
    """The light went out at that unit time; bids made before it may still be told."""
    auction = _auction(state)
    ended = action[1]
    auction.ended = ended
    in_time = [one for one in auction.bids if _counts(state, one[2], one[3], ended)]
    for player, amount, at, within in auction.bids:
        if not _counts(state, at, within, ended):
            state.events.append(("too late", player, amount, at - ended, within))
    auction.bids = in_time
    state.phase = "settling"
    state.events.append(("light out", auction.district, ended))


def cancelled(state: State, _action: tuple) -> None:
    """The auction was stopped on the unit, or the unit was lost: it is held again."""
    auction = _auction(state)
    state.auction = Auction(auction.district, auction.opener, auction.opening)
    state.phase = "hammer"
    state.events.append(("cancelled", auction.district))


def settle(state: State, _action: tuple) -> None:
    """Give the district to the highest bid that was in time."""
    auction = _auction(state)
    state.auction = None
    if auction.bids:
        player, amount, at, within = auction.bids[-1]
        state.cash[player] -= amount
        state.transfer(auction.district, player)
        left = (auction.ended or 0) - at
        state.events.append(("sold", player, auction.district, amount, left, within))
    else:
        state.events.append(("unsold", auction.district))
    proceed(state)


def _auction(state: State) -> Auction:
    auction = state.auction
    if auction is None:
        raise Illegal("no-auction")
    return auction


def _counts(state: State, at: int, within: int, ended: int) -> bool:
    """Return whether a bid was made before the light went out, by the unit's clock."""
    if state.rules.doubtful_bids_count:
        return at < ended
    return at + within < ended
