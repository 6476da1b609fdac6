"""Invariants of every step of every game, whatever the players do."""

import pytest

from city_game.editions.city import PHASES
from city_game.kernel import Illegal, State, apply
from city_game.kernel.edition import fresh
from city_game.simulate.headless import play as play_bots
from tests.city_game.play import BOARD, random_game
from tests.helpers.invariants import check_cards, check_deeds, check_pieces

pytestmark = pytest.mark.slow

# Events in which the bank pays or is paid; all other money only changes hands.
FROM_BANK = {"salary": 2, "received": 2, "mortgaged": 3}
TO_BANK = {"bought": 3, "sold": 3, "lifted": 3, "built": 5}
LANDMARKS = {"stadium": 200, "tower": 700}
HAZARD_COST = {"power station": 150, "sewage works": 150, "prison": 200, "rubbish dump": 100}


def bank_flow(event: tuple, state: State) -> int:
    """Return the money that the bank gave (or took, negative) in an event."""
    kind = event[0]
    if kind in FROM_BANK:
        return event[FROM_BANK[kind]]
    if kind in TO_BANK:
        return -event[TO_BANK[kind]]
    if kind == "paid" and event[2] == -1:
        return -event[3]
    if kind == "landmark built":
        group = BOARD.group_of[event[3]]
        return -LANDMARKS.get(event[2], BOARD.groups[group].skyscraper)
    if kind == "cleared":
        return -HAZARD_COST[event[2]]
    return 0


class Watch:
    """Checks a game after each of its actions."""

    def __init__(self) -> None:
        self.told = 0
        self.money: int | None = None
        self.turn = -1

    def __call__(self, game) -> None:
        state = game.state
        self.check_money(state)
        check_deeds(state)
        check_pieces(state)
        check_cards(state)
        assert state.phase in PHASES
        if state.phase != "over":
            assert state.decider == -1 or state.alive[state.decider]
            assert state.alive[state.turn]

    def check_money(self, state: State) -> None:
        if self.money is None:
            self.money = BOARD.money.start * state.players
        lost = 0
        for event in state.events[self.told :]:
            self.money += bank_flow(event, state)
            if event[0] in ("bankrupt", "starts anew") and event[2] == -1:
                lost = 1
        self.told = len(state.events)
        if lost:  # the rest of a bankrupt's money goes to the bank
            assert sum(state.cash) <= self.money
            self.money = sum(state.cash)
        assert sum(state.cash) == self.money
        assert min(state.cash) >= 0


def test_random_games_keep_the_invariants_at_every_step():
    for seed in range(10):
        random_game(seed, 500, Watch())


def test_random_games_keep_them_under_every_house_rule():
    switched = {
        "opening_is_a_bid": False,
        "doubtful_bids_count": False,
        "passes_end_auctions": False,
        "stations_anywhere": False,
        "travel_passes_go": False,
        "jail_double_rolls_again": True,
        "mortgage_freely": True,
        "reshuffle": True,
        "fine_ends_turn": True,
        "debtors_may_give": False,
        "stadium_keeps_hazards_out": True,
        "estate_keeps_buildings": False,
        "finish_doubles": False,
    }
    for seed in range(5):
        random_game(seed, 700, Watch(), **switched)


def test_where_nobody_is_out_all_play_to_the_end():
    ruined = 0
    for seed in range(2):
        game = random_game(seed, 3000, Watch(), nobody_is_out=True)
        assert all(game.state.alive)
        starts = [event for event in game.state.events if event[0] == "starts anew"]
        turns = [event[1] for event in game.state.events if event[0] in ("turn", "starts")]
        assert turns == [(turns[0] + turn) % game.state.players for turn in range(len(turns))]
        ruined += len(starts)
    assert ruined > 1


def test_games_of_bots_end_well():
    """Each is checked where it ends."""
    tables = [
        ("planner", "builder", "visitor"),
        ("builder", "planner"),
        ("visitor", "visitor", "planner", "builder", "builder", "planner"),
    ]
    for seed in range(60):
        played = play_bots(BOARD, tables[seed % 3], seed)
        check_deeds(played.state)
        check_pieces(played.state)
        check_cards(played.state)
        assert min(played.state.cash) >= 0
        assert played.state.winners


def test_the_turn_goes_round_past_the_bankrupt():
    game = random_game(5, 3000)
    out: set[int] = set()
    before = None
    for event in game.state.events:
        if event[0] == "bankrupt":
            out.add(event[1])
        elif event[0] == "starts":
            before = event[1]
        elif event[0] == "turn":
            expected = (before + 1) % game.state.players
            while expected in out:
                expected = (expected + 1) % game.state.players
            assert event[1] == expected
            before = event[1]
        elif event[0] == "rolls again":
            assert event[1] == before


def test_what_is_not_in_the_table_is_refused_and_changes_nothing():
    everything = {name for names in PHASES.values() for name in names}
    for phase, allowed in PHASES.items():
        state = fresh(BOARD, 2)
        state.phase = phase
        for name in everything - {*allowed}:
            with pytest.raises(Illegal, match="not-now"):
                apply(state, (name,))
        assert state.phase == phase
        assert not state.events
