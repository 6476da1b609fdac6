"""Whatever is asked of the rules, at any moment of a game: done if it is legal, else refused whole.

Actions come from saves, from windows and programs; none of them is to reach a thing that it does
not name: Python would take the index -1 for the last player, and True for the second.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from city_game.editions.city import ACTIONS, EDITION, PHASES
from city_game.editions.city.pieces import rent
from city_game.editions.city.words import SWITCHES
from city_game.game import Game
from city_game.kernel import Illegal, State, apply, legal_actions, why_not
from city_game.kernel import deals as deal_rules
from city_game.kernel import sales as sale_rules
from city_game.kernel.edition import fresh
from city_game.kernel.state import Debt
from city_game.report.reasons import REASONS
from tests.city_game.play import BOARD, random_offer, setup
from tests.helpers.invariants import check_cards, check_deeds, check_pieces

ALL_REASONS = {**REASONS, **EDITION.words.refusals}


def position(seed: int, steps: int, **rules: bool) -> State:
    """Return where a game of random legal actions stands after so many of them."""
    rng = random.Random(seed)
    state = Game(setup(rng.randint(2, 6), seed, **rules)).state
    for _ in range(steps):
        actions = legal_actions(state)
        if not actions:
            break
        offer = random_offer(state, rng)
        deal = "offer" in PHASES[state.phase] and not deal_rules.refusal(state, offer)
        if deal_rules.awaits_light(state) and rng.random() < 0.8:
            apply(state, ("deal light on", 0))
        apply(state, offer if deal and rng.random() < 0.1 else rng.choice(actions))
    return state


def frozen(value):
    """Return all that a state is made of, so that any change of it shows."""
    if isinstance(value, dict):
        return tuple((key, frozen(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return tuple(frozen(part) for part in value)
    if value is not BOARD and hasattr(value, "__slots__"):
        return tuple(frozen(getattr(value, name)) for name in value.__slots__)
    return value


# The legal actions once more: from the list, and by hand for those that no list can hold.


def is_legal(state: State, action) -> bool:
    if repr(action) in map(repr, legal_actions(state)):  # by repr, for True is not 1
        return True
    if not isinstance(action, tuple) or not action or not isinstance(action[0], str):
        return False
    unlisted = UNLISTED.get(action[0]) if action[0] in PHASES[state.phase] else None
    return unlisted is not None and unlisted(state, *action[1:])


def is_whole(value) -> bool:
    return type(value) is int


def is_bid(state: State, *words) -> bool:
    if len(words) != 4 or not all(map(is_whole, words)):
        return False
    player, amount, at, within = words
    least = {bid[1]: bid[2] for bid in legal_actions(state) if bid[0] == "bid"}
    sale = state.auction
    if player not in least or not least[player] <= amount <= state.cash[player] or within < 0:
        return False
    doubt = 0 if state.rules.doubtful_bids_count else within
    return at >= sale.started and (sale.ended is None or at + doubt < sale.ended)


def is_refused_bid(state: State, *words) -> bool:
    """Return whether it is somebody's bid that does not count, with the reason why."""
    if len(words) != 5 or not all(map(is_whole, words[:4])):
        return False
    player, _, _, within, why = words
    if player not in range(state.players) or within < 0 or is_bid(state, *words[:4]):
        return False
    return why != "" and why == sale_rules.refusal(state, *words[:4])


def is_pass(state: State, *words) -> bool:
    if len(words) != 2 or not all(map(is_whole, words)):
        return False
    sale, player = state.auction, words[0]
    might = {action[1] for action in legal_actions(state) if action[0] == "pass"}
    return player in might and words[1] >= sale.started


def is_opening(state: State, *words) -> bool:
    if len(words) != 2 or not all(map(is_whole, words)):
        return False
    deed, amount = words
    listed = {action[1]: action[2] for action in legal_actions(state) if action[0] == "put up"}
    most = state.cash[state.turn] if state.rules.opening_is_a_bid else amount
    return deed in listed and listed[deed] <= amount <= most


def is_offer(state: State, *words) -> bool:
    if len(words) != 6 or not all(map(is_whole, (*words[:2], *words[4:]))):
        return False
    giver, taker, gives, asks, pays, cards = words
    seats = [player for player in range(state.players) if state.alive[player]]
    if giver == taker or giver not in seats or taker not in seats:
        return False
    for deeds, owner in ((gives, giver), (asks, taker)):
        if type(deeds) is not tuple or not all(map(is_whole, deeds)):
            return False
        if len(set(deeds)) < len(deeds) or not set(deeds) <= set(state.owned[owner]):
            return False
    hands = [len(state.jail_cards[player]) for player in (giver, taker)]
    can_pay = -state.cash[taker] <= pays <= state.cash[giver] and -hands[0] <= cards <= hands[1]
    if not can_pay or not (gives or asks or pays or cards):
        return False
    if state.rules.debtors_may_give or not state.debts:
        return True
    due = [0 if mortgaged else rent(state, deed) for deed, mortgaged in enumerate(state.mortgage)]
    gain = sum(due[deed] for deed in asks) - sum(due[deed] for deed in gives)
    gain += cards * BOARD.money.jail_fine - pays
    debtor = state.debts[0].debtor
    return {giver: gain, taker: -gain}.get(debtor, 0) >= 0


