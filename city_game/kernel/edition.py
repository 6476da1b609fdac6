"""An edition of the game as a value: all differences between one rulebook and another.

The kernel calls the functions of the edition being played and never names an edition. Each
function has a default here, which applies to every edition that does not replace it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from city_game.kernel.board import BoardReader
from city_game.kernel.flow import PENDING, cash_and_deeds, loan_left
from city_game.kernel.luck import DRAWS, Below
from city_game.kernel.money import show
from city_game.kernel.state import CHECKS, Check, State, checks_of
from city_game.kernel.switches import HouseRules, Switch
from city_unit.desktop.catalogue import Lazy, _

if TYPE_CHECKING:
    from city_game.kernel.actions import Action
    from city_game.kernel.board import Board


BOOK, OURS = "rulebook", "assumption"


class Refusal(NamedTuple):
    """The message about a refused action.

    reason  the obstacle now, as part of a sentence
    rule    the general rule, as a sentence; None if it adds nothing
    source  of the rule: BOOK, or OURS for an assumption
    """

    reason: Lazy
    rule: Lazy | None = None
    source: str = BOOK


class Source(NamedTuple):
    """A rulebook that an edition follows, and what is missing from our copy of it."""

    book: Lazy
    gaps: Lazy | str = ""


class Look(NamedTuple):
    """The appearance of a deed on the table.

    homes, works  the numbers of pieces of 1, 2 and 3 blocks
    landmarks     other buildings there, by their names in the painter
    has_station   whether a station stands on its space of the track
    is_doubled    whether its rent is doubled now
    counted       the index of the rent that applies now
    """

    homes: tuple[int, ...] = (0, 0, 0)
    works: tuple[int, ...] = (0, 0, 0)
    landmarks: tuple[str, ...] = ()
    has_station: bool = False
    is_doubled: bool = False
    counted: int = 0


def _cash_and_prices(state: State, player: int) -> int:
    """Return cash plus the prices of all deeds, half the price if mortgaged."""
    total = state.cash[player]
    for deed in state.owned[player]:
        price = state.board.prices[deed]
        total += price // 2 if state.mortgage[deed] else price
    return total


def one_is_left(state: State) -> bool:
    teams = state.edition.teams(state)
    return sum(any(state.alive[player] for player in team) for team in teams) == 1


def _price_and_rent(board: Board, deed: int) -> str:
    """Return a sentence on the price and the rent of a deed for sale."""
    words = _("{district} costs {price}. Its rent: {rent}.")
    price, rent = show(board.prices[deed]), show(board.rents[deed][0])
    return words.format(district=board.deeds[deed].name, price=price, rent=rent)


def rent_lines(state: State, deed: int) -> tuple[str, ...]:
    """Return the lines on a deed's current rent and its mortgage."""
    if not state.mortgage[deed]:
        return (_("Now: {rent}").format(rent=show(state.edition.rent(state, deed))),)
    price = show(state.edition.redemption(state, deed))
    lifts = _("Mortgaged: no rent until {price} is paid back.").format(price=price)
    return (_("Now: {rent}").format(rent=show(0)), lifts)


