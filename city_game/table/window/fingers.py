"""Fingers on a touch screen, as the mouse that they stand for.

SDL makes mouse events of the first finger by itself, and of no other: of two players who press at
once only one would be heard. So those events are passed over, and each finger is made the mouse.
"""

import pygame

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
