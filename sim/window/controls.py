"""The effects of keys and clicks: both lead to the same few actions, by fingers on the buttons."""

import contextlib
import webbrowser

import pygame

from city_unit.desktop import language
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError
from city_unit.facts import BUTTONS
from sim.engine.runner import Runner
from sim.play import own_programs, report
from sim.play.hour import Hour, Large, is_busy
from sim.play.person import KEYS, WARNED_S, Person
from sim.play.preferences import Preferences
from sim.play.update import PATIENCE_S, Check

LATCH = "latch"


class Fingers:
    """Presses a button with its first finger and releases it with its last."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._on: dict[str, set] = {button: set() for button in BUTTONS}

    def down(self, button: str, finger: object) -> None:
        """Put a finger on a button; on a latched one it does nothing but end the latch."""
        if self.is_latched(button):
            self.latch(button)
            return
        if not self._on[button]:
            self._runner.press(button)
        self._on[button].add(finger)

    def up(self, finger: object) -> None:
        """Lift a finger from whatever it is on."""
        for button, fingers in self._on.items():
            if finger in fingers:
                fingers.remove(finger)
                if not fingers:
                    self._runner.release(button)

    def latch(self, button: str) -> None:
        """Keep a button down; the second time, let it go."""
        if self.is_latched(button):
            self._on[button].remove(LATCH)
            if not self._on[button]:
                self._runner.release(button)
        else:
            self.down(button, LATCH)

    def lift_all(self) -> None:
        """Lift all fingers but the latches, as when another window takes the keys."""
        for fingers in list(self._on.values()):
            for finger in fingers - {LATCH}:
                self.up(finger)

    def forget(self) -> None:
        """Know of no finger any more: the unit is at another moment, with nobody at it."""
        for fingers in self._on.values():
            fingers.clear()

    def is_latched(self, button: str) -> bool:
        return LATCH in self._on[button]

    def pressed(self) -> int:
        """Return the mask of the buttons that are held."""
        return sum(bit for button, bit in BUTTONS.items() if self._on[button])

    def latched(self) -> int:
        return sum(bit for button, bit in BUTTONS.items() if self.is_latched(button))


TIP_S = 6.0  # how long a tip stays where the mouse rests


class Pointing:
    """Knows whether a tip is due: for a while, and not where a press has just changed things."""

    def __init__(self) -> None:
        self.part = ""
        self._spent = ""  # the part whose tip was taken away, as the unit has changed
        self._focus = ""
        self._state = ""
        self._until = 0.0

    def at(self, part: str, now: float) -> None:
        """Note the control under the mouse, at a time in seconds."""
        self.part = part
        if part != self._spent:
            self._spent = ""
            self._until = now + TIP_S

    def follow(self, state: str, focus: str, now: float) -> None:
        """Note the state of the unit, and what Tab has gone to."""
        if focus != self._focus:
            self._focus, self._until = focus, now + TIP_S
        if state != self._state:
            self._state, self._until = state, now
            self._spent = self.part

    def is_said(self, now: float) -> bool:
        """Return whether the tip is shown."""
        return now < self._until


BUTTON_KEYS = {
    pygame.K_a: "auction",
    pygame.K_SPACE: "auction",
    pygame.K_b: "build",
    pygame.K_RETURN: "build",
    pygame.K_KP_ENTER: "build",
}

# By the typed character.
TYPED = {
    **KEYS,
    "t": "trace",
    "e": "engineer",
    "k": "calm",
    "l": "language",
    "w": "tour",
    "u": "update",
    "i": "report",
    "f": "full screen",
}
NAMED_KEYS = {
    pygame.K_UP: "louder",
    pygame.K_DOWN: "softer",
    pygame.K_F1: "help",
    pygame.K_F11: "full screen",
    pygame.K_ESCAPE: "close",
}
PANEL_KEYS = {
    "program": {
        pygame.K_UP: "up",
        pygame.K_DOWN: "down",
        pygame.K_RETURN: "take",
        pygame.K_KP_ENTER: "take",
        pygame.K_SPACE: "take",
    },
    "report": {
        pygame.K_RETURN: "save report",
        pygame.K_KP_ENTER: "save report",
        pygame.K_SPACE: "report",
    },
}
PRESS_KEYS = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)  # press what Tab has gone to
TOOLS = ("language", "volume", "help")
ARROWS = (pygame.K_UP, pygame.K_DOWN)  # these move the marker of a panel that has one


ASKING = lazy("Is there a newer version? This asks the page that you have this one from")


class Controls(Person):
    """The state that a person sets, and the actions that set it.

    panel          "", "help", "tour", "program" or "report"
    report_rows    of the report of a problem that is shown
    page           the page of the help or the report that is shown, from 0 on
    pages          how many pages the help takes in this window
    page_rows      how many rows a page has
    marker         the place of the program that the menu's marker is on
    shows_trace    whether the live trace is shown in place of the time line
    wants_tools    whether the tools that change the speed of time are wanted
    fills_screen   whether the window is to fill the screen
    focus          the control with the focus, as `Layout.hit` names it; "" for nothing
    asks_for_file  whether a file is to be asked for
    """

    def __init__(
        self, runner: Runner, preferences: Preferences | None = None, hour: Hour | None = None
    ) -> None:
        super().__init__(runner, preferences or Preferences(), hour)
        self.fingers = Fingers(runner)
        self.panel = ""
        self.report_rows: tuple[str, ...] = ()
        self._report = ""
        self.shows_trace = False
        self.fills_screen = False
        self.wants_tools = False
        self.page, self.pages, self.page_rows = 0, 1, 99
        self.marker = 0
        self.focus = ""
        self.asks_for_file = False
        self._check: Check | None = None
        self.actions |= {
            "volume": lambda: self.louder(-3 if self._runner.unit.settings.volume == 3 else 1),
            "program": self.open_menu,
            "up": lambda: self._move(-1),
            "down": lambda: self._move(1),
            "take": lambda: self.choose(self.marker),
            "help": self._turn_page,
            "tour": lambda: self._toggle("tour"),
            "update": self.look_for_update,
            "report": self.show_report,
            "save report": self.save_report,
            "close": self._close,
            "trace": lambda: self._turn_over("shows_trace"),
            "full screen": lambda: self._turn_over("fills_screen"),
            "engineer": lambda: self._turn_over("wants_tools"),
            "calm": self.keep_calm,
            "language": self.next_language,
        }

    def do(self, action: str) -> None:
        """Perform the command of a tool, a key or the switch; "" is nothing."""
        if action:
            self.actions[action]()

    def key_down(self, key: int, typed: str, shift: bool) -> None:
        if self.panel == "tour":
            self.panel = ""
            if key in PRESS_KEYS or typed.lower() == "w":
                return  # the key that closes the card starts no auction by the way
        elif key in PANEL_KEYS.get(self.panel, ()):
            self.do(PANEL_KEYS[self.panel][key])
            return
        elif self.panel and key in ARROWS:
            return
        if key == pygame.K_TAB and not self.panel:
            step = -1 if shift else 1
            stops = ("", *self.stops())
            place = stops.index(self.focus) if self.focus in stops else 0
            self.focus = stops[(place + step) % len(stops)]
            return
        if self.focus and key in PRESS_KEYS and not self.panel:
            # The same as a click on the control; a button is down as long as the key is.
            if self.focus in BUTTONS:
                self.fingers.down(self.focus, key)
            elif self.focus in self.stops():
                self.do(self.focus)
            return
        button = BUTTON_KEYS.get(key)
        if button and shift:
            self.fingers.latch(button)
        elif button:
            self.fingers.down(button, key)
        elif self.panel == "program" and typed.isdecimal() and typed != "0":
            self.choose(int(typed) - 1)
        else:
            self.do(NAMED_KEYS.get(key) or TYPED.get(typed.lower(), ""))

    def large_offer(self) -> Large | None:
        """Return what R does now as the whole table reads it."""
        return self._hour.large() if self._hour is not None else None

    def click(self, part: str, latching: bool) -> None:
        """Process a click on a part of the disc or on a tool; `latching` is the right button."""
        if part in ("auction", "build"):
            # With one finger, BUILD is held before the slide is moved, which begins the setup.
            if latching or (part == "build" and self._runner.unit.state == "off"):
                self.fingers.latch(part)
            else:
                self.fingers.down(part, "mouse")
        elif not latching:
            self.do(part)

    def choose(self, place: int) -> None:
        """Choose a program by its place in the menu, and close that, unless there is a question."""
        unit = self._runner.unit
        programs = unit.settings.programs
        if not 0 <= place <= len(programs):
            return
        self.marker = place
        if place == len(programs):
            self.panel, self.asks_for_file = "", True
            return
        if self.begin(programs[place]) or is_busy(unit):
            self.panel = ""

    def take_file(self, path: str) -> None:
        """Load a program from a file that was dropped on the window, and keep it for later."""
        settings = self._runner.unit.settings
        try:
            program = own_programs.add(path, settings.programs)
        except UserError as error:
            self.say(str(error))
            return
        others = (other for other in settings.programs if other.name != program.name)
        settings.programs = (*others, program)
        self.begin(program)

    def open_menu(self) -> None:
        settings = self._runner.unit.settings
        self.marker = settings.programs.index(settings.program)
        self._toggle("program")

    def _move(self, step: int) -> None:
        rows = len(self._runner.unit.settings.programs) + 1  # the last opens a file
        self.marker = (self.marker + step) % rows

    def take_offer(self) -> bool:
        taken = super().take_offer()
        if taken:
            self.fingers.forget()
        return taken

    def stops(self) -> tuple[str, ...]:
        """Return what Tab goes to, in its order."""
        offered = ("take offer",) if self.offer() else ()
        speed = ("slower", "speed", "faster") if self.shows_speed() else ()
        return (*offered, "switch", "auction", "build", "program", *speed, *TOOLS, "trace")

    def _turn_page(self, panel: str = "help") -> None:
        """Open the help or the report, turn its page, and close it behind the last one."""
        if self.panel != panel:
            self.panel, self.page = panel, 0
        elif self.page + 1 < self.page_count():
            self.page += 1
        else:
            self.panel = ""

    def show_report(self) -> None:
        if self.panel != "report":
            self._report = report.compose()
            self.report_rows = report.rows(self._report)
        self._turn_page("report")

    def page_count(self) -> int:
        """Return how many pages the open panel has."""
        if self.panel != "report":
            return self.pages
        return -(-(1 + len(self.report_rows)) // self.page_rows)  # the first row saves it

    def save_report(self) -> None:
        self.panel = ""
        try:
            self.say(report.ATTACH.format(file=report.save(self._report)), WARNED_S)
        except UserError as error:
            self.say(str(error), WARNED_S)

    def look_for_update(self) -> None:
        self._close()
        self._check = Check()
        self.say(str(ASKING), PATIENCE_S)

    def hear(self) -> None:
        """Say the answer about a newer version when it is there; a browser opens its page."""
        answer = self._check.answer() if self._check else None
        if answer is None:
            return
        self._check = None
        self.say(answer.sentence, WARNED_S)
        if answer.is_newer:
            webbrowser.open(answer.address)

    def _close(self) -> None:
        self.panel = self.focus = ""

    def _toggle(self, panel: str) -> None:
        self.panel = "" if self.panel == panel else panel

    def shows_speed(self) -> bool:
        """Return whether the tools that change the speed of time are shown."""
        return self.wants_tools or self._runner.is_paused or self._runner.speed != 1

    def _turn_over(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def keep_calm(self) -> None:
        self.preferences.calm = not self.preferences.calm
        lively = _("The cloth lives with the lamp. K has it keep still")
        calm = _("The cloth keeps still. K has it live again")
        self.say(calm if self.preferences.calm else lively)

    def next_language(self) -> None:
        """Speak the next language, at once and from now on."""
        with contextlib.suppress(UserError):  # it is spoken all the same, until the end
            language.change_in("unit")
