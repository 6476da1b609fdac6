"""A board, ready to play on: plain lists, indexed by space, district and group."""

from dataclasses import dataclass

BONUSES = ("school", "park", "wind farm", "water tower")
HAZARDS = {"power station": 3, "sewage works": 3, "prison": 4, "rubbish dump": 2}  # in blocks

# The kinds of space; a district's space has its name on the track instead.
SPACES = ("go", "chance", "auction", "planning", "tax", "jail", "parking", "go to jail")

MOST_BLOCKS = 8  # a district


@dataclass
class Deed:
    """One district; prices and rents in notes of 10k.

    rents  for 0 to 8 blocks
    space  its index on the track
    """

    name: str
    key: str
    group: int
    price: int
    residential: int
    industrial: int
    rents: tuple[int, ...]
    space: int = -1


@dataclass
class Group:
    """Districts of one colour, `#rrggbb`."""

    name: str
    colour: str
    skyscraper: int
    deeds: tuple[int, ...] = ()


@dataclass
class Card:
    """A chance card: its words, what it does, and how much or whither."""

    text: str
    does: str
    amount: int = 0


@dataclass
class Money:
    """The sums that are not a district's, in notes of 10k."""

    start: int
    salary: int
    jail_fine: int
    stadium: int
    stadium_income: int
    tower: int
    hazard_block: int
    least_bid: int


@dataclass
class Pieces:
    """What the box holds; residential and industrial by pieces of 1, 2 and 3 blocks."""

    residential: tuple[int, ...]
    industrial: tuple[int, ...]
    stations: int
    stadiums: int
    skyscrapers: int
    bonuses: dict[str, int]
    hazards: dict[str, int]


class Board:
    """All that is printed. Treat it as constant: games share it.

    kinds        of each space, a word of `SPACES`, or "district"
    district_on  of each space, the district, -1 for none
    taxes        of each space, in notes of 10k
    text         the file that it was read from
    """

    def __init__(
        self,
        name: str,
        money: Money,
        pieces: Pieces,
        groups: list[Group],
        deeds: list[Deed],
        kinds: list[str],
        deed_on: list[int],
        taxes: list[int],
        cards: list[Card],
        text: str,
    ) -> None:
        self.name = name
        self.money = money
        self.pieces = pieces
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
        # What the rules ask for all the time, as plain lists.
        self.prices = [deed.price for deed in deeds]
        self.rents = [deed.rents for deed in deeds]
        self.group_of = [deed.group for deed in deeds]
        self.members = [group.deeds for group in groups]
        self.sizes = [len(group.deeds) for group in groups]
        self.space_of = [deed.space for deed in deeds]
        self.block_prices = {
            "residential": [deed.residential for deed in deeds],
            "industrial": [deed.industrial for deed in deeds],
        }
