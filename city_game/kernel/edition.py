"""An edition of the game as a value: all differences between one rulebook and another.

The kernel calls the edition of the game that it plays, and names no edition. An edition that
leaves a function out has the kernel's: each function here stands beside its default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from city_game.kernel.board import BoardReader
from city_game.kernel.flow import cash_and_loans
from city_game.kernel.luck import DRAWS, Below
from city_game.kernel.money import show
from city_game.kernel.state import IS, Check, State, checks_of
from city_game.kernel.switches import HouseRules, Switch
from city_unit.desktop.catalogue import Lazy, _

if TYPE_CHECKING:
    from city_game.kernel.actions import Action
    from city_game.kernel.board import Board


BOOK, OURS = "rulebook", "assumption"


class Refusal(NamedTuple):
    """The message about a refused action.

    reason  a part of a sentence: the obstacle now
    rule    a sentence: the rule that always holds; None if it adds nothing
    source  of the rule: BOOK, or OURS for an assumption
    """

    reason: Lazy
    rule: Lazy | None = None
    source: str = BOOK


class Source(NamedTuple):
    """A rulebook that an edition follows; `gaps` says where our knowledge ends, or is ""."""

    book: Lazy
    gaps: Lazy | str = ""


class Look(NamedTuple):
    """How a deed looks on the table.

    homes, works  pieces of 1, 2 and 3 blocks
    landmarks     other buildings there, by the painter's names for them
    has_station   whether a station stands on its space of the track
    is_doubled    whether its rent is doubled today
    counted       the index of the rent that counts today
    """

    homes: tuple[int, ...] = (0, 0, 0)
    works: tuple[int, ...] = (0, 0, 0)
    landmarks: tuple[str, ...] = ()
    has_station: bool = False
    is_doubled: bool = False
    counted: int = 0


def _cash_and_prices(state: State, player: int) -> int:
    """Return cash and the prices of all deeds; of a mortgaged deed half."""
    total = state.cash[player]
    for deed in state.owned[player]:
        price = state.board.prices[deed]
        total += price // 2 if state.mortgage[deed] else price
    return total


def one_is_left(state: State) -> bool:
    teams = state.edition.teams(state)
    return sum(any(state.alive[player] for player in team) for team in teams) == 1


def _price_and_rent(board: Board, deed: int) -> str:
    """Return a sentence about the price and the rents of a deed that is for sale."""
    words = _("{district} costs {price}. Its rent: {rent}.")
    price, rent = show(board.prices[deed]), show(board.rents[deed][0])
    return words.format(district=board.deeds[deed].name, price=price, rent=rent)


class Words(NamedTuple):
    """The texts of an edition beside the texts of every edition; each by the name of its subject.

    fields, events    of an event: the names of its values, and its sentence
    written           how a value is written: (value, board) to text
    combined          texts made of several values of an event together
    refusals          of a reason's code: the message
    options, letters  of an action: the text of its button, and its key
    targets           the price or the gain of an action with a deed, as a text
    prices            the amounts in these texts: (state, deed) to notes
    titles, details   of a phase: the question to decide, and its figures
    detail            a detail made of the state: (state) to text
    lots              of a thing of the bank's that is auctioned, beside deeds: its name
    cards             of an effect: the text on a card
    spaces            of a kind of space: its name on the track
    arrived           of a kind of space: the sentence when a player arrives
    player            more facts about a player: (state, player) to texts
    parts             what a player's worth is made of: (state, player) to notes by their names
    row               the label of a row of rents: (board, deed, row) to text
    sums              other prices of a deed, by their names: (board, deed) to notes
    deed              the lines under the rents: (state, deed) to texts
    short_rents       the price and rents of an unsold deed: (board, deed) to text
    counted           what a simulation counts: by its name in the report, an event and a text
    """

    how_to_play: tuple[Lazy, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = {}
    events: Mapping[str, Any] = {}
    written: Mapping[str, Callable[[Any, Any], object]] = {}
    combined: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda _values: {}
    refusals: Mapping[str, Refusal] = {}
    options: Mapping[str, Lazy] = {}
    letters: Mapping[str, str] = {}
    targets: Mapping[str, Lazy] = {}
    prices: Mapping[str, Callable[[Any, int], int]] = {}
    label: Callable[[Any, tuple, dict[int, tuple]], str] = lambda _state, _key, _targets: ""
    titles: Mapping[str, Lazy] = {}
    details: Mapping[str, Lazy] = {}
    detail: Callable[[Any], str] = lambda _state: ""
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
    deed: Callable[[Any, int], tuple[str, ...]] = lambda state, deed: (
        _("Now: {rent}").format(
            rent=show(0 if state.mortgage[deed] else state.edition.rent(state, deed))
        ),
    )
    short_rents: Callable[[Any, int], str] = _price_and_rent
    counted: Mapping[str, tuple[str, Lazy]] = {}


class Rule(NamedTuple):
    """An action in a phase: the checks of its values, and its guard; see `Action`."""

    checks: tuple[Check, ...]
    of_own: bool
    why_not: Callable[[Any, tuple], str]


# With slots a function is found in one step: it is looked up before each action.
@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Edition:
    """One edition.

    name       as files and `--edition` have it: its folder's
    title      as people read it
    package    the package whose folder `boards` holds its boards
    board      its default board
    owns_unnamed  whether a board file that names no edition is its own
    plays_on   the edition on whose boards it is played, "" for its own
    sources    the books that it follows
    program    the unit's program that is its clock and its light
    calls      of a mark of that clock, by its label or else its kind: the action that it leads to
    sides      of each of the two dice
    reader     reads its boards
    state      its state: the kernel's, with slots of its own
    switches, decisions  open questions of the book: those with a choice, and the decided ones
    actions, phases  the possible actions, and their phases; see `actions`
    checks     the allowed values of its actions, beside `state.IS`
    values     the values of its actions worth a look, beside `actions.VALUES`
    arrivals   the effect of a kind of space on an arriving player: (state, player, space)
    effects    the effect of a card: (state, player, amount)
    draws      the phases that are chance's, and its action in each: (state, below) to an action
    allowed    of each phase its actions, by name
    pending    the steps that may come next, in order: each returns whether it is pending
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
    pending: tuple[Callable[[Any], bool], ...]
    # Why a number of seats is refused by the rules, a sentence; "" if they are right.
    seats_refusal: Callable[[int, HouseRules], str] = lambda players, _rules: (
        "" if 2 <= players <= 6 else _("a game is for two to six players")
    )
    # The rent of a deed, the bank's loan on it, and the price of lifting that mortgage.
    rent: Callable[[Any, int], int] = lambda state, deed: state.board.rents[deed][0]
    loan: Callable[[Any, int], int] = lambda state, deed: state.board.prices[deed] // 2
    redemption: Callable[[Any, int], int] = lambda state, deed: state.mortgage[deed]
    # A player's salary at GO, worth, and cash with all property turned into cash.
    salary: Callable[[Any, int], int] = lambda state, _player: state.board.money.salary
    worth: Callable[[Any, int], int] = _cash_and_prices
    liquidity: Callable[[Any, int], int] = cash_and_loans
    # Further effects: when a player lands on a deed (True: all that follows comes later), when a
    # turn begins, and before a bankrupt's deeds go to the creditor.
    landed: Callable[[Any, int], bool] = lambda _state, _deed: False
    begin_turn: Callable[[Any], None] = lambda _state: None
    give_up: Callable[[Any, int, int], None] = lambda _state, _debtor, _creditor: None
    # Whether a debtor may choose how to meet a debt that could be paid; why a deal, or a loan, is
    # refused; whether a bankruptcy ends the game, or the end of this turn; who win together.
    may_choose: Callable[[Any, int, str], bool] = lambda _state, _debtor, _why: False
    deal_refusal: Callable[[Any, tuple], str] = lambda _state, _action: ""
    loan_refusal: Callable[[Any, int], str] = lambda _state, _deed: ""
    is_over: Callable[[Any], bool] = one_is_left
    is_last_turn: Callable[[Any], bool] = lambda state: state.hour_over
    teams: Callable[[Any], Sequence[Sequence[int]]] = lambda state: [
        (player,) for player in range(state.players)
    ]
    # Texts, look, and the thinking of bots.
    words: Words = field(default_factory=Words)
    look: Callable[[Any, int], Look] = lambda _state, _deed: Look()
    # A lot of the bank's goes to the player that won its auction; its worth to a bot, in notes.
    award: Callable[[Any, int], None] = lambda _state, _player: None
    lot_worth: Callable[[Any, int], int] = lambda _state, _player: 0
    # How many deeds of a group a player must have for its advantage: (state, player, group).
    enough: Callable[[Any, int, int], int] = lambda state, _player, group: state.board.sizes[group]
    # A player's gain by an action in their own turn, in notes; bots of its own.
    prospect: Callable[[Any, tuple], float] = lambda _state, _action: 0.0
    minds: Callable[[], Mapping[str, type]] = dict

    allowed: Mapping[str, Mapping[str, Rule]] = field(init=False)

    def __post_init__(self) -> None:
        known = {**IS, **self.checks}
        rules = {
            name: Rule(checks_of(action.fields, known), action.of_own, action.why_not)
            for name, action in self.actions.items()
        }
        allowed = {
            phase: {name: rules[name] for name in names} for phase, names in self.phases.items()
        }
        object.__setattr__(self, "allowed", allowed)

    def rules(self, **changed: bool) -> HouseRules:
        """Return the switches at their defaults, but for those that are named."""
        return HouseRules(self.switches, **changed)


def fresh(board: Board, players: int, rules: HouseRules | None = None) -> State:
    """Return a new game's state; raises ValueError for too few or too many players."""
    return board.edition.state(board, players, rules or board.edition.rules())
