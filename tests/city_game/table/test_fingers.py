"""Presses of the unit's buttons by mouse, key, bot and touch screen."""

import pygame
import pytest

from city_game.editions import described
from city_game.table.setup import SetupScreen
from city_game.table.unit import SHORTEST_MS, UNIT_WHY, RemoteButton
from city_game.table.window import Touches, Window
from city_unit import host
from city_unit.facts import AUCTION
from sim.face import geometry
from tests.helpers.sales import light, put_up
from tests.helpers.table_screen import spot, wait
from tests.helpers.virtual_table import make_screen, make_session, point_at, run_until

CANCEL_MS = described("city").cancel_hold_ms


def event(kind, **values):
    return pygame.event.Event(kind, values)


def key(kind, letter="a"):
    return event(kind, key=ord(letter), mod=0, unicode=letter, scancode=0)


@pytest.fixture
def screen(sale):
    wait(sale, 300)
    return sale


def auction_button(screen):
    return screen.layout.circle.place(geometry.BUTTON)


def press(screen, by, is_down=True):
    """Press AUCTION by the mouse or a key, or release it."""
    if by == "mouse":
        kind = pygame.MOUSEBUTTONDOWN if is_down else pygame.MOUSEBUTTONUP
        screen.handle(event(kind, button=1, pos=auction_button(screen)))
    else:
        screen.handle(key(pygame.KEYDOWN if is_down else pygame.KEYUP))


def release(screen, by="key"):
    press(screen, by, is_down=False)


def is_pressed(screen):
    """Return True if the table presses AUCTION."""
    return bool(screen.session.unit.memory.link.remote.combined(0) & AUCTION)


def test_a_press_reaches_the_unit_in_the_step_after_it(screen):
    press(screen, "key")
    screen.session.step()
    assert is_pressed(screen)


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_auction_held_down_stops_the_sale_which_can_be_repeated(screen, by):
    press(screen, by)
    assert screen.session.message == "The light is on; hold AUCTION to stop it"
    wait(screen, CANCEL_MS - 50)
    assert screen.state.phase == "bidding" and 0.9 < screen.held.stopping() < 1
    if by == "key":  # other events do not release it
        screen.handle(key(pygame.KEYUP, "j"))
        screen.handle(event(pygame.WINDOWLEAVE))
    wait(screen, 150)
    assert screen.state.phase == "hammer"
    assert screen.session.unit.memory.unit.state == "ready"
    release(screen, by)
    wait(screen, 200)
    screen.session.tap("auction")
    wait(screen, 200)
    assert screen.state.phase == "bidding"


def test_a_released_button_does_not_stop_the_sale(screen):
    lost, left = event(pygame.WINDOWFOCUSLOST), event(pygame.WINDOWLEAVE)
    for by, let_go in (
        ("key", lambda: release(screen)),
        ("key", lambda: screen.handle(lost)),
        ("mouse", lambda: release(screen, "mouse")),
        ("mouse", lambda: screen.handle(left)),
        ("mouse", lambda: point_at(screen, (5, 5), True)),  # it slides off the button
        ("mouse", lambda: point_at(screen, auction_button(screen))),  # released elsewhere
        ("key", lambda: screen.held.let_go()),  # the game is left
        ("key", lambda: screen.held.hold("build", "another key")),
    ):
        press(screen, by)
        wait(screen, CANCEL_MS - 100)
        assert is_pressed(screen)
        let_go()
        wait(screen, CANCEL_MS + 100)
        assert not is_pressed(screen) and screen.state.phase == "bidding"


def test_a_button_held_when_the_line_breaks_is_released_after_it_returns(screen):
    memory = screen.session.unit.memory
    screen.handle(key(pygame.KEYDOWN, "b"))  # refused: nothing can be built now
    press(screen, "key")
    wait(screen, 300)
    memory.cut()
    release(screen)
    wait(screen, 4000)
    memory.mend()
    run_until(screen.session, lambda: screen.session.unit.online)
    wait(screen, 1000)
    assert not is_pressed(screen)


def test_a_hold_right_after_a_tap_counts_and_delays_the_restart_of_a_bot_s_sale(screen):
    screen.state.auction.opener = -1
    screen.session.tap("auction")
    for held_ms, after_ms in ((6000, 0), (500, 2000)):
        press(screen, "key")
        wait(screen, CANCEL_MS + held_ms)
        release(screen)
        wait(screen, after_ms)  # time for a person to press again
        assert screen.state.phase == "hammer"
        wait(screen, 6000)
        assert screen.state.phase == "bidding"
    assert not any(str(UNIT_WHY["busy"]) in line for line in screen.session.log)


def test_a_player_and_a_bot_can_press_at_the_same_time():
    session, _ = put_up()
    session.state.auction.opener = -1
    screen = make_screen(session)
    for _ in range(100):
        press(screen, "key")
        release(screen)
        wait(screen, 60)
    assert session.state.phase == "bidding"
    assert not any(str(UNIT_WHY["busy"]) in line for line in session.log)


