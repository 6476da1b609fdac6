"""Where the first screen has its parts, at any size of the window: pure geometry, in px."""

from typing import NamedTuple

from city_game.table.paint.base.layout import SMALLEST
from sim.face.box import Box


class Layout(NamedTuple):
    """The size of the window, and of its letters."""

    width: int
    height: int
    text: int

    @property
    def box(self) -> Box:
        """What all parts lie in, in the middle of the window."""
        text = self.text
        return Box(self.width / 2 - text * 21, self.height / 2 - text * 16, text * 42, text * 32)

    def seat(self, row: int) -> Box:
        box, text = self.box, self.text
        return Box(box.left, box.top + text * (5.2 + row * 3.2), box.width, text * 2.8)

    @property
    def corners(self) -> tuple[Box, Box]:
        """Where the buttons beside the title are: of the telephones, and of the language."""
        box, text = self.box, self.text
        top, wide, high = box.top + text * 0.4, text * 13, text * 2
        return Box(box.left, top, wide, high), Box(box.right - wide, top, wide, high)

    @property
    def foot(self) -> Box:
        """Where the buttons are, in two rows."""
        box, text = self.box, self.text
        return Box(box.left, box.top + text * 24.9, box.width, text * 5.6)


def arrange(size: tuple[int, int]) -> Layout:
    width, height = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
    return Layout(width, height, round(min(height / 34, width / 52)))
