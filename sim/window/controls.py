"""What keys and clicks do: both lead to the same few actions."""

from collections.abc import Callable

import pygame

from city_unit.unit import SWITCH
from sim.decisions import Decisions, is_busy
from sim.runner import Runner
from sim.saying import Saying
from sim.window.fingers import Fingers

BUTTON_KEYS = {
    pygame.K_a: "auction",
    pygame.K_SPACE: "auction",
    pygame.K_b: "build",
    pygame.K_RETURN: "build",
    pygame.K_KP_ENTER: "build",
}

# By what is typed, since + and ? lie elsewhere on each keyboard.
TYPED = {
    "o": "switch",
    "p": "pause",
    "n": "step",
    "+": "faster",
    "=": "faster",
    "-": "slower",
    "0": "speed",
    "m": "mute",
    "c": "program",
    "t": "trace",
    "h": "help",
    "?": "help",
    "f": "full screen",
    "q": "quit",
}
KEYS = {
    pygame.K_UP: "louder",
    pygame.K_DOWN: "softer",
    pygame.K_F1: "help",
    pygame.K_F11: "full screen",
    pygame.K_ESCAPE: "close",
}
MENU_KEYS = {
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_RETURN: "take",
    pygame.K_KP_ENTER: "take",
    pygame.K_SPACE: "take",
}
ARROWS = (pygame.K_UP, pygame.K_DOWN)  # for moving in a panel, were there something to move


class Controls:
    """The state that a person sets, and the actions that set it.

    muted    whether the desktop keeps silent
    panel    "", "help" or "program"
    saying   what it answers to the person
    marker   the place of the program that the menu's marker is on
    traced   whether the live trace is shown in place of the time line
    full     whether the window is to fill the screen
    running  False when the person has quit
    """

    def __init__(self, runner: Runner, muted: bool = False) -> None:
        self.fingers = Fingers(runner)
        self.muted = muted
        self.panel = ""
        self.traced = False
        self.full = False
        self.marker = 0
        self.running = True
        self._runner = runner
        self._decisions = Decisions(runner)
        self.saying = Saying(runner)
        self._actions: dict[str, Callable[[], object]] = {
            "switch": self._switch,
            "pause": self._pause,
            "step": runner.single_step,
            "faster": runner.faster,
            "slower": runner.slower,
            "speed": self._real_time,
            "louder": lambda: self._volume(1),
            "softer": lambda: self._volume(-1),
            "volume": self._next_volume,
            "mute": self._mute,
            "program": self._open_menu,
            "up": lambda: self._move(-1),
            "down": lambda: self._move(1),
            "take": lambda: self.choose(self.marker),
            "help": lambda: self._toggle("help"),
            "close": lambda: self._toggle(self.panel),
            "trace": self._trace,
            "full screen": self._full_screen,
            "quit": self._leave,
        }

    def do(self, action: str) -> None:
        """Do what a tool, a key or the switch stands for; "" is nothing."""
        if action:
            self._actions[action]()

    def key_down(self, key: int, typed: str, shift: bool) -> None:
        if self.panel == "program" and key in MENU_KEYS:
            self.do(MENU_KEYS[key])
            return
        if self.panel and key in ARROWS:
            return
        button = BUTTON_KEYS.get(key)
        if button and shift:
            self.fingers.latch(button)
        elif button:
            self.fingers.down(button, key)
        elif self.panel == "program" and typed.isdecimal() and typed != "0":
            self.choose(int(typed) - 1)
        else:
            self.do(KEYS.get(key) or TYPED.get(typed.lower(), ""))

    def key_up(self, key: int) -> None:
        self.fingers.up(key)

    def click(self, part: str, latching: bool) -> None:
        """Take a click on a part of the disc or on a tool; `latching` is the right button."""
        if part in ("auction", "build"):
            if latching:
                self.fingers.latch(part)
            else:
                self.fingers.down(part, "mouse")
        elif not latching:
            self.do(part)

    def choose(self, place: int) -> None:
        """Take a program by its place in the menu, and close that, unless there is a question."""
        unit = self._runner.unit
        programs = unit.settings.programs
        if not 0 <= place < len(programs):
            return
        self.marker = place
        refused = is_busy(unit)
        answer = self._decisions.choose(programs[place])
        self.saying.say(answer)
        if refused or not answer:
            self.panel = ""

    def quit(self) -> None:
        """Leave at once."""
        self.running = False

    def _leave(self) -> None:
        question = self._decisions.leave()
        self.saying.say(question)
        self.running = bool(question)

    def _open_menu(self) -> None:
        settings = self._runner.unit.settings
        self.marker = settings.programs.index(settings.program)
        self._toggle("program")

    def _move(self, step: int) -> None:
        self.marker = (self.marker + step) % len(self._runner.unit.settings.programs)

    def _switch(self) -> None:
        self._runner.switch(not self._runner.is_closed(SWITCH))

    def _pause(self) -> None:
        self._runner.paused = not self._runner.paused

    def _real_time(self) -> None:
        self._runner.speed = 1.0
        self._runner.paused = False

    def _volume(self, change: int) -> None:
        settings = self._runner.unit.settings
        settings.volume = min(max(settings.volume + change, 0), 3)
        self.muted = False

    def _next_volume(self) -> None:
        settings = self._runner.unit.settings
        settings.volume = (settings.volume + 1) % 4
        self.muted = False

    def _mute(self) -> None:
        self.muted = not self.muted

    def _toggle(self, panel: str) -> None:
        self.panel = "" if self.panel == panel else panel

    def _trace(self) -> None:
        self.traced = not self.traced

    def _full_screen(self) -> None:
        self.full = not self.full
