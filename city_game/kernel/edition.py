"""An edition of the game as a value: all differences between one rulebook and another.

The kernel calls the edition of the game that it plays, and names no edition. An edition that
leaves a function out has the kernel's: each function here stands beside its default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from city_game.kernel import defaults
from city_game.kernel.arguments import IS, Check
from city_game.kernel.board_file import BoardReader
from city_game.kernel.defaults import Look
from city_game.kernel.state import State
from city_game.kernel.switches import HouseRules, Switch

if TYPE_CHECKING:
    from city_game.kernel.actions import Action
    from city_game.kernel.board import Board
    from city_unit.desktop.catalogue import Lazy


class Refusal(NamedTuple):
    """The message about a refused action.

    reason  a part of a sentence: the obstacle now
    rule    a sentence: the rule that always holds; None if it adds nothing
    source  "rulebook" or "assumption"; "" without a rule
    """

    reason: Lazy
    rule: Lazy | None = None
    source: str = ""


class Source(NamedTuple):
    """A rulebook that an edition follows; `gaps` says where our knowledge ends, or is ""."""

    book: Lazy
    gaps: Lazy | str = ""


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
    combined: Callable[[Mapping[str, Any]], Mapping[str, str]] = defaults.nothing_combined
    refusals: Mapping[str, Refusal] = {}
    options: Mapping[str, Lazy] = {}
    letters: Mapping[str, str] = {}
    targets: Mapping[str, Lazy] = {}
    prices: Mapping[str, Callable[[Any, int], int]] = {}
    label: Callable[[Any, tuple, dict[int, tuple]], str] = defaults.no_label
    titles: Mapping[str, Lazy] = {}
    details: Mapping[str, Lazy] = {}
    detail: Callable[[Any], str] = defaults.no_words
    target_detail: Callable[[Any, tuple], str | None] = defaults.no_target_detail
    lots: Mapping[str, Lazy] = {}
    cards: Mapping[str, Lazy] = {}
    spaces: Mapping[str, Lazy] = {}
    arrived: Mapping[str, Any] = {}
    player: Callable[[Any, int], list[str]] = defaults.no_notes
    parts: Callable[[Any, int], Mapping[str, int]] = defaults.parts_of_worth
    row: Callable[[Any, int, int], str] = defaults.row_of_rents
    sums: Callable[[Any, int], Mapping[str, int]] = defaults.no_sums
    deed: Callable[[Any, int], tuple[str, ...]] = defaults.no_deed_words
    short_rents: Callable[[Any, int], str] = defaults.short_rents
    counted: Mapping[str, tuple[str, Lazy]] = {}


@dataclass(frozen=True, eq=False, kw_only=True)
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
    players    the fewest and the most
    sides      of each of the two dice
    reader     reads its boards
    state      its state: the kernel's, with slots of its own
    switches, decisions  open questions of the book: those with a choice, and the decided ones
    actions, phases  the possible actions, and their phases; see `actions`
    checks     the allowed values of its actions, beside `arguments.IS`
    values     the values of its actions worth a look, beside `candidates.VALUES`
    arrivals   the effect of a kind of space on an arriving player: (state, player, space)
    effects    the effect of a card: (state, player, amount)
    draws      chance's action in phases of its own: (state, below) to an action
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
    players: tuple[int, int] = (2, 6)
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
    draws: Mapping[str, Callable[[Any, Callable[[int, int], int]], tuple]] = field(
        default_factory=dict
    )
    pending: tuple[Callable[[Any], bool], ...]
    # The rent of a deed, the bank's loan on it, and the price of lifting that mortgage.
    rent: Callable[[Any, int], int] = defaults.bare_rent
    loan: Callable[[Any, int], int] = defaults.half_the_price
    redemption: Callable[[Any, int], int] = defaults.as_lent
    # A player's salary at GO, worth, and cash with all property turned into cash.
    salary: Callable[[Any, int], int] = defaults.plain_salary
    worth: Callable[[Any, int], int] = defaults.cash_and_prices
    liquidity: Callable[[Any, int], int] = defaults.cash_and_loans
    # Further effects: when a player lands on a deed, when a turn begins, and before a bankrupt's
    # deeds go to the creditor.
    landed: Callable[[Any, int], None] = defaults.nothing_there
    begin_turn: Callable[[Any], None] = defaults.nothing
    give_up: Callable[[Any, int, int], None] = defaults.nothing_lost
    # Whether a debtor may choose how to meet a debt that could be paid; why a deal, or a loan, is
    # refused; whether a bankruptcy ends the game, or the end of this turn; who win together.
    may_choose: Callable[[Any, int, str], bool] = defaults.no_choice
    deal_refusal: Callable[[Any, tuple], str] = defaults.no_refusal
    loan_refusal: Callable[[Any, int], str] = defaults.no_refusal_of_loan
    is_over: Callable[[Any], bool] = defaults.one_is_left
    is_last_turn: Callable[[Any], bool] = defaults.hour_is_over
    teams: Callable[[Any], Sequence[Sequence[int]]] = defaults.each_alone
    # Texts, look, and the thinking of bots.
    words: Words = field(default_factory=Words)
    look: Callable[[Any, int], Look] = defaults.plain_look
    # A lot of the bank's goes to the player that won its auction; its worth to a bot, in notes.
    award: Callable[[Any, int], None] = defaults.nothing_to_give
    lot_worth: Callable[[Any, int], int] = defaults.worth_nothing
    # A player's gain by an action in their own turn, in notes; bots of its own.
    prospect: Callable[[Any, tuple], float] = defaults.no_prospect
    minds: Callable[[], Mapping[str, type]] = defaults.no_minds

    @cached_property
    def allowed(self) -> dict[str, dict[str, Action]]:
        """The actions that have a meaning in a phase, by name, for a look-up without a search."""
        return {
            phase: {name: self.actions[name] for name in names}
            for phase, names in self.phases.items()
        }

    @cached_property
    def all_checks(self) -> dict[str, Check]:
        return {**IS, **self.checks}

    def rules(self, **changed: bool) -> HouseRules:
        """Return the switches at their defaults, but for those that are named."""
        return HouseRules(self.switches, **changed)


def fresh(board: Board, players: int, rules: HouseRules | None = None) -> State:
    """Return a new game's state; raises ValueError for too few or too many players."""
    return board.edition.state(board, players, rules or board.edition.rules())
