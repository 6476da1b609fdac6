"""Every edition, and a toy of one: played by bots, drawn, saved, resumed, told to telephones."""

import json
import random
import subprocess
import sys
import zipfile
from dataclasses import fields
from pathlib import Path

import pygame
import pytest

from city_game import cli, editions
from city_game.game import Game, Setup
from city_game.kernel import legal_actions
from city_game.kernel.board_file import load
from city_game.kernel.edition import Edition
from city_game.report.words import in_words
from city_game.saves import save, steps_file
from city_game.simulate import headless
from city_game.table.board import twelve_sided_die
from city_game.table.cards import card_does
from city_game.table.session import Session
from city_unit import host
from city_unit.desktop.errors import UserError
from tests.city_game.editions import toy
from tests.helpers.virtual_table import VirtualUnit, draw, make_screen
from tests.helpers.walks import tell_all

NAMES = ("Ada", "Ben", "Cleo")
OURS = [*editions.names(), "toy"]


@pytest.fixture(params=OURS)
def edition(request, monkeypatch):
    monkeypatch.setitem(editions.KNOWN, "toy", toy.EDITION)
    return editions.get(request.param)


def random_steps(game, seed, steps=300):
    """Yield after each of some random legal steps, then until the end after the hour."""
    rng = random.Random(seed)
    for step in range(steps * 20):
        if game.state.phase == "over":
            return
        if step == steps:
            game.do(("hour ended", 3600000))
        else:
            action = rng.choice(legal_actions(game.state))
            if action[0] == "bid":
                action = (*action[:2], min(action[2] + 20, game.state.cash[action[1]]), *action[3:])
            game.do(action)
        yield game.state
    raise AssertionError("the game did not end")


def new_game(edition, seats=("builder",) * 3, seed=1, **rules):
    board = load(edition)
    return Game(Setup(board, NAMES[: len(seats)], seats, edition.rules(**rules), seed))


def test_bots_play_it_to_its_end_and_all_of_it_has_words(edition):
    for seed in range(4):
        state = headless.play(load(edition), ("planner", "builder", "visitor"), seed).state
        assert state.winners and min(state.cash) >= 0
        assert all(in_words(event, state.board, NAMES) for event in state.events)


def test_random_play_keeps_what_must_hold(edition):
    for seed in range(4):
        game = new_game(edition, seed=seed)
        for state in random_steps(game, seed):
            assert min(state.cash) >= 0
            for deed, owner in enumerate(state.owner):
                assert owner == -1 or state.alive[owner]
                assert [deed in state.owned[each] for each in range(3)] == [
                    owner == each for each in range(3)
                ]
            if hasattr(state, "houses"):  # 5 of them are a hotel
                hotels = state.houses.count(5)
                printed = state.board.pieces
                assert state.bank[0] + sum(state.houses) - 5 * hotels == printed.houses
                assert state.bank[1] + hotels == printed.hotels
            held = [card for cards in state.jail_cards for card in cards]
            assert sorted(state.unseen + state.pile + held) == list(range(len(state.board.cards)))


def test_random_play_is_drawn_and_told_to_telephones(edition):
    game = new_game(edition, ("human", "human", "builder"))
    memory = host.Memory(program=edition.program)
    screen = make_screen(Session(game, VirtualUnit(memory)))
    seen = set()
    for state in random_steps(game, 7, 200):
        is_new = state.phase not in seen
        if not is_new and len(game.actions) % 25:
            continue
        seen.add(state.phase)
        screen.session.news.clear()
        screen.update()
        for deed in (*(range(0, len(state.owner), 5) if is_new else ()), -1):
            screen.lookups.deed = deed
            draw(screen)
        json.dumps(tell_all(screen.session))


def test_each_card_can_be_drawn(edition):
    board = load(edition)
    for place, card in enumerate(board.cards):
        assert card_does(board, place) and card.text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["city", "classic", "anti-monopoly"])
def test_an_evening_of_bots_is_drawn_to_its_end(name):
    edition = editions.get(name)
    game = new_game(edition, ("planner", "builder", "visitor"), seed=17)
    memory = host.Memory(seed=17, program=edition.program)
    screen = make_screen(Session(game, VirtualUnit(memory, 200)))
    for frame in range(40_000):
        screen.update()
        if not frame % 200:
            draw(screen)
        if game.state.phase == "over":
            break
    draw(screen)
    assert game.state.phase == "over"


def test_it_is_saved_and_resumed(edition, tmp_path):
    path = tmp_path / "game.city"
    kept = save.create(path, new_game(edition))
    for step, _state in enumerate(random_steps(kept.game, 3)):
        kept.append(kept.game.actions[-1])
        if step == 120:
            break
    kept.close()
    resumed, repaired = save.load(path)
    resumed.close()
    assert not repaired
    assert resumed.game.setup.edition is edition
    assert resumed.game.state.events == kept.game.state.events


def beats_random(edition, games, seed=0):
    """Return the share of two-player games that a planner wins against random play."""
    wins = 0.0
    for game in range(games):
        seats = ("random", "planner") if game % 2 else ("planner", "random")
        winners = headless.play(load(edition), seats, seed + game).state.winners
        wins += (game % 2 in winners) / len(winners)
    return wins / games


def test_the_best_bot_beats_random_play(edition):
    usual = {each.name: each.default for each in fields(Edition)}
    thinks = edition.prospect is not usual["prospect"] or edition.minds is not usual["minds"]
    assert beats_random(edition, 12) >= (0.75 if thinks else 0)  # otherwise it is luck alone


