"""The pygame window: its frame loop, input devices and sounds.

The loop draws at most 60 frames per second but passes every event on at once, because a bid is
timed by its arrival. Controllers and fingers are translated into events of the keyboard and the
mouse. The game's sounds are synthesized here, quieter than the unit's tones, which players wait
for, and follow the unit's volume.
"""

import math
import os
import random
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from functools import cache

import pygame

from city_game.table import scene
from city_game.table.layout import SMALLEST
from city_game.table.picture import View
from city_game.table.screen import Screen
from city_game.table.setup import SetupScreen, paint_setup
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from sim.face.speaker import Speaker, hushed
from sim.face.tones import RATE

FRAME_S = 1 / 60
FIRST_SIZE = (1280, 720)
GOOD_BYE_MS = 900
UNSEEN = ("offscreen", "dummy")  # SDL's drivers without a screen
EXPOSES = (  # after these the picture may be lost or of another size
    pygame.VIDEORESIZE,
    pygame.VIDEOEXPOSE,
    pygame.WINDOWEXPOSED,
    pygame.WINDOWRESTORED,
    pygame.WINDOWSHOWN,
)


class Window:
    """The window, for the setup and all games of an evening."""

    def __init__(self, sound: bool = True) -> None:
        if sys.platform == "linux":
            # Without a GPU, SDL's default path through a texture is four times slower.
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        pygame.font.init()
        try:
            with hushed():  # SDL lists missing devices on standard error
                pygame.display.init()
                unseen = pygame.display.get_driver() in UNSEEN
            if unseen and not os.environ.get("SDL_VIDEODRIVER"):
                raise UserError(
                    _("no window can be opened: there is no screen; start it in a desktop session"),
                    FAILURE,
                )
            self.surface = pygame.display.set_mode(fitting_size(), pygame.RESIZABLE)
        except pygame.error as error:
            raise UserError(
                _("no window can be opened: {why}").format(why=error), FAILURE
            ) from None
        pygame.display.set_caption(_("City game"))
        self.speaker = Speaker("city-game") if sound else None
        works = self.speaker is not None and self.speaker.is_working
        self._sounds = Sounds(play_sound if works else None)
        self._controllers = Controllers()
        self._touches = Touches()
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
        """Run the setup; return False if the window was closed.

        meanwhile  called once per frame
        """
        is_shown = False
        while not setup.is_done:
            meanwhile()
            for event in self._events():
                if event.type == pygame.QUIT:
                    return False
                if event.type == pygame.VIDEORESIZE:
                    self._fit(event.size)
                setup.handle(self._translated(event))
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
        """Run a game until it has a request to the caller, and return it (`Screen.wants`).

        meanwhile  called once per frame, before the game's step
        """
        shown: View | None = None
        try:
            while True:
                for event in self._events():
                    if event.type == pygame.QUIT:
                        return "close"
                    if event.type == pygame.VIDEORESIZE:
                        screen.resize(self._fit(event.size))
                    screen.handle(self._translated(event))
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
        """Step the game and return its view, None if that failed."""
        try:
            screen.update()
            if self.speaker:
                unit = screen.session.unit
                tone = unit.tone if unit.is_mine and unit.online else 0
                self.speaker.show(tone, screen.volume)
            self._sounds.play_new(screen.session.news, screen.volume)
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
        """Show a last notice to the players long enough to be read."""
        view = self._next(screen)
        if view is not None:
            self._show(screen, view)
            pygame.time.wait(GOOD_BYE_MS)

    def _events(self) -> Iterator[pygame.Event]:
        """Yield the events as they arrive, until the next frame is due."""
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

    def _translated(self, event: pygame.Event) -> pygame.Event:
        """Translate an event of a controller or a finger into one of the keyboard or the mouse."""
        return self._touches.as_mouse(self._controllers.as_keys(event), self.size)

    def _fit(self, size: tuple[int, int]) -> tuple[int, int]:
        """Keep the window at its smallest legible size or above."""
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
    """Return the initial size of the window, limited by the screen."""
    width, height = pygame.display.get_desktop_sizes()[0]
    if width >= FIRST_SIZE[0] and height >= FIRST_SIZE[1]:
        return FIRST_SIZE
    return max(SMALLEST[0], min(width, FIRST_SIZE[0])), max(SMALLEST[1], min(height, FIRST_SIZE[1]))


# Controllers as a keyboard, fingers as a mouse.

