"""A table without a window, with a unit in memory: each `update` advances time by one frame."""

from collections.abc import Callable, Sequence
from typing import Any

import pygame

from city_game.editions.city import EDITION
from city_game.game import Game, Setup
from city_game.kernel.board import load
from city_game.table import scene
from city_game.table.screen import COMMANDS, Screen
from city_game.table.session import Session
from city_game.table.unit import TableUnit
from city_unit import host

SIZE = (1280, 720)
BOARD = load(EDITION)

Point = tuple[float, float]


class VirtualUnit(TableUnit):
    """A unit in memory; each `poll` advances virtual time by `frame_ms`."""

    def __init__(self, memory: host.Memory, frame_ms: int = 16) -> None:
        self.memory = memory
        self.frame_ms = frame_ms
        super().__init__(memory.client)

    def receive(self) -> list[host.News]:
        news = self.memory.advance(self.frame_ms)
        self.lamps, self.tone = self.memory.unit.lamps, self.memory.unit.tone
        return news


def make_session(
    seats: Sequence[str] = ("human", "builder"),
    seed: int = 1,
    clock_ms: int = 0,
    frame_ms: int = 16,
    pace: float = 1.0,
    minutes: int = 0,
) -> tuple[Session, host.Memory]:
    """Return a session and the memory with its unit; the players are A, B, C and so on."""
    memory = host.Memory(seed=seed)
    if clock_ms:
        memory.client.send(f"program city {clock_ms}")
    names = tuple("ABCDEF"[: len(seats)])
    game = Game(Setup(BOARD, names, tuple(seats), EDITION.rules(), seed, minutes=minutes))
    return Session(game, VirtualUnit(memory, frame_ms), pace=pace), memory


def at_the_dice(seats: Sequence[str] = ("human", "human"), **more: Any) -> Session:
    """Return a session in which the first player may roll; `more` goes to `make_session`."""
    session, _ = make_session(seats, **more)
    run_until(session, lambda: session.state.phase == "roll")
    return session


def managing(
    seats: Sequence[str] = ("human", "human"),
    owned: Sequence[Sequence[int]] = (),
    turn: int = 0,
    **more: Any,
) -> Session:
    """Return a session in which player `turn` may build and deal; `owned` has each one's deeds."""
    session = at_the_dice(seats, **more)
    state = session.state
    for player, deeds in enumerate(owned):
        for deed in deeds:
            state.transfer(deed, player)
    state.phase, state.turn, state.decider = "manage", turn, turn
    return session


def make_screen(session: Session, size: tuple[int, int] = SIZE) -> Screen:
    pygame.font.init()
    screen = Screen(session, size)
    draw(screen)
    return screen


def draw(screen: Screen, surface: pygame.Surface | None = None) -> pygame.Surface:
    """Draw the screen, check that a key and a click reach each button, and return the picture."""
    if surface is None:
        surface = pygame.Surface((screen.layout.width, screen.layout.height))
    screen.spots = scene.draw(surface, screen.layout, screen.view())
    assert {spot.command.name for spot in screen.spots} <= set(COMMANDS)
    buttons = [] if screen.deal else screen.buttons()
    assert {button.command for button in buttons} <= {spot.command for spot in screen.spots}
    keys = [button.key for button in buttons if button.key]
    assert len(keys) == len(set(keys)), keys
    return surface


def press(
    screen: Screen,
    key: int,
    letter: str = "",
    shift: bool = False,
    scancode: int = 0,
    mod: int = 0,
) -> None:
    stroke = {"key": key, "mod": mod | (pygame.KMOD_SHIFT if shift else 0), "scancode": scancode}
    screen.handle(pygame.event.Event(pygame.KEYDOWN, stroke, unicode=letter))
    screen.handle(pygame.event.Event(pygame.KEYUP, stroke))


def type_letter(screen: Screen, letter: str) -> None:
    press(screen, ord(letter), letter)


def point_at(screen: Screen, point: Point, held: bool = False) -> None:
    motion = {"pos": point, "rel": (0, 0), "buttons": (int(held), 0, 0)}
    screen.handle(pygame.event.Event(pygame.MOUSEMOTION, motion))


def click(screen: Screen, point: Point) -> None:
    point_at(screen, point)
    screen.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=point))
    screen.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=point))


def pass_frames(session: Session, count: int) -> None:
    for _ in range(count):
        session.step()


def run_until(session: Session, reached: Callable[[], object], limit: int = 200000) -> None:
    """Step the session until `reached()`, at most `limit` times."""
    for _ in range(limit):
        if reached():
            return
        session.step()
    raise AssertionError(f"never reached; the game is at {session.state.phase}")
