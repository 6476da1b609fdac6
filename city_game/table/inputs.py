"""Keys, controllers and fingers at the table: the command that each stroke asks for."""

from collections.abc import Mapping
from typing import NamedTuple

import pygame

from city_game.kernel.sales import IN_SALE, JUDGED_IN
from city_game.table.picture import NOTHING, Button, Command
from sim.face.box import Box

ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
LESS, MORE = (pygame.K_MINUS, pygame.K_KP_MINUS), (pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS)
MILLIONS = {pygame.K_n: -10, pygame.K_m: 10}
BUTTONS = {"a": Command("hold auction"), "b": Command("hold build")}
HOLDS = {BUTTONS["a"]: "auction", BUTTONS["b"]: "build"}  # of the unit, for as long as the key is
DIGITS = {pygame.KSCAN_1 + place: place + 1 for place in range(9)}  # by where the keys lie
UP_AND_DOWN = {pygame.K_UP: -1, pygame.K_DOWN: 1}  # down a list
ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}
ALWAYS = {
    pygame.K_ESCAPE: Command("back"),
    pygame.K_F1: Command("help"),
    pygame.K_F2: Command("rules"),
    pygame.K_F3: Command("bids"),
    pygame.K_F4: Command("phones"),
    pygame.K_i: Command("browse deeds"),
    pygame.K_m: Command("sound"),
    pygame.K_F5: Command("another unit"),
    pygame.K_F7: Command("pause"),
    pygame.K_F8: Command("calm"),
    pygame.K_F9: Command("referee"),
    pygame.K_PAUSE: Command("pause"),
    pygame.K_F6: Command("hour"),
    pygame.K_F11: Command("full screen"),
    pygame.K_PAGEUP: Command("log", 6),
    pygame.K_PAGEDOWN: Command("log", -6),
}


class Stroke(NamedTuple):
    """A key that goes down.

    key     by its code, which follows the layout of the keyboard
    letter  that it types, in lower case, "" for none
    digit   that chooses an option, 0 for none
    """

    key: int
    letter: str = ""
    digit: int = 0
    shift: bool = False
    ctrl: bool = False


class Before(NamedTuple):
    """The situation at the table that gives a stroke its meaning.

    bid_keys  of the people: their players, by letter
    result    whether the result of a sale is still shown
    card, deed  whether a card, or a deed, is looked at
    making    "deal", "deed" or "opening": what is being put together, "" for nothing
    marked    the button that Enter does, -1 for none
    """

    phase: str
    bid_keys: Mapping[str, int]
    result: bool
    card: bool
    deed: bool
    making: str
    buttons: list[Button]
    marked: int
    has_problem: bool


def stroke(event: pygame.Event) -> Stroke:
    """Return the stroke of a KEYDOWN.

    On a French keyboard the digits need Shift: the key of 2 types é. So a key that types no digit
    has the one that most keyboards have there.
    """
    typed = event.unicode
    digit = int(typed) if typed.isdecimal() else DIGITS.get(event.scancode, 0)
    shift, ctrl = bool(event.mod & pygame.KMOD_SHIFT), bool(event.mod & pygame.KMOD_CTRL)
    return Stroke(event.key, typed.lower(), digit, shift, ctrl)


def meaning(made: Stroke, before: Before) -> Command:
    """Return the command of a stroke: bids come first while a light is on."""
    key, letter = made.key, made.letter
    if made.ctrl and key == pygame.K_q:
        return Command("close")
    if made.ctrl and before.phase in IN_SALE:  # with Ctrl no key types its letter
        for bids_with, player in before.bid_keys.items():
            if key == ord(bids_with):
                return Command("smaller step" if made.shift else "larger step", player)
    if letter in before.bid_keys and (before.result or before.phase in JUDGED_IN):
        if before.phase not in JUDGED_IN:
            return NOTHING  # it was meant for the sale that has just ended
        return Command("bid more" if made.shift else "bid", before.bid_keys[letter])
    if letter in BUTTONS and before.phase != "over":
        return BUTTONS[letter]
    if key in ALWAYS and not (key in MILLIONS and before.making in ("deal", "opening")):
        return ALWAYS[key]
    if key == pygame.K_SPACE:
        return Command("take" if before.making == "deal" else "skip")
    if key in ARROWS and (before.card or before.deed):
        return Command("browse", sum(ARROWS[key]))
    if before.making == "deal":
        return _of_deal(key, letter)
    if before.making:
        return _of_choice(key, letter, before)
    if before.phase == "over":
        if key in ENTER:
            return Command("again")
        return Command("export") if key == pygame.K_x else NOTHING
    if before.phase in IN_SALE and key in UP_AND_DOWN:
        # Of several people each changes their own step.
        if len(before.bid_keys) > 1 or not before.bid_keys:
            return Command("step of all")
        (player,) = before.bid_keys.values()
        return Command("smaller step" if key == pygame.K_DOWN else "larger step", player)
    if before.phase == "bidding":
        if key == pygame.K_BACKSPACE:
            return Command("pass")
        return Command("pause") if letter == "p" else NOTHING  # is refused, and that is said
    return _of_option(made, before)