def is_time(_state: State, *words) -> bool:
    return len(words) == 1 and is_whole(words[0])


UNLISTED = {
    "bid": is_bid,
    "refused bid": is_refused_bid,
    "pass": is_pass,
    "put up": is_opening,
    "offer": is_offer,
    "light on": is_time,
    "deal light on": lambda state, *words: (
        is_time(state, *words) and deal_rules.awaits_light(state)
    ),
    "deal light off": lambda state, *words: not words and state.deal.started is not None,
    "interrupted": lambda state, *words: (
        is_time(state, *words)
        and state.rules.sales_go_on
        and words[0] >= max([state.auction.started, *(bid.at for bid in state.auction.bids)])
    ),
    "light out": lambda state, *words: is_time(state, *words) and words[0] > state.auction.started,
    "hour ended": lambda state, *words: (
        is_time(state, *words) and not (state.hour_over or state.rules.until_one_is_left)
    ),
    "new hour": is_time,
    "refused": lambda _state, *words: not words,
    "timed out": lambda state, *words: not words and not deal_rules.awaits_light(state),
}

# The actions that are tried.

NUMBERS = st.one_of(
    st.integers(-3, 8),
    st.integers(-30, 45),
    st.integers(-(10**6), 10**6),
    st.sampled_from([2**31, -(2**63), 10**30]),
)
WORDS = st.sampled_from(
    [
        *("", "é", "1", "2", "station", "residential", "industrial", "school", "park", "prison"),
        *("too-late", "too-early", "bid-too-low", "not-enough-money", "out-of-the-game"),
    ]
)
JUNK = st.one_of(st.none(), st.booleans(), st.floats(), st.binary(max_size=2), st.just({}), WORDS)
DEEDS = st.one_of(
    st.lists(st.integers(-3, 24), max_size=2).map(tuple),
    st.lists(st.integers(0, 21), max_size=2),
    st.tuples(JUNK),
)
VALUES = st.one_of(NUMBERS, NUMBERS, WORDS, DEEDS, JUNK)
NO_ACTIONS = [(), [], None, "roll", ["roll"], (None,), (["roll"],), ("jump",), (1,)]
WHICH = st.integers(0, 500)
ASKED = st.one_of(
    st.tuples(st.just("listed"), WHICH),
    st.tuples(st.just("bent"), WHICH, st.integers(0, 5), VALUES),
    st.tuples(st.just("bent"), WHICH, st.integers(0, 5), NUMBERS),
    st.tuples(st.just("made up"), WHICH, st.lists(VALUES, min_size=7, max_size=7)),
    st.tuples(st.just("raw"), st.sampled_from(NO_ACTIONS)),
)


def listed(state: State, which: int) -> tuple:
    """Return a legal action, if there is any."""
    actions = legal_actions(state) or [("roll",)]
    return actions[which % len(actions)]


def bent(state: State, which: int, place: int, value) -> tuple:
    """Return what would be legal, but for a single value."""
    actions = [action for action in legal_actions(state) if len(action) > 1] or [("card", 0)]
    action = list(actions[which % len(actions)])
    action[1 + place % (len(action) - 1)] = value
    return tuple(action)


def made_up(state: State, which: int, values: list) -> tuple:
    """Return an action of this phase, now and then of another, with any values; seldom too few."""
    names = [*PHASES[state.phase], *PHASES[state.phase], *sorted(ACTIONS)[which % 7 :: 7]]
    name = names[which % len(names)]
    count = len(ACTIONS[name].fields) + (which % 11 == 10) - (which % 13 == 12)
    return (name, *values[: max(0, count)])


ASKING = {
    "listed": listed,
    "bent": bent,
    "made up": made_up,
    "raw": lambda _state, action: action,
}


def ask(state: State, action) -> bool:
    """Ask for an action, and return whether it was done: if and only if it is legal."""
    before, legal = frozen(state), is_legal(state, action)
    asked = why_not(state, action)
    assert (asked == "") == legal, (state.phase, action, asked)
    assert frozen(state) == before, (state.phase, action)
    try:
        apply(state, action)
    except Illegal as reason:
        assert not legal, (state.phase, action, str(reason))
        assert str(reason) == asked
        assert asked in ALL_REASONS
        assert frozen(state) == before, (state.phase, action)
        return False
    assert legal, (state.phase, action)
    check_deeds(state)
    check_pieces(state)
    check_cards(state)
    assert min(state.cash) >= 0
    return True


