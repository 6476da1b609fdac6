"""Where the first screen has its parts, at any size of the window: pure geometry, in px."""

from typing import NamedTuple

from city_game.table.paint.base.layout import SMALLEST, letters
from sim.face.box import Box


class Layout(NamedTuple):
    """The size of the window, a measure in which its parts are placed, and its letters.

    pitch  the measure
    text   the height of the body's letters, as in a game
    """

    width: int
    height: int
    pitch: int
    text: int

    @property
    def box(self) -> Box:
        """What all parts lie in, in the middle of the window."""
        pitch = self.pitch
        left, top = self.width / 2 - pitch * 21, self.height / 2 - pitch * 16
        return Box(left, top, pitch * 42, pitch * 32)

    def seat(self, row: int) -> Box:
        box, pitch = self.box, self.pitch
        return Box(box.left, box.top + pitch * (5.2 + row * 3.2), box.width, pitch * 2.8)

    @property
    def corners(self) -> tuple[Box, Box]:
        """Where the buttons beside the title are: of the telephones, and of the language."""
        box, pitch = self.box, self.pitch
        top, wide, high = box.top + pitch * 0.4, pitch * 13, pitch * 2
        return Box(box.left, top, wide, high), Box(box.right - wide, top, wide, high)

    @property
    def foot(self) -> Box:
        """Where the buttons are, in two rows."""
        box, pitch = self.box, self.pitch
        return Box(box.left, box.top + pitch * 24.9, box.width, pitch * 5.6)


def arrange(size: tuple[int, int]) -> Layout:
    width, height = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
    pitch = round(min(height / 34, width / 52))
    return Layout(width, height, pitch, letters(width, height))
