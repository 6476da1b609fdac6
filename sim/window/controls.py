"""The effects of keys, clicks and dropped files: they lead to the same few actions.

A key or a mouse button is a finger on a button of the unit; the button is down while any finger
is on it. `WindowControls` has the state of the window that the user changes, and the actions that
change it. It draws nothing: `snapshot.take` reads it.
"""

import contextlib
import webbrowser

import pygame

from city_unit.desktop import language
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError
from city_unit.facts import BUTTONS
from sim.engine.runner import Runner
from sim.play import own_programs, report
from sim.play.controls import KEYS, WARNED_S, Controls
from sim.play.offers import Offers
from sim.play.preferences import Preferences
from sim.play.sign import Sign
from sim.play.update import PATIENCE_S, Check

LATCH = "latch"


class HeldButtons:
    """The buttons that fingers hold down: the first presses a button, the last releases it.

    A finger is named by its key, or "mouse". A latched button stays down without one.
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._on: dict[str, set] = {button: set() for button in BUTTONS}

    def down(self, button: str, finger: object) -> None:
        """Put a finger on a button; if the button is latched, this only unlatches it."""
        if self.is_latched(button):
            self.latch(button)
            return
        if not self._on[button]:
            self._runner.press(button)
        self._on[button].add(finger)

    def up(self, finger: object) -> None:
        """Lift a finger."""
        for button, fingers in self._on.items():
            if finger in fingers:
                fingers.remove(finger)
                if not fingers:
                    self._runner.release(button)

    def latch(self, button: str) -> None:
        """Latch a button, or unlatch it."""
        if self.is_latched(button):
            self._on[button].remove(LATCH)
            if not self._on[button]:
                self._runner.release(button)
        else:
            self.down(button, LATCH)

    def lift_all(self) -> None:
        """Lift all fingers but keep the latches, as when the window loses the focus."""
        for fingers in list(self._on.values()):
            for finger in fingers - {LATCH}:
                self.up(finger)

    def forget(self) -> None:
        """Remove all fingers without releasing the buttons: another game was restored."""
        for fingers in self._on.values():
            fingers.clear()

    def is_latched(self, button: str) -> bool:
        return LATCH in self._on[button]

    def pressed(self) -> int:
        """Return the mask of the buttons that are down."""
        return sum(bit for button, bit in BUTTONS.items() if self._on[button])

    def latched(self) -> int:
        return sum(bit for button, bit in BUTTONS.items() if self.is_latched(button))


TIP_S = 6.0  # how long a tip is shown


class TipTimer:
    """Decides whether to show a tip.

    A tip is shown for a while after the mouse or the focus moves to a control. A change of the
    unit's state hides it until the mouse goes to another control.
    """

    def __init__(self) -> None:
        self.part = ""
        self._spent = ""  # the control whose tip a change of state has hidden
        self._focus = ""
        self._state = ""
        self._until = 0.0

    def at(self, part: str, now: float) -> None:
        """Record the control under the mouse."""
        self.part = part
        if part != self._spent:
            self._spent = ""
            self._until = now + TIP_S

    def follow(self, state: str, focus: str, now: float) -> None:
        """Record the unit's state and the control with the focus."""
        if focus != self._focus:
            self._focus, self._until = focus, now + TIP_S
        if state != self._state:
            self._state, self._until = state, now
            self._spent = self.part

    def shows_tip(self, now: float) -> bool:
        return now < self._until


BUTTON_KEYS = {
    pygame.K_a: "auction",
    pygame.K_SPACE: "auction",
    pygame.K_b: "build",
    pygame.K_RETURN: "build",
    pygame.K_KP_ENTER: "build",
}

# The actions of keys by typed character.
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
PRESS_KEYS = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)  # press the focused control
TOOLS = ("language", "volume", "help")
ARROWS = (pygame.K_UP, pygame.K_DOWN)


CHECKING = lazy("Checking for a newer version at the page that this one came from")


