"""The setup: seats, bid keys, house rules, editions and saved games, by keyboard and mouse."""

import os
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from city_game import editions, save
from city_game.editions.city import EDITION
from city_game.editions.city.words import SWITCHES
from city_game.game import HUMAN, Game, Setup
from city_game.kernel.board import load
from city_game.kernel.edition import Source
from city_game.save import SavedGame, latest_unfinished, saves
from city_game.table.picture import Invitation, Pen
from city_game.table.setup import BUTTONS, COMMANDS, EMPTY, LONGEST_NAME, SetupScreen, paint_setup
from city_game.table.view import BID_KEYS
from city_game.words import books
from city_unit.desktop.errors import UserError
from tests.city_game.editions import toy
from tests.city_game.play import BOARD, random_game
from tests.helpers.table_screen import spot
from tests.helpers.virtual_table import SIZE

LATEST = SavedGame(Path("yesterday.city"), ("Ann", "Bob"), 11)


@pytest.fixture(autouse=True)
def letters():
    pygame.font.init()


@pytest.fixture
def setup():
    return SetupScreen(LATEST)


@pytest.fixture(params=["keys", "mouse"])
def by_mouse(request):
    return request.param == "mouse"


@pytest.fixture
def told(monkeypatch):
    """Return the list to which each line of wrapped text is added."""
    lines = []
    monkeypatch.setattr(Pen, "write_lines", lambda _, several, *at, **how: lines.extend(several))
    return lines


def draw(setup):
    """Draw the setup, and check that each spot has a known command."""
    setup.spots = paint_setup(pygame.Surface(SIZE), setup)
    known = {*COMMANDS, "leave", "rule", "game"}
    assert {spot.command.name for spot in setup.spots} <= known


def key(setup, key, letter=""):
    """Press a key; like SDL, also send its letter as text."""
    setup.handle(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letter))
    if letter:
        enter(setup, letter)
    draw(setup)


def enter(setup, text):
    """Enter text without a key event, like an input method."""
    setup.handle(pygame.event.Event(pygame.TEXTINPUT, text=text))


def click(setup, name, value=0):
    draw(setup)
    box = spot(setup, name, value)
    setup.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=box.middle))
    draw(setup)


def press_button(setup, start, by_mouse=False):
    """Click a button, or select it with the arrows and press Enter."""
    if by_mouse:
        labels = [label for label, _ in setup.buttons()]
        click(setup, "button", next(at for at, one in enumerate(labels) if one.startswith(start)))
        return
    setup.place = [BUTTONS, 0]
    while not setup.buttons()[setup.place[1]][0].startswith(start):
        key(setup, pygame.K_RIGHT)
    key(setup, pygame.K_RETURN)


def test_seats_by_keys():
    setup = SetupScreen()
    setup.place = [3, 0]
    key(setup, pygame.K_RIGHT)
    for _ in range(2):
        assert not setup.is_done
        key(setup, pygame.K_RETURN, "\r")  # moves to the next field
    assert setup.place == [3, 2]
    for letter in "ab":  # the unit's keys
        key(setup, ord(letter), letter)
        assert setup.keys[3] == BID_KEYS[3] and letter.upper() in setup.message
    for owner in (1, 0):  # swapping with a bot is silent, with a person reported
        wanted = BID_KEYS[owner]
        key(setup, ord(wanted), wanted)
        assert setup.keys[3] == wanted and bool(setup.message) == (owner == 0)
    assert "F was the key of Ann" in setup.message
    setup.place = [3, 1]
    setup.go(3, 1)
    enter(setup, "Zoë")
    press_button(setup, "Start the game")
    names, kinds, keys = setup.seats()
    assert setup.is_done and not setup.resumed
    assert names == ("Ann", "Bob", "Cleo", "Zoë")
    assert kinds == ("human", "builder", "planner", "human")
    assert keys[-1] == "f" and len(set(keys)) == 4


