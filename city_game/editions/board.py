"""A board, ready to play on: plain lists, indexed by space, district and group."""

from dataclasses import dataclass

BONUSES = ("school", "park", "wind farm", "water tower")
HAZARDS = {"power station": 3, "sewage works": 3, "prison": 4, "rubbish dump": 2}  # in blocks

# The kinds of space; a district's space has its name on the track instead.
SPACES = ("go", "chance", "auction", "planning", "tax", "jail", "parking", "go to jail")

MOST_BLOCKS = 8  # a district


@dataclass
class District:
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
    districts: tuple[int, ...] = ()


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
        districts: list[District],
        kinds: list[str],
        district_on: list[int],
        taxes: list[int],
        cards: list[Card],
        text: str,
    ) -> None:
        self.name = name
        self.money = money
        self.pieces = pieces
        self.groups = groups
        self.districts = districts
        self.kinds = kinds
        self.district_on = district_on
        self.taxes = taxes
        self.cards = cards
        self.text = text
        self.size = len(kinds)
        self.jail = kinds.index("jail")
        self.keys = {district.key: index for index, district in enumerate(districts)}
        # What the rules ask for all the time, as plain lists.
        self.prices = [district.price for district in districts]
        self.rents = [district.rents for district in districts]
        self.group_of = [district.group for district in districts]
        self.members = [group.districts for group in groups]
        self.sizes = [len(group.districts) for group in groups]
        self.space_of = [district.space for district in districts]
        self.block_prices = {
            "residential": [district.residential for district in districts],
            "industrial": [district.industrial for district in districts],
        }
