"""Buying a deed, and auctions.

A sale goes through three phases. In "hammer" it waits for the unit's light. In "bidding" the light
is on. In "settling" the light is out, and bids that were stamped before that may still arrive. All
times are in ms of the unit's clock, so the light decides which bids count, not the order in which
they arrive. The highest bid in time wins.
"""

from collections.abc import Mapping
from typing import NamedTuple

from city_game.kernel.flow import open_auction, proceed
from city_game.kernel.state import BANK, Auction, Bid, RefusedBid, State, are_valid, checks_of

IN_SALE = ("hammer", "bidding", "settling")  # the phases of a sale
JUDGED_IN = ("bidding", "settling")  # the phases of a sale that judge bids
BID = ("player", "amount", "at", "within")  # the fields of a bid
_CHECKS = checks_of(BID)


def why_not_buy(state: State, _action: tuple) -> str:
    player = state.turn
    price = state.board.prices[state.board.deed_on[state.place[player]]]
    return "not-enough-money" if state.cash[player] < price else ""


def buy(state: State, _action: tuple) -> None:
    """Buy the deed landed on."""
    buy_of_bank(state, state.board.deed_on[state.place[state.turn]], state.turn)
    proceed(state)


def buy_of_bank(state: State, deed: int, player: int) -> None:
    """Sell a deed of the bank to a player at the printed price."""
    price = state.board.prices[deed]
    state.cash[player] -= price
    state.transfer(deed, player)
    state.events.append(("bought", player, deed, price))


def why_not_put_up(state: State, action: tuple) -> str:
    _, deed, opening = action
    player = state.turn
    if state.owner[deed] != BANK:
        return "sold"
    if state.phase == "unsold" and state.board.deed_on[state.place[player]] != deed:
        return "elsewhere"
    least = state.board.money.least_bid
    if opening < least:
        return "below-least"
    if opening <= most_opening(state, deed):
        return ""
    return "not-enough-money" if state.rules.opening_is_a_bid else "opening-too-high"


def most_opening(state: State, deed: int) -> int:
    """Return the highest opening that the deciding player may set for a deed, or -1 for a lot.

    A player who is bound by it must have the money. Otherwise it is at most the printed price of
    a deed, and somebody else must have the money, so that it does not keep everybody out.
    """
    player, least = state.decider, state.board.money.least_bid
    if state.rules.opening_is_a_bid:
        return max(least, state.cash[player])
    most = max(state.cash[other] for other in state.others(player))
    return max(least, most if deed < 0 else min(most, state.board.prices[deed]))


def put_up(state: State, action: tuple) -> None:
    """Open the auction of the deed landed on or, on the auction space, of any unsold deed."""
    _, deed, opening = action
    player = state.turn
    if state.rules.opening_is_a_bid and state.cash[player] < state.board.money.least_bid:
        opening = 0  # a player who cannot afford an opening bid opens without one
    open_auction(state, deed, player, opening)


def light_on(state: State, action: tuple) -> None:
    """Record that the unit has started the auction, or resumed an interrupted one."""
    auction = _auction(state)
    first = auction.started is None
    if auction.started is not None:  # resumed: shift all times to the clock of the new light
        by = action[1] - auction.elapsed - auction.started
        auction.started += by
        auction.bids = [bid._replace(at=bid.at + by) for bid in auction.bids]
        auction.refused = [bid._replace(at=bid.at + by) for bid in auction.refused]
    else:
        auction.started = action[1]
    state.phase = "bidding"
    state.events.append(("light on", auction.thing, action[1]))
    # Asking for one of the bank's lots is a bid at that price.
    of_bank = not auction.lot and state.owner[auction.deed] == BANK
    opens = (of_bank and state.rules.opening_is_a_bid) or auction.opener in auction.bidders
    if first and auction.opening and opens:
        auction.bids.append(Bid(auction.opener, auction.opening, action[1], 0))
        state.events.append(("bid", auction.opener, auction.opening, action[1]))


