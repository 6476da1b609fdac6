"""The bots: independent chance, fair deals, timing of bids, and strength.

The vectors in `kernel` and `editions` test their single decisions.
"""

import dataclasses
from itertools import pairwise

from city_game import bots, editions
from city_game.editions import described
from city_game.editions.anti_monopoly.rules import COMPETITOR, MONOPOLIST
from city_game.editions.city import EDITION
from city_game.editions.city.minds import DONE
from city_game.headless import mix, play
from city_game.kernel import State, apply, luck
from city_game.kernel.board import load
from city_game.kernel.edition import fresh
from tests.city_game.play import BOARD

FOUR = ("planner", "builder", "visitor", "planner")
SIDED = editions.get("anti-monopoly")  # where two of a city's three streets are enough
TWINHARBOUR = load(SIDED)


def at_table(*owned: str, board=BOARD) -> State:
    """Return a game of four in which player 0 may build or deal, with each player's deeds."""
    state = fresh(board, 4)
    state.turn = state.decider = 0
    state.phase = "manage"
    for player, keys in enumerate(owned):
        for key in keys.split():
            state.transfer(board.keys[key], player)
    return state


def test_games_of_neighbouring_seeds_are_independent():
    state = fresh(BOARD, 2)
    state.phase = "dice"
    games = [luck.Luck(mix(seed)) for seed in range(400)]
    for _ in range(50):
        rolls = [game.draw(state) for game in games]
        state.draws += 1
        for step in (1, 2, 3):
            same = sum(roll == later for roll, later in zip(rolls, rolls[step:], strict=False))
            assert same < 40  # of 400; 11 are expected


def test_whole_games_use_permits_and_trains_and_offer_few_deals():
    offers = pressed = used = travels = 0
    for seed in range(12):
        state, offered = play(BOARD, FOUR, seed).state, False
        for event, following in pairwise(state.events):
            kind = event[0]
            travels += kind == "travelled"
            if kind == "granted" and event[2] != "station":
                pressed += 1
                used += following[0] == "built"
            if kind in ("turn", "rolls again"):
                offered = False
            elif kind == "offered":
                offers += 1
                assert not offered  # at most once a turn
                offered = True
    assert pressed == used > 0
    assert 12 < offers < 240 and travels > 12


def test_the_planner_stops_building_when_it_no_longer_pays():
    state, bot = at_table("crane-basin"), bots.make(EDITION, "planner", 0, 1)
    assert bot.block_choice(state) is not DONE
    bot.left = 0.0
    state.hazard[BOARD.keys["crane-basin"]] = "prison"
    assert bot.block_choice(state) is DONE


def test_a_deal_that_completes_a_group_benefits_both():
    state, bot = (
        at_table("bell-court lantern-hill", "saltmarket"),
        bots.make(EDITION, "planner", 0, 1),
    )
    wanted = BOARD.keys["saltmarket"]
    offer = bot.manage(state)
    assert offer[:5] == ("offer", 0, 1, (), (wanted,))
    assert bot.value(state, wanted, 1) < offer[5] < bot.value(state, wanted, 0)
    apply(state, offer)
    partner = bots.make(EDITION, "planner", 1, 1)
    assert partner.answer(state) == ("accept",)
    apply(state, ("decline",))
    assert bot.manage(state)[0] != "offer"  # not twice in a turn
    state.turns += 4
    assert bot.manage(state)[0] != "offer"  # nor soon again for the same deed
    bot.left -= 0.25
    state.turns += 4
    assert bot.manage(state)[0] == "offer"
    state.cash[0] = 9999
    for share, answer in ((0.25, "decline"), (3, "accept")):
        apply(state, ("offer", 0, 1, (), (wanted,), int(BOARD.prices[wanted] * share), 0))
        assert partner.answer(state) == (answer,)  # a whole group is not given away
        apply(state, ("decline",))


def test_an_offer_gives_a_deed_of_another_group_that_the_partner_needs():
    needs = at_table("bell-court lantern-hill anvil-street", "saltmarket crane-basin ember-works")
    offer = bots.make(EDITION, "planner", 0, 1).manage(needs)
    assert offer[3] == (BOARD.keys["anvil-street"],)
    of_a_pair = at_table("aurora-plaza", "meridian-quay")
    offer = bots.make(EDITION, "builder", 0, 1).manage(of_a_pair)
    assert offer[0] != "offer" or offer[3] == ()


def test_a_monopolist_offers_for_a_second_street_of_three():
    state = at_table("kiln-lane", "chimney-walk", board=TWINHARBOUR)
    wanted = TWINHARBOUR.keys["chimney-walk"]
    state.sides = [MONOPOLIST, COMPETITOR] * 2
    assert bots.make(SIDED, "planner", 0, 1).manage(state)[:5] == ("offer", 0, 1, (), (wanted,))
    state.sides = [COMPETITOR, MONOPOLIST] * 2  # to whom a whole city is worth nothing more
    assert bots.make(SIDED, "planner", 0, 1).manage(state)[0] != "offer"


def test_the_planner_waits_for_the_fast_light_of_its_unit():
    bot = bots.make(EDITION, "planner", 0, seed=1)
    for warning_ms in (5000, 7000, 12000):
        unit = dataclasses.replace(described("city"), warning_ms=warning_ms)
        first = bot.bid_delay(0, unit)
        assert 0 < first - unit.warns_at_ms <= 1000
        assert 0 < bot.bid_delay(first, unit) <= 1000  # and answers fast then
    unwarned = dataclasses.replace(described("city"), warning_ms=0)
    assert 0 < bots.make(EDITION, "planner", 0, seed=1).bid_delay(0, unwarned) <= 1000


class Sniper(bots.Planner):
    """A planner that makes a single bid, just above the highest, too late for an answer."""

    def next_bid(self, state, since, unit, hurry=False):
        sale = state.auction
        asked = sale.highest() or sale.opening
        if self.limit(state) <= asked or sale.leader() == self.player:
            return None
        return max(since, unit.auction_ms[0] - 150), asked + 1


def wins(board, first: str, second: str, games: int, seed: int = 0) -> float:
    """Return the share of games of two that the first bot wins, taking turns to start."""
    won = 0.0
    for game in range(games):
        seats = (second, first) if game % 2 else (first, second)
        winners = play(board, seats, seed + game).state.winners
        won += (game % 2 in winners) / len(winners)
    return won / games


def test_a_bot_that_bids_only_at_the_last_moment_has_no_advantage(monkeypatch):
    monkeypatch.setitem(bots.STRENGTHS, "sniper", Sniper)
    assert wins(BOARD, "sniper", "planner", 24) < 0.7  # 0.99 without the planner's last bid


def test_each_strength_beats_the_one_below():
    assert wins(BOARD, "planner", "builder", 30) > 0.7
    assert wins(BOARD, "builder", "visitor", 30) > 0.7
    assert wins(load(editions.get("classic")), "planner", "builder", 30, 7000) > 0.6


def test_the_planner_beats_random_play():
    for name in editions.names():
        assert wins(load(editions.get(name)), "planner", "random", 12, 90000) >= 0.9, name


def test_both_sides_are_equally_strong():
    """Competitors won 75 % while monopolists offered too few deals."""
    won = [0.0, 0.0]
    for seed in range(40):
        state = play(TWINHARBOUR, ("planner",) * 4, seed).state
        for winner in state.winners:
            won[state.sides[winner]] += 1 / len(state.winners)
    assert 0.35 < won[COMPETITOR] / sum(won) < 0.65
