"""Helpers for tests of a screen."""

from collections.abc import Sequence

from city_game.table.screen import Screen
from city_game.table.setup import SetupScreen
from sim.face.geometry import Box
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import SIZE, make_screen, run_until


def wait(screen: Screen, ms: float) -> None:
    """Step the session for `ms` of host time."""
    until = screen.session.unit.host_ms() + ms
    run_until(screen.session, lambda: screen.session.unit.host_ms() >= until)


def a_sale(seats: Sequence[str] = ("human", "human"), size: tuple[int, int] = SIZE) -> Screen:
    """Return a screen at a sale, just after the light went on."""
    session, _ = put_up(seats)
    light(session)
    screen = make_screen(session, size)
    screen.update()
    return screen


def is_calm(screen: Screen) -> bool:
    """Return True if no animation runs and no card covers the city."""
    motion = screen.motion
    shown = motion.dice or motion.floats or motion.sale or motion.growing or motion.card >= 0
    return not shown and motion.places == screen.state.place


def spot(screen: Screen | SetupScreen, name: str, value: int = 0) -> Box:
    """Return the box of the topmost spot with a command."""
    return next(box for box, command in reversed(screen.spots) if command == (name, value))


def option(screen: Screen, label: str) -> Box:
    """Return the box of a button of the decision."""
    return spot(screen, *next(what.command for what in screen.buttons() if what.label == label))


def labels(screen: Screen) -> list[str]:
    """Return the labels of the buttons."""
    return [button[0] for button in screen.buttons()]


def settle(screen: Screen, frames: int = 600) -> None:
    """Update the screen until its animations have ended."""
    for _ in range(frames):
        screen.update()
