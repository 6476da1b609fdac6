"""The state of a game. `apply` changes it in place; a step is undone by replaying the log.

All players may see all of it: the next dice and cards are not in it (see `luck`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from city_game.kernel.board import Board
from city_game.kernel.switches import HouseRules

BANK = -1  # as an owner, a creditor, a bidder: no player


class Illegal(Exception):
    """An action that is not allowed now; nothing has changed. Its text is a reason's code."""


class Bid(NamedTuple):
    """A bid that counts: `at` is the unit's time in ms, which may be wrong by `within` ms."""

    player: int
    amount: int
    at: int
    within: int


class RefusedBid(NamedTuple):
    """A bid that does not count; `why` is a reason's code."""

    player: int
    amount: int
    at: int
    within: int
    why: str


class Debt(NamedTuple):
    """An amount that a player must pay before the game goes on.

    why       "rent", "tax", "fine" or "card"
    deed      the deed that the rent is for, -1 for any other debt
    """

    debtor: int
    creditor: int
    amount: int
    why: str
    deed: int


@dataclass(slots=True, eq=False)
class Auction:
    """A sale that runs, or waits for the unit's light.

    started, ended  by the unit's clock, ms; None for not yet
    elapsed         how long the light had been on when the table was interrupted, ms; 0 for never
    bids            the bids that count, each above the one before it
    refused         the bids that do not count
    passed          the players that bid no more; a later bid of a player cancels their pass
    was_decided     whether no bidder was left when the light went out
    lot             "" if the deed is sold; else the thing that is, by the edition's name
    bidders         of a lot: the players that may bid; for one of the bank's the opener is one
    """

    deed: int
    opener: int = BANK
    opening: int = 0
    lot: str = ""
    bidders: tuple[int, ...] = ()
    started: int | None = None
    ended: int | None = None
    elapsed: int = 0
    bids: list[Bid] = field(default_factory=list)
    refused: list[RefusedBid] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    was_decided: bool = False

    @property
    def thing(self) -> int | str:
        """The deed that is sold, or the lot, as events have it."""
        return self.lot or self.deed

    def highest(self) -> int:
        """Return the highest amount, 0 for none; a bid must be above it."""
        return self.bids[-1].amount if self.bids else 0

    def leader(self) -> int:
        return self.bids[-1].player if self.bids else BANK


@dataclass(slots=True, eq=False)
class Deal:
    """An offer to another player: deeds, money and jail cards, either way.

    pays         notes from the proposer to the partner; negative: the other way
    takes_cards  jail cards that the proposer gets; negative: gives
    returns_to   the phase and decider that it interrupts
    started      when the unit's light went on for it, by the unit's clock, ms; None for not yet
    """

    proposer: int
    partner: int
    gives: tuple[int, ...]
    asks: tuple[int, ...]
    pays: int
    takes_cards: int
    returns_to: tuple[str, int]
    started: int | None = None