KEYS = {  # SDL names the buttons by position
    pygame.CONTROLLER_BUTTON_A: pygame.K_RETURN,
    pygame.CONTROLLER_BUTTON_B: pygame.K_ESCAPE,
    pygame.CONTROLLER_BUTTON_X: pygame.K_a,  # AUCTION
    pygame.CONTROLLER_BUTTON_Y: pygame.K_b,  # BUILD
    pygame.CONTROLLER_BUTTON_DPAD_UP: pygame.K_UP,
    pygame.CONTROLLER_BUTTON_DPAD_DOWN: pygame.K_DOWN,
    pygame.CONTROLLER_BUTTON_DPAD_LEFT: pygame.K_LEFT,
    pygame.CONTROLLER_BUTTON_DPAD_RIGHT: pygame.K_RIGHT,
    pygame.CONTROLLER_BUTTON_START: pygame.K_F7,  # a pause
    pygame.CONTROLLER_BUTTON_BACK: pygame.K_F1,
    pygame.CONTROLLER_BUTTON_LEFTSHOULDER: pygame.K_TAB,
    pygame.CONTROLLER_BUTTON_RIGHTSHOULDER: pygame.K_SPACE,
}
LETTERS = {pygame.K_a: "a", pygame.K_b: "b"}
PRESSES = {pygame.CONTROLLERBUTTONDOWN: pygame.KEYDOWN, pygame.CONTROLLERBUTTONUP: pygame.KEYUP}


class Controllers:
    """The connected controllers, including those connected later."""

    def __init__(self) -> None:
        self._open: dict[int, object] = {}
        try:
            from pygame._sdl2 import controller

            controller.init()
            self._module = controller
        except (ImportError, pygame.error):  # not supported here; keys still work
            self._module = None

    def as_keys(self, event: pygame.Event) -> pygame.Event:
        """Translate a controller's event into a key's; return other events unchanged."""
        if event.type == pygame.CONTROLLERDEVICEADDED and self._module:
            self._open[event.device_index] = self._module.Controller(event.device_index)
        if event.type not in PRESSES or event.button not in KEYS:
            return event
        key = KEYS[event.button]
        stroke = {"key": key, "mod": 0, "unicode": LETTERS.get(key, ""), "scancode": 0}
        return pygame.event.Event(PRESSES[event.type], stroke)


FINGERS = {
    pygame.FINGERDOWN: pygame.MOUSEBUTTONDOWN,
    pygame.FINGERUP: pygame.MOUSEBUTTONUP,
    pygame.FINGERMOTION: pygame.MOUSEMOTION,
}
OF_A_MOUSE = -1  # SDL's touch_id of fingers simulated by a mouse
LEFT = 1  # mouse button
NO_EVENT = pygame.event.Event(pygame.NOEVENT)


class Touches:
    """The touches on the screen; the first one down moves the pointer."""

    def __init__(self) -> None:
        self._down: list[tuple[int, int]] = []  # (touch_id, finger_id), in order of arrival

    def as_mouse(self, event: pygame.Event, size: tuple[int, int]) -> pygame.Event:
        """Translate a finger's event into a mouse's, for a window of that size.

        Mouse events that SDL simulates for a finger are dropped; other events stay unchanged.
        """
        if event.type not in FINGERS:
            return NO_EVENT if getattr(event, "touch", False) else event
        finger = (event.touch_id, event.finger_id)
        if event.touch_id == OF_A_MOUSE or not self._counts(event.type, finger):
            return NO_EVENT
        point = (round(event.x * (size[0] - 1)), round(event.y * (size[1] - 1)))
        return pygame.event.Event(
            FINGERS[event.type], pos=point, rel=(0, 0), button=LEFT, buttons=(1, 0, 0), touch=False
        )

    def _counts(self, kind: int, finger: tuple[int, int]) -> bool:
        """Track which fingers are down; return True if this event has an effect."""
        if kind == pygame.FINGERMOTION:
            return self._down[:1] == [finger]
        if finger in self._down:
            self._down.remove(finger)
            if kind == pygame.FINGERUP:
                return True
        elif kind == pygame.FINGERUP:
            return False
        self._down.append(finger)
        return True


# The sounds of the game's events.

LOUDEST = 9000  # of 32767, below the unit's
VOLUMES = (0.0, 0.35, 0.65, 1.0)  # by the steps of the unit's volume