class Words(NamedTuple):
    """The texts that an edition adds to the texts of all editions, or that replace them.

    how_to_play       the rules in a few sentences
    fields, events    by event: the names of its values, and its sentence
    written           by field: writes a value, (value, board) to text
    combined          texts made from several values of such an event
    refusals          by reason code: the message
    options, letters  by action: the text of its button, and its key
    preferred         the action without a deed that Enter performs, "" for the usual one
    targets           by action with a deed: its price or gain as a text
    prices            by action: the amount in that text, (state, deed) to notes
    label             the text of an option before its deed is chosen, "" for the usual one
    titles, details   by phase: the question to decide, and its figures
    detail            a detail that depends on the state, "" for none
    hints             by phase: a hint for a first game, "" for none
    target_detail     the detail of an action with a deed, None for the usual one
    lots              by lot, an auctioned thing other than a deed: its name
    cards             by effect: the text of a card
    spaces            by kind of space: its name on the track
    arrived           by kind of space: its name in the sentence about an arrival
    player            further facts about a player: (state, player) to texts
    parts             the parts of a player's worth by name: (state, player) to notes
    row               the label of a row of rents: (board, deed, row) to text
    sums              the other prices of a deed by name: (board, deed) to notes
    deed              the lines under the rents: (state, deed) to texts
    short_rents       the price and rents of an unsold deed: (board, deed) to text
    counted           the events that a simulation counts: report key to (event, text)
    """

    how_to_play: tuple[Lazy, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = {}
    events: Mapping[str, Any] = {}
    written: Mapping[str, Callable[[Any, Any], object]] = {}
    combined: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda _values: {}
    refusals: Mapping[str, Refusal] = {}
    options: Mapping[str, Lazy] = {}
    letters: Mapping[str, str] = {}
    preferred: Callable[[Any], str] = lambda _state: ""
    targets: Mapping[str, Lazy] = {}
    prices: Mapping[str, Callable[[Any, int], int]] = {}
    label: Callable[[Any, tuple, dict[int, tuple]], str] = lambda _state, _key, _targets: ""
    titles: Mapping[str, Lazy] = {}
    details: Mapping[str, Lazy] = {}
    detail: Callable[[Any], str] = lambda _state: ""
    hints: Mapping[str, Lazy | str] = {}
    target_detail: Callable[[Any, tuple], str | None] = lambda _state, _action: None
    lots: Mapping[str, Lazy] = {}
    cards: Mapping[str, Lazy] = {}
    spaces: Mapping[str, Lazy] = {}
    arrived: Mapping[str, Any] = {}
    player: Callable[[Any, int], list[str]] = lambda _state, _player: []
    parts: Callable[[Any, int], Mapping[str, int]] = lambda state, player: {
        _("cash"): state.cash[player],
        _("deeds"): state.edition.worth(state, player) - state.cash[player],
    }
    row: Callable[[Any, int, int], str] = lambda _board, _deed, row: str(row or _("rent"))
    sums: Callable[[Any, int], Mapping[str, int]] = lambda _board, _deed: {}
    deed: Callable[[Any, int], tuple[str, ...]] = rent_lines
    short_rents: Callable[[Any, int], str] = _price_and_rent
    counted: Mapping[str, tuple[str, Lazy]] = {}


class Rule(NamedTuple):
    """The precomputed checks of an action: of its values, of ownership, and its guard."""

    checks: tuple[Check, ...]
    of_own: bool
    why_not: Callable[[Any, tuple], str]


# With slots the lookup of a function, which precedes each action, takes one step.
@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Edition:
    """One edition.

    name          in files and for `--edition`; the name of its folder
    title         its name for people
    package       the package whose folder `boards` holds its boards
    board         its default board
    owns_unnamed  whether a board file that names no edition belongs to it
    plays_on      the edition whose boards it uses, "" for its own
    sources       the books that it follows
    program       the program of the unit that it is played with
    calls         by mark of that program's clock, its label or else its kind: the resulting action
    sides         the number of sides of each of the two dice
    reader        the class that reads its boards
    state         its state class, which may add slots
    switches      the open questions of the book that players can switch
    decisions     the open questions that are decided for all games
    actions, phases  its tables of actions and phases; see `actions`
    checks        by field: the check of a value, beside `state.CHECKS`
    values        by field: the values to list in legal actions, beside `actions.VALUES`
    arrivals      by kind of space: the effect on an arriving player, (state, player, space)
    effects       by card effect: the function, (state, player, amount)
    draws         by phase in which chance acts: (state, below) to its action
    pending       the steps that may come next, in order; each returns whether it applied
    allowed       by phase and action: the precomputed checks
    """

    name: str
    title: Lazy
    package: str
    board: str
    owns_unnamed: bool = False
    plays_on: str = ""
    sources: tuple[Source, ...] = ()
    program: str
    calls: Mapping[str, str] = field(default_factory=dict)
    sides: int = 6
    reader: type[BoardReader] = BoardReader
    state: type[State] = State
    switches: tuple[Switch, ...]
    decisions: tuple[Lazy, ...] = ()
    actions: Mapping[str, Action]
    phases: Mapping[str, tuple[str, ...]]
    checks: Mapping[str, Check] = field(default_factory=dict)
    values: Mapping[str, Callable[[Any], Iterable]] = field(default_factory=dict)
    arrivals: Mapping[str, Callable[[Any, int, int], None]]
    effects: Mapping[str, Callable[[Any, int, int], None]]
    draws: Mapping[str, Callable[[Any, Below], tuple]] = field(default_factory=lambda: DRAWS)
    pending: tuple[Callable[[Any], bool], ...] = PENDING
    # Why the rules refuse a number of seats, as a sentence; "" if they accept it.
    seats_refusal: Callable[[int, HouseRules], str] = lambda players, _rules: (
        "" if 2 <= players <= 6 else _("a game is for two to six players")
    )
    # The rent of a deed, the bank's loan on it, and the cost of lifting its mortgage.
    rent: Callable[[Any, int], int] = lambda state, deed: state.board.rents[deed][0]
    loan: Callable[[Any, int], int] = lambda state, deed: state.board.prices[deed] // 2
    redemption: Callable[[Any, int], int] = lambda state, deed: state.mortgage[deed]
    # A player's salary at GO, worth, the cash that they could raise, and the part from a deed.
    salary: Callable[[Any, int], int] = lambda state, _player: state.board.money.salary
    worth: Callable[[Any, int], int] = _cash_and_prices
    liquidity: Callable[[Any, int], int] = cash_and_deeds
    raises: Callable[[Any, int], int] = loan_left
    # The interest that the taker of a deed in a deal owes the bank.
    interest: Callable[[Any, int], int] = lambda _state, _deed: 0
    # Further effects: when a player lands on a deed (True if another step must come before the
    # rent), when a turn begins, and before a bankrupt's deeds go to the creditor.
    landed: Callable[[Any, int], bool] = lambda _state, _deed: False
    begin_turn: Callable[[Any], None] = lambda _state: None
    give_up: Callable[[Any, int, int], None] = lambda _state, _debtor, _creditor: None
    # Whether a debtor may choose how to meet a debt that they could pay; why a deal or a loan is
    # refused; whether the game is over; whether it ends with this turn; the seats of each team.
    may_choose: Callable[[Any, int, str], bool] = lambda _state, _debtor, _why: False
    deal_refusal: Callable[[Any, tuple], str] = lambda _state, _action: ""
    loan_refusal: Callable[[Any, int], str] = lambda _state, _deed: ""
    is_over: Callable[[Any], bool] = one_is_left
    is_last_turn: Callable[[Any], bool] = lambda state: state.hour_over
    teams: Callable[[Any], Sequence[Sequence[int]]] = lambda state: [
        (player,) for player in range(state.players)
    ]
    # The texts, and the appearance of a deed.
    words: Words = field(default_factory=Words)
    look: Callable[[Any, int], Look] = lambda _state, _deed: Look()
    # Hands a lot to the winner of its auction; the worth of the lot to a bot, in notes.
    award: Callable[[Any, int], None] = lambda _state, _player: None
    lot_worth: Callable[[Any, int], int] = lambda _state, _player: 0
    # The number of deeds of a group that gives a player its advantage: (state, player, group).
    enough: Callable[[Any, int, int], int] = lambda state, _player, group: state.board.sizes[group]
    # The gain of the deciding player by an action, in notes; the edition's own bots by strength.
    prospect: Callable[[Any, tuple], float] = lambda _state, _action: 0.0
    minds: Callable[[], Mapping[str, type]] = dict

    allowed: Mapping[str, Mapping[str, Rule]] = field(init=False)

    def __post_init__(self) -> None:
        known = {**CHECKS, **self.checks}
        rules = {
            name: Rule(checks_of(action.fields, known), action.of_own, action.why_not)
            for name, action in self.actions.items()
        }
        allowed = {
            phase: {name: rules[name] for name in names} for phase, names in self.phases.items()
        }
        object.__setattr__(self, "allowed", allowed)

    def rules(self, **changed: bool) -> HouseRules:
        """Return the switches at their defaults, except the given ones."""
        return HouseRules(self.switches, **changed)


def fresh(board: Board, players: int, rules: HouseRules | None = None) -> State:
    """Return the state of a new game. Raises ValueError if the number of players is refused."""
    return board.edition.state(board, players, rules or board.edition.rules())
