"""The way of a press through the table, and of a picture: files, moves from file to file, calls.

The time of a picture and of a step is beside that of a bare fill of the window.
"""

import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pygame

from city_game.table.screen import Screen
from tests.bench.figure import Figure
from tests.helpers.sales import put_up
from tests.helpers.virtual_table import SIZE, draw, make_screen, make_session, run_until

ROOT = Path(__file__).parents[2]
ROOMS = tuple(f"{ROOT / room}{os.sep}" for room in ("city_unit", "city_game", "sim"))
COMPREHENSIONS = ("<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")
PICTURE_MS = 1000 / 60


def run(_options: Namespace) -> Iterator[Figure]:
    pygame.font.init()
    session, _ = put_up()
    screen, surface = make_screen(session), pygame.Surface(SIZE)
    settle(screen)

    def auction() -> None:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            screen.handle(pygame.event.Event(kind, key=pygame.K_a, mod=0, unicode="a", scancode=0))
        run_until(session, lambda: session.state.phase == "bidding")

    yield walk("AUCTION, from the key to the game that bids", auction, "20 files, 120 moves")
    settle(screen)

    def picture() -> None:
        screen.update()
        draw(screen, surface)

    yield walk("a picture in a sale", picture)
    session, _ = make_session(("human", "human", "builder", "planner"))
    run_until(session, lambda: session.state.phase == "roll" and session.state.decider < 2)
    screen = make_screen(session)
    settle(screen)
    yield walk("a quiet picture", picture)
    bare = milliseconds(lambda: surface.fill((1, 2, 3)))
    drawn, step = milliseconds(lambda: draw(screen, surface)), milliseconds(screen.update)
    yield Figure(
        f"a picture of {SIZE[0]} x {SIZE[1]}",
        f"{drawn:.2f} ms; a step of the game {step:.3f} ms",
        f"{PICTURE_MS:.1f} ms",
        drawn + step < PICTURE_MS,
        f"a bare fill {bare:.2f} ms",
    )


def settle(screen: Screen) -> None:
    """Let all that moves come to its end, and make all that is kept from picture to picture."""
    for _ in range(60):
        screen.update()
    draw(screen)


def walk(what: str, do: Callable[[], object], target: str = "") -> Figure:
    """Return how many files a piece of work passes through, and how often it changes them."""
    files: set[str] = set()
    moves = calls = 0

    def note(frame: FrameType, event: str, _value: object) -> None:
        nonlocal moves, calls
        code = frame.f_code
        name = code.co_filename
        if event != "call" or not name.startswith(ROOMS) or code.co_name in COMPREHENSIONS:
            return
        caller = frame.f_back
        while caller and not caller.f_code.co_filename.startswith(str(ROOT)):
            caller = caller.f_back
        files.add(name)
        calls += 1
        moves += caller is None or caller.f_code.co_filename != name

    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
    return Figure(what, f"{len(files)} files, {moves} moves, {calls} calls", target)


def milliseconds(do: Callable[[], object], times: int = 100) -> float:
    started = time.perf_counter()
    for _ in range(times):
        do()
    return (time.perf_counter() - started) * 1000 / times
