"""Game controllers as the keys, and fingers as the mouse, that they stand for."""

import pygame

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
NOTHING = pygame.event.Event(pygame.NOEVENT)


class Fingers:
    """The fingers on the screen; the one that came first moves the pointer."""

    def __init__(self) -> None:
        self._down: list[tuple[int, int]] = []  # each screen and finger, in the order they came

    def as_mouse(self, event: pygame.Event, size: tuple[int, int]) -> pygame.Event:
        """Return the mouse's event that a finger's stands for in a window of that size.

        What SDL made of a finger by itself is nothing; any other event stays as it is.
        """
        if event.type not in FINGERS:
            return NOTHING if getattr(event, "touch", False) else event
        finger = (event.touch_id, event.finger_id)
        if event.touch_id == OF_A_MOUSE or not self._counts(event.type, finger):
            return NOTHING
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
