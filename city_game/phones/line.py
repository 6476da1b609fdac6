"""A telephone that is connected, and what is known of it."""

from dataclasses import dataclass, field
from typing import NamedTuple

from city_game.phones.clock import PhoneClock

PLAYER, SPECTATOR, REFEREE = ROLES = ("player", "spectator", "referee")
NOBODY = -1


class Verdict(NamedTuple):
    """What became of a bid that was made by telephone.

    sale   the number of the sale that it was made in
    words  why it does not count, "" if it does
    """

    sale: int
    amount: int
    words: str
    counts: bool


class Missed(NamedTuple):
    """The events of a game while a player had no telephone: from, and up to before; cash then."""

    since: int
    until: int
    cash: int


@dataclass
class Line:
    """A telephone that is connected.

    page     which loading of the page it is: its numbers begin anew with each
    verdict  what became of its last bid, None for nothing yet
    shown    what it was shown last, as a text
    missed   what happened while its player had no telephone, None for nothing
    """

    role: str = PLAYER
    has_greeted: bool = False
    player: int = NOBODY
    token: str = ""
    page: str = ""
    language: str = ""
    clock: PhoneClock = field(default_factory=PhoneClock)
    verdict: Verdict | None = None
    has_lost_seat: bool = False
    shown: str = ""
    missed: Missed | None = None
