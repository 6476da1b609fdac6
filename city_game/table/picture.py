"""The content of the window at one moment: frozen values; the picture is drawn from them alone.

Players, deeds and groups are indices, -1 for none; money is notes of 10k.
"""

from dataclasses import dataclass
from typing import NamedTuple

from city_game.kernel.board import Board
from city_game.report.bid_log import Bid
from city_game.table.view import Player, Plot, Sale
from sim.face.box import Box
from sim.face.disc import Look


class Command(NamedTuple):
    """The command of a click or a key: its name, and a number for it."""

    name: str
    value: int = 0


NOTHING = Command("nothing")


class Spot(NamedTuple):
    """A part of the picture that can be clicked, and what that asks for."""

    box: Box
    name: str
    command: Command


Spots = list[Spot]


class Button(NamedTuple):
    """A button; `key` does the same, and Enter does the same as the marked button."""

    label: str
    key: str
    command: Command
    is_marked: bool = False
    name: str = ""  # of its spot, if it is not the label

    def spot(self, box: Box) -> Spot:
        return Spot(box, self.name or self.label, self.command)


class Token(NamedTuple):
    """A player's token; `place` is in spaces, and between two of them while it walks."""

    player: int
    place: float
    has_turn: bool


class Die(NamedTuple):
    """A die; while it tumbles it is turned by `turned` degrees, and `high`, in its own width."""

    face: int
    turned: int
    high: float


@dataclass(frozen=True)
class Clock:
    """The time left of the hour; `seconds` is None without a clock."""

    seconds: int | None
    is_urgent: bool
    is_last_turn: bool
    is_game_over: bool


@dataclass(frozen=True)
class Unit:
    """The unit beside the board.

    is_mine   whether it runs beside this table
    stopping  how far AUCTION is held to stop the light, from 0 to 1
    """

    look: Look
    is_online: bool
    is_mine: bool
    stopping: float


@dataclass(frozen=True)
class Panel:
    """The decider and the decision; `is_mine` if a person at the table decides."""

    player: int
    title: str
    detail: str
    is_mine: bool
    buttons: tuple[Button, ...]


@dataclass(frozen=True)
class Draft:
    """A deal that is being put together, in place of the decision; `step` changes its payment."""

    proposer: int
    partner: int
    gives: tuple[int, ...]
    asks: tuple[int, ...]
    pays: int
    step: int


@dataclass(frozen=True)
class Bidder:
    """A person's key in a sale: its bid, a step above the last bid, if it can bid now."""

    player: int
    key: str
    amount: int
    step: int
    can_bid: bool


@dataclass(frozen=True)
class SaleCard:
    """The card of a sale, with its light.

    has_started  whether the light has been on for it
    is_lit       whether the lamp is on just now; it flashes
    is_stray     whether a light is on that is not for it
    share        the time left of the light, from 1 to 0; None if that is secret
    is_closing   whether the light is about to go out
    bidders      the people that may bid
    """

    sale: Sale
    has_started: bool
    is_lit: bool
    is_stray: bool
    share: float | None
    is_closing: bool
    bidders: tuple[Bidder, ...]


@dataclass(frozen=True)
class Outcome:
    """How a sale has just ended: of the deed, or of a lot."""

    deed: int
    lot: str
    winner: int
    amount: int
    bids: tuple[Bid, ...]


@dataclass(frozen=True)
class ChanceCard:
    text: str
    does: str
    deck: str


@dataclass(frozen=True)
class DeedCard:
    """A deed that is looked at.

    counted     the blocks by which its rent goes today
    words       the steps that would change it, in lines
    lies_aside  whether it lies beside the card of a sale, so that the bids stay free
    """

    deed: int
    counted: int
    words: tuple[str, ...]
    lies_aside: bool


@dataclass(frozen=True)
class Invitation:
    """How telephones come to the table.

    squares       the address as a code for a camera: rows, True for dark
    people        the players that may have a telephone
    online        those whose telephone is connected
    is_only_here  whether no other device can reach the address
    """

    address: str
    squares: tuple[tuple[bool, ...], ...]
    people: tuple[int, ...] = ()
    online: tuple[int, ...] = ()
    is_only_here: bool = False


@dataclass(frozen=True)
class Lookup:
    """A card that was asked for: "help", "rules", "bids" or "phones".

    switched  how the house rules are played, in the order of the edition's switches
    sold      the deed, or the lot, whose bids are shown
    outcome   how that sale ended, in words
    bids      those on this page, the latest first
    """

    card: str
    page: int
    pages: int
    switched: tuple[bool, ...] = ()
    sold: int | str = -1
    outcome: str = ""
    bids: tuple[Bid, ...] = ()
    invitation: Invitation | None = None


class Rank(NamedTuple):
    """A player's place at the end; `parts` is what their worth is made of, empty for bankrupts."""

    player: int
    parts: tuple[tuple[str, int], ...]

    @property
    def worth(self) -> int:
        return sum(notes for _name, notes in self.parts)


@dataclass(frozen=True)
class End:
    """The end; `history` has for each player (turn, worth) through the game."""

    winners: tuple[int, ...]
    ranks: tuple[Rank, ...]
    history: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class View:
    """All that the picture depends on but its size.

    floats          the amounts just paid or received: a player, notes, for how many ms now
    outlined        the deeds that can be chosen, or are in a deal
    pointed         those that the blinking pointer is on
    is_bright       whether the pointer is bright just now
    log             its last lines, the newest at the end
    is_newest       whether the last of them is the last of all
    lets_phones_in  whether telephones may come in
    code            how they come, as long as somebody may still want a telephone; None for no more
    mouse           where it is, px
    """

    board: Board
    plots: tuple[Plot, ...]
    tokens: tuple[Token, ...]
    players: tuple[Player, ...]
    clock: Clock
    unit: Unit
    panel: Panel
    floats: tuple[tuple[int, int, float], ...] = ()
    log: tuple[str, ...] = ()
    is_newest: bool = True
    outlined: tuple[int, ...] = ()
    pointed: tuple[int, ...] = ()
    is_bright: bool = False
    dice: tuple[Die, ...] = ()
    draft: Draft | None = None
    over_city: End | SaleCard | Outcome | ChanceCard | None = None
    deed_card: DeedCard | None = None
    lookup: Lookup | None = None
    toast: str = ""
    volume: int = 2
    lets_phones_in: bool = False
    code: Invitation | None = None
    mouse: tuple[float, float] = (0.0, 0.0)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)
