"""The window itself: waits, hands on what a person does, sounds, and draws what has changed.

Nothing is drawn or computed while nothing changes: the loop sleeps until an
event, the unit's next deadline, or the time line's next tick, and steps the
unit at the moment at which an event came.
"""

import math
import os

import pygame

from city_unit.unit import AUCTION, BUILD, SWITCH
from sim import texts_window as texts
from sim.preferences import Preferences
from sim.runner import Runner
from sim.sound import Speaker
from sim.window import layout, panel, scene, snapshot, trace
from sim.window.ahead import tone_left
from sim.window.controls import Controls
from sim.window.view import View

LINK_MS = 4  # how often the link is looked after, if there is one
LONGEST_S = 0.25  # of sleep: Python hears of a Ctrl-C only when awake
WARNED_S = 15.0  # how long a warning stays that came with the start


class NoDisplay(Exception):
    """There is no screen to open a window on."""


def _refuse_an_invisible_screen() -> None:
    """Raise NoDisplay where SDL, finding no screen, draws unseen without having been asked to."""
    driver = pygame.display.get_driver()
    if driver in ("offscreen", "dummy") and not os.environ.get("SDL_VIDEODRIVER"):
        pygame.display.quit()
        raise NoDisplay(texts.NO_SCREEN)


class Window:
    """A window on a running unit. Raises NoDisplay."""

    def __init__(self, runner: Runner, preferences: Preferences, server=None) -> None:
        self._runner = runner
        self._preferences = preferences
        self._server = server
        self._controls = Controls(runner, preferences.muted)
        if preferences.warning:
            self._controls.saying.say(texts.WINDOW_WARNING.format(preferences.warning), WARNED_S)
        for hint in ("SDL_APP_NAME", "SDL_VIDEO_X11_WMCLASS", "SDL_VIDEO_WAYLAND_WMCLASS"):
            os.environ[hint] = texts.TITLE  # what task bars call it; pygame has the script's name
        # Windows scales the pictures of a program that does not say that it is sharp itself.
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
        try:
            pygame.display.init()
            _refuse_an_invisible_screen()
            pygame.font.init()
            self._window = pygame.Window(
                texts.TITLE,
                (max(preferences.width, 320), max(preferences.height, 320)),
                resizable=True,
                allow_high_dpi=True,
            )
        except pygame.error as error:
            raise NoDisplay(str(error)) from None
        self._window.minimum_size = layout.SMALLEST
        self._speaker = Speaker()
        self._arrange()
        self._shown: View | None = None
        self._hover = ""
        self._full = False
        self._traced = False

    def run(self) -> None:
        """Play until the person quits."""
        while self._controls.running:
            self._runner.advance()
            self._serve()
            self._sound()
            view = snapshot.take(self._runner, self._controls, self._speaker.working, self._hover)
            self._show(view)
            self._tell_edges()
            self._wait(view)

    def close(self) -> None:
        """Close it, having noted in the preferences how it was left."""
        self._remember()
        self._speaker.close()
        self._window.destroy()
        pygame.quit()

    # What goes out.

    def _serve(self) -> None:
        if self._server is not None:
            self._server.receive(self._runner.now)
            self._runner.advance()
            self._server.send()

    def _tell_edges(self) -> None:
        """Note for the link, if it wants to know, when the lamps and the tone were changed."""
        if self._server is not None and self._server.link.watched:
            self._server.link.shown(self._runner.now_us)

    def _sound(self) -> None:
        runner = self._runner
        volume = 0 if self._controls.muted or runner.paused else runner.unit.settings.volume
        tone = runner.tone
        if not self._speaker.is_news(tone, volume):
            return
        if tone and tone == runner.unit.tone:
            levels = sum(bit for bit in (AUCTION, BUILD, SWITCH) if runner.is_closed(bit))
            left = tone_left(runner.unit, runner.now, levels) / runner.speed
            self._speaker.show(tone, volume, left)
        else:
            self._speaker.show(tone, volume)

    def _show(self, view: View) -> None:
        if view == self._shown:
            return
        self._shown = view
        scene.draw(self._surface, self._layout, view)
        self._window.flip()

    def _arrange(self) -> None:
        self._surface = self._window.get_surface()
        self._density = self._surface.get_width() / self._window.size[0]
        width, height = self._surface.get_size()
        self._layout = layout.arrange(width, height, self._density, self._controls.traced)
        self._shown = None

    def _remember(self) -> None:
        settings = self._runner.unit.settings
        self._preferences.program = settings.program.name
        self._preferences.clock_ms = settings.clock_ms
        self._preferences.volume = settings.volume
        self._preferences.muted = self._controls.muted
        if not self._full:
            self._preferences.width, self._preferences.height = self._window.size

    # What comes in.

    def _wait(self, view: View) -> None:
        """Sleep until something happens, and take all that has happened."""
        first = pygame.event.wait(self._patience_ms(view))
        for event in (first, *pygame.event.get()):
            self._take(event)

    def _patience_ms(self, view: View) -> int:
        waits = [LONGEST_S]
        due = self._runner.seconds_to_due()
        if due is not None:
            waits.append(due)
        if not self._runner.paused and trace.moves(view.trace):
            waits.append(trace.FRAME_MS / 1000)
        if not self._runner.paused and view.marks:
            waits.append(max(snapshot.next_tick(view) / self._runner.speed, 0.02))
        if self._server is not None:
            waits.append(LINK_MS / 1000)
        return max(1, math.ceil(min(waits) * 1000))

    def _take(self, event: pygame.Event) -> None:
        controls = self._controls
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            controls.quit()
        elif event.type == pygame.KEYDOWN and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            if event.key == pygame.K_q:
                controls.quit()
        elif event.type == pygame.KEYDOWN:
            controls.key_down(event.key, event.unicode, bool(event.mod & pygame.KMOD_SHIFT))
        elif event.type == pygame.KEYUP:
            controls.key_up(event.key)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._click(event)
        elif event.type == pygame.MOUSEBUTTONUP:
            controls.fingers.up("mouse")
        elif event.type == pygame.MOUSEMOTION:
            self._hover = self._layout.hit(*self._pixels(event.pos))
        elif event.type == pygame.WINDOWFOCUSLOST:
            controls.fingers.lift_all()
        elif event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED):
            self._arrange()
        if controls.full != self._full:
            self._fill_screen()
        if controls.traced != self._traced:
            self._traced = controls.traced
            self._arrange()

    def _click(self, event: pygame.Event) -> None:
        controls = self._controls
        x, y = self._pixels(event.pos)
        if event.button not in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
            return
        if controls.panel and self._shown is not None:
            row = panel.chosen(self._layout, self._shown, x, y)
            if controls.panel == "program" and row is not None:
                controls.choose(row)
            else:
                controls.do("close")
            return
        controls.click(self._layout.hit(x, y), event.button == pygame.BUTTON_RIGHT)

    def _pixels(self, point: tuple[int, int]) -> tuple[float, float]:
        return point[0] * self._density, point[1] * self._density

    def _fill_screen(self) -> None:
        self._full = self._controls.full
        if self._full:
            self._preferences.width, self._preferences.height = self._window.size
            self._window.set_fullscreen(desktop=True)
        else:
            self._window.set_windowed()
        self._arrange()
