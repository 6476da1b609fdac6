"""The bots: chance that is not the same for all of them, sensible permits, fair deals."""

from itertools import pairwise

import pytest

from city_game import bots
from city_game.bots.bot import DONE, END_TURN, PRESS
from city_game.headless import mix, play
from city_game.rules import State, apply, luck
from tests.city_game.play import BOARD


def at_table(strength: str, players: int = 3, player: int = 0) -> tuple[State, bots.Bot]:
    """Return a game in which that player may build or deal, and its bot."""
    state = State(BOARD, players)
    state.turn = state.decider = player
    state.phase = "manage"
    return state, bots.make(strength, player, 1)


def give(state: State, player: int, *keys: str) -> list[int]:
    districts = [BOARD.keys[key] for key in keys]
    for district in districts:
        state.transfer(district, player)
    return districts


def test_games_of_neighbouring_seeds_do_not_roll_alike():
    games = [State(BOARD, 2, None, mix(seed)) for seed in range(400)]
    for _ in range(200):
        rolls = []
        for state in games:
            rolls.append(luck.CHANCE["dice"](state))
            luck.draw_on(state)
        for step in (1, 2, 3):
            same = sum(one == other for one, other in zip(rolls, rolls[step:], strict=False))
            assert same < 40  # of 400; 11 are to be expected


@pytest.mark.parametrize("strength", bots.STRENGTHS)
def test_build_is_pressed_only_with_something_to_build(strength):
    state, bot = at_table(strength)
    assert bot.manage(state) == END_TURN  # nothing is owned
    (district,) = give(state, 0, "crane-basin")
    assert bot.manage(state) == PRESS
    price = BOARD.block_prices["residential"][district]
    state.cash[0] = bot.reserve + price - 1
    assert bot.manage(state) == END_TURN
    state.cash[0] = 2000
    state.box_blocks = {"residential": [0, 0, 0], "industrial": [0, 0, 0]}
    assert bot.manage(state) == END_TURN


@pytest.mark.parametrize("strength", bots.STRENGTHS)
def test_factories_are_built_when_the_homes_are_gone(strength):
    state, bot = at_table(strength)
    (district,) = give(state, 0, "crane-basin")
    state.box_blocks["residential"] = [0, 0, 0]
    assert bot.block_choice(state) == ("build", district, "industrial", 1)


def test_the_planner_builds_nothing_that_no_longer_pays():
    state, bot = at_table("planner")
    give(state, 0, "crane-basin")
    state.hazard[BOARD.keys["crane-basin"]] = "prison"
    bot.left = 0.0
    assert bot.block_choice(state) is DONE


def test_every_permit_of_a_bot_is_used_or_a_station():
    pressed = used = 0
    for seed in range(20):
        events = play(BOARD, ("planner", "builder", "visitor", "planner"), seed).state.events
        for event, following in pairwise(events):
            if event[0] == "granted" and event[2] != "station":
                pressed += 1
                used += following[0] == "built"
    assert pressed == used > 0


def test_a_deal_for_the_deed_that_completes_a_group_leaves_both_better_off():
    state, bot = at_table("planner", 4)
    give(state, 0, "bell-court", "lantern-hill")
    (wanted,) = give(state, 1, "saltmarket")
    offer = bot.manage(state)
    assert offer[:3] == ("offer", 0, 1) and offer[4] == (wanted,)
    pays = offer[5]
    assert bot.value(state, wanted, 1) < pays < bot.value(state, wanted, 0)
    apply(state, offer)
    partner = bots.make("planner", 1, 1)
    assert partner.answer(state) == ("accept",)
    apply(state, ("decline",))
    assert bot.manage(state)[0] != "offer"  # not twice in a turn
    state.turns += 4
    assert bot.manage(state)[0] != "offer"  # nor soon again for the same deed
    bot.left -= 0.25
    state.turns += 4
    assert bot.manage(state)[0] == "offer"


def test_a_deed_that_the_partner_needs_is_worth_more_than_money():
    state, bot = at_table("planner", 4)
    give(state, 0, "bell-court", "lantern-hill", "anvil-street")
    give(state, 1, "saltmarket", "crane-basin", "ember-works")
    offer = bot.manage(state)
    assert offer[3] == (BOARD.keys["anvil-street"],)


def test_deeds_of_one_group_are_not_offered_for_each_other():
    state, bot = at_table("builder", 3)
    give(state, 0, "aurora-plaza")
    (wanted,) = give(state, 1, "meridian-quay")
    offer = bot.manage(state)
    assert offer[0] != "offer" or (offer[3] == () and offer[4] == (wanted,))


def test_a_bot_does_not_give_away_what_completes_a_group():
    state, bot = at_table("planner", 4, player=1)
    give(state, 0, "bell-court", "lantern-hill")
    (wanted,) = give(state, 1, "saltmarket")
    state.turn = state.decider = 0
    price = BOARD.prices[wanted]
    state.cash[0] = 9999
    apply(state, ("offer", 0, 1, (), (wanted,), price // 4, 0))
    assert bot.answer(state) == ("decline",)
    apply(state, ("decline",))
    apply(state, ("offer", 0, 1, (), (wanted,), price * 3, 0))
    assert bot.answer(state) == ("accept",)


def test_bots_offer_at_most_once_a_turn_and_some_deals_in_a_game():
    offers = 0
    for seed in range(20):
        offered = False
        for event in play(BOARD, ("planner",) * 4, seed).state.events:
            if event[0] in ("turn", "rolls again"):
                offered = False
            elif event[0] == "offered":
                offers += 1
                assert not offered
                offered = True
    assert 20 < offers < 400


def test_nobody_bids_more_than_there_is():
    for seed in range(30):
        for strengths in (("visitor", "visitor"), ("planner", "builder", "visitor") * 2):
            state = play(BOARD, strengths, seed).state
            assert min(state.cash) >= 0
