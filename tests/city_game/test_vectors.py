"""The rules and the bots' choices as test vectors, in TOML files by subject.

A vector names the rule that it shows and its source. It lists the facts `given`, the actions to
`do`, and the resulting facts `then`, or the reason why the last action is `refused`. Facts have the
same form in both lists: `cash 0 10M`, `owner crane-basin 1`. A source is a book with a line (TC Top
Clubs, F98 France 98, CH championship, AM Anti-Monopoly), the rulebook of City, or our assumption.
"""

import re
from pathlib import Path

import pytest

from city_game import bots, editions, save
from city_game.editions.city.board import change_blocks
from city_game.kernel import Illegal, State, apply
from city_game.kernel.board import Board, load
from city_game.kernel.edition import fresh
from city_game.kernel.flow import standing
from city_game.kernel.money import parse, write
from city_game.kernel.sales import is_decided, least_bid
from city_game.kernel.state import Debt
from city_unit.desktop.toml_reader import read

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/vectors/*.toml"))
SOURCE = r"assumption|rulebook, .+|(TC|F98|CH|AM) \d+.*"
SIDES = ("competitor", "monopolist")


def board_of(file: Path) -> Board:
    """Return the board for a file; the kernel's vectors use one whose figures never change."""
    if file.parent.parent.name == "kernel":
        return load(editions.get("city"), str(HERE / "board.toml"))
    return load(editions.get(file.stem))


def deed(state: State, key: str) -> int:
    return state.board.keys[key]


def group(state: State, key: str) -> int:
    return state.board.group_of[deed(state, key)]


def space(state: State, word: str) -> int:
    return state.board.space_of[deed(state, word)] if word in state.board.keys else int(word)


def put(pieces: list[str], box: dict[str, int], where: int, kind: str) -> None:
    pieces[where] = kind
    box[kind] -= 1


def put_station(state: State, where: str) -> None:
    state.station[deed(state, where)] = True
    state.box_stations -= 1


def put_houses(state: State, where: str, count: int) -> None:
    """Put houses, or a hotel (5), on a street, as if they had been bought."""
    state.houses[deed(state, where)] = count
    state.bank[count == 5] -= 1 if count == 5 else count


def hold_card(state: State, player: int, card: int) -> None:
    state.unseen.remove(card)
    state.jail_cards[player].append(card)


def see(state: State, cards: list[int]) -> None:
    state.pile, state.unseen = cards, []


def owe(state: State, player: int, creditor: int, amount: int) -> None:
    state.debts.append(Debt(player, creditor, amount, "rent", -1))
    state.phase, state.decider = "debt", player


GIVEN = {
    "alive": lambda s, p, word: s.alive.__setitem__(int(p), word == "True"),
    "bank": lambda s, *houses_hotels: s.bank.__setitem__(slice(2), map(int, houses_hotels)),
    "blocks": lambda s, d, kind, n: change_blocks(s, kind, deed(s, d), int(n)),
    "bonus": lambda s, d, kind: put(s.bonus, s.box_bonuses, deed(s, d), kind.replace("-", " ")),
    "box-blocks": lambda s, kind, *n: s.box_blocks.__setitem__(kind, [int(count) for count in n]),
    "box-stations": lambda s, n: setattr(s, "box_stations", int(n)),
    "cash": lambda s, p, notes: s.cash.__setitem__(int(p), parse(notes)),
    "debt": lambda s, p, to, notes: owe(s, int(p), int(to), parse(notes)),
    "dodge": lambda s, p: setattr(s, "dodge", int(p)),
    "doubles": lambda s, n: setattr(s, "doubles", int(n)),
    "effect": lambda s, name, n: s.edition.effects[name.replace("-", " ")](s, 0, int(n)),
    "hazard": lambda s, d, kind: put(s.hazard, s.box_hazards, deed(s, d), kind.replace("-", " ")),
    "houses": lambda s, d, n: put_houses(s, d, int(n)),
    "jail-card": lambda s, p, card: hold_card(s, int(p), int(card)),
    "jailed": lambda s, p, tries: s.jailed.__setitem__(int(p), int(tries)),
    "made-of": lambda s, kind, d, *n: s.made_of[kind].__setitem__(deed(s, d), (*map(int, n),)),
    "mortgage": lambda s, d, notes: s.mortgage.__setitem__(deed(s, d), parse(notes)),
    "owner": lambda s, d, p: s.transfer(deed(s, d), int(p)),
    "permit": lambda s, n: setattr(s, "permit", int(n)),
    "phase": lambda s, *words: setattr(s, "phase", " ".join(words)),
    "place": lambda s, p, where: s.place.__setitem__(int(p), space(s, where)),
    "playing": lambda s, yes: setattr(s, "playing", yes == "True"),
    "seen": lambda s, *cards: see(s, [int(card) for card in cards]),
    "side": lambda s, p, name: s.sides.__setitem__(int(p), SIDES.index(name)),
    "skyscraper": lambda s, d: s.skyscraper.__setitem__(group(s, d), deed(s, d)),
    "stadium": lambda s, d: s.stadium.__setitem__(group(s, d), deed(s, d)),
    "station": put_station,
    "thrown": lambda s, points: setattr(s, "thrown", int(points)),
    "tower": lambda s, d: setattr(s, "tower", deed(s, d)),
}


def chosen(state: State, question: str) -> str:
    """Return the decisions of bots of all strengths for player 0, as a line."""
    made = [bots.make(state.edition, strength, 0, 1) for strength in bots.STRENGTHS]
    choices = {save.line_of(getattr(bot, question)(state), state.board) for bot in made}
    return " or ".join(sorted(choices))


def places(state: State) -> str:
    return " ".join(f"{one.place}:{'+'.join(map(str, one.players))}" for one in standing(state))


# fact: returns its value in a state; its parameters are the first words of the line
THEN = {
    "alive": lambda s, p: s.alive[int(p)],
    "at": lambda s, p: s.board.deeds[s.board.deed_on[s.place[int(p)]]].key,
    "bank": lambda s: " ".join(map(str, s.bank)),
    "blocks": lambda s, d, kind: s.blocks[kind][deed(s, d)],
    "bonus": lambda s, d: s.bonus[deed(s, d)].replace(" ", "-") or "none",
    "bots": chosen,
    "box-blocks": lambda s, kind: " ".join(map(str, s.box_blocks[kind])),
    "cash": lambda s, p: write(s.cash[int(p)]),
    "decided": is_decided,
    "decider": lambda s: s.decider,
    "deck": lambda s: s.deck,
    "dodge": lambda s: s.dodge,
    "doubles": lambda s: s.doubles,
    "hazard": lambda s, d: s.hazard[deed(s, d)].replace(" ", "-") or "none",
    "houses": lambda s, d: s.houses[deed(s, d)],
    "jail-cards": lambda s, p: len(s.jail_cards[int(p)]),
    "jailed": lambda s, p: s.jailed[int(p)],
    "least": lambda s: write(least_bid(s)),
    "mortgage": lambda s, d: write(s.mortgage[deed(s, d)]),
    "order": lambda s: " ".join(map(str, s.order)),
    "owner": lambda s, d: s.owner[deed(s, d)],
    "permit": lambda s: s.permit,
    "phase": lambda s: s.phase,
    "place": lambda s, p: s.place[int(p)],
    "places": places,
    "redemption": lambda s, d: write(s.edition.redemption(s, deed(s, d))),
    "rent": lambda s, d: write(s.edition.rent(s, deed(s, d))),
    "side": lambda s, p: SIDES[s.sides[int(p)]],
    "skyscraper": lambda s, d: s.skyscraper[group(s, d)] == deed(s, d),
    "stadium": lambda s, d: s.stadium[group(s, d)] == deed(s, d),
    "station": lambda s, d: s.station[deed(s, d)],
    "tower": lambda s, d: s.tower == deed(s, d),
    "turn": lambda s: s.turn,
    "under-the-pile": lambda s: s.pile[-1],
    "winners": lambda s: " ".join(map(str, s.winners)),
    "worth": lambda s, p: write(s.edition.worth(s, int(p))),
}


def reason_after(vector: dict, state: State) -> str:
    """Apply the actions of a vector; return why the last was refused, "" if it was not."""
    reason = ""
    for line in vector.get("do", ()):
        assert not reason, f"{vector['rule']}: {line}: refused before it: {reason}"
        try:
            apply(state, save.action_of(line, state.board))
        except Illegal as illegal:
            reason = str(illegal)
    return reason


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.parent.name}-{file.stem}")
def test_vectors(file):
    board = board_of(file)
    for vector in read(file.read_text(encoding="utf-8"))[0]["vector"]:
        rule, rules = vector["rule"], board.edition.rules(**vector.get("rules", {}))
        state = fresh(board, vector.get("players", 2), rules)
        if not vector.get("from_its_beginning"):
            state.phase, state.decider = "roll", 0
        for line in vector.get("given", ()):
            name, *words = line.split()
            GIVEN[name](state, *words)
        reason = reason_after(vector, state)
        assert reason == vector.get("refused", ""), rule
        assert vector.get("then") or reason, rule
        for line in vector.get("then", ()):
            name, _, rest = line.partition(" ")
            if name == "event":
                assert rest in [event[0] for event in state.events], f"{rule}: {line}"
                continue
            taken = THEN[name].__code__.co_argcount - 1
            *words, expected = rest.split(" ", taken)
            assert str(THEN[name](state, *words)) == expected, f"{rule}: {line}"
        assert re.fullmatch(SOURCE, vector["source"]), rule
