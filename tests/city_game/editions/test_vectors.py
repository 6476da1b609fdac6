"""The rules of the editions, vector by vector; each names its source: a book with lines, or ours.

TC is the text of the Top Clubs book, F98 that of France 98, CH the championship's, AM that of
Anti-Monopoly. A file has its edition's name. `given` and `then` are lines as in the vectors of
the kernel: `cash 0 10M`, `owner tar-lane 1`, `houses tar-lane 3`.
"""

import re
from pathlib import Path

import pytest

from city_game import editions
from city_game.kernel.board_file import load
from city_game.kernel.edition import fresh
from city_game.kernel.flow import standing
from city_game.kernel.money import parse, write
from city_game.kernel.sales import least_bid
from city_game.kernel.state import Debt
from tests.city_game.vector_files import reason_after, vectors

VECTORS = vectors(Path(__file__).parent / "vectors")
SIDES = ("competitor", "monopolist")


def at(state, key):
    return state.board.keys[key]


def build(state, where, count):
    """Put houses there as if they had been bought; 5 is a hotel."""
    count = int(count)
    state.houses[at(state, where)] = count
    state.bank[count == 5] -= 1 if count == 5 else count


def owes(state, player, creditor, amount):
    state.debts.append(Debt(player, creditor, amount, "rent", -1))
    state.phase, state.decider = "debt", player


def hold_card(state, player, card):
    state.unseen.remove(card)
    state.jail_cards[player].append(card)


GIVEN = {
    "cash": lambda s, p, notes: s.cash.__setitem__(int(p), parse(notes)),
    "owner": lambda s, d, p: s.transfer(at(s, d), int(p)),
    "houses": build,
    "bank": lambda s, houses, hotels: s.bank.__setitem__(slice(2), [int(houses), int(hotels)]),
    "mortgage": lambda s, d, notes: s.mortgage.__setitem__(at(s, d), parse(notes)),
    "place": lambda s, p, where: s.place.__setitem__(int(p), int(where)),
    "jailed": lambda s, p, tries: s.jailed.__setitem__(int(p), int(tries)),
    "thrown": lambda s, points: setattr(s, "thrown", int(points)),
    "phase": lambda s, *words: setattr(s, "phase", " ".join(words)),
    "side": lambda s, p, name: s.sides.__setitem__(int(p), SIDES.index(name)),
    "alive": lambda s, p, word: s.alive.__setitem__(int(p), word == "True"),
    "doubles": lambda s, count: setattr(s, "doubles", int(count)),
    "debt": lambda s, p, to, notes: owes(s, int(p), int(to), parse(notes)),
    "playing": lambda s, yes: setattr(s, "playing", yes == "True"),
    "effect": lambda s, name, n: s.edition.effects[name.replace("-", " ")](s, 0, int(n)),
    "jail-card": lambda s, p, card: hold_card(s, int(p), int(card)),
}
THEN = {
    "cash": lambda s, p: write(s.cash[int(p)]),
    "owner": lambda s, d: str(s.owner[at(s, d)]),
    "houses": lambda s, d: str(s.houses[at(s, d)]),
    "bank": lambda s: " ".join(map(str, s.bank)),
    "mortgage": lambda s, d: write(s.mortgage[at(s, d)]),
    "redemption": lambda s, d: write(s.edition.redemption(s, at(s, d))),
    "rent": lambda s, d: write(s.edition.rent(s, at(s, d))),
    "worth": lambda s, p: write(s.edition.worth(s, int(p))),
    "place": lambda s, p: str(s.place[int(p)]),
    "jailed": lambda s, p: str(s.jailed[int(p)]),
    "side": lambda s, p: SIDES[s.sides[int(p)]],
    "doubles": lambda s: str(s.doubles),
    "deck": lambda s: s.deck,
    "least": lambda s: write(least_bid(s)),
    "decider": lambda s: str(s.decider),
    "alive": lambda s, p: str(s.alive[int(p)]),
    "phase": lambda s: s.phase,
    "turn": lambda s: str(s.turn),
    "winners": lambda s: " ".join(map(str, s.winners)),
    "order": lambda s: " ".join(map(str, s.order)),
    "jail-cards": lambda s, p: str(len(s.jail_cards[int(p)])),
    "places": lambda s: " ".join(
        f"{one.place}:{'+'.join(map(str, one.players))}" for one in standing(s)
    ),
}


@pytest.mark.parametrize("edition", VECTORS)
def test_vectors(edition):
    board = load(editions.get(edition))
    for vector in VECTORS[edition]:
        rule = vector["rule"]
        rules = board.edition.rules(**vector.get("rules", {}))
        state = fresh(board, vector.get("players", 2), rules)
        state.phase, state.decider = "roll", 0
        for line in vector.get("given", ()):
            name, *words = line.split()
            GIVEN[name](state, *words)
        reason = reason_after(vector, state)
        assert reason == vector.get("refused", ""), rule
        for line in vector.get("then", ()):
            name, *words = line.split()
            taken = THEN[name].__code__.co_argcount - 1
            assert THEN[name](state, *words[:taken]) == " ".join(words[taken:]), f"{rule}: {line}"
        source = vector["source"]
        assert source == "assumption" or re.match(r"(TC|F98|CH|AM) \d+", source), rule
