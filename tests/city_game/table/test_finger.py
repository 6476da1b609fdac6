"""A finger on the disc of the screen is there as long as the player's own: no release is lost."""

import pygame
import pytest

from city_game.editions import described
from city_game.table.unit import SHORTEST_MS, Finger
from city_unit import host
from city_unit.facts import AUCTION
from sim.face import geometry
from tests.helpers.sales import light, put_up
from tests.helpers.table_screen import wait
from tests.helpers.virtual_table import make_screen, point_at, run_until

CANCEL_MS = described("city").cancel_hold_ms


def event(kind, **values):
    return pygame.event.Event(kind, values)


def key(kind, letter="a"):
    return event(kind, key=ord(letter), mod=0, unicode=letter, scancode=0)


@pytest.fixture
def screen():
    """Return a screen on a sale whose light was put on a moment ago."""
    session, _ = put_up()
    light(session)
    made = make_screen(session)
    wait(made, 300)
    return made


def auction_button(screen):
    return screen.layout.circle.place(geometry.BUTTON)


def mouse(screen, kind):
    screen.handle(event(kind, button=1, pos=auction_button(screen)))


def is_pressed(memory):
    """Return whether the table has a finger on AUCTION."""
    return bool(memory.link.remote.over(0) & AUCTION)


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_auction_held_stops_the_sale_and_it_is_held_again(screen, by):
    memory = screen.session.unit.memory
    if by == "mouse":
        mouse(screen, pygame.MOUSEBUTTONDOWN)
    else:
        screen.handle(key(pygame.KEYDOWN))
    wait(screen, CANCEL_MS - 50)
    assert screen.session.state.phase == "bidding" and 0.9 < screen.grip.stopping() < 1
    wait(screen, 150)
    assert screen.session.state.phase == "hammer"
    assert memory.unit.state == "ready"
    if by == "mouse":
        mouse(screen, pygame.MOUSEBUTTONUP)
    else:
        screen.handle(key(pygame.KEYUP))
    wait(screen, 200)
    screen.session.tap("auction")
    wait(screen, 200)
    assert screen.session.state.phase == "bidding"


LETS_GO = {
    "the key is released": ("key", lambda screen: screen.handle(key(pygame.KEYUP))),
    "the window loses the keyboard": (
        "key",
        lambda screen: screen.handle(event(pygame.WINDOWFOCUSLOST)),
    ),
    "the mouse button is released": ("mouse", lambda screen: mouse(screen, pygame.MOUSEBUTTONUP)),
    "the mouse leaves the window": (
        "mouse",
        lambda screen: screen.handle(event(pygame.WINDOWLEAVE)),
    ),
    "the mouse slides off the button": ("mouse", lambda screen: point_at(screen, (5, 5), True)),
    "the release was told to another window": (
        "mouse",
        lambda screen: point_at(screen, auction_button(screen)),
    ),
    "the game is left": ("key", lambda screen: screen.grip.let_go()),
}


@pytest.mark.parametrize("how", LETS_GO)
def test_what_is_let_go_does_not_stop_the_sale(screen, how):
    by, let_go = LETS_GO[how]
    if by == "mouse":
        mouse(screen, pygame.MOUSEBUTTONDOWN)
    else:
        screen.handle(key(pygame.KEYDOWN))
    wait(screen, CANCEL_MS - 100)
    assert is_pressed(screen.session.unit.memory)
    let_go(screen)
    wait(screen, CANCEL_MS + 100)
    assert not is_pressed(screen.session.unit.memory)
    assert screen.session.state.phase == "bidding"


def test_another_key_s_release_does_not_let_go(screen):
    screen.handle(key(pygame.KEYDOWN))
    screen.handle(key(pygame.KEYUP, "j"))
    screen.handle(event(pygame.WINDOWLEAVE))
    wait(screen, CANCEL_MS + 100)
    assert screen.session.state.phase == "hammer"


def test_a_button_held_when_the_line_breaks_is_free_when_it_is_back(screen):
    """The player lets go while the unit cannot be told; it is told when it can."""
    memory = screen.session.unit.memory
    screen.handle(key(pygame.KEYDOWN, "b"))  # refused: nothing is to be built now
    screen.handle(key(pygame.KEYDOWN))
    wait(screen, 300)
    memory.cut()
    screen.handle(key(pygame.KEYUP))
    wait(screen, 4000)
    memory.mend()
    run_until(screen.session, lambda: screen.session.unit.online)
    wait(screen, 1000)
    assert not is_pressed(memory)


class Line:
    """Answers when it is told to."""

    def __init__(self):
        self.asked = []

    def ask(self, text):
        self.asked.append(host.Request(text, 0))
        return self.asked[-1]

    def texts(self):
        return [request.text for request in self.asked]


def test_a_release_waits_for_its_press_and_is_said_until_it_is_answered():
    line = Line()
    finger = Finger("build", line.ask)
    finger.press()
    finger.lift()
    finger.step(1000)
    finger.step(1500)
    assert line.texts() == ["press build"]
    line.asked[0].answer = ""
    finger.step(2000)
    finger.step(2000 + SHORTEST_MS - 1)
    assert line.texts() == ["press build"]
    finger.step(2000 + SHORTEST_MS)
    line.asked[1].error = host.NoAnswer("the line is cut")
    finger.step(5000)
    line.asked[2].answer = ""
    finger.step(5100)
    finger.step(9000)
    assert line.texts() == ["press build", "release build", "release build"]


def test_every_press_of_a_hammering_finger_has_its_release():
    line = Line()
    finger = Finger("build", line.ask)
    for _ in range(9):
        finger.press()
        finger.lift()
    for now in range(0, 5000, 10):
        for request in line.asked:
            request.answer = ""
        finger.step(now)
    assert line.texts() == ["press build", "release build"] * 2


def test_a_hold_right_after_a_tap_is_a_hold(screen):
    memory = screen.session.unit.memory
    screen.session.tap("auction")
    screen.handle(key(pygame.KEYDOWN))
    wait(screen, CANCEL_MS + 400)
    assert memory.unit.state == "ready" and screen.session.state.phase == "hammer"


def test_a_player_and_a_bot_who_press_at_once_are_not_in_each_other_s_way():
    session, _ = put_up()
    session.state.auction.opener = -1
    screen = make_screen(session)
    for _ in range(100):
        screen.handle(key(pygame.KEYDOWN))
        screen.handle(key(pygame.KEYUP))
        wait(screen, 60)
    assert session.state.phase == "bidding"
    assert not any("busy" in line or "finger" in line for line in session.log)


def test_a_sale_that_a_bot_called_is_not_started_again_under_the_finger(screen):
    session = screen.session
    session.state.auction.opener = -1
    screen.handle(key(pygame.KEYDOWN))
    wait(screen, CANCEL_MS + 6000)
    assert session.state.phase == "hammer"
    screen.handle(key(pygame.KEYUP))
    wait(screen, 6000)
    assert session.state.phase == "bidding"
    assert not any("busy" in line or "finger" in line for line in session.log)
