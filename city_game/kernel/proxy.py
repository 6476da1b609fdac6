"""Bidding by maximum: a player sets a maximum once, and the house bids up to it for them.

A maximum is secret: it is neither in the state, which all may see, nor in a save. The other
players see the bids that follow from it, each legal, binding and stamped like any other bid.
The house bids no more than it takes to be above the other maxima. All amounts are notes of 10k.
The rulebook neither describes nor forbids such bidding: assumption.
"""

from collections.abc import Mapping
from typing import NamedTuple

from city_game.kernel.sales import barred, least_bid
from city_game.kernel.state import State


class Limit(NamedTuple):
    """A player's maximum, and the step by which the house bids above the amount to beat."""

    most: int
    step: int


def next_bid(state: State, limits: Mapping[int, Limit]) -> tuple[int, int] | None:
    """Return the player and the amount of the next bid that the house makes, None for none.

    limits  of each player that has a maximum, in the order in which the players set them; one
            above the player's cash means all the cash

    In the end the highest maximum has the deed, at a step above the second highest; of two
    equal ones the earlier has it.
    """
    auction = state.auction
    assert auction is not None
    # How far the house goes for each player: of equal maxima, a note less for the later.
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