def test_a_name_is_entered_as_text_and_only_into_a_name_field(setup, monkeypatch):
    for texts, name in (
        (("é", "è", "à", "ç"), "éèàç"),
        (("李", "小龙"), "李小龙"),
        (("a\tb\n\x7f\u200b",), "ab"),
        (("Ann", "-Sophie Éléonore"), "Ann-Sophie Élé"),
    ):
        setup.names[0], setup.message = "", ""
        setup.place = [0, 1]
        for text in texts:
            enter(setup, text)
        assert setup.names[0] == name
        assert bool(setup.message) == (len("".join(texts)) > LONGEST_NAME), name
        draw(setup)
    setup.names[0] = "Zoé "
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: "🎲\n")
    paste = {"key": pygame.K_v, "unicode": "\x16", "mod": pygame.KMOD_LCTRL}
    setup.handle(pygame.event.Event(pygame.KEYDOWN, paste))
    assert setup.names[0] == "Zoé 🎲"
    before = (list(setup.names), list(setup.keys))
    for place in ([0, 0], [0, 2], [BUTTONS, 0]):
        setup.place = place
        enter(setup, "é")
    setup.place = [0, 1]
    setup.show_rules()
    enter(setup, "é")
    assert (setup.names, setup.keys) == before


def test_a_typed_name_fills_an_empty_seat_and_replaces_a_proposed_name(setup):
    for row, name in ((0, "Mamie"), (3, "Zoé")):
        click(setup, "name", row)
        for letter in name:
            enter(setup, letter)
    assert setup.seats()[0] == ("Mamie", "Bob", "Cleo", "Zoé")
    assert setup.seats()[1][3] == HUMAN
    click(setup, "name", 0)  # a typed name is extended
    enter(setup, "!")
    click(setup, "name", 1)
    key(setup, pygame.K_BACKSPACE)
    enter(setup, "y")
    assert setup.names[:2] == ["Mamie!", "Boy"]


def test_a_new_game_needs_two_differently_named_players(setup):
    setup.names[1] = " Ann"
    press_button(setup, "Start the game")
    assert not setup.is_done and "Two players are called Ann" in setup.message
    for row in (1, 2):
        while setup.kinds[row] != EMPTY:
            click(setup, "kind", row)
    press_button(setup, "Start the game", True)
    assert not setup.is_done and "At least two players" in setup.message
    press_button(setup, "Resume: Ann and Bob, turn 12", True)
    assert setup.is_done and setup.resumed == LATEST


def test_each_house_rule_is_switched_on_and_off(setup, by_mouse):
    def switch(rule):
        if by_mouse:
            click(setup, "rule", SWITCHES.index(rule))
        else:
            key(setup, pygame.K_SPACE)

    press_button(setup, "House rules", by_mouse)
    for rule in SWITCHES:
        switch(rule)
        assert setup.rules.changed() == {rule.name: not rule.default}
        switch(rule)
        assert setup.rules.changed() == {}
        key(setup, pygame.K_DOWN)
    switch(SWITCHES[0])  # the selection wraps around
    if by_mouse:
        click(setup, "leave")
    else:
        key(setup, pygame.K_ESCAPE)
    assert setup.page is None and not setup.is_done
    assert any(label.endswith("1 changed") for label, _ in setup.buttons())


def test_the_next_game_proposes_edition_seats_keys_and_rules_of_the_last_one(setup):
    rules = EDITION.rules(reshuffle=True)
    seats = ("human", "planner", "human")
    setup.propose(Setup(BOARD, ("Kim", "Lou", "Mo"), seats, rules, 1), "vqf")
    assert setup.seats() == (("Kim", "Lou", "Mo"), seats, "vqf")
    assert setup.rules.changed() == {"reshuffle": True}
    assert len(set(setup.keys)) == 6
    rules = toy.EDITION.rules(reshuffle=True)
    setup.propose(Setup(load(toy.EDITION), ("Kim", "Lou"), ("human", "human"), rules, 1), BID_KEYS)
    assert setup.seats()[2] == BID_KEYS[:2] and sorted(setup.keys) == sorted(BID_KEYS)
    assert setup.edition is toy.EDITION and setup.rules == rules


def test_a_long_error_is_shown_whole(setup, told):
    """The error of a game that cannot be opened contains its path."""
    why = "cannot open " + "a-folder/" * 20 + "half.city: " + "it is not a save " * 4
    setup.reopen(why)
    draw(setup)
    assert "".join(why.split()) in "".join("".join(told).split())


