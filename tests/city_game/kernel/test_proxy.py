"""Proxy bidding: the house's bids for secret maxima are legal, minimal and in order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from city_game.kernel import State, apply, why_not
from city_game.kernel.edition import fresh
from city_game.kernel.sales import Limit, next_bid
from tests.city_game.play import BOARD

LIGHT_ON = 1000
MAXIMA = st.dictionaries(st.integers(0, 3), st.integers(0, 60), max_size=4)


def in_sale(opening: int = 1, cash: int = 50) -> State:
    """Return a game of four in which player 0 has opened a sale and leads."""
    state = fresh(BOARD, 4)
    state.phase, state.decider = "auction space", 0
    state.cash = [cash] * 4
    apply(state, ("put up", 0, opening))
    apply(state, ("light on", LIGHT_ON))
    return state


def bid_out(state: State, maxima: dict[int, int], step: int = 1) -> list[tuple[int, int]]:
    """Run the house's bids until there are no more; assert that each is legal."""
    bids = []
    limits = {player: Limit(most, step) for player, most in maxima.items()}
    while found := next_bid(state, limits):
        player, amount = found
        action = ("bid", player, amount, LIGHT_ON + 1 + len(bids), 0)
        assert why_not(state, action) == ""
        assert amount <= maxima[player]
        apply(state, action)
        bids.append(found)
    return bids


def test_bids_for_some_maxima():
    state = in_sale()
    assert bid_out(state, {1: 40, 2: 25}) == [(1, 26)]
    assert bid_out(state, {1: 40, 2: 25, 3: 33}) == [(3, 33), (1, 34)]
    assert bid_out(in_sale(opening=10), {1: 45}, step=5) == [(1, 15)]  # against a bid by hand
    assert bid_out(in_sale(opening=43), {1: 45}, step=5) == [(1, 45)]
    assert bid_out(in_sale(cash=20), {1: 60, 2: 60}) == [(1, 20)]  # no money that is not there
    for first, second in ((1, 2), (2, 1)):
        state = in_sale()
        bid_out(state, {first: 30})
        bid_out(state, {first: 30, second: 30})  # the earlier of equal maxima wins
        assert (state.auction.leader(), state.auction.highest()) == (first, 30)


@settings(max_examples=120, deadline=None)
@given(maxima=MAXIMA, opening=st.integers(1, 50), step=st.sampled_from([1, 5, 10]))
def test_the_highest_affordable_maximum_set_first_wins(maxima, opening, step):
    state = in_sale(opening)
    bids = bid_out(state, maxima, step)
    assert len(bids) <= 2 * len(maxima)
    limits = {player: min(most, 50) for player, most in maxima.items()}
    above = [player for player, limit in limits.items() if limit > opening and player]
    if not above:
        return
    best = max([*(limits[player] for player in above), limits.get(0, 0)])
    equal = [player for player, limit in limits.items() if limit == best]
    assert state.auction.leader() == equal[0]
    if bids:
        second = sorted([*limits.values(), opening, 0])[-2]
        assert bids[-1][1] <= max(second, opening) + step


@settings(max_examples=80, deadline=None)
@given(maxima=MAXIMA.filter(bool), more=st.integers(0, 40))
def test_the_bids_do_not_reveal_the_highest_maximum(maxima, more):
    """The bids do not reveal by how much a limit exceeds the second highest plus a step."""
    best = max(maxima, key=maxima.__getitem__)
    second = max((most for player, most in maxima.items() if player != best), default=0)
    shown = {**maxima, best: max(second, 1) + 2}
    higher = {**maxima, best: max(second, 1) + 2 + more}
    assert bid_out(in_sale(cash=1000), shown) == bid_out(in_sale(cash=1000), higher)
