"""The state of a game. `apply` changes it in place; undo replays the log without the last action.

All of it is public: it does not contain the next dice and cards (see `luck`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from city_game.kernel.board import Board
from city_game.kernel.switches import HouseRules

BANK = -1  # instead of a player, as an owner, a creditor or a bidder


class Illegal(Exception):
    """Raised for an illegal action, which changes nothing; its text is the code of the reason."""


class Bid(NamedTuple):
    """A bid that counts, made `at` ms of the unit's clock, give or take `within` ms."""

    player: int
    amount: int
    at: int
    within: int


class RefusedBid(NamedTuple):
    """A bid that does not count; `why` is the code of the reason."""

    player: int
    amount: int
    at: int
    within: int
    why: str


class Debt(NamedTuple):
    """An amount that a player must pay before the game continues.

    why   "rent", "tax", "fine", "card" or "interest"
    deed  the deed that earns the rent, -1 for other debts
    """

    debtor: int
    creditor: int
    amount: int
    why: str
    deed: int


@dataclass(slots=True, eq=False)
class Auction:
    """A sale that is running, or that waits for the unit's light.

    deed            the deed for sale; for a lot, the deed that it was requested for
    opener          the player who opened the sale, or BANK
    opening         the opening amount, 0 for none
    lot             "" for the sale of a deed, else the name of the edition's lot
    bidders         the players who may bid for a lot; includes the opener if the bank sells it
    started, ended  in ms of the unit's clock; None before that
    elapsed         how long the light had been on when the sale was interrupted, in ms
    bids            the bids that count, in ascending order
    refused         the bids that do not count
    passed          the players who have passed and not bid since
    was_decided     whether no bidder was left when the light went out
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
        """The deed or the lot for sale, as events record it."""
        return self.lot or self.deed

    def highest(self) -> int:
        """Return the highest bid, 0 if there is none."""
        return self.bids[-1].amount if self.bids else 0

    def leader(self) -> int:
        return self.bids[-1].player if self.bids else BANK


@dataclass(slots=True, eq=False)
class Deal:
    """An offer to another player: an exchange of deeds, money and jail cards.

    pays         notes that the proposer pays the partner; negative if the partner pays
    takes_cards  jail cards that the proposer gets; negative if the partner gets them
    returns_to   the interrupted phase and its decider
    started      when the unit's light went on for it, in ms of the unit's clock; None before that
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
    """One game. Players, deeds, groups and spaces are indices; money is in notes of 10k.

    An edition may add slots, and initialises them in `lay_out`.

    phase    the open decision: a key of the edition's phases
    decider  the player who decides; BANK for chance, the unit, and auctions
    draws    the number of actions of chance so far
    events   all events so far, as tuples; see `words.FIELDS`
    sales    the finished auctions, in order; a cancelled one has no end
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
        self.jailed = [0] * players  # 0 if free; in jail, 1 + failed tries at a double
        self.alive = [True] * players
        self.jail_cards: list[list[int]] = [[] for _ in range(players)]
        deeds = len(board.deeds)
        self.owner = [BANK] * deeds
        self.owned: list[list[int]] = [[] for _ in range(players)]
        self.held = [[0] * len(board.groups) for _ in range(players)]  # deeds by player and group
        self.mortgage = [0] * deeds  # the bank's loan in notes; 0 if not mortgaged
        self.unseen = list(range(len(board.cards)))  # cards never drawn
        self.pile: list[int] = []  # cards drawn before, the next one first
        self.deck = "chance"  # the deck of the next card
        self.turn = 0
        self.order = list(range(players))  # of the turns
        self.doubles = 0  # rolled in a row; the player rolls again unless it is 0
        self.steps_owed = 0  # to move once the jail fine is paid
        self.stopped = False  # whether the turn ends at once, as in jail
        self.tied = list(range(players))  # the players who still roll for the start
        self.start_rolls: list[int] = []  # in the order of `tied`
        self.debts: list[Debt] = []
        self.estate: list[int] = []  # a bankrupt's deeds that the bank still has to auction
        self.auction: Auction | None = None
        self.sales: list[Auction] = []
        self.deal: Deal | None = None
        self.hour_over = False
        self.winners: list[int] = []
        self.phase = "start roll"
        self.decider = BANK
        self.lay_out()

    def lay_out(self) -> None:
        """Initialise the slots that the edition adds."""

    def has_group(self, player: int, group: int) -> bool:
        """Return whether the player owns all deeds of the group."""
        return self.held[player][group] == len(self.board.members[group])

    def others(self, player: int) -> list[int]:
        """Return all other players who are still in the game."""
        return [other for other in range(self.players) if other != player and self.alive[other]]

    def transfer(self, deed: int, player: int) -> None:
        """Give a deed to a player or to the bank."""
        before = self.owner[deed]
        group = self.board.group_of[deed]
        if before >= 0:
            self.owned[before].remove(deed)
            self.held[before][group] -= 1
        if player >= 0:
            self.owned[player].append(deed)
            self.held[player][group] += 1
        self.owner[deed] = player


# The checks of an action's values. Actions come from saves, windows, bots and programs. Without
# these checks an index of -1 would mean the last entry of a list, and True would mean 1. The guards
# and effects of the rules rely on them.

Check = Callable[[State, object], bool]


def are_valid(state: State, checks: tuple[Check, ...], values: tuple) -> bool:
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


# field: checks the type and range of its value; the guards decide whether it is legal
CHECKS: Mapping[str, Check] = {
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


def checks_of(fields: tuple[str, ...], known: Mapping[str, Check] = CHECKS) -> tuple[Check, ...]:
    return tuple(known[field] for field in fields)