class State:
    """One game. Players, deeds, groups and spaces are indices; money is notes of 10k.

    An edition adds slots of its own, and fills them in `lay_out`.

    edition  the board's
    phase    the open decision: a key of the edition's phases
    decider  the player that decides; BANK for chance, the unit, and auctions
    draws    the number of chance's actions
    events   all events, as tuples; see `words.FIELDS`
    sales    the auctions so far, in order; a cancelled one has no end
    """

    __slots__ = (
        "alive", "auction", "board", "cash", "deal", "debts", "decider", "deck", "doubles",
        "draws", "edition", "estate", "events", "held", "hour_over", "jail_cards", "jailed",
        "mortgage", "order", "owned", "owner", "phase", "pile", "place", "players", "rolls",
        "rules", "sales", "start_rolls", "steps_owed", "stopped", "tied", "turn", "turns",
        "unseen", "winners",
    )  # fmt: skip

    def __init__(self, board: Board, players: int, rules: HouseRules) -> None:
        if why := board.edition.seats_refusal(players, rules):
            raise ValueError(why)
        self.board = board
        self.edition = board.edition
        self.rules = rules
        self.players = players
        self.draws = self.turns = self.rolls = 0
        self.events: list[tuple] = []
        self.cash = [board.money.start] * players
        self.place = [0] * players
        self.jailed = [0] * players  # 0 at large; in jail 1 + tries at a double
        self.alive = [True] * players
        self.jail_cards: list[list[int]] = [[] for _ in range(players)]
        deeds = len(board.deeds)
        self.owner = [BANK] * deeds
        self.owned: list[list[int]] = [[] for _ in range(players)]
        self.held = [[0] * len(board.groups) for _ in range(players)]  # deeds by player and group
        self.mortgage = [0] * deeds  # the bank's loan in notes; 0 is not mortgaged
        # The cards: not yet seen, and the pile of the seen in their order.
        self.unseen = list(range(len(board.cards)))
        self.pile: list[int] = []
        self.deck = "chance"  # the deck that the next card comes from
        self.turn = 0
        self.order = list(range(players))  # in which the players have their turns
        self.doubles = 0  # in a row; the turn goes on while it is not 0
        self.steps_owed = 0  # to be moved once the jail fine is paid
        self.stopped = False  # sent to jail: the turn is over
        self.tied = list(range(players))  # the players that still roll for the start
        self.start_rolls: list[int] = []  # in the order of `tied`
        self.debts: list[Debt] = []
        self.estate: list[int] = []  # deeds of a bankrupt, to be auctioned
        self.auction: Auction | None = None
        self.sales: list[Auction] = []
        self.deal: Deal | None = None
        self.hour_over = False
        self.winners: list[int] = []
        self.phase = "start roll"
        self.decider = BANK
        self.lay_out()

    def lay_out(self) -> None:
        """Fill the slots that are an edition's own."""

    def has_group(self, player: int, group: int) -> bool:
        """Return whether all the group's deeds are this player's."""
        return self.held[player][group] == len(self.board.members[group])

    def others(self, player: int) -> list[int]:
        """Return all other players that are in the game."""
        return [other for other in range(self.players) if other != player and self.alive[other]]

    def transfer(self, deed: int, player: int) -> None:
        """Give a deed to a player, or to the bank."""
        before = self.owner[deed]
        group = self.board.group_of[deed]
        if before >= 0:
            self.owned[before].remove(deed)
            self.held[before][group] -= 1
        if player >= 0:
            self.owned[player].append(deed)
            self.held[player][group] += 1
        self.owner[deed] = player


# Checks of the values of an action: whether each names a player, a deed, a number that exists.
# An action comes from a save, a window, a bot or a program. A list would take the index -1
# for its last entry, and True for 1. These checks let only proper values through, so that the
# rules behind them need not check again.

Check = Callable[[State, object], bool]


def fit(state: State, checks: tuple[Check, ...], values: tuple) -> bool:
    """Return whether the values of an action pass the checks of its fields."""
    if len(checks) != len(values):
        return False
    # A loop, because it runs before each action: `all` costs twice as much.
    for check, value in zip(checks, values, strict=True):  # noqa: SIM110
        if not check(state, value):
            return False
    return True


def is_whole(_state: State, value: object) -> bool:
    return type(value) is int  # True is an int too


def is_word(_state: State, value: object) -> bool:
    return type(value) is str


def _is_die(state: State, value: object) -> bool:
    return type(value) is int and 1 <= value <= state.edition.sides


def _is_player(state: State, value: object) -> bool:
    return type(value) is int and 0 <= value < state.players


def _is_deed(state: State, value: object) -> bool:
    return type(value) is int and 0 <= value < len(state.owner)


def _are_deeds(state: State, value: object) -> bool:
    return type(value) is tuple and all(_is_deed(state, deed) for deed in value)


# field: whether it can have a value; the rules then decide whether that value is legal
IS: Mapping[str, Check] = {
    "one": _is_die,
    "other": _is_die,
    "player": _is_player,
    "partner": _is_player,
    "district": _is_deed,
    "gives": _are_deeds,
    "asks": _are_deeds,
    "card": lambda state, value: type(value) is int and 0 <= value < len(state.board.cards),
    "amount": is_whole,  # of a deal it may be negative
    "cards": is_whole,
    "at": is_whole,
    "within": lambda _state, value: type(value) is int and value >= 0,
    "why": is_word,
}


def checks_of(fields: tuple[str, ...], known: Mapping[str, Check] = IS) -> tuple[Check, ...]:
    return tuple(known[field] for field in fields)
