"""Random games: every state is consistent, and illegal actions are refused and change nothing.

Actions come from saves, windows and programs. Without checks, Python would take the index -1 for
the last player, and True for the second.
"""

import random
from collections.abc import Iterator

import pytest

from city_game.editions.city import ACTIONS, EDITION, PHASES
from city_game.editions.city.words import SWITCHES
from city_game.game import Game
from city_game.kernel import Illegal, State, apply, legal_actions, why_not
from city_game.words import REASONS
from tests.city_game.play import BOARD, random_offer, random_steps, setup
from tests.helpers.invariants import check

ALL_REASONS = {**REASONS, **EDITION.words.refusals}

# Events in which the bank pays or is paid, with the index of the amount; all other money only
# changes hands.
FROM_BANK = {"salary": 2, "received": 2, "mortgaged": 3}
TO_BANK = {"bought": 3, "sold": 3, "lifted": 3, "built": 5}
LANDMARKS = {"stadium": 200, "tower": 700}
HAZARD_COST = {"power station": 150, "sewage works": 150, "prison": 200, "rubbish dump": 100}


def bank_flow(event: tuple) -> int:
    """Return the money that the bank paid in an event, negative if it was paid."""
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
    return -HAZARD_COST[event[2]] if kind == "cleared" else 0


class Watch:
    """Checks a game after each of its actions."""

    def __init__(self, players: int) -> None:
        self.told = 0
        self.money = BOARD.money.start * players

    def __call__(self, state: State) -> None:
        new, self.told = state.events[self.told :], len(state.events)
        self.money += sum(map(bank_flow, new))
        if any(event[0] in ("bankrupt", "starts anew") and event[2] == -1 for event in new):
            assert sum(state.cash) <= self.money  # the bank gets the rest of a bankrupt's cash
            self.money = sum(state.cash)
        assert sum(state.cash) == self.money
        check(state)
        if state.phase != "over":
            assert state.alive[state.turn]
            assert state.decider == -1 or state.alive[state.decider]


def frozen(value):
    """Return the contents of a state for comparison; of events and sales only the number."""
    if isinstance(value, dict):
        return tuple((key, frozen(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return tuple(frozen(part) for part in value)
    if isinstance(value, State):
        names = {name for each in type(value).__mro__ for name in getattr(each, "__slots__", ())}
        names -= {"board", "edition", "events", "sales"}
        parts = {name: getattr(value, name) for name in names}
        return len(value.events), len(value.sales), frozen(parts)
    if hasattr(value, "__slots__"):
        return tuple(frozen(getattr(value, name)) for name in value.__slots__)
    return value


# Values that are never valid, or only for some fields; 22 is one deed too many, 6 one player.
ODD = (-(10**6), -3, -1, 0, 1, 2, 6, 22, 10**6, True, False, 1.0, 0.5, None, "", "1", "prison")
ODD += ((), (0,), (-1,), (0, 0), ("",), [], [0], {}, ["residential"])
RAW = (None, "roll", 0, (), [], (0,), ("",), (None, 1), (("roll",),), ["roll"], ("roll", 1))
# Actions whose times and sums are too many for `legal_actions` to list all.
FREE = {"bid", "refused bid", "pass", "put up", "offer", "light on", "light out", "interrupted"}
FREE |= {"deal light on", "deal light off", "timed out", "hour ended", "new hour", "refused"}


def bent(state: State) -> Iterator[tuple]:
    """Yield actions that are legal except for one value, or have a value too many or too few."""
    known = {"offer": ("offer", 0, 1, (), (), 1, 0)}
    known |= {action[0]: action for action in legal_actions(state)}
    for name in PHASES[state.phase]:
        action = known.get(name, (name, *(1 for _field in ACTIONS[name].fields)))
        yield (*action, 0)
        yield action[:-1]
        for place in range(1, len(action)):
            for value in ODD:
                yield (*action[:place], value, *action[place + 1 :])
    for name in {*ACTIONS} - {*PHASES[state.phase]}:
        yield (name, *(0 for _field in ACTIONS[name].fields))
    yield from RAW


def made_up(state: State, rng: random.Random) -> Iterator[tuple]:
    """Yield some actions of the phase with random numbers."""
    whole = (*range(-1, 23), 50, 1000, 5000)
    for name in rng.choices(PHASES[state.phase] or ("roll",), k=2):
        yield (name, *(rng.choice(whole) for _field in ACTIONS[name].fields))
    yield random_offer(state, rng)


def is_sound(state: State, action: tuple) -> bool:
    """Return whether an action is listed as legal, or is a valid one of those not all listed."""
    if repr(action) in map(repr, legal_actions(state)):  # by repr, since True == 1
        return True
    name, *values = action
    if name not in FREE or name not in PHASES[state.phase]:
        return False
    fields = ACTIONS[name].fields
    named = dict(zip(fields, values, strict=True))
    if name == "offer":
        giver, taker, gives, asks, *sums = values
        if any(type(value) is not int for value in (giver, taker, *gives, *asks, *sums)):
            return False
        owned = dict(enumerate(map(set, state.owned)))  # a list would accept -1
        return {*gives} <= owned[giver] and {*asks} <= owned[taker]
    words = {"why"} & named.keys()
    if any(type(value) is not int for field, value in named.items() if field not in words):
        return False
    if name == "put up" and state.rules.opening_is_a_bid:
        return named["amount"] <= max(1, state.cash[state.turn])
    if name in ("bid", "pass"):
        listed = {each[1]: each for each in legal_actions(state) if each[0] == name}
        least = listed.get(named["player"], (0, 0, 10**9))[2]
        return named["player"] in listed and least <= named.get("amount", least)
    return named.get("player", 0) in range(state.players)


def ask(state: State, action) -> bool:
    """Return whether an action is legal; if not, assert that it is refused with a reason."""
    reason = why_not(state, action)
    if not reason:
        assert is_sound(state, action), (state.phase, action)
        return True
    assert reason in ALL_REASONS, (state.phase, action)
    with pytest.raises(Illegal, match=f"^{reason}$"):
        apply(state, action)
    return False


def test_states_are_consistent_and_illegal_actions_change_nothing():
    """In random games with random house rules; each phase gets all odd values once."""
    met: set[str] = set()
    for seed in range(90, 100):
        rng = random.Random(seed)
        flipped = {each.name: not each.default for each in SWITCHES if rng.random() < 0.4}
        flipped["until_one_is_left"] = False
        game = Game(setup(rng.randint(2, 6), seed, **flipped))
        watch = Watch(game.state.players)
        for state in random_steps(game, rng, 600):
            watch(state)
            if state.phase in met and rng.random() < 0.9:
                continue
            tried = made_up(state, rng) if state.phase in met else bent(state)
            met.add(state.phase)
            before = frozen(state)
            can = [action for action in tried if ask(state, action)]
            assert frozen(state) == before
            if can and can[0][0] != "hour ended":
                apply(state, can[0])
                watch(state)
    assert met == {*PHASES}
