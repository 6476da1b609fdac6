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


def test_later_maxima_are_answered_and_the_earlier_of_equal_ones_wins():
    state = in_sale()
    assert bid_out(state, {1: 40, 2: 25}) == [(1, 26)]
    assert bid_out(state, {1: 40, 2: 25, 3: 33}) == [(3, 33), (1, 34)]
    for first, second in ((1, 2), (2, 1)):
        state = in_sale()
        bid_out(state, {first: 30})
        bid_out(state, {first: 30, second: 30})
        assert (state.auction.leader(), state.auction.highest()) == (first, 30)


@settings(max_examples=120, deadline=None)
@given(maxima=MAXIMA, opening=st.integers(1, 50), step=st.sampled_from([1, 5, 10]))
def test_the_highest_affordable_maximum_wins_a_step_above_the_second(maxima, opening, step):
    state = in_sale(opening)
    bids = bid_out(state, maxima, step)
    assert len(bids) <= 2 * len(maxima)
    limits: dict[int, int] = {}
    for player, most in maxima.items():
        limit = min(most, 50)
        while limit in limits.values():  # of equal ones the later counts a note less
            limit -= 1
        limits[player] = limit
    wins, price = 0, opening
    if any(limit > opening for player, limit in limits.items() if player):
        wins = max(limits, key=limits.__getitem__)
        second = max((limit for player, limit in limits.items() if player != wins), default=0)
        price = min(limits[wins], max(second, opening) + step)
    assert (state.auction.leader(), state.auction.highest()) == (wins, price)


@settings(max_examples=80, deadline=None)
@given(maxima=MAXIMA.filter(bool), more=st.integers(0, 40))
def test_the_bids_do_not_reveal_the_highest_maximum(maxima, more):
    """The bids do not reveal by how much a limit exceeds the second highest plus a step."""
    best = max(maxima, key=maxima.__getitem__)
    second = max((most for player, most in maxima.items() if player != best), default=0)
    shown = {**maxima, best: max(second, 1) + 2}
    higher = {**maxima, best: max(second, 1) + 2 + more}
    assert bid_out(in_sale(cash=1000), shown) == bid_out(in_sale(cash=1000), higher)
