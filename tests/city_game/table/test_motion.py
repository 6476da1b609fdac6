"""Motion, sounds, and hints for a first game."""

import pygame
import pytest

from city_game.table import sounds
from city_game.table.inputs import Controllers
from city_game.table.motion import GROW_MS
from city_game.table.screen import TOAST_MS
from city_game.table.view import HINTS, FirstGame
from tests.helpers.virtual_table import draw, make_screen, make_session, press, run_until


@pytest.fixture
def screen():
    session, _ = make_session(("human", "builder"))
    run_until(session, lambda: session.state.phase == "roll" and session.state.decider == 0)
    screen = make_screen(session)
    screen.update()
    return screen


def roll(screen):
    """Have the dice rolled, and be at the moment at which they are first shown."""
    screen.skip()
    screen.session.do(("roll",))
    while not screen.motion.dice:
        screen.update()


def test_dice_tumble_and_come_to_lie(screen):
    roll(screen)
    dice = []
    while screen.motion.dice:
        dice.append(screen.view().dice[0])
        draw(screen)
        screen.update()
    assert len({die.turned for die in dice}) > 5 and max(die.high for die in dice) > 0.1
    assert dice[-1].turned == 0 and dice[-1].high == 0


def test_what_is_built_grows(screen):
    session = screen.session
    session.state.transfer(3, 0)
    session.state.phase, session.state.permit = "build", 2
    session.do(("build", 3, "residential", 2))
    screen.update()
    grown = [screen.view().plots[3].grown]
    for _ in range(GROW_MS // 16 + 2):
        screen.update()
        grown.append(screen.view().plots[3].grown)
        draw(screen)
    assert grown[0] < 0.5 and grown[-1] == 1.0 and grown == sorted(grown)
    assert screen.view().plots[4].grown == 1.0


def test_calm_nothing_walks_tumbles_or_blinks(screen):
    press(screen, pygame.K_F8)
    assert screen.motion.is_calm
    roll(screen)
    places = set()
    while screen.motion.dice:
        view = screen.view()
        assert all(die.turned == 0 for die in view.dice)
        places |= set(view.places)
        screen.update()
    assert all(place == int(place) for place in places)
    press(screen, pygame.K_F8)
    assert not screen.motion.is_calm


@pytest.mark.parametrize("name", sounds.WAVES)
def test_a_sound_is_heard_and_is_the_same_each_time(name):
    samples = sounds.wave(name)
    assert samples == sounds.wave(name)
    assert 1000 < max(map(abs, samples)) <= sounds.LOUDEST
    assert max(map(abs, samples[-200:])) < 1200  # it ends without a click


def test_of_what_happens_at_once_one_sound_is_heard():
    assert sounds.chosen(["rolled", "landed", "salary", "paid"]) == "dice"
    assert sounds.chosen(["light out"]) == "hammer"
    assert sounds.chosen(["turn"]) == "" == sounds.chosen([])


def test_the_table_s_sounds_are_turned_down_with_the_unit_s():
    heard = []
    events = [("rolled", 0, 1, 2)]
    table = sounds.Sounds(lambda name, volume: heard.append((name, volume)))
    table.hear(events, 3)  # events before the window's first look make no sound
    assert heard == []
    events.append(("paid", 0, 1, 5, "rent"))
    table.hear(events, 0)
    events.append(("paid", 0, 1, 5, "rent"))
    table.hear(events, 1)
    table.hear(events, 1)
    assert heard == [("money", sounds.VOLUMES[1])]


def test_a_first_game_has_a_hint_at_each_new_thing_once():
    session, _ = make_session(("human", "human"))
    screen = make_screen(session)
    screen.first_game = FirstGame(True)
    while session.state.phase != "roll":
        screen.update()
    screen.update()
    assert screen.toast() == str(HINTS["roll"])
    for _ in range(TOAST_MS // 16 + 30):
        screen.update()
    assert screen.toast() == str(HINTS["roll"])  # there is time to read it
    assert screen.first_game.hint(session.state, True) == ""
    assert FirstGame(False).hint(session.state, True) == ""


@pytest.mark.parametrize(
    ("button", "key"),
    [
        (pygame.CONTROLLER_BUTTON_A, pygame.K_RETURN),
        (pygame.CONTROLLER_BUTTON_X, pygame.K_a),
        (pygame.CONTROLLER_BUTTON_DPAD_LEFT, pygame.K_LEFT),
    ],
)
def test_a_controller_is_keys(button, key):
    controllers = Controllers()
    for event, kind in (
        (pygame.CONTROLLERBUTTONDOWN, pygame.KEYDOWN),
        (pygame.CONTROLLERBUTTONUP, pygame.KEYUP),
    ):
        stroke = controllers.as_keys(pygame.event.Event(event, button=button))
        assert (stroke.type, stroke.key) == (kind, key)
    other = pygame.event.Event(pygame.CONTROLLERBUTTONDOWN, button=99)
    assert controllers.as_keys(other) is other
