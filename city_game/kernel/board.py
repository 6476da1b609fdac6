"""A board, ready to play on: plain lists, indexed by space, deed and group.

An edition prints more on its board than stands here: it adds to these classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from city_game.kernel.edition import Edition

SPACES = ("go", "chance", "tax", "jail", "parking", "go to jail")  # that any edition may have


@dataclass
class Deed:
    """A thing that players can own; prices and rents in notes of 10k.

    rents  the printed ones, the bare rent first
    space  its index on the track
    """

    name: str
    key: str
    group: int
    price: int
    rents: tuple[int, ...]
    space: int = -1


@dataclass
class Group:
    """Deeds of one colour, `#rrggbb`."""

    name: str
    colour: str
    deeds: tuple[int, ...] = ()


@dataclass
class Card:
    """A card: its text, its effect, the amount or the target, and the space where its deck lies."""

    text: str
    does: str
    amount: int = 0
    deck: str = "chance"


@dataclass
class Money:
    """The sums that are not a deed's, in notes of 10k."""

    start: int
    salary: int
    jail_fine: int
    least_bid: int


@dataclass(eq=False)
class Board:
    """All printed facts of a board. Treat it as constant: games share it.

    edition  the edition that the board belongs to
    kinds    of each space, a word of the edition's spaces, or "district" for a deed
    deed_on  of each space, the deed, -1 for none
    taxes    of each space, in notes of 10k
    text     the file that it was read from
    """

    edition: Edition
    name: str
    money: Money
    groups: list[Group]
    deeds: list[Deed]
    kinds: list[str]
    deed_on: list[int]
    taxes: list[int]
    cards: list[Card]
    text: str

    def __post_init__(self) -> None:
        self.size = len(self.kinds)
        self.jail = self.kinds.index("jail")
        self.keys = {deed.key: index for index, deed in enumerate(self.deeds)}
        # Plain lists of the facts that the rules read all the time.
        self.prices = [deed.price for deed in self.deeds]
        self.rents = [deed.rents for deed in self.deeds]
        self.group_of = [deed.group for deed in self.deeds]
        self.members = [group.deeds for group in self.groups]
        self.sizes = [len(group.deeds) for group in self.groups]
        self.space_of = [deed.space for deed in self.deeds]

    def name_of(self, thing: int | str) -> str:
        """Return the name of a deed, or of the edition's lot of that name."""
        return (
            str(self.edition.words.lots[thing])
            if isinstance(thing, str)
            else self.deeds[thing].name
        )
