"""The rules, vector by vector: each file in vectors/ is about one subject.

A vector says which rule it shows, where the rule is from, the facts `given`, the steps that
players `do`, and the facts `then`. Facts are lines, the same for given and
then: `cash 0 10M`, `owner crane-basin 1`, `blocks crane-basin residential 4`.
"""

from pathlib import Path

import pytest

from city_game.editions.city import EDITION
from city_game.editions.city.pieces import rent, stand, worth
from city_game.kernel import State
from city_game.kernel.board_file import load
from city_game.kernel.edition import fresh
from city_game.kernel.money import parse, write
from city_game.kernel.sales import is_decided
from tests.city_game.vector_files import reason_after, vectors

BOARD = load(EDITION, str(Path(__file__).parents[1] / "board.toml"))
VECTORS = vectors(Path(__file__).parent / "vectors")


def deed(key: str) -> int:
    return BOARD.keys[key]


def group(key: str) -> int:
    return BOARD.group_of[deed(key)]


def space(word: str) -> int:
    return BOARD.space_of[deed(word)] if word in BOARD.keys else int(word)


# fact: (how to make it so, how to read it), each given the words after its name but the last.
GIVEN = {
    "cash": lambda s, p, sum: s.cash.__setitem__(int(p), parse(sum)),
    "owner": lambda s, d, p: s.transfer(deed(d), int(p)),
    "blocks": lambda s, d, kind, n: stand(s, kind, deed(d), int(n)),
    "hazard": lambda s, d, kind: put_hazard(s, d, kind.replace("-", " ")),
    "bonus": lambda s, d, kind: put_bonus(s, d, kind.replace("-", " ")),
    "mortgage": lambda s, d, sum: s.mortgage.__setitem__(deed(d), parse(sum)),
    "station": lambda s, d: put_station(s, d),
    "stadium": lambda s, d: s.stadium.__setitem__(group(d), deed(d)),
    "skyscraper": lambda s, d: s.skyscraper.__setitem__(group(d), deed(d)),
    "tower": lambda s, d: setattr(s, "tower", deed(d)),
    "place": lambda s, p, where: s.place.__setitem__(int(p), space(where)),
    "jailed": lambda s, p, tries: s.jailed.__setitem__(int(p), int(tries)),
    "jail-card": lambda s, p, card: hold_card(s, int(p), int(card)),
    "dodge": lambda s, p: setattr(s, "dodge", int(p)),
    "doubles": lambda s, n: setattr(s, "doubles", int(n)),
    "phase": lambda s, *words: setattr(s, "phase", " ".join(words)),
    "permit": lambda s, n: setattr(s, "permit", int(n)),
    "box-stations": lambda s, n: setattr(s, "box_stations", int(n)),
    "box-blocks": lambda s, kind, *n: s.box_blocks.__setitem__(kind, [int(count) for count in n]),
    "seen": lambda s, *cards: see(s, [int(card) for card in cards]),
}

THEN = {
    "cash": lambda s, p: write(s.cash[int(p)]),
    "owner": lambda s, d: str(s.owner[deed(d)]),
    "blocks": lambda s, d, kind: str(s.blocks[kind][deed(d)]),
    "hazard": lambda s, d: s.hazard[deed(d)].replace(" ", "-") or "none",
    "bonus": lambda s, d: s.bonus[deed(d)].replace(" ", "-") or "none",
    "mortgage": lambda s, d: write(s.mortgage[deed(d)]),
    "station": lambda s, d: str(s.station[deed(d)]),
    "stadium": lambda s, d: str(s.stadium[group(d)] == deed(d)),
    "skyscraper": lambda s, d: str(s.skyscraper[group(d)] == deed(d)),
    "tower": lambda s, d: str(s.tower == deed(d)),
    "place": lambda s, p: str(s.place[int(p)]),
    "at": lambda s, p: BOARD.deeds[BOARD.deed_on[s.place[int(p)]]].key,
    "jailed": lambda s, p: str(s.jailed[int(p)]),
    "jail-cards": lambda s, p: str(len(s.jail_cards[int(p)])),
    "dodge": lambda s: str(s.dodge),
    "phase": lambda s: s.phase,
    "decider": lambda s: str(s.decider),
    "turn": lambda s: str(s.turn),
    "alive": lambda s, p: str(s.alive[int(p)]),
    "rent": lambda s, d: write(rent(s, deed(d))),
    "worth": lambda s, p: write(worth(s, int(p))),
    "winners": lambda s: " ".join(str(winner) for winner in s.winners),
    "box-blocks": lambda s, kind: " ".join(map(str, s.box_blocks[kind])),
    "under-the-pile": lambda s: str(s.pile[-1]),
    "permit": lambda s: str(s.permit),
    "decided": lambda s: str(is_decided(s)),
    "told": lambda s, *words: str(" ".join(words) in [event[0] for event in s.events]),
}


def put_hazard(state: State, where: str, kind: str) -> None:
    state.hazard[deed(where)] = kind
    state.box_hazards[kind] -= 1


def put_bonus(state: State, where: str, kind: str) -> None:
    state.bonus[deed(where)] = kind
    state.box_bonuses[kind] -= 1


def put_station(state: State, where: str) -> None:
    state.station[deed(where)] = True
    state.box_stations -= 1


def hold_card(state: State, player: int, card: int) -> None:
    state.unseen.remove(card)
    state.jail_cards[player].append(card)


def see(state: State, cards: list[int]) -> None:
    state.pile = cards
    state.unseen = []


def start(vector: dict) -> State:
    state = fresh(BOARD, vector.get("players", 2), EDITION.rules(**vector.get("house_rules", {})))
    state.phase = "roll"
    state.decider = 0
    for line in vector.get("given", ()):
        name, *words = line.split()
        GIVEN[name](state, *words)
    return state


@pytest.mark.parametrize("subject", VECTORS)
def test_vectors(subject):
    for vector in VECTORS[subject]:
        rule, state = vector["rule"], start(vector)
        reason = reason_after(vector, state)
        assert reason == vector.get("refused", ""), rule
        assert vector.get("then") or reason, rule
        for line in vector.get("then", ()):
            name, _, rest = line.partition(" ")
            taken = THEN[name].__code__.co_argcount - 1
            if name == "told":
                *words, expected = rest.split()
            else:
                parts = rest.split(" ", taken)
                words, expected = parts[:taken], parts[taken]
            assert THEN[name](state, *words) == expected, f"{rule}: {line}"
        source = vector["source"]
        assert source == "assumption" or source.startswith("rulebook, "), rule
