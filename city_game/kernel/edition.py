"""An edition of the game as a value: all in which one book differs from another.

The kernel asks the edition of the game that it plays, and names none. What an edition does not
say is as the kernel has it: each function here stands beside what it does where it is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
    """What is said of a refused action.

    reason  a part of a sentence: what is in the way now
    rule    a sentence: what holds always; None where there is nothing to be learned
    source  "rulebook" or "assumption"; "" without a rule
    """

    reason: Lazy
    rule: Lazy | None = None
    source: str = ""


class Source(NamedTuple):
    """A rulebook that an edition goes by, and what is not known of it, in a sentence or ""."""

    book: Lazy
    gaps: Lazy | str = ""


class Words(NamedTuple):
    """What an edition says beside what every edition says; each by the name of its thing.

    fields, events    what happened: its values, and its sentence
    written           how a value is written: (value, board) to text
    combined          what is written of several values of an event together
    refusals          why something cannot be done
    options, letters  what can be done, and the key for it
    targets           what it costs or brings to do that with a deed
    prices            for those: (state, deed) to notes
    titles, details   what is to be decided, and the figures for it
    detail            a detail that is made of the state: (state) to text
    cards             what a card does
    spaces            what stands on a space of the track
    arrived           how one comes there
    player            what there is to know of a player besides: (state, player) to texts
    row               what a row of rents is for: (board, deed, row) to text
    sums              what else a deed costs, by its name: (board, deed) to notes
    deed              the lines under the rents: (state, deed) to texts
    short_rents       the rents said of an unsold deed: (board, deed) to text
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
    cards: Mapping[str, Lazy] = {}
    spaces: Mapping[str, Lazy] = {}
    arrived: Mapping[str, Any] = {}
    player: Callable[[Any, int], list[str]] = defaults.no_notes
    row: Callable[[Any, int, int], str] = defaults.row_of_rents
    sums: Callable[[Any, int], Mapping[str, int]] = defaults.no_sums
    deed: Callable[[Any, int], tuple[str, ...]] = defaults.no_deed_words
    short_rents: Callable[[Any, int], str] = defaults.short_rents


@dataclass(frozen=True, eq=False, kw_only=True)
class Edition:
    """One edition.

    name       as files and `--edition` have it: its folder's
    title      as people read it
    package    the package whose folder `boards` holds its boards
    board      the board that is played on unless another is named
    owns_unnamed  whether a board file that names no edition is its own
    sources    the books that it goes by
    program    the unit's program that is its clock and its light
    players    the fewest and the most
    sides      of each of the two dice
    reader     reads its boards
    state      its state: the kernel's, with slots of its own
    switches, decisions  what the book leaves open: with a choice, and decided
    actions, phases  what can be done, and when; see `actions`
    checks     what the values of its actions may be, beside `arguments.IS`
    values     the values of its actions worth a look, beside `candidates.VALUES`
    arrivals   what a kind of space does to whoever comes there: (state, player, space)
    effects    what a card does: (state, player, amount)
    draws      what chance does in phases of its own: (state, below) to an action
    pending    what comes next after anything, in order: each says whether it is pending
    """

    name: str
    title: Lazy
    package: str
    board: str
    owns_unnamed: bool = False
    sources: tuple[Source, ...] = ()
    program: str
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
    # What a deed brings, what the bank lends on it, and what lifting that costs.
    rent: Callable[[Any, int], int] = defaults.bare_rent
    loan: Callable[[Any, int], int] = defaults.half_the_price
    redemption: Callable[[Any, int], int] = defaults.as_lent
    # What a player gets at GO, is worth, and would have with all turned into cash.
    salary: Callable[[Any, int], int] = defaults.plain_salary
    worth: Callable[[Any, int], int] = defaults.cash_and_prices
    liquidity: Callable[[Any, int], int] = defaults.cash_and_loans
    # What happens besides: when somebody comes to stand on a deed, when a turn begins, and before
    # a bankrupt's deeds go to the creditor.
    landed: Callable[[Any, int], None] = defaults.nothing_there
    begin_turn: Callable[[Any], None] = defaults.nothing
    give_up: Callable[[Any, int, int], None] = defaults.nothing_lost
    # Whether a debtor may choose how to meet a debt that could be paid; why a deal, or a loan, is
    # refused; whether a bankruptcy ends the game.
    may_choose: Callable[[Any, int, str], bool] = defaults.no_choice
    deal_refusal: Callable[[Any, tuple], str] = defaults.no_refusal
    loan_refusal: Callable[[Any, int], str] = defaults.no_refusal_of_loan
    is_over: Callable[[Any], bool] = defaults.one_is_left
    # How it is said and shown, and what bots think.
    words: Words = field(default_factory=Words)
    look: Callable[[Any, int], Look] = defaults.plain_look
    # What whoever does something in their own turn gains by it, in notes; bots of its own.
    prospect: Callable[[Any, tuple], float] = defaults.no_prospect
    minds: Callable[[], Mapping[str, type]] = defaults.no_minds

    @cached_property
    def allowed(self) -> dict[str, dict[str, Action]]:
        """The actions that have a meaning in a phase, found by name without a search."""
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