def test_a_release_waits_for_its_press_and_is_repeated_until_acknowledged():
    asked = []

    def ask(text):
        asked.append(host.Request(text, 0))
        return asked[-1]

    def texts():
        return [request.text for request in asked]

    finger = RemoteButton("build", ask)
    for _ in range(9):  # the queue drops faster presses
        finger.press()
        finger.lift()
    for now in (1000, 1500):
        finger.step(now)
    assert texts() == ["press build"]
    asked[0].finish("")
    for now in (2000, 2000 + SHORTEST_MS - 1):
        finger.step(now)
    assert texts() == ["press build"]
    finger.step(2000 + SHORTEST_MS)
    asked[1].finish(None, host.NoAnswer("the line is cut"))
    for now in range(3000, 5000, 10):
        finger.step(now)
        asked[-1].finish("")
    assert texts() == ["press build", *["release build"] * 2, "press build", "release build"]


# A touch screen: real events through the window's own loop, as SDL sends them. For the first finger
# SDL also sends simulated mouse events, marked as a touch: the press arrives twice and must count
# once.

SCREEN, MOUSE = 3, -1  # touch_id of a touch screen, and of fingers SDL simulates for a mouse
ENDS_AFTER = 400  # frames, if the taps have no effect


class Touch:
    """A window and the fingers touching it."""

    def __init__(self, window):
        self.window = window

    def send(self, kind, point, finger=0, screen=SCREEN):
        if finger == 0 and screen == SCREEN:
            of = {
                pygame.FINGERDOWN: pygame.MOUSEBUTTONDOWN,
                pygame.FINGERUP: pygame.MOUSEBUTTONUP,
                pygame.FINGERMOTION: pygame.MOUSEMOTION,
            }
            self.mouse(of[kind], point, True)
        width, height = self.window.size
        x, y = point[0] / (width - 1), point[1] / (height - 1)
        pygame.event.post(event(kind, touch_id=screen, finger_id=finger, x=x, y=y))

    def tap(self, point):
        self.send(pygame.FINGERDOWN, point)
        self.send(pygame.FINGERUP, point)

    def mouse(self, kind, point, touch=False):
        look = {"pos": point, "rel": (1, 0), "buttons": (1, 0, 0), "button": 1, "touch": touch}
        pygame.event.post(pygame.event.Event(kind, look))

    def play(self, screen, *steps):
        """Perform one step per frame, then close the window."""
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


def test_each_finger_and_the_mouse_bid_once_and_two_fingers_bid_at_once(touch):
    session, _ = put_up()
    light(session)
    screen = make_screen(session, touch.window.size)
    bids = []
    screen.bidding.bid = lambda player, steps=1: bids.append(player)
    first, second = (spot(screen, "bid", player).middle for player in (0, 1))

    def by_a_mouse_with_simulated_fingers():
        touch.mouse(pygame.MOUSEBUTTONDOWN, second)
        touch.send(pygame.FINGERDOWN, second, 0, MOUSE)
        touch.mouse(pygame.MOUSEBUTTONUP, second)
        touch.send(pygame.FINGERUP, second, 0, MOUSE)

    def two_at_once():
        touch.send(pygame.FINGERDOWN, first, 0)
        touch.send(pygame.FINGERDOWN, second, 1)
        touch.send(pygame.FINGERUP, second, 1)
        touch.send(pygame.FINGERUP, first, 0)

    touch.play(screen, lambda: touch.tap(first))
    assert bids == [0]
    touch.play(screen, by_a_mouse_with_simulated_fingers)
    assert bids == [0, 1]
    touch.play(screen, two_at_once)
    assert bids == [0, 1, 0, 1]


def test_a_finger_holds_auction_until_it_lifts_or_slides_off(touch):
    session, _ = make_session(("human", "human"))
    screen = make_screen(session, touch.window.size)
    auction, off = screen.layout.circle.place((0, 0)), screen.layout.city.middle
    held = []
    for kind, point in ((pygame.FINGERUP, auction), (pygame.FINGERMOTION, off)):
        touch.play(
            screen,
            lambda: touch.send(pygame.FINGERDOWN, auction),
            lambda: held.append(screen.held.part),
            lambda kind=kind, point=point: touch.send(kind, point),
            lambda: held.append(screen.held.part),
        )
    assert held == ["auction", ""] * 2


def test_only_the_first_finger_moves_the_pointer():
    fingers, seen = Touches(), []
    for kind, finger in (
        *((pygame.FINGERDOWN, finger) for finger in (0, 1)),
        *((pygame.FINGERMOTION, finger) for finger in (0, 1)),
    ):
        touched = event(kind, touch_id=SCREEN, finger_id=finger, x=0, y=0)
        seen.append(fingers.as_mouse(touched, (9, 9)).type)
    down, move = pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION
    assert seen == [down, down, move, pygame.NOEVENT]


def test_the_setup_works_by_touch(touch):
    setup = SetupScreen()
    kinds, steps = list(setup.kinds), []

    def meanwhile():
        steps.append(setup.spots)
        if len(steps) == 2:
            touch.tap(spot(setup, "kind", 3).middle)
        elif len(steps) == 4:
            touch.tap(spot(setup, "button", 0).middle)
        assert len(steps) < ENDS_AFTER

    assert touch.window.ask_seats(setup, meanwhile)
    assert [place for place in range(6) if setup.kinds[place] != kinds[place]] == [3]