@pytest.mark.slow
@pytest.mark.parametrize("name", editions.names())
def test_the_best_bot_beats_random_play_in_38_of_40_games(name):
    assert beats_random(editions.get(name), 40, seed=90000) >= 0.95


def test_a_save_of_an_edition_that_is_not_here_says_so(monkeypatch, tmp_path):
    monkeypatch.setitem(editions.KNOWN, "toy", toy.EDITION)
    save.create(tmp_path / "toy.city", new_game(toy.EDITION)).close()
    monkeypatch.delitem(editions.KNOWN, "toy")
    with pytest.raises(UserError, match='a game of the edition "toy", which is not here'):
        save.look(tmp_path / "toy.city")


def test_a_save_goes_on_that_states_a_rule_which_did_nothing_there(tmp_path):
    game = new_game(editions.get("classic"))
    lines = save._header(game.setup)  # noqa: SLF001
    lines[1:1] = ["rule estate_keeps_buildings no"]
    steps_file.begin(tmp_path / "old.city", lines).close()
    assert save.look(tmp_path / "old.city").setup.rules == game.setup.rules
    lines[1] = "rule nonsense no"
    steps_file.begin(tmp_path / "odd.city", lines).close()
    with pytest.raises(UserError, match="nonsense"):
        save.look(tmp_path / "odd.city")


@pytest.mark.parametrize("name, absent", [
    ("classic", "estate_keeps_buildings"),
    ("championship", "estate_keeps_buildings fine_ends_turn"),
    ("anti-monopoly", "estate_keeps_buildings fine_ends_turn jail_double_rolls_again sales_go_on"),
])  # fmt: skip
def test_no_switch_is_listed_that_does_nothing(name, absent):
    assert not {each.name for each in editions.get(name).switches} & {*absent.split()}


def test_a_board_of_another_edition_says_so(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    assert cli.main(["board", "template", str(path), "--edition", "classic"]) == 0
    assert cli.main(["board", "check", str(path)]) == 0
    assert cli.main(["simulate", "--board", str(path)]) == 2
    err = capsys.readouterr().err
    assert 'it is a board of the edition "classic", and this is "city"' in err
    path.write_text(path.read_text(encoding="utf-8").replace('edition = "classic"\n', ""), "utf-8")
    assert cli.main(["simulate", "--edition", "classic", "--board", str(path)]) == 2
    assert "it names no edition" in capsys.readouterr().err


def test_an_edition_that_is_not_there_names_the_nearest(capsys):
    assert cli.main(["simulate", "--edition", "clasic"]) == 2
    assert 'there is no edition "clasic", did you mean "classic"?' in capsys.readouterr().err


def test_twelve_sided_dice_are_thrown_where_the_book_has_them():
    """F98 57."""
    state = headless.play(load(editions.get("france98")), ("builder", "builder"), 3).state
    thrown = [face for event in state.events if event[0] == "rolled" for face in event[2:]]
    assert max(thrown) == 12 and min(thrown) == 1


def test_editions_are_found_where_no_file_of_theirs_lies(tmp_path):
    """As in the window without Python, whose modules lie in an archive."""
    root = Path(__file__).parents[3]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in (
            path for room in ("city_game", "city_unit") for path in root.glob(f"{room}/**/*.py")
        ):
            archive.write(path, path.relative_to(root))
    program = "from city_game import editions; print(*editions.names())"
    away = f"import sys; sys.path = [{str(tmp_path / 'all.zip')!r}, *sys.path[1:]]; {program}"
    done = subprocess.run(
        [sys.executable, "-c", away], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.split() == editions.names(), done.stderr


def test_twelve_sided_dice_look_like_it():
    """Each face has another picture, of a body that leaves the corners of its square free."""
    pygame.font.init()
    sprites = [twelve_sided_die(60, face) for face in range(1, 13)]
    assert len({pygame.image.tobytes(sprite, "RGBA") for sprite in sprites}) == 12
    for sprite in sprites:
        assert sprite.get_at((2, 2)).a == sprite.get_at((57, 57)).a == 0
        assert sprite.get_at((30, 2)).a and sprite.get_at((30, 57)).a


def test_the_sale_of_a_last_house_is_told_and_drawn():
    """F98 296: as a deed's is, under its own name."""
    edition = editions.get("classic")
    game = new_game(edition, ("human", "human", "builder"))
    state, keys = game.state, game.state.board.keys
    owners = {0: ("fern-walk", "cedar-walk", "magnolia-crescent"), 1: ("tar-lane", "net-street")}
    for player, names in owners.items():
        for name in names:
            state.transfer(keys[name], player)
    state.phase, state.decider, state.bank[0] = "manage", 0, 1
    screen = make_screen(Session(game, VirtualUnit(host.Memory(program=edition.program))))
    for action in (
        ("build", keys["fern-walk"]),
        ("light on", 0),
        ("bid", 1, 300, 5, 0),
        ("light out", 9),
    ):
        game.do(action)
        screen.session.news.clear()
        screen.update()  # which settles the sale at last
        draw(screen)
        assert "One of the last houses" in json.dumps(tell_all(screen.session))
    assert state.phase == "placing" and state.decider == 1
    said = [in_words(event, state.board, NAMES) for event in state.events]
    assert sum("One of the last houses" in sentence for sentence in said) == 4
    draw(screen)
