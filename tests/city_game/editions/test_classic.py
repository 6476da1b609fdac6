"""The classic rules, vector by vector; each names its source: TC or F98 with lines, or ours.

TC is the text of the Top Clubs book, F98 that of France 98. What is `given` and what holds `then`
are lines as in the vectors of the kernel: `cash 0 10M`, `owner tar-lane 1`, `houses tar-lane 3`.
"""

import re
import sys
from pathlib import Path

import pytest

from city_game.editions.classic import EDITION
from city_game.kernel import Illegal, apply, legal_actions
from city_game.kernel.board_file import load
from city_game.kernel.edition import fresh
from city_game.kernel.money import parse, write
from city_game.saves.notation import read

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BOARD = load(EDITION)
FILE = Path(__file__).parent / "vectors" / "classic.toml"
VECTORS = [
    pytest.param(vector, id=vector["rule"])
    for vector in tomllib.loads(FILE.read_text(encoding="utf-8"))["vector"]
]


def deed(key):
    return BOARD.keys[key]


def build(state, where, count):
    """Put houses there as if they had been bought; 5 is a hotel."""
    count = int(count)
    state.houses[deed(where)] = count
    state.bank[count == 5] -= 1 if count == 5 else count


GIVEN = {
    "cash": lambda s, p, notes: s.cash.__setitem__(int(p), parse(notes)),
    "owner": lambda s, d, p: s.transfer(deed(d), int(p)),
    "houses": build,
    "bank": lambda s, houses, hotels: s.bank.__setitem__(slice(2), [int(houses), int(hotels)]),
    "mortgage": lambda s, d, notes: s.mortgage.__setitem__(deed(d), parse(notes)),
    "place": lambda s, p, where: s.place.__setitem__(int(p), int(where)),
    "jailed": lambda s, p, tries: s.jailed.__setitem__(int(p), int(tries)),
    "thrown": lambda s, points: setattr(s, "thrown", int(points)),
    "phase": lambda s, *words: setattr(s, "phase", " ".join(words)),
    "doubles": lambda s, count: setattr(s, "doubles", int(count)),
}
THEN = {
    "cash": lambda s, p: write(s.cash[int(p)]),
    "owner": lambda s, d: str(s.owner[deed(d)]),
    "houses": lambda s, d: str(s.houses[deed(d)]),
    "bank": lambda s: " ".join(map(str, s.bank)),
    "mortgage": lambda s, d: write(s.mortgage[deed(d)]),
    "redemption": lambda s, d: write(EDITION.redemption(s, deed(d))),
    "rent": lambda s, d: write(EDITION.rent(s, deed(d))),
    "worth": lambda s, p: write(EDITION.worth(s, int(p))),
    "place": lambda s, p: str(s.place[int(p)]),
    "jailed": lambda s, p: str(s.jailed[int(p)]),
    "alive": lambda s, p: str(s.alive[int(p)]),
    "phase": lambda s: s.phase,
    "turn": lambda s: str(s.turn),
    "winners": lambda s: " ".join(map(str, s.winners)),
}


@pytest.mark.parametrize("vector", VECTORS)
def test_vector(vector):
    rules = EDITION.rules(**vector.get("rules", {}))
    state = fresh(BOARD, vector.get("players", 2), rules)
    state.phase, state.decider = "roll", 0
    for line in vector.get("given", ()):
        name, *words = line.split()
        GIVEN[name](state, *words)
    reason = ""
    for line in vector.get("do", ()):
        assert not reason, f"{line}: refused before it: {reason}"
        try:
            apply(state, read(line, BOARD))
        except Illegal as illegal:
            reason = str(illegal)
    assert reason == vector.get("refused", "")
    for line in vector.get("then", ()):
        name, *words = line.split()
        taken = THEN[name].__code__.co_argcount - 1
        assert THEN[name](state, *words[:taken]) == " ".join(words[taken:]), line


def test_every_vector_names_its_source():
    for param in VECTORS:
        source = param.values[0]["source"]
        assert source == "assumption" or re.match(r"(TC|F98) \d+", source), source


@pytest.mark.parametrize("rule", ["short_game", "deeds_are_dealt"])
def test_two_deeds_are_dealt_to_each_and_paid_for(rule):
    """TC 197, F98 373; in the game against the clock TC 221, F98 409."""
    state = fresh(BOARD, 3, EDITION.rules(**{rule: True}))
    for _ in range(6):
        assert state.phase == "dealing"
        apply(state, legal_actions(state)[0])
    assert state.phase == "start roll"
    for player in range(3):
        paid = sum(BOARD.prices[each] for each in state.owned[player])
        assert len(state.owned[player]) == 2 and state.cash[player] == BOARD.money.start - paid


def test_the_short_game_ends_with_the_second_bankruptcy():
    """TC 203, F98 387."""
    state = fresh(BOARD, 4, EDITION.rules(short_game=True))
    state.alive[3] = False
    assert not EDITION.is_over(state)
    state.alive[2] = False
    assert EDITION.is_over(state)
