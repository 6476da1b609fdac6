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


class Board:
    """All printed facts of a board. Treat it as constant: games share it.

    edition  the edition that the board belongs to
    kinds    of each space, a word of the edition's spaces, or "district" for a deed
    deed_on  of each space, the deed, -1 for none
    taxes    of each space, in notes of 10k
    text     the file that it was read from
    """

    def __init__(
        self,
        edition: Edition,
        name: str,
        money: Money,
        groups: list[Group],
        deeds: list[Deed],
        kinds: list[str],
        deed_on: list[int],
        taxes: list[int],
        cards: list[Card],
        text: str,
    ) -> None:
        self.edition = edition
        self.name = name
        self.money = money
        self.groups = groups
        self.deeds = deeds
        self.kinds = kinds
        self.deed_on = deed_on
        self.taxes = taxes
        self.cards = cards
        self.text = text
        self.size = len(kinds)
        self.jail = kinds.index("jail")
        self.keys = {deed.key: index for index, deed in enumerate(deeds)}
        # Plain lists of the facts that the rules read all the time.
        self.prices = [deed.price for deed in deeds]
        self.rents = [deed.rents for deed in deeds]
        self.group_of = [deed.group for deed in deeds]
        self.members = [group.deeds for group in groups]
        self.sizes = [len(group.deeds) for group in groups]
        self.space_of = [deed.space for deed in deeds]

    def name_of(self, thing: int | str) -> str:
        """Return the name of a deed, or of the edition's lot of that name."""
        if isinstance(thing, str):
            return str(self.edition.words.lots[thing])
        return self.deeds[thing].name