class WindowControls(Controls):
    """The state of the window that the user changes, and the actions that change it.

    panel          the open panel: "", "help", "tour", "program" or "report"
    report_rows    the rows of the problem report
    page           index of the shown page of the help or the report
    pages          number of pages of the help in this window
    page_rows      rows per page
    marker         index of the marked row of the menu of programs
    shows_trace    whether the live trace replaces the time line
    wants_tools    whether the user wants the tools for the speed of time
    fills_screen   whether the window should be full screen
    focus          the focused control, named as by `Layout.part_at`; "" for none
    asks_for_file  whether the file dialog should be opened
    """

    def __init__(self, runner: Runner, preferences: Preferences, offers: Offers) -> None:
        super().__init__(runner, preferences, offers)
        self.held = HeldButtons(runner)
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
            "update": self.check_for_update,
            "report": self.show_report,
            "save report": self.save_report,
            "close": self._close,
            "trace": lambda: self._flip("shows_trace"),
            "full screen": lambda: self._flip("fills_screen"),
            "engineer": lambda: self._flip("wants_tools"),
            "calm": self.toggle_calm,
            "language": self.next_language,
        }

    def do(self, action: str) -> None:
        """Perform an action by its name; "" does nothing."""
        if action:
            self.actions[action]()

    def key_down(self, key: int, typed: str, shift: bool) -> None:
        if self.panel == "tour":
            self.panel = ""
            if key in PRESS_KEYS or typed.lower() == "w":
                return  # closing the card must not also start an auction
        elif key in PANEL_KEYS.get(self.panel, ()):
            self.do(PANEL_KEYS[self.panel][key])
            return
        elif self.panel and key in ARROWS:
            return
        if key == pygame.K_TAB and not self.panel:
            step = -1 if shift else 1
            stops = ("", *self.tab_stops())
            place = stops.index(self.focus) if self.focus in stops else 0
            self.focus = stops[(place + step) % len(stops)]
            return
        if self.focus and key in PRESS_KEYS and not self.panel:
            # Like a click on the control; a button stays down until the key is released.
            if self.focus in BUTTONS:
                self.held.down(self.focus, key)
            elif self.focus in self.tab_stops():
                self.do(self.focus)
            return
        button = BUTTON_KEYS.get(key)
        if button and shift:
            self.held.latch(button)
        elif button:
            self.held.down(button, key)
        elif self.panel == "program" and typed.isdecimal() and typed != "0":
            self.choose(int(typed) - 1)
        else:
            self.do(NAMED_KEYS.get(key) or TYPED.get(typed.lower(), ""))

    def offer_sign(self) -> Sign | None:
        """Return the sign of the current offer, None if there is none."""
        return self._offers.sign()

    def click(self, part: str, latching: bool) -> None:
        """Process a click on a control; `latching` for the right mouse button."""
        if part in ("auction", "build"):
            # BUILD held at switch-on opens the setup, so a click latches it while the unit is off.
            if latching or (part == "build" and self._runner.unit.state == "off"):
                self.held.latch(part)
            else:
                self.held.down(part, "mouse")
        elif not latching:
            self.do(part)

    def choose(self, place: int) -> None:
        """Close the menu and start the program at this row, or open the file dialog."""
        programs = self._runner.unit.settings.programs
        if not 0 <= place <= len(programs):
            return
        self.panel = ""
        if place == len(programs):
            self.asks_for_file = True
        else:
            self.begin(programs[place])

    def add_program(self, path: str) -> None:
        """Start a program from a file, and keep the file for later."""
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
            self.held.forget()
        return taken

    def tab_stops(self) -> tuple[str, ...]:
        """Return the controls that Tab visits, in order."""
        offer = ("take offer",) if self.offer() else ()
        speed = ("slower", "speed", "faster") if self.shows_speed() else ()
        return (*offer, "switch", "auction", "build", "program", *speed, *TOOLS, "trace")

    def _turn_page(self, panel: str = "help") -> None:
        """Open the help or the report, show its next page, or close it after the last."""
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
        """Return the number of pages of the open panel."""
        if self.panel != "report":
            return self.pages
        return -(-(1 + len(self.report_rows)) // self.page_rows)  # one row is the command to save

    def save_report(self) -> None:
        self.panel = ""
        try:
            self.say(report.ATTACH.format(file=report.save(self._report)), WARNED_S)
        except UserError as error:
            self.say(str(error), WARNED_S)

    def check_for_update(self) -> None:
        self._close()
        self._check = Check()
        self.say(str(CHECKING), PATIENCE_S)

    def show_update(self) -> None:
        """Show the result of a finished check; open the page of a newer version in a browser."""
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
        """Return whether the tools for the speed of time are shown."""
        return self.wants_tools or self._runner.is_paused or self._runner.speed != 1

    def _flip(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def toggle_calm(self) -> None:
        self.preferences.calm = not self.preferences.calm
        lively = _("The cloth follows the lamp. K keeps it still")
        calm = _("The cloth keeps still. K makes it follow the lamp")
        self.say(calm if self.preferences.calm else lively)

    def next_language(self) -> None:
        """Switch to the next language and save the choice."""
        with contextlib.suppress(UserError):  # not saved: it applies to this run only
            language.change_in("unit")
