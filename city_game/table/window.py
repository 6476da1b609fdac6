"""The window's life: input as soon as it comes, pictures sixty times a second."""

import os
import sys
import time
from collections.abc import Callable, Iterator

import pygame

from city_game.table import motion, scene
from city_game.table.inputs import Controllers, Fingers
from city_game.table.picture import SMALLEST, View
from city_game.table.screen import Screen
from city_game.table.setup import SetupScreen, paint_setup
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from sim.face.speaker import Speaker, hushed

FRAME_S = 1 / 60
FIRST_SIZE = (1280, 720)
GOOD_BYE_MS = 900
UNSEEN = ("offscreen", "dummy")  # how SDL draws where it finds no screen
EXPOSES = (  # after which the picture may have been lost, or is of another size
    pygame.VIDEORESIZE,
    pygame.VIDEOEXPOSE,
    pygame.WINDOWEXPOSED,
    pygame.WINDOWRESTORED,
    pygame.WINDOWSHOWN,
)


class Window:
    """The window, for the setup and for game after game."""

    def __init__(self, sound: bool = True) -> None:
        if sys.platform == "linux":
            # Without a GPU, SDL's own way by a texture is four times slower.
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        pygame.font.init()
        try:
            with hushed():  # SDL names there, on standard error, the devices that it misses
                pygame.display.init()
                unseen = pygame.display.get_driver() in UNSEEN
            if unseen and not os.environ.get("SDL_VIDEODRIVER"):
                raise UserError(_("no window can be opened: there is no screen"), FAILURE)
            self.surface = pygame.display.set_mode(fitting_size(), pygame.RESIZABLE)
        except pygame.error as error:
            raise UserError(
                _("no window can be opened: {why}").format(why=error), FAILURE
            ) from None
        pygame.display.set_caption(_("City game"))
        self.speaker = Speaker("city-game") if sound else None
        works = self.speaker is not None and self.speaker.is_working
        self._sounds = motion.Sounds(motion.play if works else None)
        self._controllers = Controllers()
        self._fingers = Fingers()
        self._full = False
        self._picture_at = 0.0

    @property
    def size(self) -> tuple[int, int]:
        return self.surface.get_size()

    def close(self) -> None:
        if self.speaker:
            self.speaker.close()
        pygame.display.quit()

    def ask_seats(self, setup: SetupScreen, meanwhile: Callable[[], object]) -> bool:
        """Show the setup; return whether a game is to begin, False if the window was closed.

        meanwhile  called for each picture
        """
        is_shown = False
        while not setup.is_done:
            meanwhile()
            for event in self._events():
                if event.type == pygame.QUIT:
                    return False
                if event.type == pygame.VIDEORESIZE:
                    self._fit(event.size)
                setup.handle(self._heard(event))
                is_shown = False
            if setup.wants:
                setup.wants = ""
                self._toggle_full_screen()
            if not is_shown:
                is_shown = True
                setup.spots = paint_setup(self.surface, setup)
                pygame.display.flip()
        return True

    def play(self, screen: Screen, meanwhile: Callable[[], object]) -> str:
        """Run a game until it wants something of its caller, as `Screen.wants` says it.

        meanwhile  called for each picture, before the game goes on
        """
        shown: View | None = None
        try:
            while True:
                for event in self._events():
                    if event.type == pygame.QUIT:
                        return "close"
                    if event.type == pygame.VIDEORESIZE:
                        screen.resize(self._fit(event.size))
                    screen.handle(self._heard(event))
                    if event.type in EXPOSES:
                        shown = None
                wants, screen.wants = screen.wants, ""
                if wants == "full screen":
                    self._toggle_full_screen()
                    screen.resize(self.size)
                    shown = None
                elif wants:
                    return wants
                meanwhile()
                view = self._next(screen)
                if view is not None and view != shown:
                    shown = view
                    self._show(screen, view)
        finally:
            screen.held.let_go()

    def _next(self, screen: Screen) -> View | None:
        """Step the game; return its view, None if there is a fault in making it."""
        try:
            screen.update()
            if self.speaker:
                unit = screen.session.unit
                tone = unit.tone if unit.is_mine and unit.online else 0
                self.speaker.show(tone, screen.volume)
            self._sounds.hear(screen.session.news, screen.volume)
            return screen.view()
        except Exception as error:
            if screen.failed is None:
                raise
            screen.failed(error)
            return None

    def _show(self, screen: Screen, view: View) -> None:
        screen.spots = scene.draw(self.surface, screen.layout, view, screen.failed)
        pygame.display.flip()

    def say_good_bye(self, screen: Screen) -> None:
        """Show the last words to the players, for long enough to be read."""
        view = self._next(screen)
        if view is not None:
            self._show(screen, view)
            pygame.time.wait(GOOD_BYE_MS)

    def _events(self) -> Iterator[pygame.Event]:
        """Yield the events until the next picture is due, each at once, as a bid must be."""
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

    def _heard(self, event: pygame.Event) -> pygame.Event:
        """Return an event as the key's or the mouse's that it stands for."""
        return self._fingers.as_mouse(self._controllers.as_keys(event), self.size)

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
