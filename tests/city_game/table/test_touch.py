"""Fingers at the table's window: real events through the window's own loop, as SDL sends them.

Of the first finger SDL makes mouse events by itself, marked as a touch, beside the finger's own:
one press comes twice, and must be one.
"""

import pygame
import pytest

from city_game.table.setup import SetupScreen
from city_game.table.window import Window
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import make_screen, make_session

SCREEN, MOUSE = 3, -1  # where fingers touch; -1 where SDL makes fingers of a mouse
ENDS_AFTER = 400  # pictures, should the taps have no effect


class Touch:
    """A window, and somebody with fingers before it."""

    def __init__(self, window):
        self.window = window

    def send(self, kind, point, finger, screen):
        width, height = self.window.size
        pygame.event.post(
            pygame.event.Event(
                kind,
                touch_id=screen,
                finger_id=finger,
                x=point[0] / (width - 1),
                y=point[1] / (height - 1),
                dx=0.0,
                dy=0.0,
                pressure=1.0,
            )
        )

    def down(self, point, finger=0, screen=SCREEN):
        if finger == 0:
            self.mouse(pygame.MOUSEBUTTONDOWN, point, True)
        self.send(pygame.FINGERDOWN, point, finger, screen)

    def up(self, point, finger=0, screen=SCREEN):
        if finger == 0:
            self.mouse(pygame.MOUSEBUTTONUP, point, True)
        self.send(pygame.FINGERUP, point, finger, screen)

    def move(self, point, finger=0, screen=SCREEN):
        if finger == 0:
            look = {"pos": point, "rel": (1, 0), "buttons": (1, 0, 0), "touch": True}
            pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, look))
        self.send(pygame.FINGERMOTION, point, finger, screen)

    def tap(self, point, finger=0):
        self.down(point, finger)
        self.up(point, finger)

    def mouse(self, kind, point, touch=False):
        pygame.event.post(pygame.event.Event(kind, pos=point, button=1, touch=touch))

    def play(self, screen, *steps):
        """Do a step at each picture, once the one before was drawn; then close the window."""
        left = list(steps)

        def meanwhile():
            if left:
                left.pop(0)()
            else:
                screen.wants = "close"

        assert self.window.play(screen, meanwhile) == "close"


@pytest.fixture
def touch(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    window = Window(sound=False)
    pygame.event.clear()
    yield Touch(window)
    window.close()


def spot(screen, name):
    return next(box.middle for box, found, _ in screen.spots if found == name)


@pytest.fixture
def sale(touch):
    """Return a screen with a sale whose light is on, and the bids there."""
    session, _ = put_up()
    light(session)
    screen = make_screen(session, touch.window.size)
    bids = []
    screen.bidding.bid = lambda player, steps=1: bids.append(player)
    return screen, bids


def test_a_finger_bids_once_and_so_does_the_mouse(touch, sale):
    screen, bids = sale
    at = spot(screen, "bid 0")
    touch.play(screen, lambda: touch.tap(at))
    assert bids == [0]
    touch.play(screen, lambda: touch.mouse(pygame.MOUSEBUTTONDOWN, at))
    assert bids == [0, 0]


def test_two_players_press_at_once_and_both_bid(touch, sale):
    screen, bids = sale
    first, second = spot(screen, "bid 0"), spot(screen, "bid 1")

    def press():
        touch.down(first, finger=0)
        touch.down(second, finger=1)
        touch.up(second, finger=1)
        touch.up(first, finger=0)

    touch.play(screen, press)
    assert bids == [0, 1]


def test_a_mouse_of_which_fingers_are_made_presses_once(touch, sale):
    screen, bids = sale
    at = spot(screen, "bid 1")

    def press():
        touch.mouse(pygame.MOUSEBUTTONDOWN, at)
        touch.send(pygame.FINGERDOWN, at, 0, MOUSE)
        touch.mouse(pygame.MOUSEBUTTONUP, at)
        touch.send(pygame.FINGERUP, at, 0, MOUSE)

    touch.play(screen, press)
    assert bids == [1]


def test_a_finger_holds_auction_until_it_lifts_or_slides_off(touch):
    session, _ = make_session(("human", "human"))
    screen = make_screen(session, touch.window.size)
    circle = screen.layout.circle
    auction, off = circle.place((0, 0)), screen.layout.city.middle
    assert circle.part_at(auction) == "auction"
    held = []

    def look():
        held.append(screen.grip.part)

    touch.play(screen, lambda: touch.down(auction), look, lambda: touch.up(auction), look)
    assert held == ["auction", ""]
    touch.play(screen, lambda: touch.down(auction), look, lambda: touch.move(off), look)
    assert held[2:] == ["auction", ""]


def test_the_first_screen_is_touched_as_well(touch):
    setup = SetupScreen()
    kinds, steps = list(setup.kinds), []

    def meanwhile():
        steps.append(setup.spots)
        places = {name: box.middle for box, name, _ in setup.spots}
        if len(steps) == 2:
            touch.tap(places["kind 3"])
        elif len(steps) == 4:
            touch.tap(places["Begin the game"])
        assert len(steps) < ENDS_AFTER

    assert touch.window.ask_seats(setup, meanwhile)
    assert [place for place in range(6) if setup.kinds[place] != kinds[place]] == [3]