def test_the_telephones_button_shows_their_address_or_why_there_is_none(
    setup, by_mouse, monkeypatch
):
    written = []
    monkeypatch.setattr(Pen, "write", lambda _, text, *at, **how: written.append(text))

    def busy():
        raise UserError("no port is free")

    setup.call_phones = busy
    press_button(setup, "Telephones", by_mouse)
    assert setup.page is None and setup.message == "no port is free"
    setup.call_phones = lambda: Invitation("http://here/", ((True,),))
    press_button(setup, "Telephones", by_mouse)
    assert "http://here/" in written
    key(setup, pygame.K_ESCAPE)
    assert setup.page is None and not setup.is_done


def test_any_readable_saved_game_can_be_chosen(by_mouse, tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    done = random_game(4, 60)
    save.create(tmp_path / "half.city", Game(done.setup, done.actions[:30])).close()
    save.create(tmp_path / "done.city", done).close()
    names = ("half", "done", "rubbish", *(f"old-{number}" for number in range(20)))
    for number, name in enumerate(names):
        path = tmp_path / f"{name}.city"
        if number >= 2:
            path.write_text("rubbish")
        time = 1000 + (number if number <= 2 else -number)
        os.utime(path, (time, time))
    setup = SetupScreen(latest_unfinished(), saves())
    assert setup.latest.path.stem == "half" and setup.latest.can_resume
    press_button(setup, "Saved games", by_mouse)
    key(setup, pygame.K_UP)  # from the first to the last, beyond those that fit
    assert setup.page.here == len(names) - 1
    shown = [command.value for _, command in setup.spots if command.name == "game"]
    assert setup.page.here in shown and len(shown) == 8
    key(setup, pygame.K_DOWN)
    for row, is_broken in ((0, True), (1, False)):
        if by_mouse:
            click(setup, "game", row)
        else:
            key(setup, pygame.K_RETURN)
        assert setup.is_done is not is_broken
        assert not is_broken or "is not a save" in setup.page.error
        key(setup, pygame.K_DOWN)
    assert setup.resumed.path.stem == "done" and setup.resumed.winners


def test_the_hours_cycle_and_until_one_is_left_follows_the_longest(setup):
    """A short hour lets nobody drop out by default; playing until one is left ignores the hour."""
    offered = []
    for _ in range(6):
        rules = setup.rules
        offered.append((setup.minutes, rules.until_one_is_left, rules.nobody_is_out))
        words = "Play until one is left" if rules.until_one_is_left else "The hour: "
        assert any(label.startswith(words) for label, _ in setup.buttons())
        setup.change_hour()
    assert offered == [
        (60, False, False), (90, False, False), (120, False, False), (120, True, False),
        (0, False, False), (30, False, True),
    ]  # fmt: skip
    setup.rules.until_one_is_left = True
    press_button(setup, "A half-hour game", True)
    assert setup.is_done and setup.resumed is None and setup.minutes == 30
    assert setup.rules.changed() == {"nobody_is_out": True}


# Editions.


@pytest.fixture
def toy_too(monkeypatch):
    """Add the tests' toy to the editions: the setup must find it by itself."""
    of_fifty_minutes = replace(toy.EDITION, program="championship")
    monkeypatch.setitem(editions.KNOWN, "toy", of_fifty_minutes)


def test_each_edition_can_be_chosen_and_names_its_books(setup, by_mouse, toy_too, told):
    for name in (*editions.names()[1:], editions.USUAL):
        told.clear()
        press_button(setup, "Edition: ", by_mouse)
        assert setup.edition.name == name and setup.rules.switches == setup.edition.switches
        assert f"Edition: {setup.edition.title}" in dict(setup.buttons())
        assert all(str(source.book) in " ".join(told) for source in setup.edition.sources)
    source = Source("the book of the toy", "Its end is missing.")
    assert books(replace(toy.EDITION, sources=(source,))).endswith("Its end is missing.")


def test_changed_house_rules_apply_to_every_edition_that_has_them(setup):
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


def test_the_hour_follows_the_edition_s_program(setup, toy_too):
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
    setup.minutes = 90  # a chosen length stays
    setup.change_edition()
    assert setup.minutes == 90
