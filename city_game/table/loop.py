"""The window's life: input as soon as it comes, pictures sixty times a second."""

import os
import sys
import time
from collections.abc import Callable

import pygame

from city_game import texts_table as texts
from city_game.errors import UserError
from city_game.table.inputs import handle
from city_game.table.layout import SMALLEST
from city_game.table.screen import Screen
from city_game.table.setup_screen import SetupScreen
from city_game.table.sound import Buzzer

FRAME_S = 1 / 60
FIRST_SIZE = (1280, 720)


class Window:
    """The window, for the setup and for one game after the other."""

    def __init__(self, sound: bool = True) -> None:
        if (
            sys.platform == "linux"
        ):  # without a GPU, SDL's own way by a texture is four times slower
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        pygame.display.init()
        pygame.font.init()
        try:
            self.surface = pygame.display.set_mode(fitting_size(), pygame.RESIZABLE)
        except pygame.error as error:
            raise UserError(texts.NO_WINDOW.format(why=error), code=1) from None
        pygame.display.set_caption(texts.CAPTION)
        self.buzzer = Buzzer() if sound else None
        self._full = False
        self._picture_at = 0.0

    @property
    def size(self) -> tuple[int, int]:
        return self.surface.get_size()

    def close(self) -> None:
        if self.buzzer:
            self.buzzer.close()
        pygame.display.quit()

    def ask_seats(self, setup: SetupScreen, meanwhile: Callable[[], object]) -> bool:
        """Show the setup; return whether a game is to begin, False if the window was closed.

        meanwhile  called for each picture
        """
        while not setup.done:
            meanwhile()
            for event in self._events():
                if event.type == pygame.QUIT:
                    return False
                if event.type == pygame.VIDEORESIZE:
                    setup.resize(self._fit(event.size))
                setup.handle(event)
            if setup.wants:
                setup.wants = ""
                self._toggle_full_screen()
                setup.resize(self.size)
            setup.draw(self.surface)
            pygame.display.flip()
        return True

    def play(self, screen: Screen) -> str:
        """Run a game until it wants something of its caller: "again", "another unit", "close"."""
        try:
            return self._play(screen)
        finally:
            screen.grip.let_go()

    def _play(self, screen: Screen) -> str:
        shown: tuple = ()
        while True:
            for event in self._events():
                if event.type == pygame.QUIT:
                    return "close"
                if event.type == pygame.VIDEORESIZE:
                    screen.resize(self._fit(event.size))
                handle(screen, event)
                shown = ()
            wants, screen.wants = screen.wants, ""
            if wants == "full screen":
                self._toggle_full_screen()
                screen.resize(self.size)
            elif wants:
                return wants
            screen.update()
            self._sound(screen)
            looks = _looks(screen)
            if looks != shown or screen.motion.moving:
                shown = looks
                screen.draw(self.surface)
                pygame.display.flip()

    def _events(self):
        """Yield what comes until the next picture is due, each at once, as a bid must be."""
        ends = max(self._picture_at, time.perf_counter())
        self._picture_at = ends + FRAME_S
        while True:
            yield from pygame.event.get()
            left = ends - time.perf_counter()
            if left <= 0.001:
                return
            event = pygame.event.wait(max(1, int(left * 1000)))
            if event.type != pygame.NOEVENT:
                yield event

    def _sound(self, screen: Screen) -> None:
        if self.buzzer:
            unit = screen.session.unit
            self.buzzer.show(unit.tone if unit.mine and unit.online else 0, screen.volume)

    def _fit(self, size: tuple[int, int]) -> tuple[int, int]:
        """Keep the window at least so large that all can be read."""
        wanted = (max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1]))
        if wanted != tuple(size):
            self.surface = pygame.display.set_mode(wanted, pygame.RESIZABLE)
        else:
            self.surface = pygame.display.get_surface() or self.surface
        return wanted

    def _toggle_full_screen(self) -> None:
        self._full = not self._full
        if self._full:
            self.surface = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        else:
            self.surface = pygame.display.set_mode(fitting_size(), pygame.RESIZABLE)


def fitting_size() -> tuple[int, int]:
    """Return the first size of the window, smaller where the screen is."""
    width, height = pygame.display.get_desktop_sizes()[0]
    if width >= FIRST_SIZE[0] and height >= FIRST_SIZE[1]:
        return FIRST_SIZE
    return max(SMALLEST[0], min(width, FIRST_SIZE[0])), max(SMALLEST[1], min(height, FIRST_SIZE[1]))


def _looks(screen: Screen) -> tuple:
    """Return all that the picture depends on, beside what moves."""
    session = screen.session
    unit = session.unit
    left = unit.clock_left()
    running = session.state.phase == "bidding" and unit.ends is not None and unit.online
    return (
        len(session.game.actions),
        len(session.log),
        screen.log_back,
        unit.lamps,
        unit.tone,
        unit.online,
        unit.state,
        unit.program,
        None if left is None else int(left) // 1000,
        int(unit.now()) // 16 if running else 0,
        int(unit.host_ms()) // 450 if screen.targets() or screen.deal or screen.deed >= 0 else 0,
        screen.focus,
        screen.aim,
        screen.opening,
        screen.grip.part,
        int(unit.host_ms()) // 16 if screen.grip.stopping() else 0,
        screen.chosen is None,
        screen.toast(),
    )
