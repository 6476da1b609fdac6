"""The window's main loop: wait, handle input, sound, and draw changes.

Nothing is drawn or computed while nothing changes. The loop sleeps until an input event, the
unit's next deadline, or the time line's next tick, and steps the unit when an event arrives.

One turn: step the unit, exchange data with the link, update the sound, take a `View` of
everything shown, draw it if it differs from the last one, and wait.
"""

import os
import time

import pygame

from city_unit.desktop import language
from city_unit.desktop.catalogue import _
from city_unit.facts import AUCTION, AUCTIONING, BUILD, SWITCH
from sim.engine.link_server import LinkServer
from sim.engine.runner import Runner
from sim.face.disc import icon
from sim.face.speaker import Speaker, hushed
from sim.play import sign
from sim.play.controls import WARNED_S, tone_left
from sim.play.offers import Offers
from sim.play.preferences import Preferences
from sim.window import layout, panel, scene, snapshot
from sim.window.controls import TipTimer, WindowControls
from sim.window.file_dialog import FileDialog, NoDialog
from sim.window.snapshot import View

TITLE = "City Unit"
# Polling intervals for events, at rest and when a press must act at once. pygame's own wait polls
# a thousand times a second, which drains a battery more than the drawing does. Nobody notices
# 30 ms when they press a button of a resting unit.
DOZE_S, ALERT_S = 0.03, 0.004
HOLD_S = 0.05  # how often the ring of a hold is redrawn
# The user is at the window: a press may follow, and its tone should not wait for the sound device.
PRESENCE = (
    pygame.KEYDOWN,
    pygame.MOUSEMOTION,
    pygame.MOUSEBUTTONDOWN,
    pygame.FINGERDOWN,
    pygame.WINDOWFOCUSGAINED,
)
LONGEST_S = 0.25  # longest sleep, since Python handles a Ctrl-C only when awake


class NoDisplay(Exception):
    """There is no screen to open a window on."""


