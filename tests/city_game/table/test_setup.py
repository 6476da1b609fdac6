"""Before a game: seats, bid keys, house rules and saved games, by keyboard and by mouse."""

import os
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from city_game import editions
from city_game.editions.city import EDITION
from city_game.editions.city.words import SWITCHES
from city_game.game import HUMAN, Game, Setup
from city_game.kernel.board_file import load
from city_game.kernel.edition import Source
from city_game.report.reasons import books
from city_game.saves import save
from city_game.saves.saved_games import SavedGame, describe, latest_to_go_on, saves
from city_game.table import setup_picture
from city_game.table.drawing import Pen
from city_game.table.setup import BUTTONS, COMMANDS, EMPTY, LONGEST_NAME, SetupScreen
from city_game.table.view import BID_KEYS
from tests.city_game.editions import toy
from tests.city_game.play import BOARD, random_game
from tests.helpers.virtual_table import SIZE

LATEST = SavedGame(Path("yesterday.city"), ("Ann", "Bob"), 11)


@pytest.fixture(autouse=True)
def letters():
    pygame.font.init()


def draw(setup):
    """Draw the first screen, all of which can be clicked."""
    setup.spots = setup_picture.paint_setup(pygame.Surface(SIZE), setup)
    known = {*COMMANDS, "leave", "rule", "game"}
    assert {spot.command.name for spot in setup.spots} <= known


def key(setup, key, letter=""):
    """Press a key; its letter comes as text as well, as from SDL."""
    setup.handle(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letter))
    if letter:
        enter(setup, letter)
    draw(setup)


def enter(setup, text):
    """Have a text typed, as by an input method: no key comes with it."""
    setup.handle(pygame.event.Event(pygame.TEXTINPUT, text=text))


def click(setup, name):
    draw(setup)
    box = next(box for box, found, _ in setup.spots if found.startswith(name))
    setup.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=box.middle))
    draw(setup)


def press_button(setup, start):
    """Go to a button with the arrows and press Enter."""
    setup.place = [BUTTONS, 0]
    for _ in range(9):
        if setup.buttons()[setup.place[1]][0].startswith(start):
            key(setup, pygame.K_RETURN)
            return
        key(setup, pygame.K_RIGHT)
    raise AssertionError(f"there is no button {start}")


def test_seats_by_keys():
    setup = SetupScreen()
    setup.place = [3, 0]
    key(setup, pygame.K_RIGHT)
    key(setup, pygame.K_TAB)
    for _ in range(9):
        key(setup, pygame.K_BACKSPACE)
    for letter in "Zoë":
        key(setup, ord("z"), letter)
    key(setup, pygame.K_TAB)
    key(setup, pygame.K_f, "f")
    assert setup.message == "{key} was the key of {name}, who bids with {other} now".format(
        key="F", name="Ann", other="N"
    )
    press_button(setup, "Begin the game")
    names, kinds, keys = setup.seats()
    assert setup.is_done and not setup.resumed
    assert names == ("Ann", "Bob", "Cleo", "Zoë")
    assert kinds == ("human", "builder", "planner", "human")
    assert keys[-1] == "f" and len(set(keys)) == 4


@pytest.mark.parametrize(
    ("texts_entered", "name"),
    [
        (("é", "è", "à", "ç"), "éèàç"),
        (("A", "ïcha "), "Aïcha "),
        (("李", "小龙"), "李小龙"),
        (("a\tb\n\x7f\u200b",), "ab"),
        (("", "Zoé"), "Zoé"),
        (("Ann", "-Sophie Éléonore"), "Ann-Sophie Élé"),
    ],
)
def test_a_name_is_what_is_entered_as_text(texts_entered, name):
    setup = SetupScreen()
    setup.names[0] = ""
    setup.place = [0, 1]
    for text in texts_entered:
        enter(setup, text)
    assert setup.names[0] == name
    cut = len("".join(texts_entered)) > LONGEST_NAME
    assert setup.message == (f"A name has {LONGEST_NAME} letters at most." if cut else "")
    draw(setup)