def why_not_interrupt(state: State, action: tuple) -> str:
    if not state.rules.sales_go_on:
        return "not-now"
    auction = _auction(state)
    assert auction.started is not None
    last = max(auction.started, auction.bids[-1].at if auction.bids else 0)
    return "too-early" if action[1] < last else ""


def interrupted(state: State, action: tuple) -> None:
    """Interrupt a sale. The action's time is when the table last saw the light on.

    The sale keeps its bids and passes, and resumes with the remaining time.
    """
    auction = _auction(state)
    assert auction.started is not None
    auction.elapsed = action[1] - auction.started
    state.phase = "hammer"
    state.events.append(("interrupted", auction.thing))


def why_not_bid(state: State, action: tuple) -> str:
    return _bid_refusal(state, *action[1:])


def bid(state: State, action: tuple) -> None:
    """Record a bid, which cancels the player's pass."""
    _, player, amount, at, within = action
    auction = _auction(state)
    auction.bids.append(Bid(player, amount, at, within))
    if player in auction.passed:
        auction.passed.remove(player)
    state.events.append(("bid", player, amount, at))


def why_not_pass(state: State, action: tuple) -> str:
    _, player, at = action
    auction = _auction(state)
    if not state.rules.passes_end_auctions:
        return "not-now"
    if auction.started is None or at < auction.started:
        return "too-early"
    if not state.alive[player]:
        return "out-of-the-game"
    if player == auction.leader():
        return "leads-already"
    if player in barred(state):
        return "no-use-for-it" if auction.lot and player != auction.opener else "your-own-sale"
    return "passed-already" if player in auction.passed else ""


def pass_on(state: State, action: tuple) -> None:
    """Record a pass. Once no bidder is left, the light may go out early."""
    player = action[1]
    _auction(state).passed.append(player)
    state.events.append(("passed", player))


def barred(state: State) -> set[int]:
    """Return the players who may not bid: the deed's seller, or all who cannot use the lot."""
    auction = _auction(state)
    if auction.lot:
        return set(range(state.players)).difference(auction.bidders)
    return {state.owner[auction.deed]}


def still_in(state: State) -> list[int]:
    """Return the players who may still outbid the leader: not passed, and with enough money."""
    auction, alive, least = _auction(state), state.alive, least_bid(state)
    out = {auction.leader(), *barred(state), *auction.passed}
    return [
        player
        for player, cash in enumerate(state.cash)
        if cash >= least and alive[player] and player not in out
    ]


def is_decided(state: State) -> bool:
    """Return whether a running auction may end early, because no bidder is left."""
    auction = state.auction
    if auction is None or auction.started is None or not state.rules.passes_end_auctions:
        return False
    return not still_in(state)


def why_not_refused_bid(state: State, action: tuple) -> str:
    *bid, why = action[1:]
    return "" if why and _bid_refusal(state, *bid) == why else "not-refused"


def refused_bid(state: State, action: tuple) -> None:
    """Record a bid that does not count with its reason, so that the log shows every call."""
    auction = _auction(state)
    player, amount, at, within, why = bid = RefusedBid(*action[1:])
    auction.refused.append(bid)
    if why == "too-late" and auction.ended is not None:
        state.events.append(("too late", player, amount, at - auction.ended, within))
    else:
        state.events.append(("bid refused", player, amount, why))


def refusal(state: State, player: int, amount: int, at: int, within: int) -> str:
    """Return why a bid does not count, "" if it does. Accepts any bid in any phase."""
    if state.auction is not None and not are_valid(state, _CHECKS, (player, amount, at, within)):
        return "no-such-thing"
    return _bid_refusal(state, player, amount, at, within)


def _bid_refusal(state: State, player: int, amount: int, at: int, within: int) -> str:
    """Return why a bid with valid values does not count; "too-late" precedes other reasons."""
    auction = state.auction
    if auction is None:
        return "no-auction"
    if auction.started is None or at < auction.started:
        return "too-early"
    if auction.ended is not None and not _counts(state, at, within, auction.ended):
        return "too-late"
    if not state.alive[player]:
        return "out-of-the-game"
    if player in barred(state):
        return "no-use-for-it" if auction.lot and player != auction.opener else "your-own-sale"
    if amount > state.cash[player]:
        return "not-enough-money"
    if amount < least_bid(state):
        return "bid-too-low"
    return ""