def _of_option(made: Stroke, before: Before) -> Command:
    buttons, marked = before.buttons, before.marked
    if buttons and made.key in UP_AND_DOWN:
        step = UP_AND_DOWN[made.key]
        return Command("mark", (max(marked, 0 if step < 0 else -1) + step) % len(buttons))
    if buttons and made.key in ENTER:
        if marked < 0 and not before.has_problem:
            return Command("answer by letter")
        return buttons[max(0, min(marked, len(buttons) - 1))].command
    if 0 < made.digit <= len(buttons):
        return buttons[made.digit - 1].command
    return _of_letter(made.letter, before)


def _of_letter(letter: str, before: Before) -> Command:
    """Return the command of the button with that letter."""
    for button in before.buttons:
        if letter and button.key == letter:
            return button.command
    # P is for the door, where nothing is to be paid.
    return Command("pause") if letter == "p" else NOTHING


def _of_choice(key: int, letter: str, before: Before) -> Command:
    if key in ENTER:
        return Command("confirm")
    if before.making == "opening":
        if key in MORE or key == pygame.K_UP:
            return Command("opening", 1)
        if key in LESS or key == pygame.K_DOWN:
            return Command("opening", -1)
    elif key in ARROWS:
        return Command("aim", list(ARROWS).index(key))
    elif key == pygame.K_TAB:
        return Command("next deed")
    return _of_letter(letter, before)


def _of_deal(key: int, letter: str) -> Command:
    if key in ENTER:
        return Command("send offer")
    if key == pygame.K_TAB:
        return Command("next partner")
    if key in MORE or letter == "+":
        return Command("money", 1)
    if key in LESS or letter == "-":
        return Command("money", -1)
    if key in MILLIONS:
        return Command("money", MILLIONS[key])
    return Command("aim", list(ARROWS).index(key)) if key in ARROWS else NOTHING


def nearest(plots: tuple[Box, ...], start: int, way: tuple[int, int], among: list[int]) -> int:
    """Return the deed next to `start` in a direction, or round the list if there is none."""
    x, y = plots[start].middle
    best, found = 0.0, -1
    for deed in among:
        dx, dy = plots[deed].middle[0] - x, plots[deed].middle[1] - y
        along = dx * way[0] + dy * way[1]
        if along <= 1:
            continue
        cost = along + 3 * abs(dx * way[1] + dy * way[0])
        if found < 0 or cost < best:
            best, found = cost, deed
    if found >= 0:
        return found
    return among[(among.index(start) + sum(way)) % len(among)]


# Game controllers as the keys, and fingers as the mouse, that they stand for.

# Of the controllers that SDL knows, named by where the buttons are.
KEYS = {
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
PRESSES = {
    pygame.CONTROLLERBUTTONDOWN: pygame.KEYDOWN,
    pygame.CONTROLLERBUTTONUP: pygame.KEYUP,
}


class Controllers:
    """The controllers that are plugged in, also those that come later."""

    def __init__(self) -> None:
        self._open: dict[int, object] = {}
        try:
            from pygame._sdl2 import controller

            controller.init()
            self._module = controller
        except (ImportError, pygame.error):  # a system without them: there are keys
            self._module = None

    def as_keys(self, event: pygame.Event) -> pygame.Event:
        """Return the key's event that a controller's stands for; any other event as it is."""
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
OF_A_MOUSE = -1  # the screen on which a mouse touches, where SDL makes fingers of a mouse
LEFT = 1  # a mouse's button
NO_EVENT = pygame.event.Event(pygame.NOEVENT)


class Fingers:
    """The fingers on the screen; the one that came first moves the pointer."""

    def __init__(self) -> None:
        self._down: list[tuple[int, int]] = []  # each screen and finger, in the order they came

    def as_mouse(self, event: pygame.Event, size: tuple[int, int]) -> pygame.Event:
        """Return the mouse's event that a finger's stands for in a window of that size.

        What SDL made of a finger by itself is nothing; any other event stays as it is.
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
        """Note which fingers are down; return whether this event of one does anything."""
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
