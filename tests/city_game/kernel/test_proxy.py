"""Hidden maxima: the bids of the house for them are legal, least and in order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from city_game.kernel import State, apply, why_not
from city_game.kernel.edition import fresh
from city_game.kernel.sales import Limit, next_bid
from tests.city_game.play import BOARD

LIGHT_ON = 1000
MAXIMA = st.dictionaries(st.integers(0, 3), st.integers(0, 60), max_size=4)


def in_sale(opening: int = 1, cash: int = 50) -> State:
    """Return a game of four in which the first player opened a sale, and leads."""
    state = fresh(BOARD, 4)
    state.phase, state.decider = "auction space", 0
    state.cash = [cash] * 4
    apply(state, ("put up", 0, opening))
    apply(state, ("light on", LIGHT_ON))
    return state


def bid_out(state: State, maxima: dict[int, int], step: int = 1) -> list[tuple[int, int]]:
    """Have the house bid until it bids no more; each bid must be legal."""
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


def test_the_highest_maximum_has_it_at_a_step_above_the_second():
    state = in_sale()
    assert bid_out(state, {1: 40, 2: 25}) == [(1, 26)]
    assert bid_out(state, {1: 40, 2: 25, 3: 33}) == [(3, 33), (1, 34)]


def test_of_equal_maxima_that_which_was_said_first_has_it():
    for order in ({1: 30, 2: 30}, {2: 30, 1: 30}):
        state = in_sale()
        bid_out(state, order)
        assert state.auction.leader() == next(iter(order))


def test_who_leads_by_maximum_answers_an_equal_maximum_that_comes_later():
    state = in_sale()
    bid_out(state, {1: 30})
    bid_out(state, {1: 30, 2: 30})
    assert (state.auction.leader(), state.auction.highest()) == (1, 30)


def test_alone_against_a_bid_by_hand_it_adds_a_step_and_no_more():
    assert bid_out(in_sale(opening=10), {1: 45}, step=5) == [(1, 15)]
    assert bid_out(in_sale(opening=43), {1: 45}, step=5) == [(1, 45)]


def test_it_bids_no_money_that_the_player_lacks():
    assert bid_out(in_sale(cash=20), {1: 60, 2: 60}) == [(1, 20)]


@settings(max_examples=300, deadline=None)
@given(maxima=MAXIMA, opening=st.integers(1, 50), step=st.sampled_from([1, 5, 10]))
def test_whatever_is_said_it_ends_with_the_highest_that_can_pay(maxima, opening, step):
    state = in_sale(opening)
    bids = bid_out(state, maxima, step)
    assert len(bids) <= 2 * len(maxima)
    limits = {player: min(most, 50) for player, most in maxima.items()}
    above = {player: limit for player, limit in limits.items() if limit > opening and player}
    if above:
        best = max([*above.values(), limits.get(0, 0)])
        assert limits[state.auction.leader()] == best
    second = sorted([*limits.values(), opening, 0])[-2] if above else 0
    if bids:
        assert bids[-1][1] <= max(second, opening) + step


@settings(max_examples=200, deadline=None)
@given(maxima=MAXIMA, more=st.integers(0, 40))
def test_how_far_the_highest_would_have_gone_shows_nowhere(maxima, more):
    """A limit above the second highest by more than a step cannot be told from the bids."""
    state = in_sale(cash=1000)
    if not maxima:
        return
    best = max(maxima, key=maxima.__getitem__)
    second = max((most for player, most in maxima.items() if player != best), default=0)
    shown = {**maxima, best: max(second, 1) + 2}
    higher = {**maxima, best: max(second, 1) + 2 + more}
    assert bid_out(state, shown) == bid_out(in_sale(cash=1000), higher)