def test_who_is_named_in_an_empty_seat_sits_there_and_a_proposed_name_gives_way():
    setup = SetupScreen()
    for row, name in ((0, "Mamie"), (3, "Zoé")):
        click(setup, f"name {row}")
        for letter in name:
            enter(setup, letter)
    assert setup.seats()[0] == ("Mamie", "Bob", "Cleo", "Zoé")
    assert setup.seats()[1][3] == HUMAN
    click(setup, "name 0")  # a name of one's own is gone on with
    enter(setup, "!")
    click(setup, "name 1")
    key(setup, pygame.K_BACKSPACE)
    enter(setup, "y")
    assert setup.names[:2] == ["Mamie!", "Boy"]


def test_a_name_is_pasted(monkeypatch):
    setup = SetupScreen()
    setup.names[0] = "Zoé "
    setup.place = [0, 1]
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: "🎲\n")
    setup.handle(
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_v, unicode="\x16", mod=pygame.KMOD_LCTRL)
    )
    assert setup.names[0] == "Zoé 🎲"
    draw(setup)


@pytest.mark.parametrize("place", [[0, 0], [0, 2], [BUTTONS, 0]])
def test_text_is_for_names_only(place):
    setup = SetupScreen()
    before = (list(setup.names), list(setup.keys))
    setup.place = place
    enter(setup, "é")
    setup.place = [0, 1]
    setup.show_rules()
    enter(setup, "é")
    assert (setup.names, setup.keys) == before


def test_by_mouse_and_two_at_least():
    setup = SetupScreen(LATEST)
    for row in (1, 2):
        while setup.kinds[row] != "empty":
            click(setup, f"kind {row}")
    click(setup, "Begin the game")
    assert not setup.is_done and setup.message == "Two players at least, please."
    click(setup, "Go on: Ann and Bob, turn 12")
    assert setup.is_done and setup.resumed == LATEST


@pytest.mark.parametrize("by", ["keys", "mouse"])
def test_each_house_rule_is_switched_on_and_off(by):
    setup = SetupScreen(LATEST)

    def switch(rule):
        if by == "mouse":
            click(setup, f"rule {rule.name}")
        else:
            key(setup, pygame.K_SPACE)

    if by == "mouse":
        click(setup, "House rules")
    else:
        press_button(setup, "House rules")
    for rule in SWITCHES:
        switch(rule)
        assert setup.rules.changed() == {rule.name: not rule.default}
        switch(rule)
        assert setup.rules.changed() == {}
        key(setup, pygame.K_DOWN)
    switch(SWITCHES[0])  # the last one is followed by the first
    if by == "mouse":
        click(setup, "Back")
    else:
        key(setup, pygame.K_ESCAPE)
    assert setup.page is None and not setup.is_done
    assert any(label.endswith("1 changed") for label, _ in setup.buttons())


def test_the_next_game_proposes_edition_seats_keys_and_rules_of_the_last():
    setup = SetupScreen()
    rules = EDITION.rules(reshuffle=True)
    seats = ("human", "planner", "human")
    setup.take(Setup(BOARD, ("Kim", "Lou", "Mo"), seats, rules, 1), "vqf")
    assert setup.seats() == (("Kim", "Lou", "Mo"), seats, "vqf")
    assert setup.rules.changed() == {"reshuffle": True}
    assert sorted(setup.keys) == sorted(set(setup.keys))
    setup.take(Setup(BOARD, ("Kim", "Lou"), ("human", "human"), EDITION.rules(), 1), BID_KEYS)
    assert setup.seats()[2] == BID_KEYS[:2] and sorted(setup.keys) == sorted(BID_KEYS)
    rules = toy.EDITION.rules(reshuffle=True)
    setup.take(Setup(load(toy.EDITION), ("Kim", "Lou"), ("human", "human"), rules, 1), "vq")
    assert setup.edition is toy.EDITION and setup.rules == rules


