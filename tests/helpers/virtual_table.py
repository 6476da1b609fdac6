"""A table without a window and a unit in memory: time passes a frame at each `update`."""

import pygame

from city_game.editions.board_file import OWN, load
from city_game.editions.house_rules import HouseRules
from city_game.game import Game, Setup
from city_game.table.paint import scene
from city_game.table.play.session import Session
from city_game.table.unit.table_unit import TableUnit
from city_game.table.window import inputs, snapshot
from city_game.table.window.screen import COMMANDS, Screen
from city_unit import host

SIZE = (1280, 720)
BOARD = load(OWN)


class VirtualUnit(TableUnit):
    """A unit in the same program; each `poll` lets `frame_ms` of virtual time pass."""

    def __init__(self, memory: host.Memory, frame_ms: int = 16) -> None:
        self.memory = memory
        self.frame_ms = frame_ms
        super().__init__(memory.client)

    def receive(self) -> list[host.News]:
        news = self.memory.advance(self.frame_ms)
        self.lamps, self.tone = self.memory.unit.lamps, self.memory.unit.tone
        return news


def make_session(seats=("human", "builder"), seed=1, clock_ms=0, frame_ms=16, pace=1.0, minutes=0):
    """Return a session and the memory its unit is in; players are called A, B, C and so on."""
    memory = host.Memory(seed=seed)
    if clock_ms:
        memory.client.send(f"program city {clock_ms}")
    names = tuple("ABCDEF"[: len(seats)])
    game = Game(Setup(BOARD, names, tuple(seats), HouseRules(), seed, minutes=minutes))
    return Session(game, VirtualUnit(memory, frame_ms), pace=pace), memory


def make_screen(session, size=SIZE):
    pygame.font.init()
    screen = Screen(session, size)
    draw(screen)
    return screen


def draw(screen, surface=None):
    """Draw what the screen shows, all of which can be done by a click; return the picture."""
    if surface is None:
        surface = pygame.Surface((screen.layout.width, screen.layout.height))
    screen.spots = scene.draw(surface, screen.layout, snapshot.take(screen))
    assert {spot.command.name for spot in screen.spots} <= set(COMMANDS)
    return surface


def press(screen, key, letter="", shift=False, scancode=0, mod=0):
    stroke = {"key": key, "mod": mod | (pygame.KMOD_SHIFT if shift else 0), "scancode": scancode}
    inputs.handle(screen, pygame.event.Event(pygame.KEYDOWN, stroke, unicode=letter))
    inputs.handle(screen, pygame.event.Event(pygame.KEYUP, stroke))


def type_letter(screen, letter):
    press(screen, ord(letter), letter)


def point_at(screen, point, held=False):
    motion = {"pos": point, "rel": (0, 0), "buttons": (int(held), 0, 0)}
    inputs.handle(screen, pygame.event.Event(pygame.MOUSEMOTION, motion))


def click(screen, point):
    point_at(screen, point)
    inputs.handle(screen, pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=point))
    inputs.handle(screen, pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=point))


def run_until(session, reached, limit=200000):
    """Let frames pass until `reached()`, at most so many."""
    for _ in range(limit):
        if reached():
            return
        session.step()
    raise AssertionError(f"never reached; the game is at {session.state.phase}")