@pytest.mark.slow
@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 400),
    switched=st.sets(st.sampled_from([switch.name for switch in SWITCHES])),
    asked=st.lists(ASKED, min_size=10, max_size=40),
)
def test_what_is_legal_is_done_and_all_else_is_refused_and_changes_nothing(
    seed, steps, switched, asked
):
    defaults = {switch.name: switch.default for switch in SWITCHES}
    state = position(seed, steps, **{name: not defaults[name] for name in switched})
    for how, *words in asked:
        action = ASKING[how](state, *words)
        judge(state, action)
        ask(state, action)


def judge(state: State, action) -> None:
    """Ask the judges of bids and of deals, who answer with a reason whatever they are shown."""
    if action and action[0] == "offer":
        assert deal_rules.refusal(state, action) in ("", *ALL_REASONS)
    elif action and action[0] == "bid" and len(action) == 5:
        assert sale_rules.refusal(state, *action[1:]) in ("", *ALL_REASONS)


def in_sale(phase: str) -> State:
    """Return a game of two in which Flax Mill is for sale; A bids, or may, and B has less money."""
    state = fresh(BOARD, 2)
    state.transfer(0, 1)
    state.cash[1] = 100
    state.phase, state.decider = "auction space", 0
    for action in (("put up", 3, 1), ("light on", 1000), ("light out", 9000)):
        if state.phase != phase:
            apply(state, action)
    return state


def at_turn(phase: str) -> State:
    """Return a game of two in which A is to act, and has the deeds 0 and 21."""
    state = fresh(BOARD, 2)
    state.transfer(0, 0)
    state.transfer(21, 0)
    state.station[20] = state.station[21] = True
    state.box_stations -= 2
    state.permit = 3
    state.phase, state.decider = phase, -1 if phase in ("dice", "start roll", "chance") else 0
    return state


@pytest.mark.parametrize(
    "action",
    [
        ("bid", -1, 5, 2000, 0),
        ("bid", 2, 5, 2000, 0),
        ("bid", True, 5, 2000, 0),
        ("bid", 0, 5.5, 2000, 0),
        ("bid", 0, 5, 2000, -1),
        ("bid", 0, 5, None, 0),
        ("bid", 0, 5, 2000),
        ("refused bid", -1, 100000, 2000, 0, "not-enough-money"),
    ],
)
@pytest.mark.parametrize("phase", ["bidding", "settling"])
def test_bids_of_nobody_at_the_table_are_refused(phase, action):
    assert not ask(in_sale(phase), action)


@pytest.mark.parametrize(
    ("phase", "action"),
    [
        ("dice", ("dice", 9, 9)),
        ("dice", ("dice", -9, -3)),
        ("dice", ("dice", 0, 6)),
        ("dice", ("dice", 3)),
        ("start roll", ("start roll", 7, 1)),
        ("start roll", ("start roll", 1, True)),
        ("auction space", ("put up", -2, 1)),
        ("auction space", ("put up", 22, 1)),
        ("auction space", ("put up", 3, "1")),
        ("station", ("station", -3)),
        ("station", ("station", 22)),
        ("station", ("station", 1.0)),
        ("travel", ("travel", -2)),
        ("travel", ("travel", 99)),
        ("build", ("build", -22, "residential", 1)),
        ("build", ("build", 0, "residential", True)),
        ("build", ("build", 0, ["residential"], 1)),
        ("build", ("build", 0, "residential", -1)),
        ("planning", ("place", "park", -1)),
        ("planning", ("place", [], 1)),
        ("manage", ("clear", -1)),
        ("manage", ("stadium", 22)),
        ("manage", ("lift", None)),
        ("manage", ("offer", -1, 0, (), (0,), 0, 0)),
        ("manage", ("offer", 0, 1, (-1,), (), 0, 0)),
        ("manage", ("offer", 0, 1, [0], (), 0, 0)),
        ("manage", ("offer", 0, 1, None, (), 5, 0)),
        ("manage", ("offer", 0, 1, (), (), 5.0, 0)),
        ("manage", ("hour ended",)),
        ("manage", ("hour ended", "now")),
        ("manage", ("new hour", None)),
        ("chance", ("card", -1)),
        ("chance", ("card", True)),
        ("permit", ("permit", 1)),
    ],
)
def test_what_there_is_not_is_refused(phase, action):
    assert not ask(at_turn(phase), action)


def test_a_mortgage_by_a_negative_index_is_refused():
    state = at_turn("debt")
    state.debts = [Debt(0, 1, state.cash[0] + 1, "rent", 0)]
    assert not ask(state, ("mortgage", -1))
    assert ask(state, ("mortgage", 21))


def test_who_cannot_open_at_the_least_opens_at_it_all_the_same_and_at_nothing_else():
    state = at_turn("auction space")
    state.cash[0] = 0
    for opening in (-5, 0, 2, 10**6):
        assert not ask(state, ("put up", 3, opening))
    assert ask(state, ("put up", 3, 1))
