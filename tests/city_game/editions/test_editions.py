"""Every edition, and a toy one: played by bots, drawn, saved, resumed, shown on telephones."""

import json
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from city_game import editions, headless, save
from city_game.game import Game, Setup
from city_game.kernel import legal_actions
from city_game.kernel.board import load
from city_game.kernel.money import show
from city_game.table.cards import card_does
from city_game.table.session import Session
from city_game.table.view import (
    BY_CHANCE,
    HINTS,
    NOBODY_DECIDES,
    TITLES,
    FirstGame,
    decide,
    target_detail,
)
from city_game.words import in_words
from city_unit import host
from city_unit.desktop.errors import UserError
from tests.city_game.editions import toy
from tests.city_game.play import random_steps
from tests.helpers.invariants import check
from tests.helpers.virtual_table import VirtualUnit, draw, make_screen
from tests.helpers.walks import tell_all

NAMES = ("Ada", "Ben", "Cleo")
OURS = [*editions.names(), "toy"]


@pytest.fixture(params=OURS)
def edition(request, monkeypatch):
    monkeypatch.setitem(editions.KNOWN, "toy", toy.EDITION)
    return editions.get(request.param)


def new_game(edition, seats=("builder",) * 3, seed=1, **rules):
    board = load(edition)
    return Game(Setup(board, NAMES[: len(seats)], seats, edition.rules(**rules), seed))


def deed_of(action):
    return action[2] if action[0] == "place" else action[1]


def test_bots_finish_games_and_every_event_has_a_sentence(edition):
    board, faces = load(edition), set()
    assert all(card_does(board, place) and card.text for place, card in enumerate(board.cards))
    for seed in range(3):
        state = headless.play(board, ("planner", "builder", "visitor"), seed).state
        assert state.winners and min(state.cash) >= 0
        assert all(in_words(event, board, NAMES) for event in state.events)
        faces |= {face for event in state.events if event[0] == "rolled" for face in event[2:]}
    assert faces == set(range(1, edition.sides + 1))


def test_each_phase_has_a_title(edition):
    """The championship lacked the titles of two classic phases, which stopped the table."""
    known = {*TITLES, *BY_CHANCE, *NOBODY_DECIDES, "hammer", "permit", *edition.words.titles}
    assert {*edition.phases} - known == set()


def test_random_games_keep_the_invariants_and_survive_a_save(edition, tmp_path):
    for seed in range(3):
        game = new_game(edition, seed=seed)
        for state in random_steps(game, random.Random(seed), 300):
            check(state)
        save.create(tmp_path / f"{seed}.city", game).close()
        resumed = save.look(tmp_path / f"{seed}.city")
        assert resumed.setup.edition is edition and resumed.actions == game.actions
        assert resumed.state.events == game.state.events


def test_the_rent_after_building_is_announced_before_it(edition):
    """In random games, for each block, house, hazard and bonus."""
    for seed in range(3):
        game, told = new_game(edition, seed=seed), {}
        for state in random_steps(game, random.Random(seed), 600):
            done = game.actions[-1]
            if done in told and state.phase != "hammer":  # else the last house is auctioned
                before, said = told[done]
                after = show(edition.rent(state, deed_of(done)))
                words = f"the rent goes from {before} to {after}"
                if done[0] == "place":
                    words = f"the rent stays {before}" if before == after else words
                    words = (
                        words if done[1] in state.box_hazards else "keeps hazards away from here"
                    )
                assert said.endswith(words), done
            told = {
                action: (show(edition.rent(state, deed_of(action))), target_detail(state, action))
                for action in legal_actions(state)
                if action[0] in ("build", "place")
            }


def test_france_98_refuses_stands_and_stadiums():
    words = editions.get("france98").words
    refusals = [part for refusal in words.refusals.values() for part in refusal[:2]]
    texts = map(str, (*refusals, *words.details.values(), *words.lots.values()))
    assert [text for text in texts if re.search(r"[Hh]otel|[Hh]ouses?\b(?! rule)", text)] == []


def test_titles_and_hints_are_those_of_the_edition():
    """Competitors read "end the turn" where they could build, and of auctions that they lack."""
    game = new_game(editions.get("anti-monopoly"), ("human", "human"))
    state, screen = game.state, make_screen(Session(game, VirtualUnit(host.Memory(seed=1))))
    state.sides, state.phase, state.decider = [0, 1], "manage", 0
    state.transfer(0, 0)
    title = decide(screen.session.table()).title
    assert title == TITLES["manage"].format(name="Ada")
    state.phase = "unsold"
    assert FirstGame(True).hint(state, True) not in ("", str(HINTS["unsold"]))


@pytest.mark.parametrize(("cash", "paid"), [(300, "Pay the share"), (9000, "Pay the sum")])
def test_enter_pays_the_lower_income_tax(cash, paid):
    game = new_game(editions.get("anti-monopoly"), ("human", "human"))
    state, screen = game.state, make_screen(Session(game, VirtualUnit(host.Memory(seed=1))))
    state.sides, state.phase, state.decider, state.cash[0] = [0, 1], "income tax", 0, cash
    state.place[0] = state.board.kinds.index("tax")
    assert decide(screen.session.table()).options[0].label.startswith(paid)


def test_a_save_of_a_missing_edition_is_refused(monkeypatch, tmp_path):
    monkeypatch.setitem(editions.KNOWN, "toy", toy.EDITION)
    save.create(tmp_path / "toy.city", new_game(toy.EDITION)).close()
    monkeypatch.delitem(editions.KNOWN, "toy")
    with pytest.raises(UserError, match='a game of the edition "toy", which is not installed'):
        save.look(tmp_path / "toy.city")


def test_editions_are_found_in_an_archive(tmp_path):
    """The window without Python has its modules in an archive."""
    root = Path(__file__).parents[3]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in (*root.glob("city_game/**/*.py"), *root.glob("city_unit/**/*.py")):
            archive.write(path, path.relative_to(root))
    program = "from city_game import editions; print(*editions.names())"
    away = f"import sys; sys.path = [{str(tmp_path / 'all.zip')!r}, *sys.path[1:]]; {program}"
    command = [sys.executable, "-c", away]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stdout.split() == editions.names(), done.stderr


def test_the_sale_of_a_last_house_is_shown_and_drawn():
    """F98 296. It works like the sale of a deed, under its own name."""
    edition = editions.get("classic")
    game = new_game(edition, ("human", "human", "builder"))
    state, keys = game.state, game.state.board.keys
    owners = {0: ("fern-walk", "cedar-walk", "magnolia-crescent"), 1: ("tar-lane", "net-street")}
    for player, names in owners.items():
        for name in names:
            state.transfer(keys[name], player)
    state.phase, state.decider, state.bank[0] = "manage", 0, 1
    screen = make_screen(Session(game, VirtualUnit(host.Memory(program=edition.program))))
    sale = (("light on", 0), ("bid", 1, 300, 5, 0), ("light out", 9))
    for action in (("build", keys["fern-walk"]), *sale):
        game.do(action)
        screen.session.news.clear()
        screen.update()  # which finally settles the sale
        draw(screen)
        assert "One of the last houses" in json.dumps(tell_all(screen.session))
    assert state.phase == "placing" and state.decider == 1
    said = [in_words(event, state.board, NAMES) for event in state.events]
    assert sum("One of the last houses" in sentence for sentence in said) == 4
    draw(screen)