# event: key of WAVES; of simultaneous sounds the last one in WAVES is played
HEARD = {
    "paid": "money",
    "received": "money",
    "salary": "money",
    "bought": "money",
    "rolled": "dice",
    "start rolled": "dice",
    "built": "building",
    "station built": "building",
    "landmark built": "building",
    "placed": "building",
    "light out": "hammer",
}


class Sounds:
    """The sounds of one window.

    play  plays a sound by name, at a volume of 0 to 1; None without a sound device
    """

    def __init__(self, play: Callable[[str, float], object] | None) -> None:
        self._play = play
        self._seen: tuple[object, int] = (None, 0)  # a game's events, and their number so far

    def play_new(self, events: list[tuple], volume: int) -> None:
        """Play the sounds of a game's new events, at a volume from 0 to 3."""
        earlier, count = self._seen
        self._seen = (events, len(events))
        if earlier is not events or self._play is None:
            return  # another game, whose earlier events stay silent
        sounds = {HEARD[event[0]] for event in events[count:] if event[0] in HEARD}
        if sounds and volume:
            self._play(max(sounds, key=[*WAVES].index), VOLUMES[volume])


def play_sound(name: str, volume: float) -> None:
    """Play a sound by pygame's mixer."""
    sound = _sound(name)
    sound.set_volume(volume)
    sound.play()


def wave(name: str) -> array:
    """Return the samples of a sound, identical each time."""
    return array("h", (round(LOUDEST * max(-1.0, min(1.0, part))) for part in WAVES[name]()))


@cache
def _sound(name: str) -> pygame.mixer.Sound:
    return pygame.mixer.Sound(buffer=wave(name).tobytes())


def _mixed(length_ms: int, parts: list[tuple[int, list[float]]]) -> list[float]:
    """Mix sounds, each starting at its ms."""
    total = [0.0] * (length_ms * RATE // 1000)
    for begin_ms, part in parts:
        begin = begin_ms * RATE // 1000
        for place, value in enumerate(part[: len(total) - begin]):
            total[begin + place] += value
    return total


def _struck(hz: float, fades_ms: float, loud: float, length_ms: int) -> list[float]:
    """Return a decaying tone, as of an object that is struck."""
    count = length_ms * RATE // 1000
    fade = fades_ms * RATE / 1000
    turn = 2 * math.pi * hz / RATE
    return [loud * math.sin(turn * place) * math.exp(-place / fade) for place in range(count)]


def _knock(seed: int, fades_ms: float, loud: float) -> list[float]:
    """Return a short low-pass noise, dull as wood."""
    chance, value, found = random.Random(seed), 0.0, []
    fade = fades_ms * RATE / 1000
    for place in range(60 * RATE // 1000):
        value += 0.35 * (chance.uniform(-1, 1) - value)
        found.append(2 * loud * value * math.exp(-place / fade))
    return found


def dice() -> list[float]:
    """Two dice bouncing ever lower and faster."""
    times = (0, 90, 165, 225, 270, 305, 330)
    knocks = [(at, _knock(at, 6, 1.0 - at / 450)) for at in times]
    taps = [(at + 12, _struck(1900 + at, 5, 0.25, 40)) for at in times]
    return _mixed(420, knocks + taps)


def money() -> list[float]:
    """Two coins on a table."""
    coins = [(0, 2637.0), (70, 3136.0)]
    rings = [(at, _struck(hz, 70, 0.4, 350)) for at, hz in coins]
    return _mixed(450, rings + [(at, _struck(hz * 2.7, 25, 0.2, 200)) for at, hz in coins])


def hammer() -> list[float]:
    """Two blows of an auctioneer's hammer."""
    blows = [(0, 0.7), (170, 1.0)]
    boards = [(at, _struck(130, 45, loud, 200)) for at, loud in blows]
    return _mixed(420, boards + [(at, _knock(at, 12, 0.6 * loud)) for at, loud in blows])


def building() -> list[float]:
    """Three blocks stacked on each other, each a little higher in pitch."""
    pieces = [(0, 330.0), (110, 392.0), (220, 494.0)]
    bodies = [(at, _struck(hz, 30, 0.6, 150)) for at, hz in pieces]
    return _mixed(420, bodies + [(at, _knock(int(hz), 8, 0.7)) for at, hz in pieces])


WAVES = {"money": money, "building": building, "dice": dice, "hammer": hammer}