class Window:
    """A window on a running unit. Raises NoDisplay."""

    def __init__(self, runner: Runner, preferences: Preferences, offers: Offers) -> None:
        language.choose_for("unit")
        self._runner = runner
        self._preferences = preferences
        self._controls = WindowControls(runner, preferences, offers)
        if not preferences.toured:
            self._controls.panel = "tour"
        if preferences.warning:
            words = _("Settings: {what}").format(what=preferences.warning)
            self._controls.say(words, WARNED_S)
        for hint in ("SDL_APP_NAME", "SDL_VIDEO_X11_WMCLASS", "SDL_VIDEO_WAYLAND_WMCLASS"):
            os.environ[hint] = TITLE  # the name in task bars; the default is the script's
        # Without this, Windows scales the window as a blurred picture.
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
        try:
            with hushed():  # SDL prints to standard error here
                pygame.display.init()
            # Without a screen SDL silently falls back to an invisible one.
            driver = pygame.display.get_driver()
            if driver in ("offscreen", "dummy") and not os.environ.get("SDL_VIDEODRIVER"):
                pygame.display.quit()
                raise NoDisplay(_("there is no screen"))
            pygame.font.init()
            self._window = pygame.Window(
                TITLE,
                layout.initial_size(
                    (preferences.width, preferences.height), pygame.display.get_desktop_sizes()[0]
                ),
                resizable=True,
                allow_high_dpi=True,
            )
            self._opened = self._window.size
        except pygame.error:
            raise NoDisplay(_("there is no screen")) from None
        self._window.minimum_size = layout.SMALLEST
        self._window.set_icon(icon(128))
        self._speaker = Speaker("city-unit")
        self._arrange()
        self._shown: View | None = None
        self._tips = TipTimer()
        self._full = False
        self._dialog = FileDialog()

    def run(self, server: LinkServer) -> None:
        """Run until the user quits."""
        controls = self._controls
        while controls.is_running:
            controls.turn()
            controls.show_update()
            try:
                if controls.asks_for_file:
                    controls.asks_for_file = False
                    self._dialog.open()
                path = self._dialog.chosen()
                if path:
                    controls.add_program(path)
            except NoDialog:
                controls.say(
                    _("This desktop has no file dialog. Drop the file on this window instead")
                )
            server.receive(self._runner.now)
            self._runner.advance()
            server.send()
            self._sound()
            now = time.monotonic()
            self._tips.follow(self._runner.unit.state, controls.focus, now)
            has_tip = self._tips.shows_tip(now)
            hover = self._tips.part if has_tip else ""
            has_sound = self._speaker.is_working
            view = snapshot.take(self._runner, self._controls, has_sound, hover, has_tip)
            if view != self._shown:
                self._shown = view
                title = f"{sign.heading(view.sign)} - {TITLE}"
                if title != self._window.title:
                    self._window.title = title
                scene.draw(self._surface, self._layout, view)
                self._window.flip()
            # Report to the link when changes of lamps and tone were shown.
            server.note_shown(self._runner.now_us)
            self._wait(view, server)

    def close(self) -> None:
        """Close the window, and update the preferences."""
        self._controls.remember()
        self._preferences.toured = self._preferences.toured or self._controls.panel != "tour"
        self._remember_size()
        self._dialog.close()
        self._speaker.close()
        self._window.destroy()
        pygame.quit()

    # Output.

    def _sound(self) -> None:
        runner = self._runner
        volume, tone = self._controls.volume, runner.tone
        self._speaker.tend(self._controls.sounds_in_s())
        if not self._speaker.is_news(tone, volume):
            return
        if tone and tone == runner.unit.tone:
            levels = sum(bit for bit in (AUCTION, BUILD, SWITCH) if runner.is_closed(bit))
            left = tone_left(runner.unit, runner.now, levels) / runner.speed
            self._speaker.show(tone, volume, left)
        else:
            self._speaker.show(tone, volume)

    def _arrange(self) -> None:
        self._surface = self._window.get_surface()
        self._density = self._surface.get_width() / self._window.size[0]
        width, height = self._surface.get_size()
        self._arranged = (self._controls.shows_trace, self._controls.shows_speed())
        self._layout = layout.arrange(width, height, self._density, *self._arranged)
        self._controls.page_rows = panel.page_rows(self._layout)
        self._controls.pages = panel.pages(self._layout)
        self._controls.page = min(self._controls.page, self._controls.page_count() - 1)
        self._shown = None

    def _remember_size(self) -> None:
        """Record the window's size if the user has changed it."""
        if not self._full and self._window.size != self._opened:
            self._preferences.width, self._preferences.height = self._window.size

    # Input.

    def _wait(self, view: View, server: LinkServer) -> None:
        """Sleep until something is due or an event arrives, and handle all events."""
        runner, waits = self._runner, [LONGEST_S]
        due = runner.seconds_to_due()
        if due is not None:
            waits.append(due)
        if not runner.is_paused and snapshot.moves(view.trace):
            waits.append(snapshot.FRAME_MS / 1000)
        if not runner.is_paused and view.marks:
            waits.append(max(snapshot.next_tick(view) / runner.speed, 0.02))
        if view.look.hold:
            waits.append(HOLD_S)
        end = time.monotonic() + max(0.001, min(waits))
        is_alert = bool(view.look.pressed or view.sign.kind in AUCTIONING)
        while True:
            events = pygame.event.get()
            began = time.monotonic()
            if events or began >= end:
                break
            seconds = min(end - began, ALERT_S if is_alert else DOZE_S)
            server.wait(seconds)
            if time.monotonic() - began < seconds:
                break  # the link has received data
        for event in events:
            if event.type in PRESENCE:
                self._speaker.wake()
            self._handle(event)

    def _handle(self, event: pygame.Event) -> None:
        """Pass an event to the controls, and update the window to match them."""
        controls = self._controls
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            controls.quit()
        elif event.type == pygame.KEYDOWN:
            if not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
                shift = bool(event.mod & pygame.KMOD_SHIFT)
                controls.key_down(event.key, event.unicode, shift)
            elif event.key == pygame.K_q:
                controls.quit()
        elif event.type == pygame.KEYUP:
            controls.held.up(event.key)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._click(event)
        elif event.type == pygame.MOUSEBUTTONUP:
            controls.held.up("mouse")
        elif event.type == pygame.MOUSEMOTION:
            part = self._part_at(*self._pixels(event.pos))
            if bool(self._tips.part) != bool(part):
                shape = pygame.SYSTEM_CURSOR_HAND if part else pygame.SYSTEM_CURSOR_ARROW
                pygame.mouse.set_cursor(shape)
            self._tips.at(part, time.monotonic())
        elif event.type == pygame.DROPFILE:
            controls.add_program(event.file)
        elif event.type == pygame.WINDOWFOCUSLOST:
            controls.held.lift_all()
        elif event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED):
            self._arrange()
        if controls.fills_screen != self._full:
            if controls.fills_screen:
                self._remember_size()
            self._full = controls.fills_screen
            if self._full:
                self._window.set_fullscreen(desktop=True)
            else:
                self._window.set_windowed()
            self._arrange()
        if (controls.shows_trace, controls.shows_speed()) != self._arranged:
            self._arrange()

    def _part_at(self, x: float, y: float) -> str:
        """Return the control at a point; the board and the notice are one only with an offer."""
        part = self._layout.part_at(x, y)
        if part not in ("board", "take offer"):
            return part
        view = self._shown
        if view is None:
            return ""
        has_offer = view.sign.kind == "offer" if part == "board" else bool(view.offer)
        return "take offer" if has_offer else ""

    def _click(self, event: pygame.Event) -> None:
        controls = self._controls
        x, y = self._pixels(event.pos)
        if event.button not in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
            return
        if controls.panel and self._shown is not None:
            row = panel.row_at(self._layout, self._shown, x, y)
            if controls.panel == "program" and row is not None:
                controls.choose(row)
            elif controls.panel in ("help", "report"):
                controls.do(panel.action_at(self._layout, self._shown, x, y))
            else:
                controls.do("close")
            return
        controls.click(self._part_at(x, y), event.button == pygame.BUTTON_RIGHT)

    def _pixels(self, point: tuple[int, int]) -> tuple[float, float]:
        return point[0] * self._density, point[1] * self._density