def test_enter_in_a_seat_goes_on_to_the_next_field():
    setup = SetupScreen()
    setup.place = [5, 0]
    for place in ([5, 1], [5, 2], [BUTTONS, 0]):
        key(setup, pygame.K_RETURN, "\r")
        assert setup.place == place and not setup.is_done
    key(setup, pygame.K_RETURN, "\r")
    assert setup.is_done


def test_a_taken_key_is_swapped_and_one_of_the_unit_refused():
    setup = SetupScreen()
    setup.place = [2, 2]
    for row, said in ((1, False), (0, True)):  # a bot's, a person's
        wanted, had = setup.keys[row], setup.keys[2]
        key(setup, ord(wanted), wanted)
        assert (setup.keys[2], setup.keys[row]) == (wanted, had)
        assert bool(setup.message) == said
        key(setup, ord(wanted), wanted)
        assert setup.keys[2] == wanted and not setup.message
    for letter in "ab":
        key(setup, ord(letter), letter)
        assert setup.keys[2] == wanted and letter.upper() in setup.message


def test_two_of_one_name_are_refused():
    setup = SetupScreen()
    setup.names[1] = " Ann"
    press_button(setup, "Begin the game")
    assert (
        not setup.is_done
        and setup.message
        == "Two players are called {name}; call one of them otherwise".format(name="Ann")
    )
    setup.kinds[0] = EMPTY
    setup.kinds[3] = HUMAN
    press_button(setup, "Begin the game")
    assert setup.is_done


def test_a_long_trouble_is_told_in_whole(monkeypatch):
    """Why something cannot be opened has a path in it, and is as long as that."""
    told = []
    monkeypatch.setattr(Pen, "write_lines", lambda _, lines, *at, **how: told.extend(lines))
    setup = SetupScreen()
    why = "cannot open " + "a-folder/" * 20 + "half.city: " + "it is not a save " * 4
    setup.stay(why)
    draw(setup)
    assert "".join(why.split()) in "".join("".join(told).split())


# Saved games.


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with an unfinished game, a finished one after it, and rubbish."""
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    done = random_game(4, 60)
    half = Game(done.setup, done.actions[:30])
    for number, (name, game) in enumerate((("half", half), ("done", done))):
        path = tmp_path / f"{name}.city"
        save.create(path, game).close()
        set_time(path, number)
    (tmp_path / "rubbish.city").write_text("rubbish")
    set_time(tmp_path / "rubbish.city", 2)
    return tmp_path


def set_time(path, number):
    os.utime(path, (1000 + number, 1000 + number))


def test_what_is_saved_is_described(folder):
    done, half, rubbish = (
        describe(folder / f"{name}.city") for name in ("done", "half", "rubbish")
    )
    assert done.winners and not done.can_go_on
    assert half.can_go_on and half.names == done.names and half.turns < done.turns
    assert "is not a save" in rubbish.trouble and not rubbish.can_go_on
    assert [path.stem for path in saves()] == ["rubbish", "done", "half"]
    assert latest_to_go_on() == half


@pytest.mark.parametrize("by", ["keys", "mouse"])
def test_any_saved_game_that_can_be_read_is_chosen(folder, by):
    setup = SetupScreen(latest_to_go_on(), saves())
    press_button(setup, "Saved games")
    if by == "mouse":
        click(setup, "game 0")
        assert not setup.is_done and "is not a save" in setup.page.said
        click(setup, "game 1")
    else:
        key(setup, pygame.K_RETURN)
        assert not setup.is_done and "is not a save" in setup.page.said
        key(setup, pygame.K_DOWN)
        assert not setup.page.said
        key(setup, pygame.K_RETURN)
    assert setup.is_done and setup.resumed.path.stem == "done"


def test_more_saved_games_than_fit_can_be_reached(folder):
    for number in range(20):
        (folder / f"more-{number}.city").write_text("rubbish")
    setup = SetupScreen(None, saves())
    setup.show_games()
    key(setup, pygame.K_UP)
    assert setup.page.here == len(saves()) - 1
    shown = [name for _, name, _ in setup.spots if name.startswith("game")]
    assert f"game {setup.page.here}" in shown and len(shown) == 8


def test_the_hours_go_round_and_until_one_is_left_follows_the_longest():
    """Nobody is out of a short hour, unless that is switched afterwards; the book's first way to
    play ends nothing by the unit's hour."""
    setup = SetupScreen(LATEST)
    offered = []
    for _ in range(6):
        rules = setup.rules
        offered.append((setup.minutes, rules.until_one_is_left, rules.nobody_is_out))
        if rules.until_one_is_left:
            assert "Play until one is left" in [label for label, _ in setup.buttons()]
        setup.change_hour()
    assert offered == [
        (60, False, False), (90, False, False), (120, False, False), (120, True, False),
        (0, False, False), (30, False, True),
    ]  # fmt: skip
    setup.rules.until_one_is_left = True
    click(setup, "A half-hour game")
    assert setup.is_done and setup.resumed is None and setup.minutes == 30
    assert setup.rules.changed() == {"nobody_is_out": True}


