"""The content of the window at one moment: frozen values; the picture is drawn from them alone.

Players, deeds and groups are indices, -1 for none; money is notes of 10k.
"""

from dataclasses import dataclass
from typing import NamedTuple

from city_game.kernel.board import Board
from city_game.kernel.state import State
from city_game.table.view import Player, Plot
from city_game.table.view import View as Game
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


MONEY_STEP = 10  # notes: a step of the payment in a deal


# Of a deal that is put together: the proposer, the partner, the deeds that are given, those that
# are asked for, and the payment.
Draft = tuple[int, int, tuple[int, ...], tuple[int, ...], int]


class Die(NamedTuple):
    """A die; while it tumbles it is turned by `turned` degrees, and `high`, in its own width."""

    face: int
    turned: int
    high: float


class Bidder(NamedTuple):
    """A person's key in a sale: its bid, a step above the last bid, if it can bid now."""

    player: int
    key: str
    amount: int
    step: int
    can_bid: bool


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
class View:
    """All that the picture depends on but its size.

    game       the game as it stands
    plots      of it, at the height that they have by now
    places     of each token, in spaces, and between two of them while it walks
    floats     the amounts just paid or received: a player, notes, for how many ms now
    outlined   the deeds that can be chosen, or are in a deal
    pointed    those that the blinking pointer is on, which is bright just now if `is_bright`
    seconds    that are left of the hour, None without a clock; `is_urgent`: in its last minutes
    look       of the unit's disc
    is_mine    whether the unit runs beside this table
    calls      whether somebody here calls the referee
    stopping   how far AUCTION is held to stop the light, from 0 to 1
    detail     what is said below the title of the decision
    buttons    of the decision
    draft      a deal that is put together, in place of the decision
    bidders    the people that may bid in the sale
    share      the time left of its light, from 1 to 0; None if that is secret, or it is not on
    is_closing whether the light is about to go out
    sold       the event with which a sale has just ended, None for none
    drawn      the chance card that was just drawn, -1 for none
    history    at the end of the game, of each player: (turn, worth) through it; () to see the city
    lookup     the card that was asked for, "" for none, and its `page`
    deed       that is looked at, -1 for none
    log        its last lines, the newest at the end; the last of all is among them if `is_newest`
    invitation how telephones come to the table, None if none may
    has_code   whether that is shown beside the log: somebody may still want a telephone
    mouse      where it is, px
    """

    game: Game
    plots: tuple[Plot, ...]
    places: tuple[float, ...]
    dice: tuple[Die, ...]
    floats: tuple[tuple[int, int, float], ...]
    outlined: tuple[int, ...]
    pointed: tuple[int, ...]
    is_bright: bool
    seconds: int | None
    is_urgent: bool
    look: Look
    is_mine: bool
    calls: bool
    stopping: float
    detail: str
    buttons: tuple[Button, ...]
    draft: Draft | None
    bidders: tuple[Bidder, ...]
    share: float | None
    is_closing: bool
    sold: tuple | None
    drawn: int
    history: tuple[tuple[tuple[int, int], ...], ...]
    lookup: str
    page: int
    deed: int
    log: tuple[str, ...]
    is_newest: bool
    toast: str
    volume: int
    invitation: Invitation | None
    has_code: bool
    mouse: tuple[float, float]

    @property
    def state(self) -> State:
        return self.game.table.state

    @property
    def board(self) -> Board:
        return self.state.board

    @property
    def players(self) -> tuple[Player, ...]:
        return self.game.players

    @property
    def names(self) -> tuple[str, ...]:
        return self.game.table.names
