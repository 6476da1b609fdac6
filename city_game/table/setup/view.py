"""What the first screen shows at one moment: frozen values, from which alone it is drawn."""

from dataclasses import dataclass
from typing import NamedTuple

from city_game.kernel.switches import Switch
from city_game.table.paint.base.view import Button, Invitation

EMPTY = "empty"  # beside the kinds of players, what a seat can be


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
    said  of the row that is marked, or why what was wanted cannot be done; "" for nothing
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
    corners       the buttons at the top left and at the top right
    """

    seats: tuple[Seat, ...]
    above: tuple[Button, ...]
    below: tuple[Button, ...]
    corners: tuple[Button, Button]
    message: str = ""
    page: Rules | Games | Phones | None = None
    mouse: tuple[float, float] = (0.0, 0.0)
