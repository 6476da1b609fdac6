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
    why = refusal(state, player, amount, at, within)
    if why:
        raise Illegal(why)
    _auction(state).bids.append((player, amount, at, within))
    state.events.append(("bid", player, amount, at))


def refused_bid(state: State, action: tuple) -> None:
    """Note a bid that does not count, and why: so that all can be told who called out what."""
    _, player, amount, at, within, why = action
    if not why or refusal(state, player, amount, at, within) != why:
        raise Illegal("not-refused")
    _refuse(state, (player, amount, at, within, why))


def refusal(state: State, player: int, amount: int, at: int, within: int) -> str:
    """Return why a bid does not count, "" if it does; that it came too late is said first."""
    auction = _auction(state)
    if auction.started is None or at < auction.started:
        return "too-early"
    if auction.ended is not None and not _counts(state, at, within, auction.ended):
        return "too-late"
    if not state.alive[player]:
        return "out-of-the-game"
    if amount > state.cash[player]:
        return "not-enough-money"
    if amount < least_bid(state):
        return "bid-too-low"
    return ""


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
    late = [one for one in auction.bids if not _counts(state, one[2], one[3], ended)]
    auction.bids = [one for one in auction.bids if one not in late]
    for one in late:
        _refuse(state, (*one, "too-late"))
    state.phase = "settling"
    state.events.append(("light out", auction.district, ended))


def cancelled(state: State, _action: tuple) -> None:
    """The auction was stopped on the unit, or the unit was lost: it is held again."""
    auction = _auction(state)
    state.sales.append(auction)
    state.auction = Auction(auction.district, auction.opener, auction.opening)
    state.phase = "hammer"
    state.events.append(("cancelled", auction.district))


def settle(state: State, _action: tuple) -> None:
    """Give the district to the highest bid that was in time."""
    auction = _auction(state)
    state.sales.append(auction)
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


def _refuse(state: State, bid: tuple[int, int, int, int, str]) -> None:
    auction = _auction(state)
    player, amount, at, within, why = bid
    auction.refused.append(bid)
    if why == "too-late" and auction.ended is not None:
        state.events.append(("too late", player, amount, at - auction.ended, within))
    else:
        state.events.append(("bid refused", player, amount, why))


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