# Editions.


@pytest.fixture
def toy_too(monkeypatch):
    """Have the toy of the tests among the editions: all of them are found, none is known."""
    monkeypatch.setitem(editions.KNOWN, "toy", toy.EDITION)


@pytest.mark.parametrize("by", ["keys", "mouse"])
def test_each_edition_is_chosen_and_its_books_are_read(by, toy_too, monkeypatch):
    told = []
    monkeypatch.setattr(Pen, "write_lines", lambda _, lines, *at, **how: told.extend(lines))
    setup = SetupScreen(LATEST)
    for name in (*editions.names()[1:], editions.USUAL):
        told.clear()
        if by == "mouse":
            click(setup, "Edition: ")
        else:
            press_button(setup, "Edition: ")
        assert setup.edition.name == name and setup.rules.switches == setup.edition.switches
        assert f"Edition: {setup.edition.title}" in dict(setup.buttons())
        assert all(str(source.book) in " ".join(told) for source in setup.edition.sources)


def test_what_is_not_known_of_a_book_is_said():
    source = Source("the book of the toy", "Its end is missing.")
    setup = SetupScreen(edition=replace(toy.EDITION, sources=(source,)))
    assert books(setup.edition) == "By the book of the toy. Its end is missing."


def test_house_rules_are_changed_for_every_edition_that_has_them():
    setup = SetupScreen()
    alone = {switch.name for switch in SWITCHES}
    for name in editions.names()[1:]:
        alone -= {switch.name for switch in editions.get(name).switches}
    changed = {name: not getattr(setup.rules, name) for name in (min(alone), "reshuffle")}
    setup.rules = EDITION.rules(**changed)
    for _ in editions.names()[1:]:
        setup.change_edition()
        assert setup.rules.changed() == {"reshuffle": True}
    setup.change_edition()
    assert setup.rules.changed() == changed
    setup.rules = EDITION.rules()
    for _ in editions.names():
        setup.change_edition()
        assert setup.rules.changed() == {}


def test_the_hour_is_as_long_as_the_program_of_the_edition_has_it(toy_too, monkeypatch):
    monkeypatch.setitem(editions.KNOWN, "toy", replace(toy.EDITION, program="championship"))
    setup = SetupScreen()
    hours = {}
    for name in (*editions.names()[1:], editions.USUAL):
        setup.change_edition()
        hours[name] = setup.minutes
    assert hours.pop("toy") == hours.pop("championship") == 50 and set(hours.values()) == {60}
    while setup.edition.name != "toy":
        setup.change_edition()
    offered = []
    for _ in range(7):
        setup.change_hour()
        offered.append(setup.minutes)
    assert offered == [60, 90, 120, 120, 0, 30, 50]
    setup.minutes = 90  # a length of one's own choice stays
    setup.change_edition()
    assert setup.minutes == 90
