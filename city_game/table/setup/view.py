"""The first screen at one moment: frozen values, from which alone it is drawn; and its layout."""

from dataclasses import dataclass
from typing import NamedTuple

from city_game.kernel.switches import Switch
from city_game.table.paint.base.layout import SMALLEST, letters
from city_game.table.paint.base.view import Button, Invitation
from sim.face.box import Box

EMPTY = "empty"  # a kind of seat, beside the kinds of players


class Seat(NamedTuple):
    """One of the six seats; `player` is its order among those who play, -1 if it is empty.

    column  which of its fields the keyboard is at: 0 the kind, 1 the name, 2 the key, -1 none
    """

    kind: str
    name: str
    key: str
    player: int
    column: int


class Saved(NamedTuple):
    """A saved game in the list."""

    name: str
    players: str
    how_far: str
    is_readable: bool


@dataclass(frozen=True)
class Page:
    """A list over the whole window.

    here  the row that the keyboard is at
    said  of the row that is marked, or why the choice is refused; "" for nothing
    """

    title: str
    help: str
    here: int
    said: str


@dataclass(frozen=True)
class Rules(Page):
    """The house rules, and how each is played."""

    switched: tuple[bool, ...]
    switches: tuple[Switch, ...]


@dataclass(frozen=True)
class Games(Page):
    """As many saved games as there is room for, from the `first` on."""

    first: int
    games: tuple[Saved, ...]


@dataclass(frozen=True)
class Phones(Page):
    """How telephones come to the table."""

    invitation: Invitation


@dataclass(frozen=True)
class View:
    """All that the first screen depends on but its size.

    above, below  the buttons of the upper and of the lower row
    edition       the button between those, which chooses the edition; `books` stands beside it
    corners       the buttons at the top left and at the top right
    """

    seats: tuple[Seat, ...]
    above: tuple[Button, ...]
    edition: Button
    books: str
    below: tuple[Button, ...]
    corners: tuple[Button, Button]
    message: str = ""
    page: Rules | Games | Phones | None = None
    mouse: tuple[float, float] = (0.0, 0.0)


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
        """The rectangle around all parts, in the middle of the window."""
        pitch = self.pitch
        left, top = self.width / 2 - pitch * 21, self.height / 2 - pitch * 16
        return Box(left, top, pitch * 42, pitch * 32)

    def seat(self, row: int) -> Box:
        box, pitch = self.box, self.pitch
        return Box(box.left, box.top + pitch * (5.2 + row * 2.9), box.width, pitch * 2.5)

    @property
    def corners(self) -> tuple[Box, Box]:
        """Where the buttons beside the title are: of the telephones, and of the language."""
        box, pitch = self.box, self.pitch
        top, wide, high = box.top + pitch * 0.4, pitch * 13, pitch * 2
        return Box(box.left, top, wide, high), Box(box.right - wide, top, wide, high)

    @property
    def foot(self) -> Box:
        """Where the buttons are, in three rows."""
        box, pitch = self.box, self.pitch
        return Box(box.left, box.top + pitch * 22.8, box.width, pitch * 7.6)


def arrange(size: tuple[int, int]) -> Layout:
    width, height = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
    pitch = round(min(height / 34, width / 52))
    return Layout(width, height, pitch, letters(width, height))