def least_bid(state: State) -> int:
    """Return the lowest legal bid."""
    auction = _auction(state)
    if auction.bids:
        return auction.bids[-1].amount + 1
    return max(auction.opening, state.board.money.least_bid)


def why_not_light_out(state: State, action: tuple) -> str:
    started = _auction(state).started
    return "too-early" if started is None or action[1] <= started else ""


def light_out(state: State, action: tuple) -> None:
    """Record that the light went out. Bids stamped before that may still arrive."""
    auction = _auction(state)
    ended = action[1]
    auction.was_decided = is_decided(state)
    auction.ended = ended
    late = [bid for bid in auction.bids if not _counts(state, bid.at, bid.within, ended)]
    auction.bids = [bid for bid in auction.bids if bid not in late]
    for bid in late:
        refused_bid(state, ("refused bid", *bid, "too-late"))
    state.phase = "settling"
    state.events.append(("light out", auction.thing, ended))


def cancelled(state: State, _action: tuple) -> None:
    """Restart an auction without bids, because it was stopped on the unit or the unit was lost."""
    auction = _auction(state)
    state.sales.append(auction)
    state.auction = Auction(
        auction.deed, auction.opener, auction.opening, auction.lot, auction.bidders
    )
    state.phase = "hammer"
    state.events.append(("cancelled", auction.thing))


def settle(state: State, _action: tuple) -> None:
    """Sell the deed or the lot to the highest bid that was in time."""
    auction = _auction(state)
    state.sales.append(auction)
    state.auction = None
    if auction.bids:
        player, amount, at, within = auction.bids[-1]
        state.cash[player] -= amount
        left = (auction.ended or 0) - at
        state.events.append(("sold", player, auction.thing, amount, left, within))
        if auction.lot:
            state.edition.award(state, player)
        else:
            seller = state.owner[auction.deed]
            if seller != BANK:
                state.cash[seller] += amount
            state.transfer(auction.deed, player)
    else:
        state.events.append(("unsold", auction.thing))
    proceed(state)


def _auction(state: State) -> Auction:
    assert state.auction is not None
    return state.auction


def _counts(state: State, at: int, within: int, ended: int) -> bool:
    """Return whether a bid was made before the light went out."""
    latest = at if state.rules.doubtful_bids_count else at + within
    return latest < ended


# Proxy bidding: a player sets a maximum once, and the house bids for them up to it. The maximum is
# secret, so it is not in the state, which all may see, and a save holds it only in masked form. The
# other players see the resulting bids, which are legal, binding and stamped like any other. The
# house bids no more than it needs to beat the other maxima. Amounts are notes of 10k. The rulebook
# neither describes nor forbids such bidding: assumption.


class Limit(NamedTuple):
    """A player's maximum, and the increment of the house's bids for them."""

    most: int
    step: int


def next_bid(state: State, limits: Mapping[int, Limit]) -> tuple[int, int] | None:
    """Return the player and the amount of the house's next bid, None if it makes none.

    limits  by player: the maximum, in the order in which they were set; the player's cash caps it

    The highest maximum wins, at one increment above the second highest. Of two equal maxima the
    earlier one wins.
    """
    auction = state.auction
    assert auction is not None
    # The house's limit for each player; the later of two equal maxima counts a note less.
    most: dict[int, int] = {}
    out = barred(state)
    for player, limit in limits.items():
        may = state.alive[player] and player not in out
        amount = min(limit.most, state.cash[player]) if may else 0
        while amount in most.values():
            amount -= 1
        most[player] = amount
    least = least_bid(state)
    leader = auction.leader()
    able = [player for player in most if player != leader and most[player] >= least]
    if not able:
        return None
    bidder = max(able, key=most.__getitem__)
    rival = max((most[player] for player in most if player != bidder), default=0)
    above = max(rival, auction.highest())
    enough = above + limits[bidder].step if above else least
    return bidder, min(most[bidder], max(least, enough))
